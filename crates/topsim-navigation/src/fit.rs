//! Fits of the rule of an update to its rows: each part of the state is a sum of few terms, once its form is known.
//!
//! The rows of an update begin with the rows before them, so that every update is an equation of its own, and its error is rounding. Increments that are
//! independent tell the terms apart, long updates of an exact motion tell a bias, and a rule explains the rows only if it gives them all to their rounding.

use crate::motion::NavigationState;
use crate::probe::NavigationProbe;
use crate::rule::{
    Pair, PositionForm, SampleInput, SampleMemory, TurnForm, Update, UpdateRule, VelocityForm,
    products, turned,
};
use nalgebra::{DMatrix, DVector};
use std::borrow::Cow;
use topsim_core::math::{Mat3, Vec3, scalar, so3};

/// Units of rounding of an update, in units of the numbers that it adds: it has some sixty operations.
const OPERATIONS: f64 = 64.0;
/// Most rounds in which a factor and a bias of the increments are fitted, and their change below which they stand: the products depend on them.
const ROUNDS: usize = 16;
const STANDS: f64 = 1e-12;
/// Singular values of the equations below this part of the largest are of terms that the rows do not show.
const INDEPENDENT: f64 = 1e-12;
/// Radians of a degree; a factor to begin with, since turns of more than half a turn have several rotation vectors.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;

/// Rows of an update on a problem, and their rounding.
#[derive(Debug, Clone, Copy)]
pub struct ObservedRun<'a> {
    /// Problem.
    pub probe: &'a NavigationProbe,
    /// States after each update.
    pub rows: &'a [NavigationState],
    /// Unit of rounding of attitude, velocity and position.
    pub rounding: [f64; 3],
}

/// Numbers of a rule that are fitted beside the weights of its products. The fewest that explain the rows are taken: what they do not need is right.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum FreeNumbers {
    None,
    Factors,
    FactorsAndBias,
}

impl FreeNumbers {
    const ALL: [Self; 3] = [Self::None, Self::Factors, Self::FactorsAndBias];

    /// Returns the numbers that are held, each with its value: a factor, a bias along three axes, and gravity.
    fn held(self) -> &'static [(usize, f64)] {
        const HELD: [(usize, f64); 5] = [(1, 0.0), (2, 0.0), (3, 0.0), (0, 1.0), (4, 1.0)];
        match self {
            Self::None => &HELD,
            Self::Factors => &HELD[..3],
            Self::FactorsAndBias => &[],
        }
    }
}

/// One update: the states at both ends, and what it took.
struct ObservedUpdate {
    from: NavigationState,
    to: NavigationState,
    update: Update,
    /// Rounding of attitude, velocity and position.
    floors: [f64; 3],
}

/// Part of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NavigationPart {
    /// Attitude.
    Attitude,
    /// Velocity.
    Velocity,
    /// Position.
    Position,
}

impl NavigationPart {
    /// All parts.
    pub const ALL: [Self; 3] = [Self::Attitude, Self::Velocity, Self::Position];
}

/// Runs of an update on the problems whose rows are compared with rules.
#[derive(Debug)]
pub struct ObservedRuns<'a>(pub Vec<ObservedRun<'a>>);

