//! Inner steps: a rule that is repeated within a step, a fixed number of times or with a fixed inner step.

use super::questioner::{State, Step};
use super::runge_kutta;
use super::search::{Candidate, Choice, Search};
use super::words;
use crate::thresholds::{BEYOND_DIGITS, BY_FAR, HALF_A_POWER, MOST};
use topsim_core::math::{Vec3, so3};
use topsim_model::stepping::{Rule, Stepping};

/// How many inner steps a step has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum InnerLaw {
    /// So many, whatever the step.
    Number(usize),
    /// As many as fit, of this size in s.
    Size(f64),
}

/// Inner steps of a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inner {
    pub law: InnerLaw,
    pub rule: Rule,
}

impl Candidate for Inner {
    fn predict(&self, step: &Step) -> State {
        of_parts(self.rule, self.law.parts(step.h)).predict(step)
    }
}

fn of_parts(rule: Rule, parts: usize) -> Stepping {
    Stepping {
        rule,
        substeps: parts as u32,
    }
}

impl InnerLaw {
    fn parts(self, h: f64) -> usize {
        match self {
            Self::Number(n) => n,
            Self::Size(s) => ((h / s).round() as usize).max(1),
        }
    }
}

/// The difference of two states, angle and rate.
fn apart(a: &State, b: &State) -> (Vec3, Vec3) {
    (so3::log(&b.0.tr_mul(&a.0)), a.1 - b.1)
}

fn size(d: &(Vec3, Vec3)) -> f64 {
    (d.0.norm_squared() + d.1.norm_squared()).sqrt()
}

/// Number of inner steps below which rules are tried.
const MOST_STEPS: usize = 250;

/// Inner steps that explain the steps.
pub(super) fn inner(search: &Search) -> Option<Choice<Inner>> {
    let Search { steps, accept, .. } = *search;
    // Rows that are several steps apart are explained by shorter steps as well.
    if steps.iter().any(|s| s.count > 1) {
        return None;
    }
    let coarse = steps.iter().max_by(|a, b| a.h.total_cmp(&b.h))?;
    let exact = coarse.advanced(&Rule::Flow.once());
    let error = apart(&coarse.to, &exact);
    if size(&error) < BEYOND_DIGITS * accept {
        // As good as exact: no rule is told apart.
        return None;
    }
    let mut found = Vec::new();
    for rule in rules(steps) {
        let [four, eight] = [4, 8].map(|n| apart(&of_parts(rule, n).predict(coarse), &exact));
        let along = four.0.dot(&error.0) + four.1.dot(&error.1);
        if !(along > MOST * size(&four) * size(&error)) {
            continue;
        }
        let order = (size(&four) / size(&eight)).log2();
        let number = 8.0 * (size(&eight) / size(&error)).powf(1.0 / order);
        let guess = number.round() as usize;
        if !(order > HALF_A_POWER && (2..MOST_STEPS).contains(&guess)) {
            continue;
        }
        for n in guess.saturating_sub(2).max(2)..=guess + 2 {
            if !(coarse.miss(&of_parts(rule, n).predict(coarse)) <= BY_FAR * accept) {
                continue;
            }
            for law in [InnerLaw::Number(n), InnerLaw::Size(coarse.h / n as f64)] {
                found.extend(search.near(Inner { law, rule }));
            }
        }
    }
    search.choose(found)
}

fn rules(steps: &[Step]) -> impl Iterator<Item = Rule> {
    let plain = runge_kutta::plain().map(|rule| Rule::RungeKutta(rule.rule));
    plain.chain(words::all(steps).into_iter().map(Rule::Word))
}
