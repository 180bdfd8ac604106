//! Agreement of a model with the rows of a solver: from row to row, and over whole runs.

use crate::equations::Equations;
use crate::model::Model;
use crate::observed::{DISTURBED, Interval, LEAST, LOST, Observed, Residual};
use crate::remembering::Remembering;
use crate::report::Report;
use crate::run::Run;
use crate::state::State;
use crate::stepping::Rule;
use topsim_core::math::Random;

/// Agreement of a model with rows.
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
        exceptions: Vec::new(),
        asserted: false,
    };
}

/// Largest difference of an explained row, over rounding: right models leave .1 to 2.5, others 1e2 and more.
pub const EXPLAINED: f64 = 12.0;
/// Part of the intervals that must be explained, of all histories and of each.
const MOST_EXPLAINED: (f64, f64) = (0.85, 0.8);

/// Steps of a run from its first row at most.
const MOST_RUN: u64 = 4000;
/// Rows of a run that are looked at first, and their largest miss, relative: of numbers with few digits, too.
const BEGUN: usize = 3;
const OFF: f64 = 1e-4;
/// Displacement of a start, in natural sizes: some roundings.
const DISPLACED: f64 = 1e-15;
/// Largest difference of an explained row of a run, over rounding, which adds up from the first row on.
const RUN_EXPLAINED: f64 = 20.0;

impl Observed {
    /// Returns how well the model explains these intervals.
    #[must_use]
    pub fn evidence(&self, model: &Model, equations: &Equations, all: &[Interval]) -> Evidence {
        self.evidence_of(all, |i| self.residual(model, equations, i))
    }

    /// Returns how well a model with these residuals explains the intervals.
    pub(crate) fn evidence_of(
        &self,
        all: &[Interval],
        residual: impl Fn(&Interval) -> Residual,
    ) -> Evidence {
        let mut out = Evidence::NONE;
        let mut of_each = vec![[0.0_f64; 2]; self.histories.len()];
        let (mut scores, mut sizes) = (Vec::new(), Vec::new());
        // Coarse steps tell soonest.
        for i in all.iter().rev() {
            if out.informative >= 12 && (out.explained as f64) < 0.7 * out.informative as f64 {
                return out;
            }
            let r = residual(i);
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

    /// Returns how well a rule explains whole runs from their first rows: its memory is not written.
    #[must_use]
    pub fn run_evidence(&self, rule: Rule, report: &Report, equations: &Equations) -> Evidence {
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
            let from = report.read(first);
            let Some(run) = Run::new(rule, equations, &from, (first.t, h.step)) else {
                return out;
            };
            let off = |(k, y): (usize, &State)| {
                let off = y.difference(&report.read(&h.rows[rows[k]]));
                off.turn.norm() + off.rate.norm() / (y.omega.norm() + f64::MIN_POSITIVE)
            };
            // Most schemes are far off at once.
            let begun = run.states(&counts[..counts.len().min(BEGUN)], &[]);
            let begun = begun.unwrap_or_default();
            if begun.iter().enumerate().map(off).fold(0.0, f64::max) > OFF {
                return out;
            }
            let Some(exact) = run.states(&counts, &[]) else {
                return out;
            };
            let mut displaced = Vec::new();
            for n in 1..=DISTURBED {
                let mut random = Random::new(n);
                let d = [(); 6].map(|()| (2.0 * random.uniform() - 1.0) * DISPLACED);
                displaced.extend(run.states(&counts, &d));
            }
            let adds_up = matches!(
                rule,
                Rule::Remembering(Remembering::Held(_) | Remembering::Clocked { .. })
            );
            for (k, y) in exact.iter().enumerate() {
                // Roundings of the steps of such a rule may all have one sign.
                let roundings = match adds_up {
                    true => 1.0 + counts[k] as f64,
                    false => 1.0,
                };
                let written = &h.rows[rows[k]];
                let seen = report.read(written);
                let off = y.difference(&seen);
                let mut spread = [LEAST.0, LEAST.0];
                for other in displaced.iter().filter_map(|d| d.get(k)) {
                    let by = y.difference(other);
                    spread[0] = spread[0].max(by.turn.norm());
                    spread[1] = spread[1].max(by.rate.norm());
                }
                spread[0] +=
                    2.0 * h.print.of_attitude(1.0) + LEAST.0 * roundings.max((k as f64).sqrt());
                let speed = seen.omega.norm();
                spread[1] +=
                    2.0 * h.print.of_rate(written.rate.norm()) + LEAST.0 * roundings * speed;
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