impl ObservedRuns<'_> {
    fn updates(&self, rule: &UpdateRule) -> Vec<ObservedUpdate> {
        let mut out = Vec::new();
        for run in &self.0 {
            let (mut memory, mut from) = (SampleMemory::default(), run.probe.start);
            for (samples, to) in run.probe.updates.iter().zip(run.rows) {
                let update = memory.next(rule, samples, &run.probe.gravity);
                let floors = floors(&from, to, &update, run.rounding);
                let to = *to;
                out.push(ObservedUpdate {
                    from,
                    to,
                    update,
                    floors,
                });
                from = to;
            }
        }
        out
    }

    /// Tests whether a rule gives a part of all rows to their rounding.
    pub fn reproduced_by(&self, rule: &UpdateRule, part: NavigationPart) -> bool {
        self.updates(rule).iter().all(|u| {
            let off = match part {
                NavigationPart::Attitude => {
                    (rule.attitude(&u.from, &u.update) - u.to.attitude).norm()
                }
                NavigationPart::Velocity => {
                    (rule.velocity(&u.from, &u.to.attitude, &u.update) - u.to.velocity).norm()
                }
                NavigationPart::Position => {
                    (rule.position(&u.from, &u.to.velocity, &u.update) - u.to.position).norm()
                }
            };
            off <= u.floors[part as usize]
        })
    }

    /// Returns the rule with the turn that explains the attitudes, if there is one. Right forms come first.
    pub fn attitude(&self, samples: usize) -> Option<UpdateRule> {
        let turns = [
            TurnForm::Exact,
            TurnForm::EachSample,
            TurnForm::FirstOrder,
            TurnForm::InSpace,
        ];
        let pairs: Vec<(usize, usize)> = (1..=samples)
            .flat_map(|j| (1..j).map(move |i| (i, j)))
            .chain([(0, 1)])
            .collect();
        let mut candidates = Vec::new();
        for free in FreeNumbers::ALL {
            for input in SampleInput::ALL {
                for turn in turns {
                    let mut rule = UpdateRule::PLAIN;
                    (rule.angles, rule.turn) = (input, turn);
                    candidates.push((free, rule.clone()));
                    if free != FreeNumbers::None {
                        rule.factors.angle.0 = DEGREES;
                        candidates.push((free, rule));
                    }
                }
            }
        }
        let fitted = |(free, mut rule): (FreeNumbers, UpdateRule)| {
            let held = free.held();
            // The fifth number is the weight of a product here.
            let held = &held[..held.len().min(4)];
            for _ in 0..ROUNDS {
                let equation = |u: &ObservedUpdate| {
                    let angles = &u.update.angles;
                    let terms = pairs.iter().map(|(i, j)| angles[*i].cross(&angles[*j]));
                    let mut features = vec![u.update.sums().0];
                    features.extend(biases(&u.update).iter().map(|bias| {
                        bias[1..].iter().sum::<Vec3>()
                            + products(&rule.coning, bias, angles)
                            + products(&rule.coning, angles, bias)
                    }));
                    if rule.turn != TurnForm::EachSample {
                        features.extend(terms);
                    }
                    let value = vector(&rule, u)?;
                    Some((features, value, u.floors[0]))
                };
                let all: Option<Vec<_>> = self.updates(&rule).iter().map(equation).collect();
                let found = solved(&all?, held)?;
                rule.factors.angle = sensor(rule.factors.angle, &found);
                rule.coning = weights(&pairs, &found[4..]);
                if stands(&found) {
                    break;
                }
            }
            Some(rule).filter(|rule| self.reproduced_by(rule, NavigationPart::Attitude))
        };
        candidates.into_iter().find_map(fitted)
    }

    /// Returns a rule with the velocity that explains the rows, if there is one.
    pub fn velocity(&self, rule: &UpdateRule, samples: usize) -> Option<UpdateRule> {
        let pairs: Vec<(usize, usize)> = (1..=samples)
            .flat_map(|i| (1..=samples).map(move |j| (i, j)))
            .chain([(0, 1), (1, 0)])
            .collect();
        let fitted = |(free, input, form): (FreeNumbers, SampleInput, VelocityForm)| {
            let mut rule = UpdateRule {
                velocities: input,
                velocity: form,
                ..rule.clone()
            };
            for _ in 0..ROUNDS {
                let equation = |u: &ObservedUpdate| {
                    let (angle, sum) = u.update.sums();
                    let from = &u.from.attitude;
                    let mut features = vec![form.velocity(from, &u.to.attitude, &angle, &sum)];
                    features.extend(biases(&u.update).iter().map(|bias| {
                        let sum = bias[1..].iter().sum();
                        form.velocity(from, &u.to.attitude, &angle, &sum)
                            + from * products(&rule.sculling, &u.update.angles, bias)
                    }));
                    features.push(u.update.gravity * u.update.time);
                    features.extend(rotated(from, &pairs, &u.update));
                    (features, u.to.velocity - u.from.velocity, u.floors[1])
                };
                let all: Vec<_> = self.updates(&rule).iter().map(equation).collect();
                let found = solved(&all, free.held())?;
                rule.factors.velocity = sensor(rule.factors.velocity, &found);
                rule.factors.gravity = found[4];
                rule.sculling = weights(&pairs, &found[5..]);
                if stands(&found) {
                    break;
                }
            }
            Some(rule).filter(|rule| self.reproduced_by(rule, NavigationPart::Velocity))
        };
        let mut candidates = Vec::new();
        for free in FreeNumbers::ALL {
            for input in SampleInput::ALL {
                candidates.extend(VelocityForm::ALL.map(|form| (free, input, form)));
            }
        }
        candidates.into_iter().find_map(fitted)
    }

    /// Returns a rule with the position that explains the rows, if there is one.
    pub fn position(&self, rule: &UpdateRule, samples: usize) -> Option<UpdateRule> {
        let pairs: Vec<(usize, usize)> = (1..=samples)
            .flat_map(|i| (1..=samples).map(move |j| (i, j)))
            .collect();
        let fitted = |(held, form): (&[(usize, f64)], PositionForm)| {
            let equation = |u: &ObservedUpdate| {
                let (from, time) = (&u.from.attitude, u.update.time);
                let mut features = vec![form.change(&u.from.velocity, &u.to.velocity, time)];
                if form == PositionForm::Integrated {
                    let (angle, sum) = u.update.sums();
                    features.push(u.update.gravity * (0.5 * time * time));
                    features.push(from * angle.cross(&angle.cross(&sum)) * time);
                    features.extend(u.update.velocities[1..].iter().map(|v| from * v * time));
                    features.extend(rotated(from, &pairs, &u.update).iter().map(|v| v * time));
                }
                (features, u.to.position - u.from.position, u.floors[2])
            };
            let all: Vec<_> = self.updates(rule).iter().map(equation).collect();
            let mut found = solved(&all, held)?;
            let whole = found.remove(0);
            let mut rule = UpdateRule {
                position: form,
                ..rule.clone()
            };
            rule.factors.position = whole;
            if form == PositionForm::Integrated {
                found.iter_mut().for_each(|x| *x /= whole);
                rule.factors.position_gravity = found[0];
                let (first, products) = found[2..].split_at(samples);
                rule.doubled = (
                    Cow::Owned(first.to_vec()),
                    weights(&pairs, products),
                    found[1],
                );
            }
            Some(rule).filter(|rule| self.reproduced_by(rule, NavigationPart::Position))
        };
        // The whole change, and gravity in it.
        let held: [&[(usize, f64)]; 2] = [&[(0, 1.0), (1, 1.0)], &[]];
        let mut candidates = Vec::new();
        for held in held {
            for form in PositionForm::ALL {
                let held = if form == PositionForm::Integrated {
                    held
                } else {
                    &held[..held.len().min(1)]
                };
                candidates.push((held, form));
            }
        }
        candidates.into_iter().find_map(fitted)
    }
}

