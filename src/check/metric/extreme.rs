//! Metric `extreme`.

use super::prelude::*;
use crate::check::measurement;

/// End of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Smallest value.
    Min,
    /// Largest value.
    Max,
}

/// Smallest or largest value over every step (tracked columns) or sample.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtremeMetric {
    /// Column.
    quantity: String,
    /// End of the range.
    which: Side,
}

impl Measuring for ExtremeMetric {
    fn needs(&self) -> Needs<'_> {
        Needs::column(&self.quantity)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| measurement::extreme(&r.run, &self.quantity, self.which))
    }
}
