//! What the histories of a case show: the numbers, the diagnosis, and the verdicts that follow.

use crate::diagnosis::{Conclusion, Diagnosis};
use crate::history::{Convergence, Finding};
use crate::solver::StepFailure;
use crate::text::displayed;
use crate::verdict::Verdict;
use serde::Serialize;
use topsim_core::reference::NoReference;

/// A history that was judged: a file, or what a solver made of one step.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FileReport {
    /// Name.
    pub file: String,
    /// Its step: told, or the median spacing, s.
    pub step: f64,
    /// Whether the step was told.
    pub told: bool,
    /// What it shows.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What the histories of a case show.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Case.
    pub case: String,
    /// Its title.
    pub title: String,
    /// Where the reference comes from.
    pub reference: Option<String>,
    /// Why there is none.
    #[serde(serialize_with = "displayed")]
    pub no_reference: Option<NoReference>,
    /// Whether the case's motion keeps the energy.
    pub keeps_energy: bool,
    /// The files, as they were named.
    pub files: Vec<FileReport>,
    /// Order of convergence, of several files with errors.
    pub convergence: Option<Convergence>,
    /// What is wrong with the solver.
    pub diagnosis: Option<Diagnosis>,
    /// Steps of a solver that have no history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<StepFailure>,
    /// What follows: whether it passed, and the exit status, from these alone.
    pub verdicts: Vec<Verdict>,
}

impl Report {
    /// Whether everything that was to be judged was there, or its absence is accepted.
    pub fn complete(&self) -> bool {
        !self
            .verdicts
            .iter()
            .any(|v| v.failed() && v.is_about_step())
    }
    /// Whether nothing speaks against the histories but what is accepted.
    pub fn passed(&self) -> bool {
        !self.verdicts.iter().any(Verdict::failed)
    }
    /// The order of convergence to the case's motion, where it could be measured.
    pub fn order(&self) -> Option<f64> {
        self.convergence.as_ref().and_then(Convergence::order)
    }
    /// The sum of it.
    pub fn outcome(&self) -> Outcome {
        let unsettled = |d: &Diagnosis| d.conclusion == Conclusion::Unsettled;
        if self.passed() && self.diagnosis.as_ref().is_some_and(unsettled) {
            Outcome::Undecided
        } else if self.passed() {
            Outcome::Passed
        } else if !self.complete() {
            Outcome::Incomplete
        } else {
            Outcome::Failed
        }
    }
}

/// The sum of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing speaks against the histories but what is accepted.
    Passed,
    /// The same, and they do not tell right from wrong.
    Undecided,
    /// Something speaks against them.
    Failed,
    /// Something that was to be judged was not there.
    Incomplete,
}
