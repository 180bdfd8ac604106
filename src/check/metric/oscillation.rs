//! Metric `oscillation`.

use super::prelude::*;
use crate::check::measurement::{complete, per_step, single};
use crate::check::trend;

/// Half the range of the samples after their linear trend is removed, divided by h to a power.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OscillationMetric {
    /// Column.
    quantity: String,
    /// Power of h that it is divided by (default 0).
    #[serde(default)]
    power: u32,
    /// Period of a wave, s: its amplitude is then measured instead of half the range.
    period: Option<f64>,
}

impl Measuring for OscillationMetric {
    fn needs(&self) -> Needs<'_> {
        Needs::column(&self.quantity)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            let c = single(&r.run, &self.quantity)?;
            complete(&r.run)?;
            let amplitude = match self.period {
                Some(period) => trend::wave(&r.run, c, period)?.amplitude,
                None => trend::half_range(&r.run, c),
            };
            let unit = r.run.columns.channels[c].unit;
            Ok(per_step(amplitude, unit, r.run.h, self.power))
        })
    }

    fn rules(&self, rules: &mut Rules) {
        rules.period(self.period);
    }
}
