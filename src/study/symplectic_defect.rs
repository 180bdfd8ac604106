//! Symplectic defect of one step from the start.

use super::ladder::power;
use super::ladder::prelude::*;
use crate::check::{StepFact, symplectic_defect};
use topsim_core::models::Quantity;

/// Symplectic defect of one step from the start.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct SymplecticDefectStudy {}

impl Ladder for SymplecticDefectStudy {
    const KIND: &'static str = "symplectic_defect";
    const TITLE: &'static str = "symplectic defect";
    const SUMMARY: &'static str = "power of h";

    fn needs(&self) -> Needs<'_> {
        Needs {
            step_fact: Some(StepFact::SymplecticDefect),
            ..Needs::default()
        }
    }
    fn columns(&self, _: &str, _: &str) -> Vec<Column> {
        vec![Column::new("symplectic defect", "")]
    }
    fn values(&self, run: &SchemeRun, _: &Context) -> Result<Vec<f64>, MeasurementError> {
        symplectic_defect(run).map(|m| vec![m.value])
    }
    fn summary(&self, ladder: &[&SchemeRun], points: &[Point], _: &Context) -> LadderSummary {
        // Noise of the finite differences, in the largest of the entries' units: |Π|, 1, 1/|Π|.
        let found: Vec<(f64, f64, f64)> = ladder
            .iter()
            .zip(points)
            .filter_map(|(view, p)| {
                let defect = p.values.as_ref().ok()?[0];
                let run = &view.run;
                let momentum = run.columns.group_of(Quantity::SpatialMomentum)?;
                let square = |&c: &usize| run.row(0)[c] * run.row(0)[c];
                let size = momentum.channels.iter().map(square).sum::<f64>().sqrt();
                Some((view.fineness_number(), defect, 1e-11 * size.max(1.0 / size)))
            })
            .collect();
        if found.iter().all(|p| p.1 <= p.2) && !found.is_empty() {
            LadderSummary {
                text: "symplectic".into(),
                power: None,
            }
        } else {
            power(&found)
        }
    }
}
