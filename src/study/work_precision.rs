//! Distance from the reference against the work spent.

use super::convergence::error_at;
use super::ladder::prelude::*;
use crate::check::{RunTime, StepFact, at_end, attitude, ladder_error};

/// Unit of the work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Torque evaluations of the whole run: the same on every machine.
    #[default]
    TorqueEvaluations,
    /// Measured time of the bare steps: differs from machine to machine, and is kept apart.
    Time,
}

/// Distance from the reference against the work spent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct WorkPrecisionStudy {
    /// Column or group (default `attitude`).
    #[serde(default = "attitude")]
    quantity: String,
    /// Time of the comparison (default end).
    #[serde(default = "at_end")]
    at: RunTime,
    /// Unit of the work (default torque evaluations).
    #[serde(default)]
    against: Work,
}

impl Ladder for WorkPrecisionStudy {
    const KIND: &'static str = "work_precision";
    const TITLE: &'static str = "work–precision";

    fn needs(&self) -> Needs<'_> {
        Needs {
            step_fact: (self.against == Work::Time).then_some(StepFact::Seconds),
            ..Needs::error(&self.quantity, self.at)
        }
    }
    fn work(&self) -> Option<Column> {
        Some(match self.against {
            Work::TorqueEvaluations => Column::new("torque evaluations", ""),
            Work::Time => Column::new("time of the bare steps", "s"),
        })
    }
    fn work_of(&self, run: &SchemeRun) -> Option<f64> {
        let evaluations = run.run.effort.torque;
        match self.against {
            // A solver of somebody else may not state its evaluations.
            Work::TorqueEvaluations => {
                (evaluations > 0 || !run.guest).then_some(evaluations as f64)
            }
            Work::Time => run.step_facts.seconds,
        }
    }
    fn columns(&self, quantity: &str, unit: &str) -> Vec<Column> {
        vec![Column::new(error_at(quantity, self.at), unit)]
    }
    fn values(&self, run: &SchemeRun, cx: &Context) -> Result<Vec<f64>, MeasurementError> {
        let (_, error, _) = ladder_error(&self.quantity, self.at, run, cx)?;
        Ok(vec![error])
    }
}
