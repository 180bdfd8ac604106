//! Metric `symplectic_defect`.

use super::prelude::*;
use crate::check::symplectic_defect;

/// Largest entry of DΦᵀ Ω DΦ − Ω for one step Φ from the start, in the coordinates (δ, Π) of
/// T*SO(3), Λ = Λ0 exp δ; by sixth-order finite differences. Entries have the units |Π|, 1 and
/// 1/|Π| of the case, with noise of some 1e-13 of each.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymplecticDefectMetric {}

impl Measuring for SymplecticDefectMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            symplectic_defect: true,
            ..Needs::default()
        }
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(symplectic_defect)
    }
}