/// Returns the rounding of an update.
fn floors(
    from: &NavigationState,
    to: &NavigationState,
    update: &Update,
    unit: [f64; 3],
) -> [f64; 3] {
    let size = |all: &[Vec3]| all.iter().map(|v| v.norm()).sum::<f64>();
    let speed = from.velocity.norm() + to.velocity.norm();
    let time = update.time;
    let sizes = [
        1.0 + size(&update.angles),
        speed + size(&update.velocities) + update.gravity.norm() * time,
        from.position.norm() + to.position.norm() + speed * time,
    ];
    std::array::from_fn(|k| OPERATIONS * unit[k] * sizes[k])
}

/// Returns the rotation vector that an update turned by, as a rule means it: that of all possible ones which is next to the one by the rule.
fn vector(rule: &UpdateRule, u: &ObservedUpdate) -> Option<Vec3> {
    let inverse = u.from.attitude.try_inverse()?;
    let sum = u.update.sums().0;
    let meant = sum + products(&rule.coning, &u.update.angles, &u.update.angles);
    let near = |v: Vec3| {
        let length = v.norm();
        if !(length > 0.0) {
            return v;
        }
        let turn = std::f64::consts::TAU;
        let rounds = ((meant.dot(&v) / length - length) / turn).round();
        v * (1.0 + rounds * turn / length)
    };
    Some(match rule.turn {
        TurnForm::Exact => near(so3::log(&(inverse * u.to.attitude))),
        TurnForm::InSpace => near(so3::log(&(u.to.attitude * inverse))),
        TurnForm::FirstOrder => {
            let v = so3::log(&(inverse * u.to.attitude));
            let half = 0.5 * v.norm();
            let (sin, cos) = scalar::sincos(half);
            if half > 0.0 {
                v * (sin / (cos * half))
            } else {
                v
            }
        }
        TurnForm::EachSample => {
            let meant = turned(
                rule.turn,
                &u.from.attitude,
                &u.update.angles,
                &Vec3::zeros(),
            );
            sum + so3::log(&(meant.try_inverse()? * u.to.attitude))
        }
    })
}

