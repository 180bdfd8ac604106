//! Why a step has no history: what the solver did, in one message.

use super::function::SolverProgram;
use super::process::{ProcessEnd, Stop};
use crate::history::HistoryError;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

/// Kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The command could not be started.
    CannotStart,
    /// It says that it cannot do this: no failure.
    Skipped,
    /// It ended with another status than 0; a function failed.
    Crash,
    /// It took longer than the time limit.
    TimeLimit,
    /// It wrote nothing on standard output.
    Silence,
    /// Its output does not begin with the names of columns.
    Garbage,
    /// A row cannot be read, is too many or too few, or has another time than the one wanted.
    Rows,
    /// Its output could not be read.
    Io,
}

/// A step that could not be judged.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct StepFailure {
    /// Step, s.
    pub step: f64,
    /// What kind of failure.
    pub kind: FailureKind,
    /// What happened, for people.
    pub message: String,
    /// The last lines of the command's standard error.
    pub stderr: Vec<String>,
}

/// What was wrong with the output.
pub(super) enum Fault {
    /// All rows are there.
    Whole,
    /// Before or in the line of column names.
    NoHeader(Vec<HistoryError>),
    /// After it.
    Rows(HistoryError),
    /// Not to be read.
    Io(std::io::Error),
}

/// The exit status of a solver that cannot do what it is asked for, as test programs use it.
const CANNOT: i32 = 77;

impl ProcessEnd {
    /// Why the solver says that it cannot do this, where it does.
    pub(super) fn skipped(&self) -> Option<String> {
        if self.status.and_then(|s| s.code()) == Some(CANNOT) {
            let said = self.skip.as_ref().or(self.stderr.last()).cloned();
            return Some(said.unwrap_or_else(|| format!("exit status {CANNOT}")));
        }
        self.skip.clone()
    }
}

impl StepFailure {
    /// Makes the failure of a step of which no command's standard error is known.
    pub fn new(step: f64, kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            step,
            kind,
            message: message.into(),
            stderr: Vec::new(),
        }
    }
    /// Whether the solver says that it cannot do this, which is no failure.
    pub fn is_skipped(&self) -> bool {
        self.kind == FailureKind::Skipped
    }
    /// Returns the skip of a problem that cannot be posed with the solver's only step, which is no failure.
    pub(super) fn not_posed(step: f64, why: &str) -> Self {
        Self::new(step, FailureKind::Skipped, why)
    }
    pub(super) fn not_started(step: f64, solver: &SolverProgram, e: &std::io::Error) -> Self {
        let message = format!(
            "cannot start `{}`: {e}; allowed: a program on the PATH, or a path to one (no shell reads the \
             command: for pipes, `~` and variables write `sh -c '…'`)",
            solver.program()
        );
        Self::new(step, FailureKind::CannotStart, message)
    }

    /// What went wrong, if anything did; the first cause first.
    pub(super) fn of(step: f64, fault: Fault, ended: &ProcessEnd, limit: Duration) -> Option<Self> {
        let (kind, message) = told(fault, ended, limit)?;
        Some(Self {
            step,
            kind,
            message,
            stderr: ended.stderr.clone(),
        })
    }
}

fn told(fault: Fault, ended: &ProcessEnd, limit: Duration) -> Option<(FailureKind, String)> {
    if let Some(reason) = ended.skipped() {
        return Some((FailureKind::Skipped, reason));
    }
    if let Some(message) = &ended.raised {
        return Some((FailureKind::Crash, message.clone()));
    }
    let bad = ended.status.filter(|s| !s.success());
    if ended.stop == Some(Stop::TimeLimit) {
        let so_far = match &ended.first_line {
            None => "it had written nothing",
            Some(_) => "its output was not complete",
        };
        let limit = limit.as_secs_f64();
        return Some((
            FailureKind::TimeLimit,
            format!(
                "stopped after the time limit of {limit} s: {so_far}; `--time-limit SECONDS` gives it more"
            ),
        ));
    }
    let written = ended.first_line.as_deref();
    let crash = |s: ExitStatus| format!("the command failed ({s})");
    Some(match (fault, written, bad) {
        (Fault::Whole, _, None) => return None,
        (Fault::Whole, _, Some(s)) => (
            FailureKind::Crash,
            format!("{}, although all rows wanted are there; allowed: exit status 0", crash(s)),
        ),
        (Fault::Io(e), ..) => (FailureKind::Io, format!("cannot read its output: {e}")),
        (_, None, Some(s)) => (
            FailureKind::Crash,
            format!("{} and wrote nothing on standard output", crash(s)),
        ),
        (_, None, None) => (
            FailureKind::Silence,
            "wrote nothing on standard output, and ended with exit status 0; allowed: CSV, a line with the names \
             of the columns and a row for each of the problem's `times`"
                .into(),
        ),
        (Fault::NoHeader(faults), Some(first), bad) => (
            bad.map_or(FailureKind::Garbage, |_| FailureKind::Crash),
            format!(
                "{}its output begins with `{first}`: {}",
                bad.map_or(String::new(), |s| crash(s) + "; "),
                faults.iter().map(|e| format!("line {e}")).collect::<Vec<_>>().join("; ")
            ),
        ),
        (Fault::Rows(e), Some(_), bad) => (
            bad.map_or(FailureKind::Rows, |_| FailureKind::Crash),
            format!(
                "{}its output, line {e}",
                bad.map_or(String::new(), |s| crash(s) + "; ")
            ),
        ),
    })
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.message)
    }
}
