//! What a solver does on ordinary problems, and so has to do on all: its order, its noise, what it keeps.
//!
//! A right scheme of a low order keeps its own habits everywhere. A branch, a tolerance or a limit shows as a problem
//! on which they are lost.

use crate::ladder::{FAILED, LadderEvidence, Outcome};
use crate::point::{Kind, Pair, Point};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_protocol::{Claims, EnergyClaim};

/// The habits of a solver: of free bodies, of symmetric bodies under gravity, and of asymmetric ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Habits {
    /// Order of the attitude and of the rate; of asymmetric bodies under gravity, of what half the step changes and of what is
    /// not kept. None where it does not show.
    pub orders: [[Option<f64>; 2]; 3],
    /// The largest angle of a step, rad, up to which a motion is followed to rounding; 0 of schemes with an order.
    pub exact: [f64; 3],
    /// Errors of the attitude and of the rate that do not fall with the step: the digits that it computes with and
    /// prints.
    pub noise: [[f64; 2]; 3],
    /// What the momentum and the energy stray by, where that is rounding.
    pub kept: [[Option<f64>; 2]; 3],
    /// What images differ by, where that is rounding: in another unit of time, of mass, with another lever, with space
    /// turned, with the body's axes turned, in a mirror.
    pub images: [[Option<f64>; 6]; 3],
}

/// Parts of the problems whose errors must not fall before that is called noise: what some show is a defect of them.
const MOST_OF_THEM: f64 = 2.0 / 3.0;
/// More is not called noise: such a solver is wrong on ordinary problems too.
const MOST_NOISE: f64 = 1e-4;
/// Errors fall by less than this factor with half the step: they do not fall.
const FLAT: f64 = 0.8;
/// Kept to rounding.
const KEPT: f64 = 1e-11;
/// Orders of ordinary problems that are farther apart say nothing.
const APART: f64 = 0.6;
/// Angles of a step up to which what is kept is kept, rad.
pub(crate) const MODERATE: f64 = 0.3;
/// By what a rounding of each step grows on an ordinary problem: twice in each of 64 steps and the rows.
const ORDINARY_LOSS: f64 = 2.0 * (8.0 + 64.0);
/// The longest steps of ordinary problems, rad, nearly: what is exact up to there has no order.
pub(crate) const LONGEST: f64 = 1.9;
/// Steps of this angle are long enough to measure an order.
const LONG: f64 = 0.1;

impl Habits {
    /// Of the answers to ordinary problems, and what is claimed beside.
    pub(crate) fn of(answered: &[(Point, Outcome)], claims: &Claims) -> Self {
        let all: Vec<(&Point, &LadderEvidence)> = answered
            .iter()
            .filter_map(|(p, o)| match o {
                Outcome::Shown(shown) => Some((p, shown)),
                _ => None,
            })
            .collect();
        let bodies = Kind::ALL.map(|kind| {
            let of = all.iter().filter(|(p, _)| p.kind() == kind);
            of.map(|(p, s)| (*p, *s)).collect::<Vec<_>>()
        });
        let [free, heavy, _] = bodies.each_ref().map(|of| [0, 1].map(|i| noise(of, i)));
        // What half the step changes is often nothing at all of a solver of few digits: its closed forms tell these.
        let noise = [free, heavy, [heavy[0].max(heavy[1]); 2]];
        let kinds = [0, 1, 2];
        let mut orders = kinds.map(|k: usize| [0, 1].map(|i| order(&bodies[k], i, &noise[k])));
        if let Some(claimed) = claims.order {
            orders = orders.map(|o| o.map(|_| Some(claimed)));
        }
        let mut kept = kinds.map(|k| {
            core::array::from_fn(|i| self::kept(&bodies[k], &noise[k], &|s| s.strayed[i]))
        });
        for kept in &mut kept {
            if claims.momentum {
                kept[0] = kept[0].or(Some(0.0));
            }
            if claims.energy == Some(EnergyClaim::Kept) {
                kept[1] = kept[1].or(Some(0.0));
            }
        }
        Self {
            orders,
            exact: kinds.map(|k| exact(&bodies[k], &noise[k])),
            images: kinds.map(|k| {
                core::array::from_fn(|i| {
                    self::kept(&bodies[k], &noise[k], &|s| {
                        s.images[i].filter(|x| *x != FAILED)
                    })
                })
            }),
            noise,
            kept,
        }
    }
}

