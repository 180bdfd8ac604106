//! Metric `effort`.

use super::prelude::*;
use crate::check::{MeasurementError, complete};

/// Work of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StepWork {
    /// Torque evaluations a step, mean; no verdict but a failure where the calls counted in the first steps are not
    /// those that the scheme says.
    TorqueEvaluations,
    /// Solver iterations a step, mean.
    Iterations,
    /// Most solver iterations in one step.
    MostIterations,
}

/// Work of the steps: torque evaluations or solver iterations.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EffortMetric {
    /// Kind of work.
    what: StepWork,
}

impl Measuring for EffortMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            evaluations: self.what == StepWork::TorqueEvaluations,
            ..Needs::default()
        }
    }

    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        on.each_run(|r| {
            complete(&r.run)?;
            let effort = &r.run.effort;
            let a_step = |n: u64| Measurement::new(n as f64 / effort.steps as f64, "a step");
            Ok(match self.what {
                StepWork::TorqueEvaluations => {
                    let found = r.probes.evaluations.ok_or(MeasurementError::NotCounted)?;
                    let [said, counted] = found?;
                    if said != counted {
                        return Err(MeasurementError::OtherwiseCounted(said, counted));
                    }
                    a_step(effort.torque)
                }
                StepWork::Iterations => a_step(effort.iterations),
                StepWork::MostIterations => Measurement::new(f64::from(effort.most_iterations), ""),
            })
        })
    }
}
