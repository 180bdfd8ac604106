//! A part of a suite: some schemes, other steps, an earlier end, some checks.

use super::Suite;
use crate::check::{Check, Selection, SkipReason};
use topsim_case::{OutOfRange, RunPlan, WrittenStep};
use topsim_core::integration::{SchemeSelector, fits_pattern};
use topsim_core::verdict::Fineness;

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
        let chosen = |p: &RunPlan| {
            let takes = |s: &SchemeSelector| s.takes(&p.scheme, &p.scheme_name);
            choice.schemes.is_empty() || choice.schemes.iter().any(takes)
        };
        let problem = &mut self.problem;
        let written: Vec<RunPlan> = problem.plans.clone();
        let end = problem.end;
        problem.plans.retain(chosen);
        problem.rerun(&choice.steps, choice.end)?;
        let some_checks = !choice.checks.is_empty();
        self.checks.retain(|c| fits(&choice.checks, &c.name));
        let made = if problem.end == end {
            &*problem.plans
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
            let taken = |p: &RunPlan| judged().any(|c| c.takes(p));
            problem.plans.retain(taken);
        }
        let plans = &problem.plans;
        self.studies.retain(|study| match study.selection() {
            Some(runs) => !some_checks && plans.iter().any(|p| runs.takes(p)),
            None => judged().any(|c| {
                let asked = c.measure.needs().study.map(|(name, _)| name);
                asked.is_some() && asked == study.name()
            }),
        });
        Ok(!(self.problem.plans.is_empty() && self.studies.is_empty()))
    }
}

impl Check {
    /// Tests whether the check uses a run.
    fn takes(&self, plan: &RunPlan) -> bool {
        let of_study = self.measure.needs().study.is_some();
        !of_study && self.runs.takes(plan)
    }

    /// Restricts a check to the runs that are made; a check of ladders needs whole ladders.
    fn narrow(&mut self, written: &[RunPlan], made: &[RunPlan]) {
        let same = |a: &RunPlan, b: &RunPlan| {
            (&a.scheme, &a.fineness, a.grid.h) == (&b.scheme, &b.fineness, b.grid.h)
        };
        let is_made = |p: &&&RunPlan| made.iter().any(|m| same(m, p));
        let own: Vec<&RunPlan> = written.iter().filter(|p| self.takes(p)).collect();
        let ladder = self.measure.needs().ladder;
        let whole = |scheme: &str| {
            let mut steps = own.iter().filter(|p| p.scheme == scheme);
            steps.all(|p| is_made(&p))
        };
        let kept = own.iter().filter(|p| is_made(p));
        let kept: Vec<&&RunPlan> = kept.filter(|p| !ladder || whole(&p.scheme)).collect();
        if kept.is_empty() {
            let some = own.iter().any(|p| is_made(&p));
            let (part, none) = (SkipReason::PartOfLadder, SkipReason::NoRun);
            self.skipped = Some(if some { part } else { none });
        }
        let numbers = |tolerances| {
            let of_kind =
                |p: &&&&RunPlan| matches!(p.fineness, Fineness::Tolerance(_)) == tolerances;
            let of_kind = kept.iter().filter(of_kind);
            of_kind.map(|p| p.fineness.number(p.grid.h)).collect()
        };
        self.runs = Selection {
            schemes: Some(kept.iter().map(|p| p.scheme.clone().into()).collect()),
            steps: Some(numbers(false)),
            tolerances: Some(numbers(true)),
        };
    }
}
