//! Samples held against the canonical law: a verdict for each statistic.

use crate::blocks::{BlockMean, BlockMeans, student};
use crate::law::{BathStatistic, CanonicalLaw, STATISTICS, bath_statistics};
use crate::rotor::{BathRotor, RotorSample};
use serde::Serialize;
use topsim_core::verdict::Status;

/// Standard deviations beyond which a statistic fails. With 39 statistics, right samples fail in one of 45 000 files.
pub const SIGMAS: f64 = 5.0;
/// Part of its temperature by which an axis may be hot without being found: files that cannot show as much are undecided.
pub const VISIBLE: f64 = 0.03;

/// A statistic of samples, and what is said of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BathFinding {
    /// Statistic.
    pub statistic: BathStatistic,
    /// Exact mean.
    pub exact: f64,
    /// Mean of the samples.
    pub measured: f64,
    /// Standard error of the mean; none where the samples are correlated throughout.
    pub error: Option<f64>,
    /// Largest difference that passes.
    pub allowed: Option<f64>,
    /// Number of independent samples that would have the same error.
    pub independent: f64,
    /// Verdict.
    pub status: Status,
}

impl BathFinding {
    /// Returns the difference from the exact mean.
    pub fn difference(&self) -> f64 {
        self.measured - self.exact
    }

    /// Returns the difference in standard errors, if there is an error.
    pub fn sigmas(&self) -> Option<f64> {
        let error = self.error.filter(|error| *error > 0.0);
        error.map(|error| self.difference().abs() / error)
    }
}

/// All statistics of a set of samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LawReport {
    /// Number of samples.
    pub samples: u64,
    /// Statistics.
    pub findings: Vec<BathFinding>,
    /// Failed if one statistic fails; else undecided if one is.
    pub status: Status,
}

/// Sums of the statistics, which grow sample by sample.
#[derive(Debug, Clone)]
pub struct LawJudge {
    law: CanonicalLaw,
    exact: [f64; STATISTICS],
    means: BlockMeans<STATISTICS>,
}

impl LawJudge {
    /// Makes a judge of samples of a rotor.
    pub fn new(rotor: &BathRotor) -> Self {
        let law = CanonicalLaw::new(rotor);
        Self {
            exact: bath_statistics().map(|s| law.exact(s)),
            law,
            means: BlockMeans::default(),
        }
    }

    /// Adds a sample.
    #[inline]
    pub fn add(&mut self, sample: &RotorSample) {
        let mut values = self.law.values(sample);
        for (value, exact) in values.iter_mut().zip(&self.exact) {
            *value -= exact;
        }
        self.means.add(values);
    }

    /// Returns the number of samples so far.
    pub fn count(&self) -> u64 {
        self.means.count()
    }

    /// Returns the verdicts. `bias` is the part of a temperature that a right scheme may be off at its step.
    pub fn report(&self, bias: f64) -> LawReport {
        let finding = |(i, statistic)| {
            let mean = self.means.mean(i);
            let exact = self.exact[i];
            let (allowed, status) = verdict(&mean, bias);
            let error = mean.error.map(|(error, _)| error);
            BathFinding {
                statistic,
                exact,
                measured: exact + mean.mean,
                error,
                allowed,
                independent: error.map_or(0.0, |e| (mean.deviation / e).powi(2)),
                status,
            }
        };
        let findings: Vec<_> = bath_statistics()
            .into_iter()
            .enumerate()
            .map(finding)
            .collect();
        let any = |status| findings.iter().any(|f| f.status == status);
        let status = match () {
            () if any(Status::Failed) => Status::Failed,
            () if any(Status::Undecided) => Status::Undecided,
            () => Status::Passed,
        };
        LawReport {
            samples: self.count(),
            findings,
            status,
        }
    }
}

/// Returns the largest difference that passes, and the verdict.
fn verdict(mean: &BlockMean, bias: f64) -> (Option<f64>, Status) {
    if !mean.mean.is_finite() {
        return (None, Status::Failed);
    }
    let Some((error, blocks)) = mean.error else {
        return (None, Status::Undecided);
    };
    // The square of a normal number scatters by √2.
    let unit = mean.deviation * std::f64::consts::FRAC_1_SQRT_2;
    let noise = student(SIGMAS, blocks) * error;
    let allowed = bias * unit + noise;
    let status = if !(mean.mean.abs() <= allowed) {
        Status::Failed
    } else if !(allowed <= VISIBLE * unit) {
        Status::Undecided
    } else {
        Status::Passed
    };
    (Some(allowed), status)
}
