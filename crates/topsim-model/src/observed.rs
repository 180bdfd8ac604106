//! Rows of a solver, and how well a model reproduces each from the row before.

use crate::equations::Equations;
use crate::model::Model;
use crate::print::Print;
use crate::probe::{Row, Start};
use crate::state::{Difference, State};
use crate::stepping::{Disturbance, Span};
use topsim_core::math::{Random, Vec3, so3};

/// The rows that a solver wrote with one step.
#[derive(Debug, Clone)]
pub struct StepHistory {
    /// Step, s.
    pub step: f64,
    /// Rows, in the order of their times.
    pub rows: Vec<Row>,
    /// Digits of their numbers.
    pub print: Print,
}

/// Two rows that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Interval {
    /// Index of the history.
    pub history: usize,
    /// Index of the first of them.
    pub row: usize,
    /// Steps from one to the other; 0 for one of any length.
    pub steps: u32,
}

/// Rows of a solver for one body, and what there is to explain.
#[derive(Clone)]
pub struct Observed {
    /// The body.
    pub body: Start,
    /// Histories, the finest first.
    pub histories: Vec<StepHistory>,
    /// Intervals of all histories that are whole steps.
    pub intervals: Vec<Interval>,
    /// Intervals of any length, each as one step: what the motion itself can be held against.
    pub gaps: Vec<Interval>,
    /// Relative rounding of a step's state.
    pub rounding: f64,
}

/// Distance of a model from a row.
#[derive(Debug, Clone, Copy)]
pub struct Residual {
    /// Difference from the model's state to the row's.
    pub off: Difference,
    /// The same, relative: the larger of the turn, rad, and of the rate over its size.
    pub size: f64,
    /// Size over what rounding can do.
    pub score: f64,
    /// True if rounding cannot do so much that nothing is told.
    pub informative: bool,
    /// Largest effect of rounding on the turn, rad, and the rate, rad/s, where it was simulated.
    pub rounding: Option<[f64; 2]>,
}

/// Changes of a difference by rounding: of the turn, rad, of the rate, rad/s, and of the quaternion's length.
pub(crate) type Spread = [f64; 3];

/// Rounding of double precision in a step, relative.
const DOUBLE: f64 = 2.3e-16;
/// Rounding of single precision in a step, relative.
const SINGLE: f64 = 6e-8;
/// Largest defect of a matrix that is the rounding of many steps, and no rule of a solver.
const MOST_DRIFT: f64 = 1e-12;
/// Most steps between two rows.
const MOST_STEPS: f64 = 4000.0;
/// Intervals of a history that are used: the first, and others evenly spread.
const FIRST_INTERVALS: usize = 60;
/// Number of the others.
const SPREAD_INTERVALS: usize = 60;
/// The distance of rows from whole steps, over a step.
const WHOLE: f64 = 1e-3;
/// Simulations with rounding disturbed.
pub(crate) const DISTURBED: u64 = 3;
/// Rounding beyond this tells nothing, relative.
pub(crate) const LOST: f64 = 1e-2;
/// Least rounding of an attitude, rad, and of a quaternion's length.
pub(crate) const LEAST: (f64, f64) = (4e-16, 2e-13);

impl Observed {
    /// Returns the rows of histories, with their intervals; times are in seconds.
    #[must_use]
    pub fn new(body: &Start, mut histories: Vec<StepHistory>) -> Self {
        histories.sort_by(|a, b| a.step.total_cmp(&b.step));
        let steps_of = |steps_between: fn(f64) -> Option<u32>| {
            let all = histories.iter().enumerate().flat_map(|(history, h)| {
                let pairs = h.rows.windows(2).enumerate();
                let of = move |(row, pair): (usize, &[Row])| {
                    let steps = steps_between((pair[1].t - pair[0].t) / h.step)?;
                    Some(Interval {
                        history,
                        row,
                        steps,
                    })
                };
                spread(pairs.filter_map(of).collect())
            });
            all.collect::<Vec<_>>()
        };
        let whole = |n: f64| {
            let near = (n - n.round()).abs() <= WHOLE && (0.5..=MOST_STEPS).contains(&n);
            near.then_some(n.round() as u32)
        };
        let (intervals, gaps) = (steps_of(whole), steps_of(|n| (n > 0.0).then_some(0)));
        let single = |h: &StepHistory| h.print.single_attitude && h.print.single_rate;
        let single = histories.iter().all(single);
        // A matrix that is never made orthogonal drifts by rounding, and its state with it.
        let rows = histories.iter().flat_map(|h| &h.rows);
        let drift = rows
            .filter_map(Row::orthogonality_defect)
            .fold(0.0, f64::max);
        let double = if drift < MOST_DRIFT {
            DOUBLE.max(drift)
        } else {
            DOUBLE
        };
        Self {
            body: body.clone(),
            intervals,
            gaps,
            histories,
            rounding: if single { SINGLE } else { double },
        }
    }

    /// Returns some intervals of each history, the coarsest first, from its second row on.
    #[must_use]
    pub fn few(&self, of_each: usize) -> Vec<Interval> {
        self.few_of(&self.intervals, of_each)
    }

    /// Returns some of these intervals, as [`Observed::few`] does.
    #[must_use]
    pub fn few_of(&self, all: &[Interval], of_each: usize) -> Vec<Interval> {
        let mut out = Vec::new();
        for history in (0..self.histories.len()).rev() {
            let all = all.iter().filter(|i| i.history == history && i.row > 0);
            let all: Vec<&Interval> = all.collect();
            // Evenly in the first two fifths: later ones may be those of a motion that is lost.
            let chosen = (0..of_each.min(all.len()))
                .map(|k| all[k * all.len() * 2 / 5 / of_each + k.min(1)]);
            out.extend(chosen.copied());
        }
        out
    }

