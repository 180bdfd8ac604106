//! The report: plain data, which is what `results.json` holds. It is the same for every machine and thread count.
//! Histories, drawings and times stand beside it, in [`Results`](super::Results).

use super::scorecard::Card;
use crate::study::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use strum::Display;
use topsim_core::integration::{RunEffort, Track};
use topsim_core::verdict::{Fineness, Status, Verdict};
use topsim_judge::diagnosis::DefectEvidence;
use topsim_judge::{Outcome, Report as HistoryReport};

/// Version of the format of `results.json`.
pub const FORMAT: u32 = 3;

/// The report of a command: every measured number, every verdict, and the provenance of both.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The version of this format.
    pub format: u32,
    /// The version of topsim that wrote the report.
    pub topsim: String,
    /// The git revision of topsim.
    pub revision: String,
    /// True if all verdicts are good; absent where nothing was judged. A report that is not complete has
    /// not passed.
    pub passed: Option<bool>,
    /// True if all that was asked for was made.
    pub complete: bool,
    /// The command of the solver, where a command was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// The evidence of several cases together on what is wrong with the solver, where it was judged on more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<DefectEvidence>>")]
    pub together: Option<Value>,
    /// The cases, in the order asked for.
    pub cases: Vec<CaseReport>,
    /// Cases of earlier commands in the same folder, and their files: a later command knows by them what to remove.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub earlier: Vec<WrittenCase>,
}

/// A case of an earlier command, with the files that the command wrote for it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WrittenCase {
    /// The name of the case.
    pub name: String,
    /// The names of the files in the folder of the case.
    #[serde(default)]
    pub files: Vec<String>,
}

/// One case: its runs, studies, verdicts and files.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct CaseReport {
    /// The name of the case.
    pub name: String,
    /// The title of the case.
    pub title: String,
    /// The file from which the case was read, or its built-in name.
    pub file: String,
    /// The SHA-256 hash of the case file; empty if there is no file.
    pub sha256: String,
    /// The documents from which the problem comes.
    pub sources: Vec<String>,
    /// True if all verdicts are good; absent where nothing was judged.
    pub passed: Option<bool>,
    /// True if all runs and studies of the case were completed.
    pub complete: bool,
    /// The stems of the runs and studies that are still to be made: the command is at work, or was broken off. The same
    /// command then goes on where it stopped.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub missing: Vec<String>,
    /// The warnings that a reader of the numbers has to know.
    pub warnings: Vec<String>,
    /// The reference with which the runs were compared.
    pub reference: Option<ReferenceReport>,
    /// The runs, studies, cards and histories of the case.
    pub items: Vec<Item>,
    /// The verdicts, in the order of the tolerance file.
    pub verdicts: Vec<Verdict>,
    /// The files of the case in its folder. Figures are there only if they were asked for.
    pub files: Vec<String>,
}

/// The reference of a case.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceReport {
    /// The way in which its numbers were found.
    pub provenance: String,
    /// Bounds of its own error at the end of the longest run, for each group of columns that it
    /// knows, in the unit of the group.
    pub errors: BTreeMap<String, f64>,
}

/// An item of a case: a run, a study, a card of the scorecard, or the histories of another solver.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Item {
    /// One integration with one scheme and one step.
    Run(RunReport),
    /// The findings of one study of the case.
    Study(Finding),
    /// The measurements of one scheme for the scorecard.
    Card(Card),
    /// The findings of the judge on histories of another solver.
    Histories(HistoriesReport),
}

/// The kinds of work that a command may leave incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display)]
#[strum(serialize_all = "lowercase")]
pub enum WorkKind {
    /// An integration of the case.
    Run,
    /// A study of the case.
    Study,
}

/// One integration with one scheme and one step.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunReport {
    /// The label of the scheme in the case.
    pub scheme: String,
    /// The name of the scheme in the catalogue.
    pub scheme_name: String,
    /// The step as the case writes it, or the tolerance as `tol=1e-6`.
    #[serde(rename = "step")]
    pub fineness: Fineness,
    /// True if somebody else's solver made the run, whose command then stands in `scheme_name`. Its torque evaluations
    /// are 0 unless it states them.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub guest: bool,
    /// The step in s; for a tolerance the spacing of the samples.
    pub h: f64,
    /// The file of the history, in the folder of the case.
    pub history: String,
    /// The number of rows of the history.
    pub samples: usize,
    /// The end of the run.
    pub end: RunEnd,
    /// The work of the whole run.
    pub effort: RunEffort,
    /// The errors against the reference at the last sample, for each group of columns; absent if the run
    /// did not reach its end.
    pub end_errors: Option<BTreeMap<String, f64>>,
    /// The extremes and trends of the columns that are followed at every step.
    pub tracked: BTreeMap<String, Track>,
    /// The events of the run, in order of time.
    pub events: Vec<EventReport>,
    /// The times in s at which the torque has a kink or a jump strictly inside a step.
    pub switches_straddled: Vec<f64>,
}

