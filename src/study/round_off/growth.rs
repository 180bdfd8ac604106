//! Changes of a quantity by round-off over the steps of several starts, and their growth.

use topsim_core::integration::{Experiment, Stops};
use topsim_core::math::Random;
use topsim_core::models::Quantity;

/// Growth that the starts of a scheme show together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Growth {
    /// Root mean square, 10 % and 90 % of the starts at each number of steps, relative.
    pub(super) bands: Vec<[f64; 3]>,
    /// The power of n, and its standard error by leaving out one start after the other.
    pub exponent: [f64; 2],
    /// Mean change of the size a step, in units of ε.
    pub(super) drift: f64,
}

/// One start: relative changes at the numbers of steps, and that of the size at the last.
pub(super) struct StrayCurve {
    changes: Vec<f64>,
    size: f64,
}

/// Exponents within this of ½ are those of a random walk, of 1 those of a bias.
const NEAR: [f64; 2] = [0.1, 0.1];
/// A predicted drift has an exponent within this of 1, and is within this part of its prediction.
const AS_PREDICTED: [f64; 2] = [0.05, 0.1];
/// An exponent less sure than this says nothing: twice that is more than half of the way from ½ to 1.
const UNSURE: f64 = 0.15;

impl Growth {
    pub(super) fn of(counts: &[u64], starts: &[StrayCurve]) -> Self {
        let exponent = |without: Option<usize>| {
            let all = starts.iter().enumerate();
            let kept = || all.clone().filter(|(i, _)| Some(*i) != without);
            let point = |k: usize| {
                let squares = kept().map(|(_, s)| s.changes[k] * s.changes[k]);
                let mean = squares.sum::<f64>() / kept().count() as f64;
                [(counts[k] as f64).ln(), 0.5 * mean.ln()]
            };
            slope(&(0..counts.len()).map(point).collect::<Vec<_>>())
        };
        let all = exponent(None);
        let n = starts.len() as f64;
        let spread: f64 = (0..starts.len())
            .map(|i| (exponent(Some(i)) - all).powi(2))
            .sum();
        let bands = (0..counts.len())
            .map(|k| {
                let mut sorted: Vec<f64> = starts.iter().map(|s| s.changes[k]).collect();
                sorted.sort_by(f64::total_cmp);
                let at = |part: f64| sorted[((n - 1.0) * part).round() as usize];
                let mean = sorted.iter().map(|x| x * x).sum::<f64>() / n;
                [mean.sqrt(), at(0.1), at(0.9)]
            })
            .collect();
        let mean = starts.iter().map(|s| s.size).sum::<f64>() / n;
        Self {
            bands,
            exponent: [all, ((n - 1.0) / n * spread).sqrt()],
            drift: mean / counts[counts.len() - 1] as f64 / f64::EPSILON,
        }
    }

    /// Returns the drift in parts of the predicted one, ε a step.
    pub(super) fn of_predicted(&self, predicted: f64) -> f64 {
        self.drift / predicted
    }

    /// Returns the kind of growth in a word or two; `predicted` is a drift that was known beforehand, ε a step.
    pub(super) fn word(&self, predicted: Option<f64>) -> &'static str {
        let [p, e] = self.exponent;
        let near = |x: f64, slack: f64| (p - x).abs() <= slack.max(2.0 * e);
        if !p.is_finite() {
            "exact"
        } else if e > UNSURE {
            "undecided"
        } else if near(1.0, AS_PREDICTED[0])
            && predicted.is_some_and(|d| (self.of_predicted(d) - 1.0).abs() <= AS_PREDICTED[1])
        {
            "linear, as predicted"
        } else if near(0.5, NEAR[0]) {
            "random walk"
        } else if near(1.0, NEAR[1]) {
            "biased"
        } else if p < 0.5 {
            "bounded"
        } else {
            "between"
        }
    }
}

/// Returns the slope of the least-squares line.
fn slope(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let sum = |f: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(f).sum::<f64>();
    sum(&|p| (p[0] - x) * (p[1] - y)) / sum(&|p| (p[0] - x) * (p[0] - x))
}

/// Returns numbers in [−½, ½) that are the same on every machine; the case's own start is the first.
fn beside(start: u32) -> Vec<f64> {
    let seed = u64::from(start).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut random = Random::new(seed);
    let mut next = || (random.bits() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
    let number = |_| if start == 0 { 0.0 } else { next() };
    (0..32).map(number).collect()
}

/// Quantity that is looked at, with the step and the numbers of steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// Column or group.
    pub quantity: &'a str,
    /// Start, s.
    pub start: f64,
    /// Step, s.
    pub step: f64,
    /// Powers of ten of the first and the last number of steps.
    pub decades: [u32; 2],
}

impl Asked<'_> {
    /// Returns 1, 2 and 5 times each power of ten.
    pub(super) fn counts(&self) -> Vec<u64> {
        let [low, high] = self.decades;
        let powers = (low..high).flat_map(|k| [1, 2, 5].map(|m| m * 10_u64.pow(k)));
        powers.chain([10_u64.pow(high)]).collect()
    }

    /// Returns the growth that so many starts show; `None` where a step failed or somebody stopped it.
    pub(crate) fn growth(&self, experiment: &Experiment, starts: u32) -> Option<Growth> {
        let strayed: Option<Vec<StrayCurve>> = (0..starts)
            .map(|k| self.strayed(experiment, k, &|| true))
            .collect();
        Some(Growth::of(&self.counts(), &strayed?))
    }

    /// Returns the changes from one start; `None` where a step failed or somebody stopped it.
    pub(super) fn strayed(
        &self,
        experiment: &Experiment,
        start: u32,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<StrayCurve> {
        let group = experiment.columns().group_or_column(self.quantity)?;
        let size = |row: &[f64]| {
            let squares = group.channels.iter().map(|&c| row[c] * row[c]);
            squares.sum::<f64>().sqrt()
        };
        let counts: Vec<u64> = std::iter::once(0).chain(self.counts()).collect();
        let displacement = beside(start);
        let stops = Stops {
            start: self.start,
            step: self.step,
            counts: &counts,
            displacement: &displacement,
            wanted: go_on,
        };
        let mut first = Vec::new();
        let mut out = StrayCurve {
            changes: Vec::new(),
            size: 0.0,
        };
        experiment.follow(&stops, &mut |i, row| {
            if i == 0 {
                first = row.to_vec();
                return true;
            }
            let begun = size(&first);
            let unit = match group.quantity {
                Quantity::Orthogonality => 1.0,
                _ => begun,
            };
            out.changes.push(group.distance(row, &first) / unit);
            out.size = (size(row) - begun) / unit;
            go_on()
        });
        (out.changes.len() + 1 == counts.len()).then_some(out)
    }
}
