//! Metric `drift_power`.

use super::prelude::*;
use crate::check::measurement::{LadderPoint, single};
use crate::check::{MeasurementError, trend};
use topsim_core::integration::Run;

/// Power of h by which the drift rate falls: slopes of the last two pairs of the step ladder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriftPowerMetric {
    /// Tracked column.
    quantity: String,
    /// Period of an oscillation that is fitted too, s, as for `drift_rate`.
    period: Option<f64>,
}

impl Measuring for DriftPowerMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            ladder: true,
            ..Needs::tracked_column(&self.quantity)
        }
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_ladder(|r| self.point(&r.run))
    }

    fn rules(&self, rules: &mut Rules) {
        rules.period(self.period);
    }
}

impl DriftPowerMetric {
    fn point(&self, run: &Run) -> Result<LadderPoint, MeasurementError> {
        let c = single(run, &self.quantity)?;
        let slope = trend::slope(run, &self.quantity, self.period)?;
        let first = run.row(0)[c].abs();
        let span = run.times[run.times.len() - 1] - run.times[0];
        let floor = 100.0 * f64::EPSILON * first / span;
        Ok((run.h, slope.abs(), floor))
    }
}
