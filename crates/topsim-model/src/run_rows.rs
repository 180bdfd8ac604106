//! Rows of a history as a run of steps.

use crate::observed::StepHistory;
use crate::report::Report;
use crate::state::State;

/// The rows of a history, and their numbers of steps.
pub(crate) struct RunRows {
    /// Time of the first row and step, s.
    pub grid: (f64, f64),
    /// Numbers of steps before the rows.
    pub counts: Vec<u64>,
    pub states: Vec<State>,
}

impl RunRows {
    /// Returns none of a history without rows.
    pub fn new(history: &StepHistory, report: &Report) -> Option<Self> {
        let first = history.rows.first()?;
        let count = |t: f64| ((t - first.t) / history.step).round() as u64;
        Some(Self {
            grid: (first.t, history.step),
            counts: history.rows.iter().map(|row| count(row.t)).collect(),
            states: history.rows.iter().map(|row| report.read(row)).collect(),
        })
    }

    /// Returns the number of all steps.
    pub fn steps(&self) -> u64 {
        self.counts.last().copied().unwrap_or(0)
    }
}
