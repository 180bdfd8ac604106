//! Metric `reversibility`.

use super::{Metric, Needs, Reading, Selected};
use crate::check::{Asked, attitude, reversibility};
use schemars::JsonSchema;
use serde::Deserialize;

/// Distance from the start after all steps of the run forward and as many with −h back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reversibility {
    /// Column or group (default `attitude`).
    #[serde(default = "attitude")]
    quantity: String,
}

impl Metric for Reversibility {
    fn needs(&self) -> Needs<'_> {
        Needs {
            back: true,
            ..Needs::quantity(Asked::column_or_group(&self.quantity, "reversibility"))
        }
    }

    fn read(&self, on: &Selected) -> Vec<Reading> {
        on.each_run(|r| reversibility(r, &self.quantity))
    }
}
