//! What the histories of a case show: the numbers, the diagnosis, and the verdicts that follow.

use crate::diagnosis::{DefectEvidence, Diagnosis, evidence};
use crate::history::{Convergence, FileReport, ToleranceLadder, displayed};
use crate::identification::IdentifiedRule;
use crate::identification::MeasuredPrecision;
use crate::reversal::Reversal;
use crate::same_steps::SameSteps;
use crate::verdict::{Verdict, VerdictId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_case::Problem;
use topsim_core::reference::NoReference;
use topsim_core::verdict::Status;
use topsim_protocol::Claims;
use topsim_protocol::solver::StepFailure;
use topsim_relations::RelationsReport;

/// What the histories of a case show.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
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
    #[schemars(with = "Option<String>")]
    pub no_reference: Option<NoReference>,
    /// Whether the case's motion keeps the energy.
    pub keeps_energy: bool,
    /// Whether it keeps the momentum, or its vertical part.
    pub keeps_momentum: bool,
    /// Steps there and back, where they could be asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversal: Option<Reversal>,
    /// Its steps beside those of the scheme of the catalogue that is claimed, where they could be asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_steps: Option<SameSteps>,
    /// The rule of its steps, where it could be measured.
    #[serde(skip)]
    pub rule: Option<IdentifiedRule>,
    /// The files, as they were named.
    pub files: Vec<FileReport>,
    /// Order of convergence, of several files with errors.
    pub convergence: Option<Convergence>,
    /// Errors against the tolerance, of files that differ in this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerances: Option<ToleranceLadder>,
    /// What is wrong with the solver.
    pub diagnosis: Option<Diagnosis>,
    /// Whether its steps could be measured at states of our choice.
    pub measured: bool,
    /// The precision of its numbers, where it could be measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<MeasuredPrecision>,
    /// Relations between its motions and their images, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relations: Option<RelationsReport>,
    /// Steps of a solver that have no history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<StepFailure>,
    /// What its author claims of the solver.
    #[serde(skip_serializing_if = "Claims::is_empty")]
    pub claims: Claims,
    /// What follows: whether it passed, and the exit status, from these alone.
    #[schemars(with = "Vec<topsim_core::verdict::Verdict>")]
    pub verdicts: Vec<Verdict>,
}

