//! Metric `extreme`.

use super::prelude::*;
use crate::check::measurement;

/// Ends of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Smallest value.
    Min,
    /// Largest value.
    Max,
}

/// Smallest or largest value over every step (tracked columns) or sample.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Extreme {
    /// Column.
    quantity: String,
    /// Which end.
    which: Side,
}

impl Metric for Extreme {
    fn needs(&self) -> Needs<'_> {
        Needs::column(&self.quantity)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| measurement::extreme(&r.run, &self.quantity, self.which))
    }
}
