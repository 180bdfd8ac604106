//! The report: data only. Whatever is judged ends here, and renderers draw it without integrating
//! again.

use super::scorecard::Card;
use super::{CommandFacts, Histories, ProblemSummary};
use crate::check::SchemeRun;
use crate::figure::{Figure, FigureFormat, FiguredCase};
use crate::study::Finding;
use crate::suite::Suite;
use std::collections::BTreeMap;
use std::time::Duration;
use strict_toml::harmless;
use topsim_case::{Job, Problem};
use topsim_core::reference::{NoReference, RowReference};
use topsim_core::verdict::{Status, Verdict};
use topsim_judge::Report as HistoryReport;

/// A whole report.
#[derive(Default)]
pub struct Report {
    /// The cases, in the order in which they were asked for.
    pub cases: Vec<Case>,
    /// The git revision of the program, if it is known.
    pub revision: String,
    /// The command of the solver, if a command was judged.
    pub solver: Option<String>,
    /// Whether the command was interrupted from outside.
    pub interrupted: bool,
    /// The time that the command took.
    pub wall: Duration,
    /// By whom it was made, where that is known.
    pub made: Option<CommandFacts>,
    /// The formats in which figures are written; none of them writes no figures.
    pub figure_formats: Vec<FigureFormat>,
}

/// What was made and judged of one case.
pub struct Case {
    /// The name of the case.
    pub name: String,
    /// The place from which the case was read.
    pub origin: String,
    /// The title of the case.
    pub title: String,
    /// The summary of the case.
    pub summary: String,
    /// What its problem is, where it has runs.
    pub posed: Option<ProblemSummary>,
    /// The SHA-256 hash of the case file; empty if there is no file.
    pub hash: String,
    /// The documents from which the problem comes.
    pub references: Vec<String>,
    /// The reference, or why there is none.
    pub reference: Result<Box<dyn RowReference>, NoReference>,
    /// What a reader has to know of the case.
    pub warnings: Vec<String>,
    /// The runs, studies, cards and histories of the case.
    pub items: Vec<Item>,
    /// The verdicts, in the order of the tolerance file.
    pub verdicts: Vec<Verdict>,
    /// The figures to draw of the runs.
    pub figures: Vec<Figure>,
    /// The names of the events; runs refer to them by their index.
    pub events: Vec<String>,
    /// The stems of runs and studies that are still to be made; of a finished case there are none.
    pub missing: Vec<String>,
}

/// A run, a study, a card or histories.
pub enum Item {
    /// One integration with one scheme and one step.
    Run(Box<SchemeRun>),
    /// What one study found.
    Study(Box<Finding>),
    /// What the scorecard measured of one scheme.
    Card(Box<Card>),
    /// What histories of another solver show.
    Histories(Box<Histories>),
}

/// What is missing of a case until its verdicts, figures and page are there.
const REPORT: &str = "report";

impl Default for Case {
    fn default() -> Self {
        Self {
            name: String::new(),
            origin: String::new(),
            title: String::new(),
            summary: String::new(),
            posed: None,
            hash: String::new(),
            references: Vec::new(),
            reference: Err(NoReference::Unasked),
            warnings: Vec::new(),
            items: Vec::new(),
            verdicts: Vec::new(),
            figures: Vec::new(),
            events: Vec::new(),
            missing: Vec::new(),
        }
    }
}

impl Case {
    /// A case with nothing but what histories show of it.
    pub fn of_histories(problem: &Problem, histories: Histories) -> Self {
        let report = &histories.report;
        Self {
            name: report.case.clone(),
            title: report.title.clone(),
            summary: problem.summary.clone(),
            posed: ProblemSummary::of(problem),
            verdicts: report.verdicts.iter().map(Verdict::named).collect(),
            items: vec![Item::Histories(Box::new(histories))],
            ..Self::default()
        }
    }

    /// A case of which nothing is made yet: its figures and verdicts come last.
    pub(crate) fn planned(suite: &Suite) -> Self {
        let problem = &suite.problem;
        let runs = problem.jobs.iter().map(Job::stem);
        let guests = suite.guests.iter().map(SchemeRun::stem);
        let studies = suite.studies.iter().map(|s| s.stem());
        Self {
            name: problem.name.clone(),
            origin: problem.origin.clone(),
            title: problem.title.clone(),
            hash: suite.hash.clone(),
            references: problem.references.clone(),
            warnings: problem.warnings.clone(),
            missing: runs
                .chain(guests)
                .chain(studies)
                .chain([REPORT.into()])
                .collect(),
            ..Self::default()
        }
    }

    /// The same case with nothing made.
    pub(crate) fn unmade(&self) -> Self {
        let items = self.items.iter().map(|item| match item {
            Item::Run(run) => run.stem(),
            Item::Study(found) => found.stem.clone(),
            Item::Card(card) => card.info.name.into(),
            Item::Histories(_) => "histories".into(),
        });
        Self {
            name: self.name.clone(),
            title: self.title.clone(),
            missing: items.collect(),
            ..Self::default()
        }
    }

