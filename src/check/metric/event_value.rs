//! Metric `event_value`.

use super::event_time::first;
use super::prelude::*;
use crate::check::measurement::{find_event, single};

/// Value of a column at an event.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventValueMetric {
    /// Name of an `[[event]]` of the case.
    event: String,
    /// Column.
    quantity: String,
    /// Number of the event, counted from 1 (default 1).
    #[serde(default = "first")]
    occurrence: u32,
}

impl Measuring for EventValueMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            event: Some(&self.event),
            ..Needs::column(&self.quantity)
        }
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            let c = single(&r.run, &self.quantity)?;
            let e = find_event(&r.run, on.context, &self.event, self.occurrence)?;
            let unit = r.run.columns.channels[c].unit;
            Ok(Measurement::new(e.values[c], unit).at(e.time))
        })
    }

    fn rules(&self, rules: &mut Rules) {
        rules.occurrence(self.occurrence);
    }
}