/// A problem, and what its answers show.
type ProblemEvidence<'a> = (&'a Point, &'a LadderEvidence);

/// The errors that do not fall with the step, where those of most problems end so.
fn noise(of: &[ProblemEvidence], i: usize) -> f64 {
    let (mut flat, mut ended, mut worst) = (0.0, 0.0, 0.0_f64);
    for (_, shown) in of.iter().filter(|(p, _)| p.step_angle() <= MODERATE) {
        let [.., before, last] = shown.errors[..] else {
            continue;
        };
        let clear = last[i] > shown.floors[shown.errors.len() - 1][i];
        if clear && last[i] < FLAT * before[i] {
            // The error of the scheme: no noise shows below it.
            continue;
        }
        ended += 1.0;
        if clear {
            flat += 1.0;
            worst = worst.max(last[i].min(MOST_NOISE));
        }
    }
    if flat > MOST_OF_THEM * ended {
        worst
    } else {
        0.0
    }
}

/// The largest angle of a step up to which all is right to rounding.
fn exact(of: &[ProblemEvidence], noise: &Pair) -> f64 {
    let worst = of
        .iter()
        .map(|(p, s)| (p.step_angle(), s.worst_over_floor(noise)));
    let mut worst: Vec<_> = worst.collect();
    worst.sort_by(|a, b| a.0.total_cmp(&b.0));
    let right = worst.iter().take_while(|(_, worst)| *worst <= 1.0);
    right.last().map_or(0.0, |(angle, _)| *angle)
}

/// The largest of what is to be kept, where that is rounding.
fn kept(
    of: &[ProblemEvidence],
    noise: &Pair,
    value: &dyn Fn(&LadderEvidence) -> Option<f64>,
) -> Option<f64> {
    let room = KEPT.max(100.0 * noise[0].max(noise[1]));
    let moderate = of.iter().filter(|(p, _)| p.step_angle() <= MODERATE);
    let values = moderate.filter_map(|(_, s)| value(s));
    let most = values.reduce(|a, b| if b <= a { a } else { b });
    most.filter(|x| *x <= room)
}

/// The order of a quantity on some problems; none where it does not show, or differs.
fn order(of: &[ProblemEvidence], i: usize, noise: &Pair) -> Option<f64> {
    let long = of
        .iter()
        .filter(|(p, _)| p.step_angle() > LONG && p.step_angle() <= MODERATE);
    let mut slopes: Vec<f64> = long.filter_map(|(_, s)| s.slope(i, noise)).collect();
    slopes.sort_by(f64::total_cmp);
    let (low, high) = (*slopes.first()?, *slopes.last()?);
    let whole = slopes.len() >= 3 && slopes[slopes.len() / 2] - low <= APART;
    (whole && low >= 0.5 && high < 20.0).then_some(low)
}

impl LadderEvidence {
    /// The least error that says something, with the noise of the solver.
    pub(crate) fn floor(&self, rung: usize, i: usize, noise: &Pair) -> f64 {
        self.floors[rung][i].max(30.0 * noise[i] * self.grown(rung, i))
    }
    /// By what rounding grows more than on ordinary problems: of the attitude, and of all else.
    pub(crate) fn grown(&self, rung: usize, i: usize) -> f64 {
        (self.losses[rung][i] / ORDINARY_LOSS).max(1.0)
    }
    /// The largest error in units of the floor.
    pub(crate) fn worst_over_floor(&self, noise: &Pair) -> f64 {
        let all = self.errors.iter().enumerate();
        let all = all.flat_map(|(k, e)| [0, 1].map(|i| e[i] / self.floor(k, i, noise)));
        all.fold(0.0, |a, b| if b <= a { a } else { b })
    }
    /// The order between the finest two rungs whose errors stand clear of the floor, or the one before where that is
    /// higher.
    pub(crate) fn slope(&self, i: usize, noise: &Pair) -> Option<f64> {
        let clear = |k: &usize| self.errors[*k][i] > 10.0 * self.floor(*k, i, noise);
        let last = (0..self.errors.len()).take_while(clear).last()?;
        let between = |k: usize| (self.errors[k][i] / self.errors[k + 1][i]).log2();
        let slopes = (last.saturating_sub(2)..last).map(between);
        slopes.reduce(f64::max)
    }
}
