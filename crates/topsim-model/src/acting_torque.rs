//! Torques that acted from row to row of a run, J ΔW/h + W × J W, and the habit whose torques come nearest to them.

use crate::probe::{Probe, Row};
use crate::torque_habit::{TorqueHabit, TorqueRun};
use topsim_core::math::{Vec3, so3};

/// A mean rate explains a turn but for this part: rows of usual steps.
const EXPLAINED: f64 = 0.02;
/// So many steps are clearly more than a few.
const CLEARLY: f64 = 10.0;
/// Steps of a run that may cross a change of a rounded torque, of which what acted is between two values.
const CROSSING: f64 = 0.05;
/// Ratio of numbers that are tried: a hundred of one size are still told apart.
const RATIO: f64 = 1.01;

/// The torques that acted in a run, by its rows.
pub struct ActingTorques {
    of_rows: TorqueRun,
    /// Torques that acted between them, by the rates at each of the parts of a step.
    acted: [Vec<Vec3>; PARTS.len()],
    /// Size of the difference from the right ones, taken at each of the parts of a step.
    off: [f64; PARTS.len()],
}

/// A rule reads its torques evenly over a step, at its start or at its end.
const PARTS: [f64; 3] = [0.5, 0.0, 1.0];

impl ActingTorques {
    /// Returns none of rows whose attitudes do not follow from their rates: then another thing is wrong.
    #[must_use]
    pub fn new((probe, rows): &(Probe, Vec<Row>)) -> Option<Self> {
        let (start, h) = (&probe.start, probe.step);
        let follows = |pair: &[Row]| {
            let mean = (pair[0].omega + pair[1].omega) * 0.5;
            let turn = so3::log(&pair[0].att.tr_mul(&pair[1].att)) / h;
            (turn - mean).norm() <= EXPLAINED * mean.norm()
        };
        if !rows.windows(2).all(follows) {
            return None;
        }
        let right = rows.iter().enumerate();
        let right = right.map(|(n, row)| start.torque(probe.time(n), &row.att));
        let acted = PARTS.map(|part| {
            let acted = rows.windows(2).map(|pair| {
                let gain = pair[1].omega - pair[0].omega;
                let omega = pair[0].omega + gain * part;
                start.inertia.times(&(gain / h)) + omega.cross(&start.inertia.times(&omega))
            });
            acted.collect()
        });
        let turned = rows.iter().map(|r| so3::log(&start.att.tr_mul(&r.att)));
        let of_rows = TorqueRun {
            h,
            right: right.collect(),
            rates: rows.iter().map(|row| row.omega).collect(),
            momenta: rows.iter().map(|r| start.inertia.times(&r.omega)).collect(),
            turned: turned.collect(),
        };
        let mut out = Self {
            of_rows,
            acted,
            off: [0.0; PARTS.len()],
        };
        out.off = core::array::from_fn(|k| out.left(&out.of_rows.right, k));
        Some(out)
    }

    /// Returns how far torques at the rows, taken at the `k`th part of each step, are from those that acted, but for crossings: the
    /// root of the mean square.
    fn left(&self, torques: &[Vec3], k: usize) -> f64 {
        let part = PARTS[k];
        let pairs = self.acted[k].iter().zip(torques.windows(2));
        let off = |(acted, pair): (&Vec3, &[Vec3])| {
            (acted - pair[0] * (1.0 - part) - pair[1] * part).norm_squared()
        };
        let mut squares: Vec<f64> = pairs.map(off).collect();
        let kept = squares.len() - (CROSSING * squares.len() as f64) as usize;
        let (least, ..) = squares.select_nth_unstable_by(kept - 1, f64::total_cmp);
        (least.iter().sum::<f64>() / kept as f64).sqrt()
    }

