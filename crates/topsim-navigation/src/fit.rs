//! Fits of the rule of an update to its rows: each part of the state is a sum of few terms, once its form is known.
//!
//! The rows of an update begin with the rows before them, so that every update is an equation of its own, and its error is rounding. Increments that are
//! independent tell the terms apart, long updates of an exact motion tell a bias, and a rule explains the rows only if it gives them all to their rounding.

use crate::motion::NavigationState;
use crate::probe::NavigationProbe;
use crate::rule::{
    Pair, PositionForm, SampleInput, SampleMemory, TurnForm, UpdateRule, VelocityForm, products,
    turned,
};
use crate::update::Update;
use nalgebra::{DMatrix, DVector};
use std::borrow::Cow;
use topsim_core::math::{Mat3, Vec3, scalar, so3};

/// Units of rounding of an update, in units of the numbers that it adds: it has some sixty operations.
const OPERATIONS: f64 = 64.0;
/// Most rounds in which a factor and a bias of the increments are fitted, and their change below which they stand: the products depend on them.
const ROUNDS: usize = 16;
const STANDS: f64 = 1e-12;
/// Sum of the angles of an update above which its rounding grows no more, rad: angles in degrees reach 50, and with any larger ones all attitudes would be rounding.
const MOST_TURN: f64 = 100.0;
/// Singular values of the equations below this part of the largest are of terms that the rows do not show.
const INDEPENDENT: f64 = 1e-12;
/// Step of a derivative by differences, rad or a part of an angle: a round leaves as much of what was wrong.
const DIFFERENCE: f64 = 1e-6;
/// Degrees of a radian; a factor to begin with, since turns of more than half a turn have several rotation vectors.
pub const DEGREES: f64 = 180.0 / std::f64::consts::PI;

/// Terms of an equation, and their sum.
type Terms = (Vec<Vec3>, Vec3);

/// Numbers of a rule that are held while the weights of its products are fitted, each with its value: a factor, a bias along three axes, and gravity. The
/// fewest free numbers that explain the rows are taken: what they do not need is right.
type Held = &'static [(usize, f64)];
const HELD: [(usize, f64); 5] = [(1, 0.0), (2, 0.0), (3, 0.0), (0, 1.0), (4, 1.0)];
/// The same of a position: its whole change, and gravity in it.
const HELD_OF_POSITION: [(usize, f64); 2] = [(0, 1.0), (1, 1.0)];

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

    /// Returns its name.
    pub fn words(self) -> &'static str {
        ["attitude", "velocity", "position"][self as usize]
    }
}

/// One update: the states at both ends, what it took, and the rounding of attitude, velocity and position.
#[derive(Debug)]
pub struct ObservedUpdate {
    /// State before it.
    pub from: NavigationState,
    /// State after it.
    pub to: NavigationState,
    /// Increments that it took.
    pub taken: Update,
    /// Rounding of attitude, velocity and position.
    pub floors: [f64; 3],
}

/// States of an update on the problems that are compared with rules, and the units of rounding of attitude, velocity and position.
#[derive(Debug)]
pub struct ObservedRuns<'a> {
    /// Problems with the states after each update.
    pub runs: Vec<(&'a NavigationProbe, &'a [NavigationState])>,
    /// Units of rounding.
    pub rounding: [f64; 3],
    /// Samples of an update.
    pub samples: usize,
}

