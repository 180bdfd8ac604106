//! Metric `rotation_per_step`.

use super::Side;
use super::prelude::*;
use crate::check::extreme;

/// Largest angle the body turns by in a step, |W| h, in degrees.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotationPerStepMetric {
    /// Column with the length of the rate (default `W_norm`).
    #[serde(default = "length_of_rate")]
    quantity: String,
}

fn length_of_rate() -> String {
    "W_norm".into()
}

impl Measuring for RotationPerStepMetric {
    fn needs(&self) -> Needs<'_> {
        Needs::column(&self.quantity)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            let largest = extreme(&r.run, &self.quantity, Side::Max)?;
            let degrees = largest.value * r.run.h * 180.0 / core::f64::consts::PI;
            let mut turned = Measurement::new(degrees, "°");
            turned.time = largest.time;
            Ok(turned)
        })
    }
}
