//! Metric `baseline`.

use super::prelude::*;
use crate::check::{MeasurementError, complete};

/// Largest difference from the blessed baseline over its columns and times, each divided by
/// the larger of 1 and the baseline's value.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineMetric {}

impl Measuring for BaselineMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            baseline: true,
            ..Needs::default()
        }
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            complete(&r.run)?;
            let baseline = on.context.baseline.ok_or(MeasurementError::NoBaseline)?;
            baseline.departure(r)
        })
    }
}