impl ObservedRuns<'_> {
    /// Returns all updates, with the increments that a rule takes.
    pub fn updates(&self, rule: &UpdateRule) -> Vec<ObservedUpdate> {
        let mut out = Vec::new();
        for (probe, rows) in &self.runs {
            let (mut memory, mut from) = (SampleMemory::default(), probe.start);
            for (samples, to) in probe.updates.iter().zip(*rows) {
                let (taken, to) = (memory.next(rule, samples, &probe.field()), *to);
                let floors = floors(&from, &to, &taken, self.rounding);
                out.push(ObservedUpdate {
                    from,
                    to,
                    taken,
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
            let ObservedUpdate {
                from,
                to,
                taken,
                floors,
            } = u;
            let off = match part {
                NavigationPart::Attitude => (rule.attitude(from, taken) - to.attitude).norm(),
                NavigationPart::Velocity => {
                    (rule.velocity(from, &to.attitude, taken) - to.velocity).norm()
                }
                NavigationPart::Position => {
                    (rule.position(from, &to.velocity, taken) - to.position).norm()
                }
            };
            off <= floors[part as usize]
        })
    }

    /// Returns the rule that explains a part of the rows, if there is one; `rule` explains the parts before it. Right forms come first.
    pub fn explained(&self, part: NavigationPart, rule: &UpdateRule) -> Option<UpdateRule> {
        let held: &[Held] = match part {
            NavigationPart::Attitude => &[&HELD[..4], &HELD[..3], &[]],
            NavigationPart::Velocity => &[&HELD, &HELD[..3], &[]],
            NavigationPart::Position => &[&HELD_OF_POSITION, &[]],
        };
        let all = candidates(part, rule);
        let mut all = held
            .iter()
            .flat_map(|held| all.iter().map(move |rule| (held, rule)));
        all.find_map(|(held, rule)| self.fitted(part, held, rule.clone()))
    }

    /// Fits a rule, and returns it if it explains the rows.
    fn fitted(&self, part: NavigationPart, held: Held, mut rule: UpdateRule) -> Option<UpdateRule> {
        let pairs = pairs(part, self.samples);
        let mut stands = false;
        for _ in 0..ROUNDS {
            let equation = |u: &ObservedUpdate| {
                let (features, value) = match part {
                    NavigationPart::Attitude => attitude_terms(&rule, u, &pairs)?,
                    NavigationPart::Velocity => velocity_terms(&rule, u, &pairs),
                    NavigationPart::Position => position_terms(&rule, u, &pairs),
                };
                Some((features, value, u.floors[part as usize]))
            };
            let updates = self.updates(&rule);
            let all: Option<Vec<_>> = updates.iter().map(equation).collect();
            let mut found = solved(&all?, held)?;
            match part {
                NavigationPart::Attitude => {
                    rule.factors.angle = sensor(rule.factors.angle, &found);
                    rule.coning = weights(&pairs, &found[4..]);
                }
                NavigationPart::Velocity => {
                    rule.factors.velocity = sensor(rule.factors.velocity, &found);
                    rule.factors.gravity = found[4];
                    rule.sculling = weights(&pairs, &found[5..]);
                }
                NavigationPart::Position => {
                    let whole = found.remove(0);
                    rule.factors.position = whole;
                    if rule.position == PositionForm::Integrated {
                        found.iter_mut().for_each(|x| *x /= whole);
                        rule.factors.position_gravity = found[0];
                        let (first, products) = found[2..].split_at(self.samples);
                        rule.doubled = (
                            Cow::Owned(first.to_vec()),
                            weights(&pairs, products),
                            found[1],
                        );
                    }
                    break;
                }
            }
            // The weights of a round belong to the factor and the bias before it, so that one more round follows the one that finds no others.
            if stands {
                break;
            }
            stands =
                (found[0] - 1.0).abs() + found[1].abs() + found[2].abs() + found[3].abs() < STANDS;
        }
        Some(rule).filter(|rule| self.reproduced_by(rule, part))
    }
}

/// Returns the forms that a part may have, right ones first.
fn candidates(part: NavigationPart, rule: &UpdateRule) -> Vec<UpdateRule> {
    let mut out = Vec::new();
    let mut add = |change: &dyn Fn(&mut UpdateRule)| {
        let mut rule = rule.clone();
        change(&mut rule);
        out.push(rule);
    };
    if part == NavigationPart::Position {
        PositionForm::ALL
            .iter()
            .for_each(|form| add(&|rule| rule.position = *form));
        return out;
    }
    for &input in SampleInput::ALL {
        if part == NavigationPart::Velocity {
            for &form in VelocityForm::ALL {
                add(&|rule| (rule.velocities, rule.velocity) = (input, form));
            }
            continue;
        }
        for factor in [1.0, DEGREES] {
            for &turn in TurnForm::ALL {
                add(&|rule| (rule.angles, rule.turn, rule.factors.angle.0) = (input, turn, factor));
            }
        }
    }
    out
}

/// Returns the products of a part: with the sample before only those of neighbours.
fn pairs(part: NavigationPart, samples: usize) -> Vec<(usize, usize)> {
    let all = (1..=samples).flat_map(|i| (1..=samples).map(move |j| (i, j)));
    match part {
        NavigationPart::Attitude => all.filter(|(i, j)| i < j).chain([(0, 1)]).collect(),
        NavigationPart::Velocity => all.chain([(0, 1), (1, 0)]).collect(),
        NavigationPart::Position => all.collect(),
    }
}

fn attitude_terms(
    rule: &UpdateRule,
    u: &ObservedUpdate,
    pairs: &[(usize, usize)],
) -> Option<Terms> {
    let angles = &u.taken.angles;
    let biases = biases(&u.taken);
    let directions = [angles].into_iter().chain(&biases);
    if rule.turn.is_fixed() {
        let turn = |angles: &[Vec3]| turned(rule.turn, &Mat3::identity(), angles, &Vec3::zeros());
        let back = turn(angles).transpose();
        let slope = |direction: &Vec<Vec3>| {
            let moved = angles
                .iter()
                .zip(direction)
                .map(|(a, d)| a + d * DIFFERENCE);
            so3::log(&(back * turn(&moved.collect::<Vec<_>>()))) / DIFFERENCE
        };
        let features: Vec<Vec3> = directions.map(slope).collect();
        let meant = turned(rule.turn, &u.from.attitude, angles, &Vec3::zeros());
        let more = so3::log(&(meant.try_inverse()? * u.to.attitude));
        let value = features[0] + more;
        return Some((features, value));
    }
    // The products have squares of the factor, so that only their derivative by the bias is a term of its own.
    let slope = |bias: &Vec<Vec3>| {
        let around = products(&rule.coning, bias, angles) + products(&rule.coning, angles, bias);
        bias[1..].iter().sum::<Vec3>() + around
    };
    let products = pairs.iter().map(|(i, j)| angles[*i].cross(&angles[*j]));
    let sum = std::iter::once(u.taken.sums().0);
    let features = sum.chain(biases.iter().map(slope)).chain(products);
    Some((features.collect(), vector(rule, u)?))
}

fn velocity_terms(rule: &UpdateRule, u: &ObservedUpdate, pairs: &[(usize, usize)]) -> Terms {
    let (angle, sum) = u.taken.sums();
    let from = &u.from.attitude;
    let form = |sum: &Vec3| rule.velocity.velocity(from, &u.to.attitude, &angle, sum);
    let mut out = vec![form(&sum)];
    out.extend(biases(&u.taken).iter().map(|bias| {
        form(&bias[1..].iter().sum()) + from * products(&rule.sculling, &u.taken.angles, bias)
    }));
    out.push(u.taken.field.gravity * u.taken.time);
    out.extend(rotated(u, pairs));
    (out, u.to.velocity - u.from.velocity)
}

fn position_terms(rule: &UpdateRule, u: &ObservedUpdate, pairs: &[(usize, usize)]) -> Terms {
    let (from, time) = (&u.from.attitude, u.taken.time);
    let mut out = vec![rule.position.change(&u.from.velocity, &u.to.velocity, time)];
    if rule.position == PositionForm::Integrated {
        let (angle, sum) = u.taken.sums();
        out.push(u.taken.field.gravity * (0.5 * time * time));
        out.push(from * angle.cross(&angle.cross(&sum)) * time);
        out.extend(u.taken.velocities[1..].iter().map(|v| from * v * time));
        out.extend(rotated(u, pairs).map(|v| v * time));
    }
    (out, u.to.position - u.from.position)
}

/// Returns the products of angles and velocities in space.
fn rotated(u: &ObservedUpdate, pairs: &[(usize, usize)]) -> impl Iterator<Item = Vec3> {
    let Update {
        angles, velocities, ..
    } = &u.taken;
    pairs
        .iter()
        .map(|(i, j)| u.from.attitude * angles[*i].cross(&velocities[*j]))
}

/// Returns the rounding of an update.
fn floors(
    from: &NavigationState,
    to: &NavigationState,
    taken: &Update,
    unit: [f64; 3],
) -> [f64; 3] {
    let size = |all: &[Vec3]| all.iter().map(|v| v.norm()).sum::<f64>();
    let speed = from.velocity.norm() + to.velocity.norm();
    let sizes = [
        1.0 + size(&taken.angles).min(MOST_TURN),
        speed + size(&taken.velocities) + taken.field.gravity.norm() * taken.time,
        from.position.norm() + to.position.norm() + speed * taken.time,
    ];
    std::array::from_fn(|k| OPERATIONS * unit[k] * sizes[k])
}

/// Returns the rotation vector that an update turned by, as a rule means it: that of all possible ones which is next to the one by the rule.
fn vector(rule: &UpdateRule, u: &ObservedUpdate) -> Option<Vec3> {
    let inverse = u.from.attitude.try_inverse()?;
    let angles = &u.taken.angles;
    let meant = u.taken.sums().0 + products(&rule.coning, angles, angles);
    let v = match rule.turn {
        TurnForm::InSpace => so3::log(&(u.to.attitude * inverse)),
        _ => so3::log(&(inverse * u.to.attitude)),
    };
    let length = v.norm();
    if !(length > 0.0) {
        return Some(v);
    }
    if rule.turn == TurnForm::FirstOrder {
        let (sin, cos) = scalar::sincos(0.5 * length);
        return Some(v * (2.0 * sin / (cos * length)));
    }
    let turn = std::f64::consts::TAU;
    let rounds = ((meant.dot(&v) / length - length) / turn).round();
    Some(v * (1.0 + rounds * turn / length))
}

/// Returns the increments of a unit bias along each axis.
fn biases(taken: &Update) -> [Vec<Vec3>; 3] {
    let lengths = taken.intervals.first().into_iter().chain(&taken.intervals);
    [0, 1, 2].map(|k| {
        let each = lengths.clone().map(|h| Mat3::identity().column(k) * *h);
        each.collect()
    })
}

/// Returns the factor and the bias of a sensor after a round, in which it was found to have others beside them.
fn sensor((factor, bias): (f64, Vec3), found: &[f64]) -> (f64, Vec3) {
    let more = Vec3::new(found[1], found[2], found[3]);
    (factor * found[0], bias * found[0] + more)
}

fn weights(pairs: &[(usize, usize)], found: &[f64]) -> Cow<'static, [Pair]> {
    pairs
        .iter()
        .zip(found)
        .map(|((i, j), w)| Pair(*i, *j, *w))
        .collect()
}