/// Returns the increments of a unit bias along each axis.
fn biases(update: &Update) -> [Vec<Vec3>; 3] {
    let samples = update.angles.len() - 1;
    let each = update.time / samples as f64;
    [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| vec![axis * each; samples + 1])
}

fn rotated(
    from: &Mat3,
    pairs: &[(usize, usize)],
    Update {
        angles, velocities, ..
    }: &Update,
) -> Vec<Vec3> {
    let product = |(i, j): &(usize, usize)| from * angles[*i].cross(&velocities[*j]);
    pairs.iter().map(product).collect()
}

/// Returns the factor and the bias of a sensor after a round, in which it was found to have others beside them.
fn sensor((factor, bias): (f64, Vec3), found: &[f64]) -> (f64, Vec3) {
    let more = Vec3::new(found[1], found[2], found[3]);
    (factor * found[0], bias * found[0] + more)
}

fn weights(pairs: &[(usize, usize)], found: &[f64]) -> Cow<'static, [Pair]> {
    let pairs = pairs.iter().zip(found);
    Cow::Owned(pairs.map(|((i, j), w)| Pair(*i, *j, *w)).collect())
}

/// Tests whether a round found no other factor and bias than those that there were.
fn stands(found: &[f64]) -> bool {
    (found[0] - 1.0).abs() + found[1].abs() + found[2].abs() + found[3].abs() < STANDS
}

/// Solves equations in units of their rounding by least squares; numbers that are held have their values.
fn solved(equations: &[(Vec<Vec3>, Vec3, f64)], held: &[(usize, f64)]) -> Option<Vec<f64>> {
    let columns = equations.first()?.0.len();
    let free: Vec<usize> = (0..columns)
        .filter(|k| held.iter().all(|(i, _)| i != k))
        .collect();
    let mut out = vec![0.0; columns];
    held.iter().for_each(|(k, x)| out[*k] = *x);
    let value = |row: usize, _: usize| {
        let (features, value, floor) = &equations[row / 3];
        let known = held
            .iter()
            .map(|(k, x)| features[*k][row % 3] * x)
            .sum::<f64>();
        (value[row % 3] - known) / floor
    };
    let entry = |row: usize, column: usize| {
        let (features, _, floor) = &equations[row / 3];
        features[free[column]][row % 3] / floor
    };
    if free.is_empty() {
        return Some(out);
    }
    let mut matrix = DMatrix::from_fn(3 * equations.len(), free.len(), entry);
    let values = DVector::from_fn(3 * equations.len(), value);
    // Columns of equal length: a bias and a product have other units.
    let lengths: Vec<f64> = matrix
        .column_iter()
        .map(|c| c.norm().max(f64::MIN_POSITIVE))
        .collect();
    lengths
        .iter()
        .enumerate()
        .for_each(|(k, l)| matrix.column_mut(k).unscale_mut(*l));
    if !(matrix.iter().chain(&values).all(|x| x.is_finite())) {
        return None;
    }
    let singular = matrix.svd(true, true);
    let least = INDEPENDENT * singular.singular_values.max();
    let found = singular.solve(&values, least).ok()?;
    let found = found.iter().zip(lengths).map(|(x, l)| x / l);
    free.iter().zip(found).for_each(|(k, x)| out[*k] = x);
    Some(out)
}
