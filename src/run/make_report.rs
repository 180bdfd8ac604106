//! Makes reports from runs, references and the judge's findings.

use super::report::{
    CaseReport, EventReport, FORMAT, HistoriesReport, Item, ReferenceReport, Report, RunEnd,
    RunOutcome, RunReport,
};
use crate::check::SchemeRun;
use crate::suite::Suite;
use serde_json::Value;
use std::collections::BTreeMap;
use strict_toml::harmless;
use topsim_case::RunPlan;
use topsim_core::integration::{End, Run, StopReason};
use topsim_core::models::Group;
use topsim_core::reference::RowReference;
use topsim_judge::Report as HistoryReport;

impl ReferenceReport {
    /// Returns what a reference states of itself for these runs.
    pub(super) fn of(reference: &dyn RowReference, runs: &[SchemeRun]) -> Self {
        let ends = runs.iter().filter_map(|r| r.run.times.last().copied());
        let end = ends.fold(f64::NEG_INFINITY, f64::max);
        let groups = runs.iter().take(1).flat_map(|r| &r.run.columns.groups);
        let bound = |g: &Group| reference.group_error(end, g.quantity, g.channels.len());
        let errors = groups.map(|g| (g.name.to_string(), bound(g)));
        Self {
            provenance: reference.provenance(),
            errors: errors.filter(|(_, bound)| bound.is_finite()).collect(),
        }
    }
}

impl HistoriesReport {
    pub(super) fn of(report: &HistoryReport) -> Self {
        let plain = serde_json::to_value(report).expect("plain data always serialises");
        Self {
            outcome: report.outcome(),
            passed: report.passed(),
            acceptable: report.acceptable(),
            complete: report.complete(),
            order: report.order(),
            report: match plain {
                Value::Object(fields) => fields,
                _ => unreachable!("the report of the judge is a struct"),
            },
        }
    }
}

impl RunReport {
    /// Returns the numbers of a run of a case with these events.
    pub(super) fn of(
        run: &SchemeRun,
        events: &[String],
        reference: Option<&dyn RowReference>,
    ) -> Self {
        let (stem, outcome) = (run.stem(), run.outcome());
        let SchemeRun {
            scheme,
            scheme_name,
            fineness,
            guest,
            run,
            ..
        } = run;
        let (how, steps) = match run.end {
            End::Reached => (RunOutcome::Reached, run.effort.steps),
            End::Stopped { at, why } => match why {
                StopReason::Deadline => (RunOutcome::TimeLimit, at),
                StopReason::Interrupted => (RunOutcome::Interrupted, at),
            },
            End::Failed { at, .. } => (RunOutcome::Failed, at),
        };
        let columns = &*run.columns;
        let tracked = columns.tracked.clone().zip(&run.tracks);
        let named = |values: &[f64]| {
            let names = columns.names().map(String::from);
            names.zip(values.iter().copied()).collect()
        };
        Self {
            scheme: scheme.clone(),
            scheme_name: scheme_name.clone(),
            fineness: fineness.clone(),
            guest: *guest,
            h: run.h,
            history: format!("{stem}.csv"),
            samples: run.times.len(),
            end: RunEnd {
                outcome: how,
                steps,
                t: *run.times.last().expect("a run keeps its first sample"),
                why: outcome.as_ref().err().map(ToString::to_string),
            },
            effort: run.effort,
            end_errors: outcome.is_ok().then(|| end_errors(run, reference)),
            tracked: tracked
                .map(|(column, track)| (columns.channels[column].name.to_string(), *track))
                .collect(),
            events: run
                .events
                .iter()
                .map(|event| EventReport {
                    name: events[event.spec].clone(),
                    t: event.time,
                    values: named(&event.values),
                })
                .collect(),
            switches_straddled: run.straddled.clone(),
        }
    }
}

/// Returns the errors of a run against the reference at its last sample, for every group that the reference knows.
fn end_errors(run: &Run, reference: Option<&dyn RowReference>) -> BTreeMap<String, f64> {
    let Some(reference) = reference else {
        return BTreeMap::new();
    };
    let k = run.times.len() - 1;
    let mut exact = vec![f64::NAN; run.columns.width()];
    reference.row(run.times[k], &mut exact);
    let groups = run.columns.groups.iter();
    groups
        .filter(|g| reference.error_of(run.times[k], g.quantity).is_finite())
        .map(|g| (g.name.to_string(), g.distance(run.row(k), &exact)))
        .collect()
}

/// Stem that is listed as missing until the verdicts, the figures and the page of a case are written.
const REPORT: &str = "report";

impl CaseReport {
    /// Returns the report on a case of which nothing is made yet. Its figures and verdicts are the last that is missing.
    pub(crate) fn planned(suite: &Suite) -> Self {
        let problem = &suite.problem;
        let runs = problem.plans.iter().map(RunPlan::stem);
        let guests = suite.guests.iter().map(SchemeRun::stem);
        let studies = suite.studies.iter().map(|s| s.stem());
        Self {
            name: problem.name.clone(),
            file: problem.origin.clone(),
            title: problem.title.clone(),
            sha256: suite.hash.clone(),
            sources: problem.references.clone(),
            warnings: problem.warnings.clone(),
            missing: runs
                .chain(guests)
                .chain(studies)
                .chain([REPORT.into()])
                .collect(),
            ..Self::default()
        }
    }

    /// Returns the report on the same case with nothing made.
    pub(crate) fn unmade(&self) -> Self {
        Self {
            name: self.name.clone(),
            title: self.title.clone(),
            missing: self.items.iter().map(Item::stem).collect(),
            ..Self::default()
        }
    }

    /// Returns the same case with `passed` and `complete` set from its items and verdicts, and with texts in which a terminal
    /// obeys nothing. `times_whole` tells whether its studies of times are complete.
    #[must_use]
    pub(crate) fn closed(mut self, times_whole: bool) -> Self {
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
        let made = self.items.iter().all(|item| item.incomplete().is_none());
        self.complete = self.missing.is_empty() && made && times_whole;
        self.passed = (self.is_judged()).then(|| self.is_good() && self.complete);
        self
    }
}

impl Report {
    /// Makes the report on these cases.
    pub fn new(revision: impl Into<String>, cases: Vec<CaseReport>) -> Self {
        let passed: Option<Vec<bool>> = cases.iter().map(|case| case.passed).collect();
        Self {
            format: FORMAT,
            topsim: env!("CARGO_PKG_VERSION").into(),
            revision: revision.into(),
            passed: passed.map(|all| all.into_iter().all(|passed| passed)),
            complete: cases.iter().all(|case| case.complete),
            solver: None,
            together: None,
            cases,
            earlier: Vec::new(),
        }
    }

    /// Makes the report on cases of which nothing is made yet.
    pub(crate) fn planned(revision: &str, cases: Vec<CaseReport>) -> Self {
        Self {
            complete: false,
            ..Self::new(revision, cases)
        }
    }

    /// Notes that a run or study of a case is no longer missing.
    pub(crate) fn made(&mut self, case: &str, stem: &str) {
        for case in self.cases.iter_mut().filter(|c| c.name == case) {
            case.missing.retain(|m| m != stem);
        }
    }
}
