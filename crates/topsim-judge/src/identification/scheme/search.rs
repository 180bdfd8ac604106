//! The search among candidates: one tolerance, and one rule for rivals.

use super::questioner::{State, Step};
use crate::thresholds::*;
use nalgebra::{DMatrix, DVector};
use topsim_core::math::so3;
use topsim_model::Stepping;

/// A rule that steps are held against.
pub(super) trait Candidate {
    /// Returns the state after a step.
    fn predict(&self, step: &Step) -> State;
}

impl Candidate for Stepping {
    fn predict(&self, step: &Step) -> State {
        step.advanced(self)
    }
}

/// Part of a step that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Rate,
}

/// A candidate with the largest miss of its steps.
pub(super) type Fitted<C> = (C, f64);

/// The outcome of a search.
#[derive(Debug, Clone)]
pub(super) struct Choice<C> {
    pub best: C,
    /// Largest miss of the best.
    pub residual: f64,
    /// Others that make another step and fit as well, at this noise.
    pub rivals: Vec<C>,
}

impl<C> Choice<C> {
    /// Returns the best if it has no rivals.
    pub fn alone(self) -> Option<C> {
        self.rivals.is_empty().then_some(self.best)
    }
}

/// Steps, and what a right rule may leave of them.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub steps: &'a [Step],
    part: Part,
    /// Residual that a right rule may leave.
    pub accept: f64,
    /// Residual that rounding leaves.
    floor: f64,
}

impl<'a> Search<'a> {
    pub fn new(steps: &'a [Step], noise: f64) -> Self {
        Self {
            steps,
            part: Part::Whole,
            accept: ACCEPTED.max(OF_NOISE * noise),
            floor: ROUNDED.max(BEYOND_CHANCE * noise),
        }
    }

    /// Returns the search for a rule of the rate alone.
    pub fn of_rate(self) -> Self {
        let part = Part::Rate;
        Self { part, ..self }
    }

    /// Returns a search that accepts so many times as much.
    pub fn looser(self, times: f64) -> Self {
        Self {
            accept: times * self.accept,
            floor: times * self.floor,
            ..self
        }
    }

    /// Returns the candidate if it comes near to all steps.
    pub fn near<C: Candidate>(&self, candidate: C) -> Option<Fitted<C>> {
        self.within(candidate, BY_FAR)
    }

    /// Returns the candidate if it misses by no more than is accepted.
    pub fn accepted<C: Candidate>(&self, candidate: C) -> Option<Fitted<C>> {
        self.within(candidate, 1.0)
    }

    fn within<C: Candidate>(&self, candidate: C, times: f64) -> Option<Fitted<C>> {
        let mut worst: f64 = 0.0;
        for step in self.steps {
            worst = worst.max(self.missed(step, &candidate.predict(step)));
            if !(worst <= times * self.accept) {
                return None;
            }
        }
        Some((candidate, worst))
    }

    fn missed(&self, step: &Step, to: &State) -> f64 {
        match self.part {
            Part::Whole => step.miss(to),
            Part::Rate => step.miss_rate(&to.1),
        }
    }

    /// Returns the first of those that leave least, if it is accepted, and its rivals.
    pub fn choose<C: Candidate>(&self, mut all: Vec<Fitted<C>>) -> Option<Choice<C>> {
        let least = all.iter().map(|c| c.1).min_by(f64::total_cmp)?;
        if !(least <= self.accept) {
            return None;
        }
        let least = least.max(self.floor);
        let at = all.iter().position(|c| c.1 <= CLEARLY * least)?;
        let (best, residual) = all.remove(at);
        all.retain(|(c, left)| *left <= BY_FAR * least && self.differ(&best, c));
        Some(Choice {
            best,
            residual,
            rivals: all.into_iter().map(|c| c.0).collect(),
        })
    }

    /// Returns true if two candidates make different steps.
    fn differ(&self, a: &impl Candidate, b: &impl Candidate) -> bool {
        self.steps.iter().any(|step| {
            let mut made = step.clone();
            made.to = a.predict(step);
            self.missed(&made, &b.predict(step)) > ROUNDED_ALIKE
        })
    }
}

/// Six numbers of a miss.
pub(super) fn vector(step: &Step, to: &State) -> [f64; 6] {
    let size = step.from.1.norm();
    let a = so3::log(&to.0.tr_mul(&step.to.0)) / (step.span() * size);
    let w = (step.to.1 - to.1) / (step.span() * size * size);
    [a.x, a.y, a.z, w.x, w.y, w.z]
}

/// Returns the misses of all steps, six numbers of each.
pub(super) fn misses<'a>(
    candidate: &impl Candidate,
    steps: impl Iterator<Item = &'a Step>,
) -> DVector<f64> {
    let all = steps.flat_map(|s| vector(s, &candidate.predict(s)));
    DVector::from_vec(all.collect())
}

/// Returns the numbers with which steps miss by no more than is accepted, by Gauss and Newton with a little damping.
pub(super) fn fitted(
    misses: &dyn Fn(&[f64]) -> DVector<f64>,
    mut x: Vec<f64>,
    accept: f64,
) -> Option<Vec<f64>> {
    const DIFFERENCE: f64 = 1e-5;
    let n = x.len();
    let mut r = misses(&x);
    for round in 0..14 {
        if r.norm() < accept || n == 0 {
            break;
        }
        let mut slope = DMatrix::zeros(r.len(), n);
        for k in 0..n {
            let mut there = x.clone();
            there[k] += DIFFERENCE;
            let ahead = misses(&there);
            there[k] -= 2.0 * DIFFERENCE;
            slope.set_column(k, &((ahead - misses(&there)) / (2.0 * DIFFERENCE)));
        }
        let change = slope.svd(true, true).solve(&-&r, 1e-9).ok()?;
        let step = (1.0 / change.norm()).min(1.0);
        for (x, d) in x.iter_mut().zip(change.iter()) {
            *x += step * d;
        }
        let next = misses(&x);
        // Far from a solution after some rounds, there is none.
        if round > 4 && !(next.norm() < HALF * r.norm()) {
            return (next.norm() < FEW_TIMES * accept).then_some(x);
        }
        r = next;
    }
    (r.norm() < FEW_TIMES * accept && x.iter().all(|v| v.abs() < CLEARLY)).then_some(x)
}
