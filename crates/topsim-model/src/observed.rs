//! Rows of a solver, and how well a model reproduces each from the row before.

use crate::equations::Equations;
use crate::model::Model;
use crate::print::Print;
use crate::probe::{Row, Start};
use crate::report::Report;
use crate::state::{Difference, State};
use crate::stepping::{Disturbance, Span};
use std::sync::Arc;
use topsim_core::integration::registry::SchemeRow;
use topsim_core::integration::{Experiment, Stops};
use topsim_core::math::{Mat3, Random, Vec3, so3};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Schemes with parameters, and those of other formulations, at the start of the problem.
    pub bound: Vec<BoundScheme>,
    /// Relative rounding of a step's state.
    pub rounding: f64,
}

/// A scheme that is bound to the problem at its start.
#[derive(Clone)]
pub struct BoundScheme {
    /// Its name, with its parameters.
    pub name: String,
    /// Its row in the catalogue.
    pub row: &'static SchemeRow,
    /// The scheme on the problem.
    pub experiment: Arc<Experiment>,
}

/// How far a model is from a row.
#[derive(Debug, Clone, Copy)]
pub struct Residual {
    /// What the row has more.
    pub off: Difference,
    /// The same, relative: the larger of the turn, rad, and of the rate over its size.
    pub size: f64,
    /// Size over what rounding can do.
    pub score: f64,
    /// True if rounding cannot do so much that nothing is told.
    pub informative: bool,
    /// What rounding can do to the turn, rad, and the rate, rad/s, where it was simulated.
    pub rounding: Option<[f64; 2]>,
}

/// How well a model explains rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Intervals that tell something.
    pub informative: usize,
    /// Those of them that are reproduced to rounding.
    pub explained: usize,
    /// Bits that are needed to say what is left.
    pub bits: f64,
    /// Median of what is left, over rounding.
    pub median: f64,
    /// Median of what is left, relative.
    pub left: f64,
    /// Largest turn that is left of an interval that is explained, rad.
    pub worst: f64,
    /// Numbers of the model that were fitted.
    pub numbers: usize,
    /// Intervals that are not explained.
    pub exceptions: Vec<Interval>,
    /// True if it explains the rows of all histories, but for exceptions.
    pub asserted: bool,
}

impl Evidence {
    const NONE: Self = Self {
        informative: 0,
        explained: 0,
        bits: 0.0,
        median: f64::INFINITY,
        left: f64::INFINITY,
        worst: 0.0,
        numbers: 0,
        exceptions: Vec::new(),
        asserted: false,
    };
}

/// Rounding of double precision in a step, relative.
const DOUBLE: f64 = 2.3e-16;
/// Rounding of single precision in a step, relative.
const SINGLE: f64 = 6e-8;
/// Most steps between two rows.
const MOST_STEPS: f64 = 4000.0;
/// Most intervals of a history.
const MOST_INTERVALS: usize = 120;
/// The distance of rows from whole steps, over a step.
const WHOLE: f64 = 1e-3;
/// Simulations with rounding disturbed.
const DISTURBED: u64 = 3;
/// Rounding beyond this tells nothing, relative.
const LOST: f64 = 1e-2;
/// What is left is explained below this, over rounding: right models leave .1 to 2.5, others 1e2 and more.
pub const EXPLAINED: f64 = 12.0;
/// Part of the intervals that must be explained, of all histories and of each.
const MOST_EXPLAINED: (f64, f64) = (0.85, 0.8);
/// Least rounding of an attitude, rad, and of a quaternion's length.
const LEAST: (f64, f64) = (4e-16, 2e-13);

