//! Metric `rotation_per_step`.

use super::{Metric, Needs, Reading, Selected, Side};
use crate::check::{Asked, extreme};
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::verdict::Measured;

/// Largest angle the body turns by in a step, |W| h, in degrees.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RotationPerStep {
    /// Column with the length of the rate (default `W_norm`).
    #[serde(default = "length_of_rate")]
    quantity: String,
}

fn length_of_rate() -> String {
    "W_norm".into()
}

impl Metric for RotationPerStep {
    fn needs(&self) -> Needs<'_> {
        Needs::quantity(Asked::column(&self.quantity, "rotation_per_step"))
    }

    fn read(&self, on: &Selected) -> Vec<Reading> {
        on.each_run(|r| {
            let largest = extreme(r.run, &self.quantity, Side::Max)?;
            let degrees = largest.value * r.run.h * 180.0 / core::f64::consts::PI;
            let mut turned = Measured::new(degrees, "°");
            turned.time = largest.time;
            Ok(turned)
        })
    }
}
