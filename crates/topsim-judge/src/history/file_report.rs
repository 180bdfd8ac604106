//! One history judged row by row; a few numbers are kept for each row that is compared.

use super::comparison::{
    Comparison, Deviation, MANY, NotCompared, ReferenceErrors, Worst, displayed,
};
use super::dynamics::{Body, Drift, MomentumDrift};
use super::kinematics::{Hypothesis, Increments, Kinematics};
use super::start::{Start, StartAgainst};
use super::trace::Trace;
use crate::thresholds::ROUNDING;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::Vec3;
use topsim_core::models::Columns;
use topsim_core::reference::{NoReference, RowReference};
use topsim_protocol::Claims;
use topsim_protocol::history::{MotionLoss, Peak, Quality, RateFrame, ReadError, Sample, Source};

/// How the rows ended.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HistoryEnd {
    /// All numbers are finite.
    Whole,
    /// From a row on, it is no motion.
    Lost(MotionLoss),
}

/// A history that was judged: a file, or what a solver made of one step.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FileReport {
    /// Name.
    pub file: String,
    /// Its step: told, or the median spacing, s.
    pub step: f64,
    /// Its tolerance, where the histories differ in this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// True if the step was told.
    pub told: bool,
    /// Rows judged.
    pub rows: u64,
    /// Times of the first and the last of them, s.
    pub times: [f64; 2],
    /// Median spacing, s.
    pub spacing: f64,
    /// Columns not used.
    pub ignored: Vec<String>,
    /// What its author claims of the solver, in its first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<Claims>,
    /// Frame of the rate.
    pub rate_frame: Option<RateFrame>,
    /// Largest deviation of a quaternion's length from that of row 0, relative.
    pub norm: Option<Peak>,
    /// Changes of a quaternion's sign.
    pub sign_jumps: u64,
    /// Largest orthogonality defect |RᵀR − I| of a matrix.
    pub defect: Option<Peak>,
    /// Largest deviation of a time from the one wanted, where that is worth telling, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_off: Option<Peak>,
    /// How the rows ended.
    pub ended: HistoryEnd,
    /// Row 0; absent where nothing is known at its time.
    pub start: Option<Start>,
    /// Attitude against rate.
    pub kinematics: Option<Kinematics>,
    /// Errors against the reference.
    pub errors: Option<ReferenceErrors>,
    /// Why there are none.
    #[serde(serialize_with = "displayed")]
    #[schemars(with = "Option<String>")]
    pub not_compared: Option<NotCompared>,
    /// H from attitude and rate, J; where it is conserved.
    pub energy: Option<Drift>,
    /// Largest difference between the change of the file's `H` and of that from attitude and rate, J.
    pub energy_column: Option<Worst>,
    /// Spatial momentum, or what of it is conserved, kg m²/s.
    pub momentum: Option<MomentumDrift>,
    /// How far each row is off, in the order of their times; of very many rows evenly spread ones and the last.
    #[serde(skip)]
    pub deviations: Vec<Deviation>,
    /// Rows kept, for the diagnosis.
    #[serde(skip)]
    pub trace: Trace,
}

impl FileReport {
    /// Returns the same as the history of a step that was asked for.
    pub(crate) fn of_step(self, step: f64, tolerance: Option<f64>) -> Self {
        Self {
            file: match tolerance {
                Some(tolerance) => format!("tolerance {tolerance:e}"),
                None => format!("step {step}"),
            },
            step,
            tolerance,
            told: true,
            ..self
        }
    }
    /// Whether nothing contradicts that this is the case's motion, rightly reported.
    pub fn agrees(&self) -> bool {
        self.ended == HistoryEnd::Whole
            && self.start.as_ref().is_none_or(Start::matches)
            && !self
                .kinematics
                .as_ref()
                .is_some_and(Kinematics::contradicts)
    }
}

/// What histories are judged against.
pub struct Criteria<'a> {
    /// The body.
    pub body: &'a Body,
    /// Columns of the case.
    pub columns: &'a Columns,
    /// Start and end of the case, s.
    pub span: [f64; 2],
    /// The reference, or why there is none.
    pub reference: Result<&'a dyn RowReference, NoReference>,
}

/// The median of many numbers in bounded memory: every k-th is kept.
#[derive(Default)]
struct Median {
    kept: Vec<f64>,
    every: u64,
    seen: u64,
}

impl Median {
    fn push(&mut self, x: f64) {
        if self.seen.is_multiple_of(self.every.max(1)) {
            self.kept.push(x);
            if self.kept.len() as u64 >= MANY {
                let mut k = 0;
                self.kept.retain(|_| {
                    k += 1;
                    k % 2 == 1
                });
                self.every = self.every.max(1) * 2;
            }
        }
        self.seen += 1;
    }
    fn value(mut self) -> f64 {
        self.kept.sort_by(f64::total_cmp);
        self.kept
            .get(self.kept.len() / 2)
            .copied()
            .unwrap_or(f64::NAN)
    }
}

/// Deviations from row 0.
struct StartDrift {
    first: Option<(f64, Vec3)>,
    energy: Worst,
    momentum: Worst,
    scales: [f64; 2],
    column: Option<(f64, Worst)>,
}