    fn row(&self, i: &Interval, end: usize) -> &Row {
        &self.histories[i.history].rows[i.row + end]
    }

    /// Returns the difference from the state that the model makes of the first row to the second, and the second.
    fn shoot(
        &self,
        model: &Model,
        equations: &Equations,
        i: &Interval,
        disturbed: Option<u64>,
    ) -> Option<(Difference, State)> {
        let print = &self.histories[i.history].print;
        let (mut first, mut second) = (self.row(i, 0).clone(), self.row(i, 1).clone());
        let seed = |n: u64| (i.row as u64) << 20 ^ (i.history as u64) << 8 ^ n;
        let mut random = Random::new(seed(disturbed.unwrap_or(0)));
        let disturbance = disturbed.map(|_| {
            move_within(&mut first, print, &mut random);
            move_within(&mut second, print, &mut random);
            Disturbance {
                random: &mut random,
                size: self.rounding,
            }
        });
        let from = model.report.read(&first);
        let to = model.report.read(&second);
        let span = if i.steps == 0 {
            Span {
                from: first.t,
                step: second.t - first.t,
                steps: 1,
            }
        } else {
            Span {
                from: first.t,
                step: self.histories[i.history].step,
                steps: i.steps,
            }
        };
        let end = model.advance(equations, span, &from, disturbance)?;
        let off = end.difference(&to);
        let finite = off.turn.sum() + off.rate.sum() + off.length;
        finite.is_finite().then_some((off, to))
    }

    /// Returns how far the model is from the second row, with no look at rounding.
    #[must_use]
    pub fn miss(&self, model: &Model, equations: &Equations, i: &Interval) -> Option<Residual> {
        let (off, to) = self.shoot(model, equations, i, None)?;
        let rate = off.rate.norm() / (to.omega.norm() + f64::MIN_POSITIVE);
        let size = off.turn.norm().max(rate);
        Some(Residual {
            off,
            size,
            score: f64::INFINITY,
            informative: true,
            rounding: None,
        })
    }

    /// Returns how far the model is from the second row, beside what rounding can do.
    #[must_use]
    pub fn residual(&self, model: &Model, equations: &Equations, i: &Interval) -> Residual {
        self.residual_with(model, equations, i, |off| {
            self.spread(model, equations, i, off)
        })
    }

    /// Returns how far the model is from the second row, beside the rounding that `spread` tells for its difference.
    pub(crate) fn residual_with(
        &self,
        model: &Model,
        equations: &Equations,
        i: &Interval,
        spread: impl FnOnce(&Difference) -> Option<Spread>,
    ) -> Residual {
        let lost = Residual {
            off: Difference {
                turn: Vec3::zeros(),
                rate: Vec3::zeros(),
                length: 0.0,
            },
            size: f64::INFINITY,
            score: f64::INFINITY,
            informative: true,
            rounding: None,
        };
        let Some(found) = self.miss(model, equations, i) else {
            return lost;
        };
        let Some(spread) = spread(&found.off) else {
            return Residual {
                informative: false,
                ..found
            };
        };
        let speed = model.report.read(self.row(i, 1)).omega.norm();
        let [turn, rate, length] = [
            spread[0] + LEAST.0,
            spread[1] + LEAST.0 * speed.max(1e-3),
            spread[2] + LEAST.1,
        ];
        let by_length = if self.row(i, 1).quaternion.is_some() {
            found.off.length.abs() / length
        } else {
            0.0
        };
        let score = (found.off.turn.norm() / turn).max(found.off.rate.norm() / rate);
        Residual {
            score: score.max(by_length),
            informative: turn < LOST && rate < LOST * speed.max(1e-3),
            rounding: Some([turn, rate]),
            ..found
        }
    }

    /// Returns the largest changes of a difference by simulated rounding; none where the model makes no steps with it.
    pub(crate) fn spread(
        &self,
        model: &Model,
        equations: &Equations,
        i: &Interval,
        off: &Difference,
    ) -> Option<Spread> {
        let mut spread = Spread::default();
        for n in 1..=DISTURBED {
            let by = off.to(&self.shoot(model, equations, i, Some(n))?.0);
            let sizes = [by.turn.norm(), by.rate.norm(), by.length.abs()];
            for (s, x) in spread.iter_mut().zip(sizes) {
                *s = s.max(x);
            }
        }
        Some(spread)
    }
}

/// Returns the first of all intervals, and others evenly spread.
fn spread(all: Vec<Interval>) -> Vec<Interval> {
    let (first, rest) = all.split_at(FIRST_INTERVALS.min(all.len()));
    let n = rest.len().min(SPREAD_INTERVALS);
    let spread = (0..n).map(|k| rest[k * rest.len() / n]);
    first.iter().copied().chain(spread).collect()
}

/// Moves the numbers of a row within their last digit.
fn move_within(row: &mut Row, print: &Print, random: &mut Random) {
    let mut within = |quantum: f64| (2.0 * random.uniform() - 1.0) * quantum;
    let mut by = |x: f64| within(print.of_attitude(x));
    if let Some(q) = &mut row.quaternion {
        q.iter_mut().for_each(|x| *x += by(*x));
    } else {
        let turn = Vec3::new(by(1.0), by(1.0), by(1.0));
        row.att *= so3::exp(&turn);
    }
    // A rate of double precision may be one that single attitudes have turned.
    let turned = if print.single_attitude {
        row.rate.norm() * SINGLE
    } else {
        0.0
    };
    row.rate
        .iter_mut()
        .for_each(|x| *x += within(print.of_rate(*x).max(turned)));
}
