//! A part of a suite: some schemes, other steps, an earlier end, some checks.

use super::Suite;
use crate::check::{Check, Selection, SkipReason};
use topsim_case::{Job, OutOfRange, WrittenStep};
use topsim_core::integration::{SchemeSelector, fits_pattern};

/// A choice of schemes, steps, an end and checks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choice {
    /// Schemes; all if there are none.
    pub schemes: Vec<SchemeSelector>,
    /// Steps instead of those of the case; those of the case if there are none.
    pub steps: Vec<WrittenStep>,
    /// End before that of the case, s.
    pub end: Option<f64>,
    /// Names of checks, in which `*` stands for any characters; all if there are none.
    pub checks: Vec<String>,
}

impl Suite {
    /// Keeps the chosen part and returns whether anything is left. With chosen checks only their runs and studies stay.
    /// Otherwise the studies of the chosen runs stay, and none that makes its own. Checks are judged only on runs of
    /// the case as it is written, since their numbers belong to these; the others are skipped.
    ///
    /// # Errors
    /// [`OutOfRange`] of steps and an end that the case cannot be run with.
    pub fn choose(&mut self, choice: &Choice) -> Result<bool, OutOfRange> {
        let fits = |all: &[String], name: &str| {
            all.is_empty() || all.iter().any(|p| fits_pattern(p, name))
        };
        let chosen = |j: &Job| {
            let takes = |s: &SchemeSelector| s.takes(&j.scheme, &j.scheme_name);
            choice.schemes.is_empty() || choice.schemes.iter().any(takes)
        };
        let problem = &mut self.problem;
        let written: Vec<Job> = problem.jobs.clone();
        let end = problem.end;
        problem.jobs.retain(chosen);
        problem.rerun(&choice.steps, choice.end)?;
        let some_checks = !choice.checks.is_empty();
        self.checks.retain(|c| fits(&choice.checks, &c.name));
        let made = if problem.end == end {
            &*problem.jobs
        } else {
            &[]
        };
        for check in &mut self.checks {
            let of_study = check.measure.needs().study.is_some();
            if !of_study {
                check.narrow(&written, made);
            } else if !some_checks {
                check.skipped = Some(SkipReason::NoStudy);
            }
        }
        let judged = || self.checks.iter().filter(|c| c.skipped.is_none());
        if some_checks {
            let taken = |j: &Job| judged().any(|c| c.takes(j));
            problem.jobs.retain(taken);
        }
        let jobs = &problem.jobs;
        self.studies.retain(|study| match study.selection() {
            Some(runs) => !some_checks && jobs.iter().any(|j| runs.takes(j)),
            None => judged().any(|c| {
                let asked = c.measure.needs().study.map(|(name, _)| name);
                asked.is_some() && asked == study.name()
            }),
        });
        Ok(!(self.problem.jobs.is_empty() && self.studies.is_empty()))
    }
}

impl Check {
    /// Tests whether the check uses a run.
    fn takes(&self, job: &Job) -> bool {
        let of_study = self.measure.needs().study.is_some();
        !of_study && self.runs.takes(job)
    }

    /// Restricts a check to the runs that are made; a check of ladders needs whole ladders.
    fn narrow(&mut self, written: &[Job], made: &[Job]) {
        let same = |a: &Job, b: &Job| a.scheme == b.scheme && a.grid.h == b.grid.h;
        let is_made = |j: &&&Job| made.iter().any(|m| same(m, j));
        let own: Vec<&Job> = written.iter().filter(|j| self.takes(j)).collect();
        let ladder = self.measure.needs().ladder;
        let whole = |scheme: &str| {
            let mut steps = own.iter().filter(|j| j.scheme == scheme);
            steps.all(|j| is_made(&j))
        };
        let kept = own.iter().filter(|j| is_made(j));
        let kept: Vec<&&Job> = kept.filter(|j| !ladder || whole(&j.scheme)).collect();
        if kept.is_empty() {
            let some = own.iter().any(|j| is_made(&j));
            let (part, none) = (SkipReason::PartOfLadder, SkipReason::NoRun);
            self.skipped = Some(if some { part } else { none });
        }
        self.runs = Selection {
            schemes: Some(kept.iter().map(|j| j.scheme.clone().into()).collect()),
            steps: Some(kept.iter().map(|j| j.grid.h).collect()),
        };
    }
}
