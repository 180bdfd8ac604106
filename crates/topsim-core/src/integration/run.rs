//! The result of one integration: data only, whatever the family.

use super::events::Event;
use crate::models::Columns;
use crate::schemes::StepFail;
use crate::schemes::steps::Halt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Reason why a run was stopped from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The deadline of the run passed.
    Deadline,
    /// Somebody interrupted the program.
    Interrupted,
}

/// End of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum End {
    /// All steps were made.
    #[default]
    Reached,
    /// Stopped from outside after this many steps.
    Stopped {
        /// Steps made.
        at: u64,
        /// Reason of the stop.
        why: StopReason,
    },
    /// The step after this many failed; what came before is valid.
    Failed {
        /// Steps made.
        at: u64,
        /// Reason why the next step failed.
        why: StepFail,
    },
}

/// Work summed over a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunEffort {
    /// Steps made.
    pub steps: u64,
    /// Torque evaluations.
    #[serde(rename = "torque_evaluations")]
    pub torque: u64,
    /// Solver iterations.
    pub iterations: u64,
    /// Most solver iterations in one step.
    pub most_iterations: u32,
    /// Inner steps that were made again with a shorter one.
    #[serde(default)]
    pub rejected: u64,
}

/// Extremes and trend of one column, followed at every step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Track {
    /// Value at the start.
    pub first: f64,
    /// Smallest value.
    pub min: f64,
    /// Time of the smallest value, s.
    pub min_at: f64,
    /// Largest value.
    pub max: f64,
    /// Time of the largest value, s.
    pub max_at: f64,
    /// Slope of the least-squares line through all steps, unit/s; NaN (`null` in files) for fewer than two.
    #[serde(deserialize_with = "crate::verdict::number_or_nan")]
    pub slope: f64,
}

/// Facts on the step map of a run, where they were asked for.
#[derive(Debug, Clone, Default)]
pub struct StepFacts {
    /// The row measured after all steps forward and as many back.
    pub back: Option<Result<Vec<f64>, Halt>>,
    /// Symplectic defect of one step from the start.
    pub symplectic_defect: Option<Result<f64, Halt>>,
    /// Torque evaluations of the first steps: those that the scheme says, and those counted.
    pub evaluations: Option<Result<[u64; 2], Halt>>,
    /// Time of the bare steps alone, s; differs from machine to machine.
    pub seconds: Option<f64>,
}

impl StepFacts {
    /// Returns true if one of them was stopped from outside.
    pub fn stopped(&self) -> bool {
        let stopped = |halt: Option<&Halt>| halt == Some(&Halt::Stopped);
        stopped(self.back.as_ref().and_then(|b| b.as_ref().err()))
            || stopped(
                self.symplectic_defect
                    .as_ref()
                    .and_then(|d| d.as_ref().err()),
            )
    }
}

/// A finished (or broken off) run. Files hold its history apart from all else.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// Columns of a row; they say which of them `tracks` follows.
    #[serde(skip)]
    pub columns: Arc<Columns>,
    /// Step, s.
    pub h: f64,
    /// Times of the samples, s.
    #[serde(skip)]
    pub times: Vec<f64>,
    /// Samples, row after row, `channels.len()` numbers each.
    #[serde(skip)]
    pub rows: Vec<f64>,
    /// One for each tracked column.
    pub tracks: Vec<Track>,
    /// Events met, in order of time.
    pub events: Vec<Event>,
    /// Events beyond the number kept.
    pub events_dropped: u64,
    /// Work done.
    pub effort: RunEffort,
    /// Steps that contain a kink or jump of the torque strictly inside.
    pub straddled: Vec<f64>,
    /// End of the run.
    #[serde(skip)]
    pub end: End,
}

impl Run {
    /// Returns row `k` of the samples.
    pub fn row(&self, k: usize) -> &[f64] {
        let w = self.columns.width();
        &self.rows[k * w..(k + 1) * w]
    }

    /// Returns the index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.position(name)
    }

    /// Returns one column over all samples.
    pub fn series(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        let w = self.columns.width();
        self.rows.iter().skip(column).step_by(w).copied()
    }

    /// Returns what was followed of a column at every step, if it is a tracked one.
    pub fn track(&self, column: usize) -> Option<&Track> {
        let tracked = &self.columns.tracked;
        tracked
            .contains(&column)
            .then(|| &self.tracks[column - tracked.start])
    }
}
