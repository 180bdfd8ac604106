//! Metric `reversibility`.

use super::prelude::*;
use crate::check::{attitude, reversibility};

/// Distance from the start after all steps of the run forward and as many with −h back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReversibilityMetric {
    /// Column or group (default `attitude`).
    #[serde(default = "attitude")]
    quantity: String,
}

impl Measuring for ReversibilityMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            back: true,
            ..Needs::column_or_group(&self.quantity)
        }
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| reversibility(r, &self.quantity))
    }
}
