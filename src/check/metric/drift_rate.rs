//! Metric `drift_rate`.

use super::prelude::*;
use crate::check::measurement::{per_step, single};
use crate::check::trend;

/// Slope of the least-squares line through every step, per second, divided by h to a power.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriftRateMetric {
    /// Tracked column.
    quantity: String,
    /// Power of h that the slope is divided by (default 0).
    #[serde(default)]
    power: u32,
    /// Period of an oscillation, s: it is then fitted to the samples together with the line,
    /// whose slope it would change.
    period: Option<f64>,
}

impl Measuring for DriftRateMetric {
    fn needs(&self) -> Needs<'_> {
        Needs::tracked_column(&self.quantity)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            let c = single(&r.run, &self.quantity)?;
            let slope = trend::slope(&r.run, &self.quantity, self.period)?;
            let unit = format!("{}/s", r.run.columns.channels[c].unit);
            Ok(per_step(slope, &unit, r.run.h, self.power))
        })
    }

    fn rules(&self, rules: &mut Rules) {
        rules.period(self.period);
    }
}