impl Criteria<'_> {
    /// Reads all rows and judges them; the report has no name, and its step is the spacing of the rows.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn judge(&self, mut rows: impl Source) -> Result<FileReport, ReadError> {
        let frame = rows.rate();
        let mut comparison = Comparison::new(self.reference.clone(), self.columns, self.span);
        let mut increments = Increments::new(match frame {
            Some(RateFrame::Space) => Hypothesis::Space,
            _ => Hypothesis::Body,
        });
        let mut kept = StartDrift {
            first: None,
            energy: Worst::NONE,
            momentum: Worst::NONE,
            scales: [0.0; 2],
            column: None,
        };
        let mut spacing = Median::default();
        let mut trace = Trace::new(self.span);
        let (mut start, mut times) = (None, None::<[f64; 2]>);
        while let Some(sample) = rows.next_row()? {
            match &mut times {
                None => {
                    times = Some([sample.t; 2]);
                    start = self.start(&sample, &rows, &mut comparison);
                }
                Some([_, last]) => {
                    spacing.push(sample.t - *last);
                    *last = sample.t;
                }
            }
            let mut off = Deviation {
                t: sample.t,
                attitude: None,
                rate: None,
                energy: None,
                momentum: None,
            };
            if let (Some(w), Some(omega)) = (&sample.rate, &sample.omega) {
                increments.push(sample.t, &sample.att, w);
                self.keep(&mut kept, &sample, omega, &mut off);
            }
            let exact = comparison.push(&sample, off);
            let moving = match self.reference {
                Ok(_) => exact.map(|y| y.omega),
                Err(_) => sample.omega,
            };
            for (most, now) in kept.scales.iter_mut().zip(
                moving
                    .map(|w| self.body.scales(sample.t, &w))
                    .into_iter()
                    .flatten(),
            ) {
                *most = most.max(now);
            }
            trace.push(sample);
        }
        let quality = rows.quality().clone();
        Ok(self.report(
            &rows,
            quality,
            start,
            times,
            spacing,
            (increments, comparison, kept, trace.finish()),
        ))
    }

    fn start(
        &self,
        sample: &Sample,
        rows: &impl Source,
        comparison: &mut Comparison,
    ) -> Option<Start> {
        let slack = ROUNDING * (self.span[1] - self.span[0]);
        let expected = if (sample.t - self.span[0]).abs() <= slack {
            (StartAgainst::Initial, *self.body.initial)
        } else {
            (StartAgainst::Reference, comparison.state(sample.t)?)
        };
        Some(Start::new(
            sample,
            rows.attitude(),
            rows.rate(),
            (expected.0, &expected.1),
        ))
    }

    fn keep(&self, kept: &mut StartDrift, sample: &Sample, omega: &Vec3, off: &mut Deviation) {
        let t = sample.t;
        let energy = self.body.energy(t, &sample.att, omega);
        let momentum = self.body.momentum(t, &sample.att, omega);
        let (e0, m0) = *kept.first.get_or_insert((energy, momentum));
        let (gained, turned) = (energy - e0, (momentum - m0).norm());
        kept.energy.push(t, gained.abs());
        kept.momentum.push(t, turned);
        off.energy = self.body.keeps_energy().then_some(gained);
        off.momentum = self.body.keeps_momentum().map(|_| turned);
        if let Some(h) = sample.energy {
            let (h0, worst) = kept.column.get_or_insert((h, Worst::NONE));
            worst.push(t, ((h - *h0) - (energy - e0)).abs());
        }
    }

    fn report(
        &self,
        rows: &impl Source,
        quality: Quality,
        start: Option<Start>,
        times: Option<[f64; 2]>,
        spacing: Median,
        (increments, comparison, kept, trace): (Increments, Comparison, StartDrift, Trace),
    ) -> FileReport {
        let [energy_scale, momentum_scale] = kept.scales;
        let conserved = |(e0, m0): (f64, Vec3)| {
            let energy = self.body.keeps_energy();
            let momentum = self.body.keeps_momentum();
            (
                energy.then_some(Drift {
                    size: kept.energy,
                    first: e0,
                    scale: energy_scale,
                }),
                momentum.map(|kept_part| MomentumDrift {
                    kept: kept_part,
                    drift: Drift {
                        size: kept.momentum,
                        first: m0.norm(),
                        scale: momentum_scale,
                    },
                }),
            )
        };
        let (energy, momentum) = kept.first.map_or((None, None), conserved);
        let (deviations, compared) = comparison.finish();
        let (errors, not_compared) = match compared {
            Ok(errors) => (Some(errors), None),
            Err(why) => (None, Some(why)),
        };
        let spacing = spacing.value();
        FileReport {
            file: String::new(),
            step: legible(spacing),
            tolerance: None,
            told: false,
            rows: quality.rows,
            times: times.unwrap_or([f64::NAN; 2]),
            spacing,
            ignored: rows.ignored().to_vec(),
            claims: rows.claims(),
            rate_frame: rows.rate(),
            norm: quality.norm,
            sign_jumps: quality.sign_jumps,
            defect: quality.defect,
            times_off: quality.times_off,
            ended: match quality.lost {
                None => HistoryEnd::Whole,
                Some(lost) => HistoryEnd::Lost(lost),
            },
            start,
            kinematics: increments.finish(),
            errors,
            not_compared,
            energy,
            energy_column: kept.column.map(|(_, worst)| worst),
            momentum,
            deviations,
            trace,
        }
    }
}

/// A difference of times without their round-off, as its author would write it.
fn legible(step: f64) -> f64 {
    format!("{step:.11e}").parse().unwrap_or(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_times_are_legible_steps() {
        let (fine, coarse) = (1.12_f64 - 1.1, 2.0 / 3.0 - 1.0 / 3.0);
        assert!(fine > 0.02 && legible(fine) == 0.02);
        assert_eq!(legible(coarse), 0.333333333333);
    }
}
