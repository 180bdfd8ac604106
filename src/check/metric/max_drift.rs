//! Metric `max_drift`.

use super::prelude::*;
use crate::check::MeasurementError;
use crate::check::measurement::{complete, quantity, range};
use topsim_core::integration::Run;

/// Divisor of a deviation.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum DriftScale {
    /// The size of the initial value.
    Named(InitialScale),
    /// A number.
    Number(#[schemars(extend("exclusiveMinimum" = 0))] f64),
}

/// The named scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum InitialScale {
    /// The size of the initial value, |q(0)|.
    Initial,
}

/// Largest deviation from the initial value over every step (tracked columns) or sample.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaxDriftMetric {
    /// Column, or group (its worst component).
    quantity: String,
    /// Divisor of the deviation; absolute without it.
    scale: Option<DriftScale>,
    /// Keeps the sign of the deviation (default false).
    #[serde(default)]
    signed: bool,
}

impl Measuring for MaxDriftMetric {
    fn needs(&self) -> Needs<'_> {
        Needs::column_or_group(&self.quantity)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| self.drift(&r.run))
    }

    fn rules(&self, rules: &mut Rules) {
        if let Some(DriftScale::Number(s)) = self.scale {
            rules.positive("scale", s, "a number greater than 0");
        }
    }
}

impl MaxDriftMetric {
    fn drift(&self, run: &Run) -> Result<Measurement, MeasurementError> {
        let q = quantity(run, &self.quantity)?;
        complete(run)?;
        let unit = if self.scale.is_none() { q.unit } else { "" };
        let mut worst = Measurement::new(0.0, unit);
        let mut seen = false;
        for &c in &q.channels {
            let range = range(run, c);
            let name = &run.columns.channels[c].name;
            let divisor = match self.scale {
                None => 1.0,
                Some(DriftScale::Number(s)) => s,
                Some(DriftScale::Named(_)) => range.first.abs(),
            };
            if divisor == 0.0 {
                return Err(MeasurementError::StartsAtZero(name.to_string()));
            }
            for (x, t) in [(range.min, range.min_at), (range.max, range.max_at)] {
                let d = (x - range.first) / divisor;
                // Written so that a NaN becomes the worst.
                if !seen || !(d.abs() <= worst.value.abs()) {
                    worst = Measurement::new(d, unit).at(t).in_component(name);
                    seen = true;
                }
            }
        }
        if !self.signed {
            worst.value = worst.value.abs();
        }
        Ok(worst)
    }
}
