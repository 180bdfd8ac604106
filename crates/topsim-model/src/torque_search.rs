//! Rules whose torque acts late or coarsely, by one number: it is found by trying many over the rows of a run.

use crate::equations::{Equations, TorqueShape};
use crate::found::{Found, Search};
use crate::model::Model;
use crate::observed::StepHistory;
use crate::remembering::{Base, Remembering, TorqueMemory};
use crate::report::Report;
use crate::run_rows::RunRows;
use crate::stepping::Rule;
use topsim_core::math::Vec3;

/// Ratio of numbers that are tried: what acts late or coarsely changes little with a tenth of its number.
const RATIO: f64 = 1.1;
/// A number is fitted from those that explain so much of what the rule leaves without it.
const EXPLAINS: f64 = 0.5;
/// Iterations of a fit.
const ITERATIONS: usize = 8;
/// Change of a number for a difference, of its size.
const CHANGE: f64 = 1e-7;
/// Parts of the largest torque, or of its steepest change, that are tried as a size: smaller ones change little.
const MOST_SIZES: f64 = 40.0;
/// Whole numbers of a size shift with as many times the size: part of a size by which they may.
const SHIFTS: f64 = 0.1;
/// Rules that miss so many times what the best does without any habit are not those of the rows.
const ALIKE: f64 = 4.0;

/// A kind of torque, with the numbers that are tried.
struct Kind {
    of: fn(f64) -> TorqueMemory,
    between: [f64; 2],
    /// Largest torque, where whole numbers of a size shift with as many times the size.
    of_sizes: Option<f64>,
    /// True if what acts is smooth in the number.
    smooth: bool,
}

impl Kind {
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let [least, most] = self.between;
        let next = |x: &f64| {
            let ratio = RATIO - 1.0;
            let part = self
                .of_sizes
                .map_or(ratio, |all| ratio.min(SHIFTS * x / all));
            Some(x * (1.0 + part))
        };
        core::iter::successors(Some(least), next).take_while(move |x| *x < most)
    }
}

impl Search<'_> {
    /// Returns rules whose torque acts late or coarsely that explain whole runs.
    pub(crate) fn torques(&self, report: &Report, right: &Equations) -> Vec<Found> {
        let mut out = Vec::new();
        let histories = &self.observed.histories;
        let rows = |history: Option<&StepHistory>| RunRows::new(history?, report);
        let (Some(coarse), Some(fine)) = (rows(histories.last()), rows(histories.first())) else {
            return out;
        };
        let kinds = self.kinds(report);
        let alone = |base| {
            missed(
                &coarse,
                right,
                TorqueMemory::Delayed(0.0),
                base,
                f64::INFINITY,
            )
        };
        let bases: Vec<(Base, f64)> = Base::usual().map(|base| (base, alone(base))).collect();
        let least = bases.iter().map(|b| b.1).fold(f64::INFINITY, f64::min);
        for (base, alone) in bases.into_iter().filter(|b| b.1 <= ALIKE * least) {
            for kind in &kinds {
                if !(self.wanted)() {
                    return out;
                }
                let most = EXPLAINS * EXPLAINS * alone;
                let mut numbers = best(&coarse, right, kind, base, most);
                if numbers.len() > 1 {
                    // Steps of a history do not tell all numbers apart.
                    let left = |x: &f64| missed(&fine, right, (kind.of)(*x), base, f64::INFINITY);
                    numbers.sort_by(|a, b| left(a).total_cmp(&left(b)));
                }
                let Some(&number) = numbers.first() else {
                    continue;
                };
                let memory = (kind.of)(number);
                let rule = Rule::Remembering(Remembering::Torque { memory, rule: base });
                let evidence = self.observed.run_evidence(rule, report, right);
                let model = Model::right(rule.once()).reported(*report);
                out.extend(Found::asserted(model, evidence, 1));
            }
        }
        out
    }

    fn kinds(&self, report: &Report) -> Vec<Kind> {
        let body = &self.observed.body;
        let finest = &self.observed.histories[0];
        let torques = finest.rows.iter().map(|row| {
            let torque = body.torque(row.t, &report.read(row).attitude());
            (row.t, torque)
        });
        let torques: Vec<(f64, Vec3)> = torques.collect();
        let largest = torques.iter().map(|x| x.1.norm()).fold(0.0, f64::max);
        let slope = |pair: &[(f64, Vec3)]| (pair[1].1 - pair[0].1).amax() / (pair[1].0 - pair[0].0);
        let steepest = torques.windows(2).map(slope).fold(0.0, f64::max);
        let [from, to] = [&torques[0], &torques[torques.len() - 1]].map(|x| x.0);
        if largest == 0.0 {
            return Vec::new();
        }
        let times = [0.5 * finest.step, 0.5 * (to - from)];
        let sizes = [largest / MOST_SIZES, largest];
        let slopes = [steepest / MOST_SIZES, steepest];
        let kind = |of, between, smooth| Kind {
            of,
            between,
            of_sizes: None,
            smooth,
        };
        let whole = |of| Kind {
            of_sizes: Some(largest),
            ..kind(of, sizes, true)
        };
        let shaped = |of: fn(f64) -> TorqueMemory| kind(of, sizes, false);
        vec![
            kind(TorqueMemory::Delayed, times, false),
            kind(TorqueMemory::Filtered, times, true),
            kind(TorqueMemory::FilteredFromNone, times, true),
            kind(TorqueMemory::Slewed, slopes, true),
            shaped(|x| TorqueMemory::Shaped(TorqueShape::DeadBand(x))),
            shaped(|x| TorqueMemory::Shaped(TorqueShape::DeadBandAxes(x))),
            whole(|x| TorqueMemory::Shaped(TorqueShape::Rounded(x))),
            whole(|x| TorqueMemory::Shaped(TorqueShape::Truncated(x))),
        ]
    }
}

