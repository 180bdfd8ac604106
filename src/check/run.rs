//! A run of a case, with the names of its scheme and fineness.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use topsim_core::integration::{End, Run, StepFacts, StopReason};
use topsim_core::verdict::Fineness;

/// One integration with one scheme and one step or tolerance.
#[derive(Debug, Clone)]
pub struct SchemeRun {
    /// The label of the scheme in the case.
    pub scheme: String,
    /// The name of the scheme in the registry.
    pub scheme_name: String,
    /// The step as the case writes it, or the tolerance.
    pub fineness: Fineness,
    /// True if somebody else's solver made it: studies and figures show it, checks do not look at it.
    pub guest: bool,
    /// The history of the run and its numbers.
    pub run: Run,
    /// Facts on the step map of the run.
    pub step_facts: StepFacts,
    /// The time that the run took.
    pub wall: Duration,
}

/// Reason why a run is not complete.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum IncompleteRun {
    /// The run was stopped on the way back that a study asks for.
    #[error("stopped by --time-limit on the way back of a study")]
    WayBack,
    /// It was stopped.
    #[error("{} after {steps} steps (t = {t})", stopped_by(*why))]
    Stopped {
        /// The reason why it was stopped.
        why: StopReason,
        /// The number of steps made.
        steps: u64,
        /// The time reached in s.
        t: f64,
    },
    /// A step failed.
    #[error("failed at step {step} (t = {t}): {why}")]
    Failed {
        /// The reason why the step failed.
        why: topsim_core::schemes::StepFail,
        /// The number of the step, from 1.
        step: u64,
        /// The time at the start of the step in s.
        t: f64,
    },
}

impl SchemeRun {
    /// Returns the stem of the files of the run.
    pub fn stem(&self) -> String {
        format!("{}_{}", self.scheme, self.fineness.stem())
    }

    /// Returns the step in s, or the tolerance: the number with whose powers errors fall.
    pub fn fineness_number(&self) -> f64 {
        self.fineness.number(self.run.h)
    }

    /// Tests whether it is complete; it is incomplete too if the measurement of a step fact was stopped.
    ///
    /// # Errors
    /// The reason why it is not complete.
    pub fn outcome(&self) -> Result<(), IncompleteRun> {
        let t = |n: u64| self.run.times[0] + n as f64 * self.run.h;
        match self.run.end {
            End::Reached if self.step_facts.stopped() => Err(IncompleteRun::WayBack),
            End::Reached => Ok(()),
            End::Stopped { at, why } => Err(IncompleteRun::Stopped {
                why,
                steps: at,
                t: t(at),
            }),
            End::Failed { at, why } => Err(IncompleteRun::Failed {
                why,
                step: at + 1,
                t: t(at),
            }),
        }
    }
}

/// Reason why a study is not complete.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IncompleteStudy {
    /// Somebody stopped it.
    #[error(
        "{}{}",
        stopped_by(*reason),
        if *tiles_kept { "; finished tiles are kept, the same command goes on" } else { "" }
    )]
    Stopped {
        /// Reason of the stop.
        reason: StopReason,
        /// True if its finished tiles are kept.
        tiles_kept: bool,
    },
    /// Its tiles cannot be written.
    #[error("{0}")]
    Unkept(String),
    /// It cannot be computed.
    #[error("{0}")]
    Failed(String),
}

fn stopped_by(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Deadline => "stopped by --time-limit",
        StopReason::Interrupted => "interrupted",
    }
}
