//! Metric `event_count`.

use super::prelude::*;
use crate::check::MeasurementError;
use crate::check::measurement::{complete, event_index};

/// How often an event happened.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EventCount {
    /// Name of an `[[event]]` of the case.
    event: String,
}

impl Metric for EventCount {
    fn needs(&self) -> Needs<'_> {
        Needs::event(&self.event)
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            complete(&r.run)?;
            let spec = event_index(on.context, &self.event)?;
            if r.run.events_dropped > 0 {
                return Err(MeasurementError::EventsDropped(r.run.events_dropped));
            }
            let count = r.run.events.iter().filter(|e| e.spec == spec).count();
            Ok(Measurement::new(count as f64, ""))
        })
    }
}