impl Observed {
    /// Returns the rows of histories, with their intervals; times are in seconds.
    #[must_use]
    pub fn new(body: &Start, mut histories: Vec<StepHistory>) -> Self {
        histories.sort_by(|a, b| a.step.total_cmp(&b.step));
        let of = |whole: bool| {
            let all = histories.iter().enumerate().flat_map(move |(history, h)| {
                let steps = move |row: usize| {
                    let n = (h.rows[row + 1].t - h.rows[row].t) / h.step;
                    let near = (n - n.round()).abs() <= WHOLE;
                    let steps = if !whole && n > 0.0 {
                        0
                    } else if near && (0.5..=MOST_STEPS).contains(&n) {
                        n.round() as u32
                    } else {
                        return None;
                    };
                    Some(Interval {
                        history,
                        row,
                        steps,
                    })
                };
                let all = (0..h.rows.len().saturating_sub(1)).filter_map(steps);
                all.take(MOST_INTERVALS)
            });
            all.collect::<Vec<_>>()
        };
        let (intervals, gaps) = (of(true), of(false));
        let single = histories.iter().all(|h| h.print.single);
        Self {
            body: body.clone(),
            intervals,
            gaps,
            histories,
            bound: Vec::new(),
            rounding: if single { SINGLE } else { DOUBLE },
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

    /// What the model makes of the first row, beside the second.
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
        let mut spread = [0.0_f64; 3];
        for n in 1..=DISTURBED {
            let Some((off, _)) = self.shoot(model, equations, i, Some(n)) else {
                return Residual {
                    informative: false,
                    ..found
                };
            };
            let by = found.off.to(&off);
            let sizes = [by.turn.norm(), by.rate.norm(), by.length.abs()];
            for (s, x) in spread.iter_mut().zip(sizes) {
                *s = s.max(x);
            }
        }
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

    /// Returns how well the model explains these intervals.
    #[must_use]
    pub fn evidence(&self, model: &Model, equations: &Equations, all: &[Interval]) -> Evidence {
        let mut out = Evidence::NONE;
        let mut of_each = vec![[0.0_f64; 2]; self.histories.len()];
        let (mut scores, mut sizes) = (Vec::new(), Vec::new());
        // Coarse steps tell soonest.
        for i in all.iter().rev() {
            if out.informative >= 12 && (out.explained as f64) < 0.7 * out.informative as f64 {
                return out;
            }
            let r = self.residual(model, equations, i);
            if !r.informative {
                continue;
            }
            let explained = r.score < EXPLAINED;
            out.informative += 1;
            out.explained += usize::from(explained);
            of_each[i.history][0] += f64::from(u8::from(explained));
            of_each[i.history][1] += 1.0;
            if explained {
                out.worst = out.worst.max(r.off.turn.norm());
            } else {
                out.exceptions.push(*i);
            }
            out.bits += (1.0 + r.score).log2();
            scores.push(r.score);
            sizes.push(r.size);
        }
        (out.median, out.left) = (median(&mut scores), median(&mut sizes));
        let mut told = of_each.iter().filter(|n| n[1] >= 2.0).peekable();
        out.asserted = told.peek().is_some()
            && told.all(|n| n[0] >= MOST_EXPLAINED.1 * n[1])
            && out.informative >= 2
            && out.explained as f64 >= MOST_EXPLAINED.0 * out.informative as f64;
        out
    }
}

/// Steps of a run from its first row at most.
const MOST_RUN: u64 = 4000;
/// Displacement of a start, in natural sizes: some roundings.
const DISPLACED: f64 = 1e-15;
/// What is left of a run is explained below this, over rounding: it adds up from the first row on.
const RUN_EXPLAINED: f64 = 20.0;

impl Observed {
    /// Returns how well a scheme of the catalogue explains whole runs from their first rows: its memory is not written.
    #[must_use]
    pub fn run_evidence(
        &self,
        report: &Report,
        bind: &dyn Fn(&State) -> Option<Arc<Experiment>>,
    ) -> Evidence {
        let mut out = Evidence::NONE;
        let (mut scores, mut sizes) = (Vec::new(), Vec::new());
        for (history, h) in self.histories.iter().enumerate().rev() {
            let (mut counts, mut rows) = (vec![], vec![]);
            let mut made = 0;
            for i in self.intervals.iter().filter(|i| i.history == history) {
                if rows.last().is_some_and(|last| *last != i.row) || made > MOST_RUN {
                    break;
                }
                made += u64::from(i.steps);
                counts.push(made);
                rows.push(i.row + 1);
            }
            let Some(first) = h.rows.first().filter(|_| rows.first() == Some(&1)) else {
                continue;
            };
            let stops = Stops {
                start: first.t,
                step: h.step,
                counts: &counts,
                displacement: &[],
                wanted: &|| true,
            };
            let from = report.read(first);
            let Some(experiment) = bind(&from) else {
                return out;
            };
            let Some(exact) = run(&experiment, &stops) else {
                return out;
            };
            let mut displaced = Vec::new();
            for n in 1..=DISTURBED {
                let mut random = Random::new(n);
                let d = [(); 6].map(|()| (2.0 * random.uniform() - 1.0) * DISPLACED);
                let beside = Stops {
                    displacement: &d,
                    ..stops
                };
                displaced.extend(run(&experiment, &beside));
            }
            for (k, y) in exact.iter().enumerate() {
                let written = &h.rows[rows[k]];
                let seen = report.read(written);
                let off = y.difference(&seen);
                let mut spread = [LEAST.0, LEAST.0];
                for other in displaced.iter().filter_map(|d| d.get(k)) {
                    let by = y.difference(other);
                    spread[0] = spread[0].max(by.turn.norm());
                    spread[1] = spread[1].max(by.rate.norm());
                }
                let digit = |x: f64| 2.0 * h.print.quantum(x);
                spread[0] += digit(1.0) + LEAST.0 * (k as f64).sqrt();
                let speed = seen.omega.norm();
                spread[1] += digit(written.rate.norm()) + LEAST.0 * speed;
                if !(spread[0] < LOST && spread[1] < LOST * speed.max(1e-3)) {
                    break;
                }
                let score = (off.turn.norm() / spread[0]).max(off.rate.norm() / spread[1]);
                out.informative += 1;
                out.explained += usize::from(score < RUN_EXPLAINED);
                out.bits += (1.0 + score).log2();
                if score < RUN_EXPLAINED {
                    out.worst = out.worst.max(off.turn.norm());
                }
                scores.push(score);
                sizes.push(
                    off.turn
                        .norm()
                        .max(off.rate.norm() / (speed + f64::MIN_POSITIVE)),
                );
                if k > 3 && out.explained * 2 < out.informative {
                    return out;
                }
            }
        }
        (out.median, out.left) = (median(&mut scores), median(&mut sizes));
        out.asserted = out.informative > 3
            && out.explained as f64 >= MOST_EXPLAINED.0 * out.informative as f64;
        out
    }
}

fn median(all: &mut [f64]) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// States of a run after numbers of steps.
fn run(experiment: &Experiment, stops: &Stops) -> Option<Vec<State>> {
    let columns = experiment.columns();
    let (r, w) = (columns.position("R11")?, columns.position("W1")?);
    let mut out = Vec::with_capacity(stops.counts.len());
    experiment.follow(stops, &mut |_, numbers| {
        let att = Mat3::from_row_slice(&numbers[r..r + 9]);
        let y = State::new(&att, Vec3::from_column_slice(&numbers[w..w + 3]));
        out.push(y);
        y.is_finite()
    });
    Some(out)
}

/// Moves the numbers of a row within their last digit.
fn move_within(row: &mut Row, print: &Print, random: &mut Random) {
    let mut by = |x: f64| (2.0 * random.uniform() - 1.0) * print.quantum(x);
    if let Some(q) = &mut row.quaternion {
        q.iter_mut().for_each(|x| *x += by(*x));
    } else {
        let turn = Vec3::new(by(1.0), by(1.0), by(1.0));
        row.att *= so3::exp(&turn);
    }
    if print.single_attitude {
        // A rate of double precision that single attitudes have turned.
        let size = row.rate.norm() * SINGLE;
        row.rate
            .iter_mut()
            .for_each(|x| *x += (2.0 * random.uniform() - 1.0) * size);
    } else {
        row.rate.iter_mut().for_each(|x| *x += by(*x));
    }
}
