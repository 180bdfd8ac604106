//! A report with its artifacts: histories, drawings and times, which no report holds.

use super::report::{HistoriesReport, WorkKind};
use super::{CaseReport, CommandFacts, Histories, Item, ProblemSummary, Report};
use crate::check::SchemeRun;
use crate::figure::{Figure, FigureFormat, FiguredCase};
use crate::study::Finding;
use std::time::Duration;
use topsim_case::Problem;
use topsim_core::reference::{NoReference, RowReference};
use topsim_core::verdict::Verdict;
use topsim_judge::Report as HistoryReport;

/// A report with its artifacts.
pub struct Results {
    /// The report: plain data.
    pub report: Report,
    /// The artifacts of each case of the report.
    pub artifacts: Vec<Artifacts>,
    /// True if the command was interrupted from outside.
    pub interrupted: bool,
    /// The time that the command took.
    pub wall: Duration,
    /// The command that made the results, where that is known.
    pub made: Option<CommandFacts>,
    /// The formats in which figures are written; none of them writes no figures.
    pub figure_formats: Vec<FigureFormat>,
}

/// The artifacts of a case.
pub struct Artifacts {
    /// The summary of the case.
    pub summary: String,
    /// The problem, where the case has runs.
    pub posed: Option<ProblemSummary>,
    /// The reference, or the reason for which there is none.
    pub reference: Result<Box<dyn RowReference>, NoReference>,
    /// The runs, in the order of the report.
    pub runs: Vec<SchemeRun>,
    /// The studies of times of this machine, which are no part of a report.
    pub timed: Vec<Finding>,
    /// The histories of another solver.
    pub histories: Option<Histories>,
    /// The figures to draw of the runs.
    pub figures: Vec<Figure>,
}

/// A case with its artifacts.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The part of the report on the case.
    pub report: &'a CaseReport,
    /// The artifacts of the case.
    pub artifacts: &'a Artifacts,
}

impl Default for Artifacts {
    fn default() -> Self {
        Self {
            summary: String::new(),
            posed: None,
            reference: Err(NoReference::Unasked),
            runs: Vec::new(),
            timed: Vec::new(),
            histories: None,
            figures: Vec::new(),
        }
    }
}

impl Artifacts {
    /// Makes the report and the artifacts of a case that has only histories.
    pub fn of_histories(problem: &Problem, histories: Histories) -> (CaseReport, Self) {
        let report = &histories.report;
        let case = CaseReport {
            name: report.case.clone(),
            title: report.title.clone(),
            verdicts: report.verdicts.iter().map(Verdict::named).collect(),
            items: vec![Item::Histories(HistoriesReport::of(report))],
            ..CaseReport::default()
        };
        let artifacts = Self {
            summary: problem.summary.clone(),
            posed: ProblemSummary::of(problem),
            histories: Some(histories),
            ..Self::default()
        };
        (case, artifacts)
    }
}