    /// The same case with nothing in its texts that a terminal would obey.
    #[must_use]
    pub(crate) fn harmless(mut self) -> Self {
        let plain = |text: &mut String| {
            let keep = |c| if c == '\n' { c } else { harmless(c) };
            *text = text.chars().map(keep).collect();
        };
        plain(&mut self.title);
        self.warnings.iter_mut().for_each(plain);
        for verdict in &mut self.verdicts {
            plain(&mut verdict.id);
            verdict.detail.iter_mut().for_each(plain);
            verdict.known_defect.iter_mut().for_each(plain);
        }
        self
    }

    /// The case as its figures draw it.
    pub(crate) fn figured(&self) -> FiguredCase<'_> {
        FiguredCase {
            title: &self.title,
            runs: self.runs().collect(),
            reference: self.reference.as_deref().ok(),
            model: self.posed.as_ref().map(|posed| &posed.model),
        }
    }

    /// The runs of the case.
    pub fn runs(&self) -> impl Iterator<Item = &SchemeRun> + Clone {
        self.items.iter().filter_map(|i| match i {
            Item::Run(r) => Some(&**r),
            _ => None,
        })
    }

    /// What the studies of the case found, and what its histories look like.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> + Clone {
        self.items.iter().flat_map(|i| match i {
            Item::Study(f) => std::slice::from_ref(&**f),
            Item::Histories(h) => &h.findings,
            _ => &[],
        })
    }

    /// What histories of another solver show.
    pub fn histories(&self) -> impl Iterator<Item = &HistoryReport> + Clone {
        self.items.iter().filter_map(|i| match i {
            Item::Histories(h) => Some(&h.report),
            _ => None,
        })
    }

    /// The runs and studies that are not complete, each with the stem of its files and why.
    pub fn incomplete(&self) -> impl Iterator<Item = (&Item, String, String)> {
        self.items.iter().filter_map(|item| match item {
            Item::Run(r) => Some((item, r.stem(), r.outcome().err()?.to_string())),
            Item::Study(f) => {
                let why = f.outcome.as_ref().err()?.to_string();
                Some((item, f.stem.clone(), why))
            }
            Item::Card(_) | Item::Histories(_) => None,
        })
    }

    /// Whether the case has runs or studies.
    pub(crate) fn is_suite(&self) -> bool {
        let suite = |i: &Item| matches!(i, Item::Run(_) | Item::Study(_));
        self.items.iter().any(suite)
    }

    /// Whether anything was judged. A solver that may leave out a case was judged there, too.
    pub fn is_judged(&self) -> bool {
        let judged = |v: &Verdict| v.status != Status::Skipped;
        self.verdicts.iter().any(judged) || self.histories().next().is_some()
    }

    /// Whether nothing that was judged speaks against it, and nothing is undecided.
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(Verdict::is_good)
    }

    /// Whether a build may go on: it passed, or all that keeps histories from passing is undecided and nothing was
    /// claimed of their solver.
    pub fn acceptable(&self) -> bool {
        let mut histories = self.histories().peekable();
        self.passed() || histories.peek().is_some() && histories.all(HistoryReport::acceptable)
    }

    /// Whether all that was asked for was made.
    pub fn complete(&self) -> bool {
        self.missing.is_empty()
            && self.items.iter().all(|i| match i {
                Item::Run(r) => r.outcome().is_ok(),
                Item::Study(f) => f.outcome.is_ok(),
                Item::Card(_) => true,
                Item::Histories(h) => h.report.complete(),
            })
    }

    /// Errors of a run against the reference at its last sample, for every group that the
    /// reference knows.
    pub fn end_errors<'r>(&self, item: &'r SchemeRun) -> BTreeMap<&'r str, f64> {
        let Ok(reference) = &self.reference else {
            return BTreeMap::new();
        };
        let run = &item.run;
        let k = run.times.len() - 1;
        let mut exact = vec![f64::NAN; run.columns.width()];
        reference.row(run.times[k], &mut exact);
        run.columns
            .groups
            .iter()
            .filter(|g| reference.error_of(run.times[k], g.quantity).is_finite())
            .map(|g| (&*g.name, g.distance(run.row(k), &exact)))
            .collect()
    }
}

impl Report {
    /// Whether everything that was judged passed.
    pub fn passed(&self) -> bool {
        self.cases.iter().all(Case::passed) && !self.shows_no_claim()
    }
    /// Whether something is claimed of a solver that could do none of the cases.
    pub fn shows_no_claim(&self) -> bool {
        let mut all = self.cases.iter().flat_map(Case::histories).peekable();
        all.peek().is_some_and(|h| !h.claims.is_empty()) && all.all(HistoryReport::skipped)
    }
    /// A run or study of a case is no longer missing.
    pub(crate) fn made(&mut self, case: &str, stem: &str) {
        for case in self.cases.iter_mut().filter(|c| c.name == case) {
            case.missing.retain(|m| m != stem);
        }
    }
    /// Whether a build may go on.
    pub fn acceptable(&self) -> bool {
        self.cases.iter().all(Case::acceptable) && !self.shows_no_claim()
    }
    /// Whether all that was asked for was made.
    pub fn complete(&self) -> bool {
        !self.interrupted && self.cases.iter().all(Case::complete)
    }
}
