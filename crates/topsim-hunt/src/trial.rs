//! Problems put to a solver, and the margins of what it answers.

use crate::claim::{HuntClaim, Margin};
use crate::habits::Habits;
use crate::ladder::{ALL_RUNGS, Outcome, RUNGS, probes, shown};
use crate::margins::margins;
use crate::point::Point;
use topsim_model::probe::Answer;
use topsim_protocol::parallel::Threads;
use topsim_protocol::solver::Runs;

/// What one problem gave.
#[derive(Debug, Clone)]
pub(crate) struct TrialResult {
    pub point: Point,
    pub outcome: Outcome,
    pub margins: Vec<Margin>,
}

impl TrialResult {
    pub fn of(point: Point, outcome: Outcome, habits: &Habits) -> Self {
        Self {
            margins: margins(&point, &outcome, habits),
            point,
            outcome,
        }
    }
    /// Whether the hunt ended before it was answered.
    pub fn is_stopped(&self) -> bool {
        matches!(self.outcome, Outcome::Stopped)
    }
    /// The first claim that fails, of those wanted.
    pub fn failing(&self, wanted: &[HuntClaim]) -> Option<Margin> {
        let failing = self
            .margins
            .iter()
            .filter(|m| !m.holds() && wanted.contains(&m.claim));
        failing.min_by_key(|m| m.claim).copied()
    }
    pub fn margin(&self, claim: HuntClaim) -> Option<Margin> {
        self.margins.iter().find(|m| m.claim == claim).copied()
    }
}

/// A solver, and what judges it.
pub(crate) struct Trials<'a> {
    pub solver: &'a dyn Runs,
    pub threads: &'a Threads,
    /// Simpler problems that are posed at a time, although the first that fails is taken: as many as a batch has worlds, or a few.
    pub together: usize,
}

/// Simpler problems that are posed at a time one by one.
pub(crate) const FEW: usize = 12;

impl Trials<'_> {
    /// What the solver answers, in the order of the problems.
    pub fn answered(&self, points: &[Point], rungs: usize) -> Vec<(Point, Outcome)> {
        let mut asked: Vec<_> = points.iter().map(|p| probes(p, rungs)).collect();
        let mut answers: Vec<Vec<Answer>> = vec![Vec::new(); points.len()];
        // The coarsest runs first: where there are no rows, nothing more is asked of the problem.
        for part in [0..1, 1..usize::MAX] {
            let mut counts = Vec::new();
            let mut probes = Vec::new();
            for (asked, answers) in asked.iter_mut().zip(&answers) {
                let open = answers.iter().all(Result::is_ok);
                let now = if open { part.len().min(asked.len()) } else { 0 };
                counts.push(now);
                probes.extend(asked.drain(..now));
            }
            let mut made = self.solver.run(&probes).into_iter();
            for (answers, count) in answers.iter_mut().zip(counts) {
                answers.extend(made.by_ref().take(count));
            }
        }
        let each: Vec<_> = points.iter().copied().zip(answers).collect();
        self.threads.map(each, |(point, answers)| {
            let outcome = if answers.is_empty() {
                Outcome::NoOracle
            } else {
                shown(&point, &answers, rungs)
            };
            (point, outcome)
        })
    }

    fn judged(&self, points: &[Point], rungs: usize, habits: &Habits) -> Vec<TrialResult> {
        let answered = self.answered(points, rungs).into_iter();
        let judged = answered.map(|(point, outcome)| TrialResult::of(point, outcome, habits));
        judged.collect()
    }

    /// With seven rungs, and the error of the exact motion measured: what still fails is a finding.
    pub fn confirmed(&self, points: &[Point], habits: &Habits) -> Vec<TrialResult> {
        self.judged(points, ALL_RUNGS, habits)
    }

    /// As the search asks.
    pub fn searched(&self, points: &[Point], habits: &Habits) -> Vec<TrialResult> {
        self.judged(points, RUNGS, habits)
    }
}
