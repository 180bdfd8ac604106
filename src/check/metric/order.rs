//! Metric `order`.

use super::prelude::*;
use crate::check::{NamedTime, RunTime, at_end, ladder_error};

/// Order of convergence: slopes of the error over the last two pairs of the step ladder that
/// stand above the round-off floor.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderMetric {
    /// Column or group.
    quantity: String,
    /// Time of the error (default end).
    #[serde(default = "at_end")]
    at: RunTime,
}

impl Measuring for OrderMetric {
    fn needs(&self) -> Needs<'_> {
        Needs::error_ladder(&self.quantity, self.at)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_ladder(|r| ladder_error(&self.quantity, self.at, r, on.context))
    }

    fn rules(&self, rules: &mut Rules) {
        rules.part_of_span(self.at);
        if self.at == RunTime::Named(NamedTime::Worst) {
            let allowed = "\"start\", \"end\" or a time";
            rules.add("measure.at", "found \"worst\"", allowed);
        }
    }
}