impl Report {
    /// Returns the report of a problem without histories.
    pub(crate) fn new(problem: &Problem) -> Self {
        Self {
            case: problem.name.clone(),
            title: problem.title.clone(),
            ..Self::default()
        }
    }
    /// Whether everything that was to be judged was there, or its absence is accepted.
    pub fn complete(&self) -> bool {
        let mut steps = self.verdicts.iter().filter(|v| v.id.is_about_step());
        steps.all(Verdict::is_good)
    }
    /// Whether the solver says of every step that it cannot do this.
    pub fn skipped(&self) -> bool {
        let mut failed = self.failed.iter().peekable();
        self.files.is_empty() && failed.peek().is_some() && failed.all(StepFailure::is_skipped)
    }
    /// Whether nothing speaks against the histories but what is accepted, and nothing is undecided.
    pub fn passed(&self) -> bool {
        matches!(
            self.outcome(),
            Outcome::Passed | Outcome::NoDefect | Outcome::NothingNew | Outcome::Skipped
        )
    }
    /// Whether a build may go on: it passed, or all that keeps it from passing is undecided and nothing is claimed.
    pub fn acceptable(&self) -> bool {
        match self.outcome() {
            Outcome::Passed | Outcome::NoDefect | Outcome::NothingNew | Outcome::Skipped => true,
            Outcome::Undecided => self.claims.is_empty(),
            Outcome::Failed | Outcome::Incomplete => false,
        }
    }
    /// The sum of all cases of one solver: what needs somebody's attention first.
    pub fn outcome_of(reports: &[&Self]) -> Outcome {
        let ranks = [
            Outcome::Incomplete,
            Outcome::Failed,
            Outcome::Undecided,
            Outcome::NothingNew,
            Outcome::NoDefect,
        ];
        let mut outcomes = ranks.into_iter();
        let met = |o: &Outcome| reports.iter().any(|r| r.outcome() == *o);
        let skipped = reports.iter().all(|r| r.skipped());
        let good = if skipped {
            Outcome::Skipped
        } else {
            Outcome::Passed
        };
        outcomes.find(met).unwrap_or(good)
    }
    /// What several cases of one solver say together of what is wrong.
    pub fn evidence(reports: &[&Self]) -> Vec<DefectEvidence> {
        let diagnosed = reports
            .iter()
            .filter_map(|r| Some((r.case.as_str(), r.diagnosis.as_ref()?)));
        evidence(&diagnosed.collect::<Vec<_>>())
    }
    /// Digits with which the rows are written, as their row 0 shows it, relative.
    pub(crate) fn digits(&self) -> f64 {
        let starts = self.files.iter().filter_map(|f| f.start.as_ref());
        let matching = starts.filter(|s| s.matches());
        let largest = matching.map(|s| s.attitude).fold(0.0, f64::max);
        10.0 * largest
    }
    /// The verdict whose id is shown as this.
    fn verdict(&self, id: &str) -> Option<&Verdict> {
        self.verdicts.iter().find(|v| v.id.to_string() == id)
    }
    /// Whether the verdict whose id is shown as this is about a step of a solver.
    pub fn is_about_step(&self, id: &str) -> bool {
        self.verdict(id).is_some_and(|v| v.id.is_about_step())
    }
    /// What the sentence of the verdict whose id is shown as this leaves out: where to look, what else it may be,
    /// and what the solver wrote last on its standard error. Lines, for people.
    pub fn where_to_look(&self, id: &str) -> Vec<String> {
        let Some(verdict) = self.verdict(id) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        match verdict.id {
            VerdictId::Defect(defect) => {
                let causes = self.diagnosis.iter().flat_map(|d| &d.causes);
                for cause in causes.filter(|c| c.id == defect) {
                    lines.push(format!("look: {}", cause.advice()));
                }
            }
            VerdictId::Step(h) => {
                let failed = self.failed.iter().filter(|f| f.step == h);
                lines.extend(
                    failed
                        .flat_map(|f| &f.stderr)
                        .map(|line| format!("| {line}")),
                );
            }
            _ => {}
        }
        lines
    }
    /// The order of convergence to the case's motion, where it could be measured.
    pub fn order(&self) -> Option<f64> {
        let convergence = self.convergence.as_ref()?;
        let told = convergence.converges() && !convergence.unconfirmed(self.claims.order);
        convergence.order().filter(|_| told)
    }
    /// The sum of it.
    pub fn outcome(&self) -> Outcome {
        let is = |status: Status| move |v: &&Verdict| v.status == status;
        let mut failed = self.verdicts.iter().filter(is(Status::Failed));
        if self.skipped() {
            Outcome::Skipped
        } else if !self.complete() {
            Outcome::Incomplete
        } else if failed.clone().any(|v| v.known_defect.is_none()) {
            Outcome::Failed
        } else if self.verdicts.iter().any(|v| v.status == Status::Undecided) {
            Outcome::Undecided
        } else if failed.next().is_some() {
            Outcome::NothingNew
        } else if self.claims.order.or(self.claims.tolerance).is_some() {
            Outcome::Passed
        } else {
            Outcome::NoDefect
        }
    }
}

/// The sum of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// An order is claimed, or a slope over tolerances, all claims hold, and nothing speaks against the histories.
    Passed,
    /// Neither an order nor a slope is claimed, and nothing speaks against the histories.
    NoDefect,
    /// Nothing speaks against the histories but what is accepted.
    NothingNew,
    /// Nothing speaks against them, and something could not be decided.
    Undecided,
    /// Something speaks against them.
    Failed,
    /// Something that was to be judged was not there.
    Incomplete,
    /// The solver says that it cannot do this.
    Skipped,
}
