//! Metric `event_count`.

use super::prelude::*;
use crate::check::MeasurementError;
use crate::check::measurement::{complete, event_index};

/// Number of times that an event happened.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventCountMetric {
    /// Name of an `[[event]]` of the case.
    event: String,
}

impl Measuring for EventCountMetric {
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
