//! Pairs of rules of the ends of a step, simulated: between rows that are several steps apart the ends are not written.

use super::ends::Rule;
use super::pairs::{KNOWN, KnownPair};
use super::questioner::{State, Step};
use super::runge_kutta::{self, EditedRule};
use super::search::{Candidate, Search, fitted, misses};
use crate::thresholds::FITTED;
use topsim_model::euler::Sequence;
use topsim_model::pair::{AngleMap, Form, Pair, Quantity as Q, StepEnds};

impl Candidate for Pair {
    fn predict(&self, step: &Step) -> State {
        step.repeated(|t, from| self.step(&step.body, (t, step.h), from))
    }
}

/// Returns the two rules of a pair, which leave so much.
fn rules(pair: Pair, residual: f64) -> (Rule, Rule) {
    let of = |form, terms| Rule {
        form,
        terms,
        residual,
    };
    (of(Form::Rate, pair.rate), of(pair.form, pair.attitude))
}

/// Ways in which increments become turns in the pairs that are simulated.
const TURNS: [Form; 2] = [
    Form::Turn(AngleMap::Exponential),
    Form::Turn(AngleMap::Cayley),
];

/// Returns the forms in which a rule of these terms is tried.
fn forms(attitude: &[(Q, f64)]) -> &'static [Form] {
    if attitude.iter().any(|(q, _)| *q >= Q::Slope0) {
        &[Form::QuaternionSum]
    } else {
        &TURNS
    }
}

/// Pairs with a name that need no earlier row.
fn known() -> impl Iterator<Item = Pair> {
    let remembers = |k: &KnownPair| k.rate.iter().chain(&k.attitude).any(|(q, _)| q.is_past());
    let without = KNOWN.iter().filter(move |k| !remembers(k));
    without.flat_map(|known| {
        let own = known.form.as_slice();
        let forms = if own.is_empty() {
            forms(&known.attitude)
        } else {
            own
        };
        forms.iter().map(|form| Pair {
            rate: known.rate.clone(),
            attitude: known.attitude.clone(),
            form: *form,
        })
    })
}

/// A family of pairs with two numbers.
type Family = fn([f64; 2]) -> [Vec<(Q, f64)>; 2];

/// Families with the numbers from which a fit begins.
const FAMILIES: [(Family, [f64; 2]); 3] = [
    // Newmark's rules.
    (
        |[gamma, beta]| {
            [
                vec![(Q::Acceleration0, 1.0 - gamma), (Q::Acceleration1, gamma)],
                vec![
                    (Q::Rate0, 1.0),
                    (Q::Acceleration0, 0.5 - beta),
                    (Q::Acceleration1, beta),
                ],
            ]
        },
        [0.5, 0.25],
    ),
    // Rules of two points.
    (
        |[rate, turn]| {
            [
                vec![(Q::Acceleration0, 1.0 - rate), (Q::Acceleration1, rate)],
                vec![(Q::Rate0, 1.0 - turn), (Q::Rate1, turn)],
            ]
        },
        [0.5, 0.5],
    ),
    // The same on quaternions.
    (
        |[rate, turn]| {
            [
                vec![(Q::Acceleration0, 1.0 - rate), (Q::Acceleration1, rate)],
                vec![(Q::Slope0, 1.0 - turn), (Q::Slope1, turn)],
            ]
        },
        [0.5, 0.5],
    ),
];

/// Steps to which numbers are fitted.
const STEPS_OF_A_FIT: usize = 6;

