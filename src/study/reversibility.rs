//! Distance from the start after all steps forward and as many back.

use super::ladder::prelude::*;
use crate::check::{attitude, reversibility};

/// Distance from the start after all steps forward and as many back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct ReversibilityStudy {
    /// Column or group (default `attitude`).
    #[serde(default = "attitude")]
    quantity: String,
}

impl Ladder for ReversibilityStudy {
    const KIND: &'static str = "reversibility";

    fn needs(&self) -> Needs<'_> {
        Needs::back(&self.quantity)
    }
    fn columns(&self, quantity: &str, unit: &str) -> Vec<Column> {
        vec![Column::new(
            format!("change of the {quantity}, there and back"),
            unit,
        )]
    }
    fn values(&self, run: &SchemeRun, _: &Context) -> Result<Vec<f64>, MeasurementError> {
        reversibility(run, &self.quantity).map(|m| vec![m.value])
    }
}