    /// Returns the time from row to row, s.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.of_rows.h
    }

    /// Returns how far the right torques are from those that acted, rad/s².
    #[must_use]
    pub fn off(&self) -> f64 {
        self.off.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the part of the difference that a habit leaves.
    #[must_use]
    pub fn left_by(&self, habit: TorqueHabit, x: f64) -> f64 {
        let acts = habit.apply(x, &self.of_rows);
        let left = (0..PARTS.len()).map(|k| self.left(&acts, k) / self.off[k]);
        left.fold(f64::INFINITY, f64::min)
    }

    /// Returns the best number of a habit, and the part of the difference that it leaves.
    #[must_use]
    pub fn fit(&self, habit: TorqueHabit) -> (f64, f64) {
        let span = self.of_rows.h * self.acted[0].len() as f64;
        let largest = self
            .of_rows
            .right
            .iter()
            .map(Vec3::norm)
            .fold(0.0, f64::max);
        let tried = |x: f64| (x, self.left_by(habit, x));
        let better = |a: &(f64, f64), b: &(f64, f64)| a.1.total_cmp(&b.1);
        if habit.needs_torque() && largest == 0.0 {
            return (0.0, f64::INFINITY);
        }
        if let TorqueHabit::Switched { on } = habit {
            // What crossings leave out would move a switch by as much.
            let acts = |n: &usize| self.acted[0][*n].norm() > 0.5 * self.of_rows.right[*n].norm();
            let first = (0..self.acted[0].len()).find(|n| acts(n) == on);
            return first.map_or((0.0, f64::INFINITY), |n| tried(n as f64 * self.of_rows.h));
        }
        if habit.is_smooth() {
            let all = (0..PARTS.len()).map(|k| tried(self.smooth(habit, k)));
            return all.min_by(better).unwrap_or((0.0, f64::INFINITY));
        }
        let [least, most] = match habit {
            // What is late by a few steps is told as a term of a step before.
            _ if habit.is_of_time() => [CLEARLY * self.of_rows.h, 0.5 * span],
            TorqueHabit::Ramp => [CLEARLY * self.of_rows.h, CLEARLY * span],
            TorqueHabit::Slewed => {
                let change = |pair: &[Vec3]| (pair[1] - pair[0]).amax() / self.of_rows.h;
                let steepest = self
                    .of_rows
                    .right
                    .windows(2)
                    .map(change)
                    .fold(0.0, f64::max);
                [1e-3 * steepest, steepest]
            }
            _ => [1e-3 * largest, largest],
        };
        // A rounding to a whole number of a size shifts with as many times the size.
        let apart = |x: f64| match habit {
            TorqueHabit::Rounded { .. } => (RATIO - 1.0).min(0.25 * x / largest),
            TorqueHabit::Held { .. } => (RATIO - 1.0).min(0.25 * x / span),
            _ => RATIO - 1.0,
        };
        let coarse = core::iter::successors(Some(least), |x| Some(x * (1.0 + apart(*x))));
        let coarse = coarse.take_while(|x| *x < most).map(tried);
        let (near, _) = coarse.min_by(better).unwrap_or((least, f64::INFINITY));
        let part = 0.01 * apart(near);
        let fine = (-100..=100).map(|k| tried(near * (1.0 + part * f64::from(k))));
        fine.min_by(better).unwrap_or((near, f64::INFINITY))
    }

    /// Returns the number of a habit that acts smoothly with it, by least squares at the `k`th part of each step.
    fn smooth(&self, habit: TorqueHabit, k: usize) -> f64 {
        // The numbers are parts of what acts in a second: a difference by this is linear, and far above rounding.
        const D: f64 = 1e-6;
        let at = |x: f64| {
            let torques = habit.apply(x, &self.of_rows);
            let means = torques.windows(2).map(|p| p[0] + (p[1] - p[0]) * PARTS[k]);
            means.collect::<Vec<_>>()
        };
        (0..ITERATIONS).fold(0.0, |x, _| {
            let (here, moved) = (at(x), at(x + D));
            let columns = here.iter().zip(&moved).map(|(a, b)| (b - a) / D);
            let left = self.acted[k].iter().zip(&here).map(|(a, b)| a - b);
            let sums = columns.zip(left).fold([0.0; 2], |[p, q], (c, left)| {
                [p + c.dot(&left), q + c.norm_squared()]
            });
            x + sums[0] / sums[1].max(f64::MIN_POSITIVE)
        })
    }
}

/// Iterations of such a fit: what acts is nearly linear in its number.
const ITERATIONS: usize = 4;
