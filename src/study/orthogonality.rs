//! Largest entry of |ΛᵀΛ − I| over the run.

use super::ladder::prelude::*;
use crate::check::{Side, extreme};

/// Largest entry of |ΛᵀΛ − I| over the run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct OrthogonalityStudy {}

impl Ladder for OrthogonalityStudy {
    const KIND: &'static str = "orthogonality";

    fn columns(&self, _: &str, _: &str) -> Vec<Column> {
        vec![Column::new("orthogonality defect", "")]
    }
    fn values(&self, run: &SchemeRun, _: &Context) -> Result<Vec<f64>, MeasurementError> {
        extreme(&run.run, "orth", Side::Max).map(|m| vec![m.value])
    }
}
