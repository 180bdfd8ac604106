//! Rows of one history that laws are fitted to, and rows that they must predict.

use crate::fit::{Fit, Fitting, Weights};
use crate::model::Model;
use crate::observed::{Interval, Observed};
use crate::report::Report;
use crate::stepping::Rule;
use crate::suspects::Suspect;

/// Intervals of each history to which laws are fitted, and that must be predicted.
const ROWS: usize = 14;
/// Rounding of a row in full, relative, with room for what the flow itself leaves.
const ROUNDING: f64 = 1e-11;
/// Times are the same within this part of a step.
const SLACK: f64 = 1e-3;
/// Rows to which a law was not fitted are left so many times worse at most.
const PREDICTED: f64 = 4.0;

/// Intervals that are followed, with one over the change in the time of each.
struct Followed {
    intervals: Vec<Interval>,
    weights: Vec<Weights>,
}

/// Rows of one history, read by a report.
pub(crate) struct Rung<'a> {
    observed: &'a Observed,
    report: Report,
    /// Step, s.
    pub step: f64,
    fitted: Followed,
    /// Other intervals, which a law must predict.
    predicted: Followed,
    /// Rounding of the rows over their least change.
    pub floor: f64,
}

impl<'a> Rung<'a> {
    /// Takes rows of a history until a time, s.
    pub fn new(observed: &'a Observed, report: Report, history: usize, until: f64) -> Self {
        let h = &observed.histories[history];
        let slack = SLACK * h.step;
        let within = |i: &&Interval| {
            i.history == history && i.row > 0 && h.rows[i.row + 1].t <= until + slack
        };
        let own: Vec<Interval> = observed.gaps.iter().filter(within).copied().collect();
        // Every other one of intervals that are spread evenly in time: about the same parts of the motion in each history.
        let begins = |i: &Interval| h.rows[i.row].t;
        let (first, last) = (
            own.first().map_or(0.0, begins),
            own.last().map_or(0.0, begins),
        );
        let n = own.len().min(2 * ROWS);
        let at = |k: usize| {
            let t = first + (last - first) * k as f64 / (n - 1).max(1) as f64;
            own.partition_point(|i| begins(i) < t - slack)
                .min(own.len() - 1)
        };
        let mut chosen: Vec<usize> = (0..n).map(at).collect();
        chosen.dedup();
        let spread = |first: usize| -> Vec<Interval> {
            let every_other = chosen.iter().skip(first).step_by(2);
            every_other.map(|k| own[*k]).collect()
        };
        let rate = |i: &Interval| report.read(&h.rows[i.row + 1]).omega.norm();
        // One size for all rows: a body that is nearly at rest turns by little, too.
        let fastest = own.iter().map(rate).fold(1e-9, f64::max);
        let turn = |i: &Interval| (h.rows[i.row + 1].t - h.rows[i.row].t) * fastest;
        let least = own.iter().map(turn).fold(f64::INFINITY, f64::min);
        let followed = |intervals: Vec<Interval>| Followed {
            weights: intervals
                .iter()
                .map(|i| [1.0 / turn(i), 1.0 / (turn(i) * fastest)])
                .collect(),
            intervals,
        };
        Self {
            observed,
            report,
            step: h.step,
            floor: ROUNDING.max(4.0 * h.print.resolution()) / least,
            fitted: followed(spread(0)),
            predicted: followed(spread(1)),
        }
    }

    /// Returns the number of rows to which laws are fitted.
    pub fn rows(&self) -> usize {
        self.fitted.intervals.len()
    }

    pub fn fitting<T>(&self, suspect: &Suspect, of: impl FnOnce(&Fitting) -> T) -> T {
        self.on(&self.fitted, suspect, of)
    }

    fn on<T>(&self, rows: &Followed, suspect: &Suspect, of: impl FnOnce(&Fitting) -> T) -> T {
        of(&Fitting {
            observed: self.observed,
            intervals: &rows.intervals,
            weights: &rows.weights,
            suspect,
            base: &Model::right(Rule::Flow.once()).reported(self.report),
        })
    }

    /// Returns a fit of the suspect's numbers.
    pub fn fit(&self, suspect: &Suspect, from: &[f64], iterations: usize) -> Option<Fit> {
        self.fitting(suspect, |f| f.run(from, iterations))
    }

    /// Returns what the law with these numbers leaves of the rows to which it was fitted, relative.
    pub fn left(&self, suspect: &Suspect, numbers: &[f64]) -> f64 {
        let fit = self.fit(suspect, numbers, 0);
        fit.map_or(f64::INFINITY, |f| f.left)
    }

    /// Returns true if the law leaves about as little of the other rows.
    pub fn predicts(&self, suspect: &Suspect, numbers: &[f64], left: f64) -> bool {
        let other = self.on(&self.predicted, suspect, |f| f.run(numbers, 0));
        other.is_some_and(|f| f.left <= PREDICTED * left + self.floor)
    }
}
