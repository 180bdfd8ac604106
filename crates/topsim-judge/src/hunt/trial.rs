//! Problems put to a solver, and the margins of what it answers.

use super::claim::{HuntClaim, Margin, margins};
use super::habits::Habits;
use super::ladder::{ALL_RUNGS, Outcome, RUNGS, probes, shown};
use super::point::Point;
use super::runs::Runs;
use crate::parallel::Threads;

/// What one problem gave.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub point: Point,
    pub outcome: Outcome,
    pub margins: Vec<Margin>,
}

impl Judged {
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
pub(super) struct Trials<'a> {
    pub solver: &'a dyn Runs,
    pub threads: &'a Threads,
}

impl Trials<'_> {
    /// What the solver answers, in the order of the problems.
    pub fn answered(&self, points: &[Point], rungs: usize) -> Vec<(Point, Outcome)> {
        let asked: Vec<_> = points.iter().map(|p| probes(p, rungs)).collect();
        let all: Vec<_> = asked.iter().flatten().cloned().collect();
        let mut answers = self.solver.run(&all).into_iter();
        let each = points.iter().zip(&asked);
        let each: Vec<_> = each
            .map(|(p, asked)| (*p, answers.by_ref().take(asked.len()).collect::<Vec<_>>()))
            .collect();
        self.threads.map(each, |(point, answers)| {
            let outcome = if answers.is_empty() {
                Outcome::NoOracle
            } else {
                shown(&point, &answers, rungs)
            };
            (point, outcome)
        })
    }

    pub fn judged(&self, points: &[Point], rungs: usize, habits: &Habits) -> Vec<Judged> {
        let answered = self.answered(points, rungs).into_iter();
        let judged = answered.map(|(point, outcome)| Judged {
            margins: margins(&point, &outcome, habits),
            point,
            outcome,
        });
        judged.collect()
    }

    /// With seven rungs, and the error of the exact motion measured: what still fails is a finding.
    pub fn confirmed(&self, points: &[Point], habits: &Habits) -> Vec<Judged> {
        self.judged(points, ALL_RUNGS, habits)
    }

    /// As the search asks.
    pub fn searched(&self, points: &[Point], habits: &Habits) -> Vec<Judged> {
        self.judged(points, RUNGS, habits)
    }
}
