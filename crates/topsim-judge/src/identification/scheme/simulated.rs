//! Pairs of rules of the ends of a step, simulated: between rows that are several steps apart the ends are not written.

use super::ends::{ATTITUDE, Form, Rule};
use super::pairs::KNOWN;
use super::quantity::{Quantity as Q, StepEnds};
use super::questioner::{State, Step};
use super::runge_kutta::{self, EditedRule};
use super::search::{Candidate, Search, vector};
use super::sphere::AngleMap;
use crate::thresholds::{CLEARLY, FITTED, LAST_BIT};
use nalgebra::{DMatrix, DVector};
use topsim_core::math::{Vec3, quaternion, so3};
use topsim_model::euler::Sequence;

/// A rule of the rate and one of the attitude.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    rate: Vec<(Q, f64)>,
    attitude: Vec<(Q, f64)>,
    form: Form,
}

/// Rounds in which the new state is found where it stands on the right of its rule: each gains a factor of a turn of a step.
const ROUNDS: usize = 60;

impl Candidate for Pair {
    fn predict(&self, step: &Step) -> State {
        step.repeated(|t, from| self.once(step.single(t, from)))
    }
}

impl Pair {
    fn once(&self, mut step: Step) -> State {
        step.to = step.from;
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let next = self.applied(&StepEnds::new(&step));
            let turn = so3::log(&step.to.0.tr_mul(&next.0)).norm();
            let moved = turn.max((next.1 - step.to.1).norm() / (1.0 + next.1.norm()));
            step.to = next;
            // Rounding moves it for ever.
            if moved <= LAST_BIT || moved >= least && moved < LAST_BIT.sqrt() {
                break;
            }
            least = moved;
        }
        step.to
    }

    /// Returns the end of the step that the rules make of its ends.
    fn applied(&self, ends: &StepEnds) -> State {
        let h = ends.h;
        let (r0, w0) = ends.step.from;
        let sum = |terms: &[(Q, f64)], power: &dyn Fn(Q) -> i32| -> Vec3 {
            let value = |(q, c): &(Q, f64)| ends.value(*q) * (c * h.powi(power(*q)));
            terms.iter().map(value).sum()
        };
        let power = |q: Q| match ATTITUDE.iter().find(|a| a.0 == q) {
            Some((_, power)) => *power,
            None => 2,
        };
        let w1 = w0 + sum(&self.rate, &|_| 0) * h;
        let x = || sum(&self.attitude, &power) * h;
        let r1 = match self.form {
            Form::Turn(map) => r0 * map.turn(&x()),
            Form::AfterOldHalf => r0 * so3::exp(&(w0 * (0.5 * h))) * so3::exp(&(x() * 0.5)),
            Form::BeforeNewHalf => r0 * so3::exp(&(x() * 0.5)) * so3::exp(&(w1 * (0.5 * h))),
            Form::Angles(sequence) => {
                let x = x();
                sequence.0.into_iter().fold(r0, |r, axis| {
                    let mut turn = Vec3::zeros();
                    turn[axis] = x[axis];
                    r * so3::exp(&turn)
                })
            }
            _ => {
                let q0 = so3::quat_from_matrix(&r0);
                let mut q = q0;
                for (quantity, c) in &self.attitude {
                    let (of, rate) = match quantity {
                        Q::Slope0 => (q0, w0),
                        Q::Slope1 => (so3::quat_from_matrix(&ends.step.to.0), ends.step.to.1),
                        Q::SlopeMixed => (q0, ends.step.to.1),
                        _ => (q0, ends.value(Q::Acceleration0) * h),
                    };
                    let near = of.iter().zip(&q0).map(|(a, b)| a * b).sum::<f64>();
                    let half = rate * (0.5 * h * c * near.signum());
                    let slope = quaternion::product(&of, &[0.0, half.x, half.y, half.z]);
                    q = core::array::from_fn(|i| q[i] + slope[i]);
                }
                so3::matrix_from_quat(&q)
            }
        };
        (r1, w1)
    }

    /// Returns the two rules, which leave so much.
    fn rules(self, residual: f64) -> (Rule, Rule) {
        let of = |form, terms| Rule {
            form,
            terms,
            residual,
        };
        (of(Form::Rate, self.rate), of(self.form, self.attitude))
    }
}

/// Ways in which increments become turns in the pairs that are simulated.
const TURNS: [Form; 2] = [
    Form::Turn(AngleMap::Exponential),
    Form::Turn(AngleMap::Cayley),
];

/// Pairs with a name that need no earlier row.
fn known() -> impl Iterator<Item = Pair> {
    let remembers = |terms: &[(Q, f64)]| terms.iter().any(|(q, _)| q.is_past());
    let without = KNOWN
        .iter()
        .filter(move |k| !remembers(k.0) && !remembers(k.1));
    without.flat_map(|(rate, attitude, form, _)| {
        let is_sum = attitude.iter().any(|(q, _)| *q >= Q::Slope0);
        let forms = match form {
            Some(form) => vec![*form],
            None if is_sum => vec![Form::QuaternionSum],
            None => TURNS.to_vec(),
        };
        forms.into_iter().map(|form| Pair {
            rate: rate.to_vec(),
            attitude: attitude.to_vec(),
            form,
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

/// Steps to which numbers are fitted, rounds of a fit, and the change of a number for a slope.
const STEPS_OF_A_FIT: usize = 6;
const FIT_ROUNDS: usize = 8;
const DIFFERENCE: f64 = 1e-5;

/// Returns the pair of a family that explains the steps.
fn fitted(search: &Search, (family, begin): (Family, [f64; 2]), form: Form) -> Option<Pair> {
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
    let few: Vec<&Step> = search.steps.iter().step_by(every).collect();
    let misses = |x: [f64; 2]| {
        let pair = pair(x);
        let all = few.iter().flat_map(|s| vector(s, &pair.predict(s)));
        DVector::from_iterator(6 * few.len(), all)
    };
    let mut x = begin;
    for _ in 0..FIT_ROUNDS {
        let missed = misses(x);
        if missed.norm() <= search.accept {
            break;
        }
        let slopes: Vec<DVector<f64>> = (0..2)
            .map(|k| {
                let mut there = x;
                there[k] += DIFFERENCE;
                (misses(there) - &missed) / DIFFERENCE
            })
            .collect();
        let slopes = DMatrix::from_columns(&slopes);
        let change = slopes.svd(true, true).solve(&-&missed, 1e-12).ok()?;
        x = [x[0] + change[0], x[1] + change[1]];
        if !x.iter().all(|x| x.abs() < CLEARLY) {
            return None;
        }
    }
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
        return Some(choice.alone()?.rules(residual));
    }
    let all = FAMILIES.into_iter().flat_map(|family| {
        let [_, attitude] = family.0(family.1);
        let is_sum = attitude.iter().any(|(q, _)| *q >= Q::Slope0);
        let forms = if is_sum {
            vec![Form::QuaternionSum]
        } else {
            TURNS.to_vec()
        };
        forms.into_iter().map(move |form| (family, form))
    });
    let near = all.filter_map(|(family, form)| search.near(fitted(search, family, form)?));
    let choice = search.choose(near.collect())?;
    let residual = choice.residual;
    // Two families have rules in common.
    Some(choice.best.rules(residual))
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
            let mut one = step.single(t, from);
            let (_, rate) = self.rate.predict(&one);
            one.to = (from.0, rate);
            (self.turn.applied(&StepEnds::new(&one)).0, rate)
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
    Some((rate, turn.rules(residual).1))
}
