//! Metric `event_time`.

use super::prelude::*;
use crate::check::measurement::find_event;

/// Time of an event, s.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventTimeMetric {
    /// Name of an `[[event]]` of the case.
    event: String,
    /// Number of the event, counted from 1 (default 1).
    #[serde(default = "first")]
    occurrence: u32,
}

pub(super) fn first() -> u32 {
    1
}

impl Measuring for EventTimeMetric {
    fn needs(&self) -> Needs<'_> {
        Needs::event(&self.event)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            let e = find_event(&r.run, on.context, &self.event, self.occurrence)?;
            Ok(Measurement::new(e.time, "s").at(e.time))
        })
    }

    fn rules(&self, rules: &mut Rules) {
        rules.occurrence(self.occurrence);
    }
}