/// The end of a run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunEnd {
    /// The way in which the run ended.
    pub outcome: RunOutcome,
    /// The number of steps that the run made.
    pub steps: u64,
    /// The time of the last sample in s.
    pub t: f64,
    /// The reason for which the run is not complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The ways in which a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// The run reached its end.
    Reached,
    /// The run was stopped by `--time-limit`.
    TimeLimit,
    /// The run was interrupted from outside.
    Interrupted,
    /// A step of the run failed.
    Failed,
}

/// An event that a run met.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EventReport {
    /// The name of the event in the case.
    pub name: String,
    /// The time of the event in s.
    pub t: f64,
    /// The values of all columns at that time.
    pub values: BTreeMap<String, f64>,
}

/// The findings of the judge on histories of another solver.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct HistoriesReport {
    /// The outcome, such as passed or failed.
    pub outcome: Outcome,
    /// True if nothing speaks against the histories but what is accepted, and nothing is undecided.
    pub passed: bool,
    /// True if a build may go on: they passed, or they are undecided and nothing was claimed of their solver.
    pub acceptable: bool,
    /// True if all that was to be judged is there, or its absence is accepted.
    pub complete: bool,
    /// The order of convergence to the case's motion, where it could be measured.
    pub order: Option<f64>,
    /// The findings in detail.
    #[serde(flatten)]
    #[schemars(with = "HistoryReport")]
    pub report: Map<String, Value>,
}

impl RunReport {
    /// Returns the stem of the files of the run.
    pub fn stem(&self) -> String {
        format!("{}_{}", self.scheme, self.fineness.stem())
    }
}

impl Item {
    /// Returns the stem of the files of the item.
    pub(super) fn stem(&self) -> String {
        match self {
            Self::Run(run) => run.stem(),
            Self::Study(found) => found.stem.clone(),
            Self::Card(card) => card.info.name.into(),
            Self::Histories(_) => "histories".into(),
        }
    }

    /// Returns the reason for which the item is not complete.
    pub(super) fn incomplete(&self) -> Option<String> {
        match self {
            Self::Run(run) => run.end.why.clone(),
            Self::Study(found) => found.incomplete.as_ref().map(ToString::to_string),
            Self::Card(_) => None,
            Self::Histories(histories) => (!histories.complete).then(String::new),
        }
    }
}

impl CaseReport {
    /// Returns the runs of the case.
    pub fn runs(&self) -> impl Iterator<Item = &RunReport> + Clone {
        self.items.iter().filter_map(|item| match item {
            Item::Run(run) => Some(run),
            _ => None,
        })
    }

    /// Returns the studies of the case.
    pub fn studies(&self) -> impl Iterator<Item = &Finding> + Clone {
        self.items.iter().filter_map(|item| match item {
            Item::Study(found) => Some(found),
            _ => None,
        })
    }

    /// Returns the histories of another solver.
    pub fn histories(&self) -> impl Iterator<Item = &HistoriesReport> + Clone {
        self.items.iter().filter_map(|item| match item {
            Item::Histories(histories) => Some(histories),
            _ => None,
        })
    }

    /// Returns the runs and studies that are not complete, each with its kind, the stem of its files and the reason.
    pub fn incomplete(&self) -> impl Iterator<Item = (WorkKind, String, String)> {
        self.items.iter().filter_map(|item| {
            let kind = match item {
                Item::Run(_) => WorkKind::Run,
                Item::Study(_) => WorkKind::Study,
                Item::Card(_) | Item::Histories(_) => return None,
            };
            Some((kind, item.stem(), item.incomplete()?))
        })
    }

    /// Tests whether the case has runs or studies.
    pub fn is_suite(&self) -> bool {
        self.runs().next().is_some() || self.studies().next().is_some()
    }

    /// Tests whether anything was judged. A solver that may leave out a case was judged there, too.
    pub fn is_judged(&self) -> bool {
        let judged = |v: &Verdict| v.status != Status::Skipped;
        self.verdicts.iter().any(judged) || self.histories().next().is_some()
    }

    /// Tests whether nothing that was judged speaks against the case, and nothing is undecided.
    pub fn is_good(&self) -> bool {
        self.verdicts.iter().all(Verdict::is_good)
    }

    /// Tests whether a build may go on: the case passed, or all that keeps histories from passing is undecided and nothing
    /// was claimed of their solver.
    pub fn acceptable(&self) -> bool {
        let mut histories = self.histories().peekable();
        self.is_good() || histories.peek().is_some() && histories.all(|h| h.acceptable)
    }
}

impl Report {
    /// Reads a report; the items of a report in format 2 are left out.
    ///
    /// # Errors
    /// Fails if the text is no report.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let mut report: Value = serde_json::from_str(text)?;
        if report["format"] == 2 {
            for case in report["cases"].as_array_mut().into_iter().flatten() {
                case["items"] = Value::Array(Vec::new());
            }
        }
        serde_json::from_value(report)
    }
}