/// Returns how far a rule is from each of the rows, six numbers each, until their squares are more than `most`.
fn misses(
    rows: &RunRows,
    right: &Equations,
    memory: TorqueMemory,
    rule: Base,
    most: f64,
) -> Vec<f64> {
    let rule = Remembering::Torque { memory, rule };
    let mut out = Vec::new();
    let mut sum = 0.0;
    let mut until = 2;
    // A run is made anew to be longer: most are far off after its first rows.
    while sum <= most {
        let from = out.len() / 6;
        let states = rule.run(right, rows.grid, &rows.counts[..until], &rows.states[0]);
        for (y, seen) in states.iter().zip(&rows.states).skip(from) {
            let off = y.difference(seen);
            let speed = seen.omega.norm() + f64::MIN_POSITIVE;
            out.extend(off.turn.iter());
            out.extend(off.rate.iter().map(|x| x / speed));
        }
        sum = squares(&out);
        if states.len() < until {
            out.push(f64::INFINITY);
        }
        if until == rows.counts.len() {
            break;
        }
        until = (2 * until).min(rows.counts.len());
    }
    out
}

fn squares(all: &[f64]) -> f64 {
    all.iter().map(|x| x * x).sum()
}

fn missed(rows: &RunRows, right: &Equations, memory: TorqueMemory, rule: Base, most: f64) -> f64 {
    squares(&misses(rows, right, memory, rule, most))
}

/// Returns the number of a kind that leaves least, if it leaves less than `most`, with all that leave as little.
fn best(rows: &RunRows, right: &Equations, kind: &Kind, rule: Base, most: f64) -> Vec<f64> {
    let (mut least, mut numbers) = (most, Vec::new());
    for x in kind.numbers() {
        let left = missed(rows, right, (kind.of)(x), rule, least);
        if left < least {
            numbers.clear();
        }
        if left <= least {
            least = left;
            numbers.push(x);
        }
    }
    if kind.smooth {
        numbers
            .iter_mut()
            .for_each(|x| *x = fitted(rows, right, kind, rule, *x));
        numbers.truncate(1);
    }
    numbers
}

/// Returns the number of a kind that leaves least, from a number near it.
fn fitted(rows: &RunRows, right: &Equations, kind: &Kind, rule: Base, mut x: f64) -> f64 {
    let at = |x: f64| misses(rows, right, (kind.of)(x), rule, f64::INFINITY);
    for _ in 0..ITERATIONS {
        let (here, moved) = (at(x), at(x * (1.0 + CHANGE)));
        let slopes = here.iter().zip(&moved).map(|(a, b)| (b - a) / (CHANGE * x));
        let sums = here
            .iter()
            .zip(slopes)
            .fold([0.0; 2], |[p, q], (miss, slope)| {
                [p + miss * slope, q + slope * slope]
            });
        let next = x - sums[0] / sums[1].max(f64::MIN_POSITIVE);
        if !(next > 0.0 && squares(&at(next)) < squares(&here)) {
            break;
        }
        x = next;
    }
    x
}
