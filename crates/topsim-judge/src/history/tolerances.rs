//! Errors of several histories against the tolerance, which is another one in each.

use super::convergence::{Convergence, Ladder, convergence};
use super::trace::Trace;
use crate::thresholds::{ADDED_UP, CLEARLY, LOST, NEGLIGIBLE};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::so3;

/// Errors of one history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ToleranceRung {
    /// Tolerance that the solver was given.
    pub tolerance: f64,
    /// Worst attitude error, rad.
    pub worst_attitude: f64,
    /// Attitude error at the end, rad.
    pub attitude: f64,
    /// Worst attitude error over the tolerance, rad.
    pub ratio: f64,
}

/// Errors against the tolerance, of histories with different tolerances.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ToleranceLadder {
    /// The histories, coarse to fine.
    pub rungs: Vec<ToleranceRung>,
    /// Errors below this are not told apart from those of the reference and of rounding, rad.
    pub floor: f64,
    /// Slope of log error over log tolerance, fitted to all errors above the floor; 1 where they are proportional.
    pub slope: Option<f64>,
    /// Decades of the tolerance to which it is fitted.
    pub decades: f64,
    /// Largest distance of each history from the next finer one, rad.
    pub apart: Vec<f64>,
    /// Largest tolerance below which a finer one changes nothing, although the errors are above the floor.
    pub without_effect_from: Option<f64>,
}

/// A history with its tolerance.
pub(crate) struct Tolerated<'a> {
    pub tolerance: f64,
    pub ladder: Ladder<'a>,
    pub trace: &'a Trace,
}

impl ToleranceLadder {
    /// Builds it from at least two histories with errors.
    pub(crate) fn new(mut all: Vec<Tolerated>) -> Option<Self> {
        all.sort_by(|a, b| b.tolerance.total_cmp(&a.tolerance));
        if all.len() < 2 {
            return None;
        }
        let apart: Vec<f64> = all
            .windows(2)
            .map(|p| distance(p[0].trace, p[1].trace))
            .collect();
        let ladders: Vec<Ladder> = all
            .iter()
            .map(|t| Ladder {
                step: t.tolerance,
                ..t.ladder
            })
            .collect();
        let Convergence {
            rungs,
            attitude_floor,
            ..
        } = convergence(&ladders);
        let rounding = rungs.iter().map(|r| r.rounding).fold(0.0, f64::max);
        let floor = attitude_floor.max(ADDED_UP * rounding);
        let rungs: Vec<ToleranceRung> = rungs
            .iter()
            .map(|r| ToleranceRung {
                tolerance: r.step,
                worst_attitude: r.worst_attitude,
                attitude: r.attitude,
                ratio: r.worst_attitude / r.step,
            })
            .collect();
        let same = |k: usize| apart[k] <= NEGLIGIBLE * rungs[k + 1].worst_attitude;
        // Steps that end at each row, or a longest step, make coarse tolerances alike: these say nothing of the control.
        let coarse = (0..apart.len()).take_while(|k| same(*k)).count();
        let points: Vec<[f64; 2]> = rungs[coarse.min(rungs.len() - 1)..]
            .iter()
            .filter(|r| r.worst_attitude > floor && r.worst_attitude <= LOST)
            .map(|r| [r.tolerance.log10(), r.worst_attitude.log10()])
            .collect();
        let decades = match (points.first(), points.last()) {
            (Some(a), Some(b)) => a[0] - b[0],
            _ => 0.0,
        };
        // Pairs from the finest on that are the same, while the errors are above the floor.
        let idle = (0..apart.len()).rev();
        let idle = idle
            .take_while(|k| same(*k) && rungs[k + 1].worst_attitude > floor)
            .count();
        // Histories that approach each other are those of another motion.
        let approach =
            idle > 1 && apart[apart.len() - idle] > CLEARLY * apart[apart.len() - 1].max(floor);
        let without = rungs
            .len()
            .checked_sub(idle + 1)
            .filter(|_| idle > 0 && !approach);
        Some(Self {
            slope: fit(&points),
            decades,
            without_effect_from: without.map(|k| rungs[k].tolerance),
            rungs,
            floor,
            apart,
        })
    }

    /// Returns the worst error of the finest history, rad.
    pub fn finest(&self) -> f64 {
        self.rungs.last().map_or(f64::NAN, |r| r.worst_attitude)
    }
    /// Returns whether the finest history has lost the motion.
    pub fn loses(&self) -> bool {
        !(self.finest() <= LOST)
    }
    /// Returns whether no tolerance has any effect.
    pub fn has_no_effect(&self) -> bool {
        let first = self.rungs.first().map(|r| r.tolerance);
        self.without_effect_from.is_some() && self.without_effect_from == first
    }
    /// Returns the least and the largest ratio of error and tolerance, of errors above the floor.
    pub fn ratios(&self) -> Option<[f64; 2]> {
        let told = self.rungs.iter().filter(|r| r.worst_attitude > self.floor);
        let each = told.map(|r| [r.ratio, r.ratio]);
        each.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }
}

/// Returns the slope of the straight line through the points with the least squares.
fn fit(points: &[[f64; 2]]) -> Option<f64> {
    let n = points.len() as f64;
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| -> f64 { points.iter().map(|p| f(p[0] - x, p[1] - y)).sum() };
    let width = sum(&|a, _| a * a);
    (points.len() > 1 && width > 0.0).then(|| sum(&|a, b| a * b) / width)
}

/// Returns the largest distance of the attitudes of two histories, rad.
fn distance(a: &Trace, b: &Trace) -> f64 {
    let pairs = a.points.iter().zip(&b.points);
    let same = pairs.filter(|(a, b)| a.t == b.t);
    same.map(|(a, b)| so3::angle_between(&a.att, &b.att))
        .fold(0.0, f64::max)
}