impl<'a> Case<'a> {
    /// Returns the case as its figures draw it.
    pub(crate) fn figured(self) -> FiguredCase<'a> {
        FiguredCase {
            title: &self.report.title,
            runs: self.artifacts.runs.iter().collect(),
            reference: self.artifacts.reference.as_deref().ok(),
            model: self.artifacts.posed.as_ref().map(|posed| &posed.model),
        }
    }

    /// Returns the findings of the studies of the case, and those that show its histories.
    pub fn findings(self) -> impl Iterator<Item = &'a Finding> + Clone {
        let histories = self.artifacts.histories.iter();
        let of_histories = histories.flat_map(|histories| &histories.findings);
        let studies = self.report.studies().chain(&self.artifacts.timed);
        studies.chain(of_histories)
    }

    /// Returns the runs and studies that are not complete, each with its kind, the stem of its files and the reason.
    pub fn incomplete(self) -> impl Iterator<Item = (WorkKind, String, String)> {
        let timed = self.artifacts.timed.iter().filter_map(|found| {
            let why = found.incomplete.as_ref()?.to_string();
            Some((WorkKind::Study, found.stem.clone(), why))
        });
        self.report.incomplete().chain(timed)
    }

    /// Returns the files of the case in its folder, with figures in these formats, except those of times of this machine.
    fn files(self, formats: &[FigureFormat]) -> Vec<String> {
        let histories = self.report.runs().map(|run| run.history.clone());
        let findings = || self.findings().filter(|found| !found.timed);
        let data = findings().flat_map(|found| found.files.iter().map(|file| file.name.clone()));
        let figured = self.figured();
        let asked = self.artifacts.figures.iter();
        let asked = asked.flat_map(|figure| figure.names(&figured));
        let drawn = findings().flat_map(|found| found.drawings.iter().map(|d| d.stem.clone()));
        let stems = asked.chain(drawn);
        let figures = stems.flat_map(|stem| formats.iter().map(move |f| f.file_name(&stem)));
        histories.chain(data).chain(figures).collect()
    }

    /// Returns the judge's report on the histories of another solver.
    pub fn judged(self) -> Option<&'a HistoryReport> {
        self.artifacts.histories.as_ref().map(|h| &h.report)
    }
}

impl Results {
    /// Makes the results of cases from their reports and artifacts.
    pub fn new(revision: &str, cases: Vec<(CaseReport, Artifacts)>) -> Self {
        let closed = |(case, artifacts): (CaseReport, Artifacts)| {
            let whole = artifacts
                .timed
                .iter()
                .all(|found| found.incomplete.is_none());
            (case.closed(whole), artifacts)
        };
        let (cases, artifacts) = cases.into_iter().map(closed).unzip();
        let results = Self {
            report: Report::new(revision, cases),
            artifacts,
            interrupted: false,
            wall: Duration::ZERO,
            made: None,
            figure_formats: Vec::new(),
        };
        results.with_figures(Vec::new())
    }

    /// Returns the results with figures written in these formats.
    #[must_use]
    pub fn with_figures(mut self, formats: Vec<FigureFormat>) -> Self {
        let files: Vec<_> = self.cases().map(|case| case.files(&formats)).collect();
        for (case, files) in self.report.cases.iter_mut().zip(files) {
            case.files = files;
        }
        self.figure_formats = formats;
        self
    }

    /// Returns the results as those of one solver.
    #[must_use]
    pub fn of_solver(mut self, solver: Option<String>) -> Self {
        let judged: Vec<&HistoryReport> = self.judged().collect();
        let several = solver.is_some() && judged.len() > 1;
        let together = several.then(|| HistoryReport::evidence(&judged));
        let plain =
            |evidence| serde_json::to_value(evidence).expect("plain data always serialises");
        self.report.together = together.map(plain);
        self.report.solver = solver;
        self
    }

    /// Returns the cases.
    pub fn cases(&self) -> impl Iterator<Item = Case<'_>> + Clone {
        let both = self.report.cases.iter().zip(&self.artifacts);
        both.map(|(report, artifacts)| Case { report, artifacts })
    }

    /// Returns the judge's reports on histories.
    pub fn judged(&self) -> impl Iterator<Item = &HistoryReport> + Clone {
        self.cases().filter_map(Case::judged)
    }

    /// Tests whether something is claimed of a solver that could do none of the cases.
    pub fn shows_no_claim(&self) -> bool {
        let mut all = self.judged().peekable();
        all.peek().is_some_and(|h| !h.claims.is_empty()) && all.all(HistoryReport::skipped)
    }

    /// Tests whether everything that was judged passed.
    pub fn passed(&self) -> bool {
        self.report.cases.iter().all(CaseReport::is_good) && !self.shows_no_claim()
    }

    /// Tests whether a build may go on.
    pub fn acceptable(&self) -> bool {
        self.report.cases.iter().all(CaseReport::acceptable) && !self.shows_no_claim()
    }
}