/// Solves equations in units of their rounding by least squares; numbers that are held have their values.
fn solved(equations: &[(Vec<Vec3>, Vec3, f64)], held: Held) -> Option<Vec<f64>> {
    let columns = equations.first()?.0.len();
    let held = held.iter().filter(|(k, _)| *k < columns);
    let mut out = vec![0.0; columns];
    held.clone().for_each(|(k, x)| out[*k] = *x);
    let free: Vec<usize> = (0..columns)
        .filter(|k| held.clone().all(|(i, _)| i != k))
        .collect();
    if free.is_empty() {
        return Some(out);
    }
    let value = |row: usize, _: usize| {
        let (features, value, floor) = &equations[row / 3];
        let known = held
            .clone()
            .map(|(k, x)| features[*k][row % 3] * x)
            .sum::<f64>();
        (value[row % 3] - known) / floor
    };
    let entry = |row: usize, column: usize| {
        let (features, _, floor) = &equations[row / 3];
        features[free[column]][row % 3] / floor
    };
    let mut matrix = DMatrix::from_fn(3 * equations.len(), free.len(), entry);
    let values = DVector::from_fn(3 * equations.len(), value);
    if !(matrix.iter().chain(&values).all(|x| x.is_finite())) {
        return None;
    }
    // Columns of equal length: a bias and a product have other units.
    let lengths: Vec<f64> = matrix
        .column_iter()
        .map(|c| c.norm().max(f64::MIN_POSITIVE))
        .collect();
    (0..free.len()).for_each(|k| matrix.column_mut(k).unscale_mut(lengths[k]));
    let singular = matrix.clone().svd(true, true);
    let least = INDEPENDENT * singular.singular_values.max();
    let mut found = singular.solve(&values, least).ok()?;
    // A refinement takes away the rounding of the solution, which is that of all rows together and more than one row allows.
    found += singular.solve(&(values - matrix * &found), least).ok()?;
    (0..free.len()).for_each(|k| out[free[k]] = found[k] / lengths[k]);
    Some(out)
}
