//! Metric `limit`.

use super::prelude::*;
use crate::check::measurement::{quantity, sample};
use crate::check::{MeasurementError, RunTime, SchemeRun, at_end};
use nalgebra::{DMatrix, DVector};
use topsim_core::models::GroupKind;

/// Distance from the reference of what the runs tend to as the step goes to 0: Richardson's extrapolation over the step
/// ladder. For an attitude it is the Frobenius norm over √2, which is the angle where that is small.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitMetric {
    /// Column or group.
    quantity: String,
    /// Time of the comparison (default end); all steps must meet it.
    #[serde(default = "at_end")]
    at: RunTime,
    /// The lowest power of h in the error; this one and those above it are removed, one with each step but the first.
    #[schemars(range(min = 1))]
    order: u8,
}

impl Measuring for LimitMetric {
    fn needs(&self) -> Needs<'_> {
        Needs::error_ladder(&self.quantity, self.at)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_scheme(|runs| self.distance(runs, on))
    }

    fn rules(&self, rules: &mut Rules) {
        rules.part_of_span(self.at);
        rules.positive("order", f64::from(self.order), "a whole number from 1");
    }
}

impl LimitMetric {
    fn distance(
        &self,
        runs: &[&SchemeRun],
        on: &SelectedRuns,
    ) -> Result<Measurement, MeasurementError> {
        let reference = on.context.reference.clone()?;
        let first = &runs[0].run;
        let q = quantity(first, &self.quantity)?;
        let t = first.times[sample(first, self.at)?];
        let mut limit = vec![0.0; first.columns.width()];
        let weights = self.weights(runs).ok_or(MeasurementError::NotANumber)?;
        for (view, weight) in runs.iter().zip(&weights) {
            let (run, k) = (&view.run, sample(&view.run, self.at)?);
            let next = run.times[k];
            if !((next - t).abs() <= 1e-9 * run.h) {
                return Err(MeasurementError::NoSample(t, next));
            }
            for (sum, x) in limit.iter_mut().zip(run.row(k)) {
                *sum += weight * x;
            }
        }
        let mut exact = vec![f64::NAN; limit.len()];
        reference.row(t, &mut exact);
        let squares = q.channels.iter().map(|&c| (limit[c] - exact[c]).powi(2));
        let angle = match q.kind {
            GroupKind::Attitude => 0.5,
            GroupKind::Vector => 1.0,
        };
        let mut measured = Measurement::new((angle * squares.sum::<f64>()).sqrt(), q.unit).at(t);
        measured.uncertainty = reference.group_error(t, q.quantity, q.channels.len());
        Ok(measured)
    }

    /// Returns `w` with `Σ w = 1` and `Σ w h^p = 0` for each power removed.
    fn weights(&self, runs: &[&SchemeRun]) -> Option<DVector<f64>> {
        let longest = runs.iter().map(|r| r.run.h).fold(0.0, f64::max);
        let conditions = DMatrix::from_fn(runs.len(), runs.len(), |row, run| match row {
            0 => 1.0,
            _ => (runs[run].run.h / longest).powi(i32::from(self.order) + row as i32 - 1),
        });
        let mut one = DVector::zeros(runs.len());
        one[0] = 1.0;
        conditions.lu().solve(&one)
    }
}