/// Returns the pair of a family that explains the steps.
fn of_family(search: &Search, (family, begin): (Family, [f64; 2]), form: Form) -> Option<Pair> {
    let pair = |x: [f64; 2]| {
        let [rate, attitude] = family(x);
        let there = |terms: Vec<(Q, f64)>| terms.into_iter().filter(|t| t.1 != 0.0).collect();
        Pair {
            rate: there(rate),
            attitude: there(attitude),
            form,
        }
    };
    let every = (search.steps.len() / STEPS_OF_A_FIT).max(1);
    let few = || search.steps.iter().step_by(every);
    let missed = |x: &[f64]| misses(&pair([x[0], x[1]]), few());
    let found = fitted(&missed, begin.to_vec(), search.accept)?;
    let x = [found[0], found[1]];
    // Digits that mean a fraction are taken for it.
    let simple = |x: f64| (x * ROUND).round() / ROUND;
    let rounded =
        Some(x.map(simple)).filter(|y| y.iter().zip(&x).all(|(a, b)| (a - b).abs() < FITTED));
    let tries = rounded.into_iter().chain([x]);
    tries
        .map(pair)
        .find_map(|pair| Some(search.accepted(pair)?.0))
}

/// Numbers of rules that people choose are multiples of one over this.
const ROUND: f64 = 1e4;

/// Returns the rules of rate and attitude that make all steps, where one pair alone does.
pub(super) fn pair(search: &Search) -> Option<(Rule, Rule)> {
    let near = known().filter_map(|pair| search.near(pair)).collect();
    if let Some(choice) = search.choose(near) {
        let residual = choice.residual;
        return Some(rules(choice.alone()?, residual));
    }
    let all = FAMILIES.into_iter().flat_map(|family| {
        let [_, attitude] = family.0(family.1);
        forms(&attitude).iter().map(move |form| (family, *form))
    });
    let near = all.filter_map(|(family, form)| search.near(of_family(search, family, form)?));
    let choice = search.choose(near.collect())?;
    let residual = choice.residual;
    // Two families have rules in common.
    Some(rules(choice.best, residual))
}

/// A Runge–Kutta rule of the rate beside another rule of the attitude.
#[derive(Debug, Clone)]
struct Split {
    rate: EditedRule,
    turn: Pair,
}

impl Candidate for Split {
    fn predict(&self, step: &Step) -> State {
        step.repeated(|t, from| {
            let (_, rate) = self.rate.predict(&step.single(t, from));
            let to = (from.0, rate);
            let ends = StepEnds::new(&step.body, (t, step.h), [from, to], &[]);
            (self.turn.applied(&ends).0, rate)
        })
    }
}

/// Rates by which the attitude is turned beside a rule of the rate: the old, the new, their mean, and that of the middle by Euler's rule.
const TURNED_BY: [&[(Q, f64)]; 4] = [
    &[(Q::Rate0, 1.0)],
    &[(Q::Rate1, 1.0)],
    &[(Q::Rate0, 0.5), (Q::Rate1, 0.5)],
    &[(Q::Rate0, 1.0), (Q::Acceleration0, 0.5)],
];

/// Returns the Runge–Kutta rule of the rate and the rule of the attitude beside it that make all steps, where they do, and what they leave.
pub(super) fn split(search: &Search) -> Option<(EditedRule, Rule)> {
    let about_all = |s: &Sequence| s.0[0] != s.0[2];
    let angles = Sequence::all().filter(about_all).map(Form::Angles);
    let forms: Vec<Form> = TURNS.into_iter().chain(angles).collect();
    let turns = TURNED_BY.into_iter().flat_map(|attitude| {
        let of = move |form| Pair {
            rate: Vec::new(),
            attitude: attitude.to_vec(),
            form,
        };
        forms.clone().into_iter().map(of)
    });
    let turns: Vec<Pair> = turns.collect();
    let mut near = Vec::new();
    for rate in runge_kutta::plain().filter(|rule| rule.rule.tableau.order > 1) {
        for turn in &turns {
            let turn = turn.clone();
            near.extend(search.near(Split { rate, turn }));
        }
    }
    let choice = search.choose(near)?;
    let residual = choice.residual;
    // Stages of the attitude that the rate does not feel are the same.
    let Split { rate, turn } = choice.best;
    Some((rate, rules(turn, residual).1))
}
