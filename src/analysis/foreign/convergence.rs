//! Several histories with different steps: order of convergence to the reference.

use super::comparison::Compared;
use crate::analysis::slopes;
use serde::Serialize;

/// One history of a ladder.
pub struct Ladder<'a> {
    /// Step, s.
    pub step: f64,
    /// Its errors.
    pub errors: &'a Compared,
    /// How far its row 0 is from where it should start exactly, rad and rad/s: the digits it is printed
    /// with.
    pub start: [f64; 2],
}

/// Errors of one history at the common end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rung {
    /// Step, s.
    pub step: f64,
    /// Time of the row, s.
    pub time: f64,
    /// Attitude error there, rad.
    pub attitude: f64,
    /// Rate error there, rad/s.
    pub rate: Option<f64>,
    /// Worst attitude error until there, rad.
    pub worst_attitude: f64,
}

/// Order of convergence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Convergence {
    /// The histories, coarse to fine.
    pub rungs: Vec<Rung>,
    /// Errors below this are not told apart from the reference's own, rad.
    pub attitude_floor: f64,
    /// The same of the rate, rad/s.
    pub rate_floor: f64,
    /// Slopes of the attitude's error at the common end, coarse to fine.
    pub attitude: Vec<f64>,
    /// Slopes of the rate's error there.
    pub rate: Vec<f64>,
    /// Slopes of the attitude's worst error until there.
    pub worst_attitude: Vec<f64>,
}

/// Below this the errors do not fall as any order would have it.
pub const LEAST_ORDER: f64 = 0.8;
/// Errors below this may be rounding that the motion has amplified, rad: a scheme exact on the free
/// body is 1e-10 off after some flips about the intermediate axis.
const SMALL: f64 = 1e-7;

/// A history this far off at its worst has lost the motion, whatever its slopes, rad.
const LOST: f64 = 1.0;

impl Convergence {
    /// The order: the last slope of the worst error; without it, of the error at the end. An error at
    /// one time may pass through zero, and then its slopes say little. None where the errors are small
    /// and no longer fall.
    pub fn order(&self) -> Option<f64> {
        let worst = self.worst_attitude.last();
        let order = worst.or_else(|| self.attitude.last()).copied()?;
        (order >= LEAST_ORDER || !self.small()).then_some(order)
    }
    /// Whether the errors fall, or are already as small as can be told.
    pub fn converges(&self) -> bool {
        let falls = |s: &[f64]| s.last().is_some_and(|p| *p >= LEAST_ORDER);
        let near = self.rungs.last().is_none_or(|r| r.worst_attitude <= LOST);
        near && (falls(&self.worst_attitude) || falls(&self.attitude)) || self.small()
    }
    /// Whether the errors fall with at least `order`, or as far as rounding and the reference let one tell: of a
    /// finest history at that floor, any pair of steps above it may show the order, or none any.
    pub fn reaches(&self, order: f64) -> bool {
        if self.order().is_none_or(|p| p >= order) {
            return self.converges();
        }
        self.small() && self.worst_attitude.iter().any(|p| *p >= order)
    }
    /// Whether the finest history is this motion as nearly as digits and rounding let one tell.
    fn small(&self) -> bool {
        let limit = SMALL.max(10.0 * self.attitude_floor);
        self.rungs.last().is_none_or(|r| r.worst_attitude <= limit)
    }
}

/// Order of a ladder with at least two histories.
pub fn convergence(ladder: &[Ladder]) -> Convergence {
    let end = ladder
        .iter()
        .map(|l| l.errors.until)
        .fold(f64::INFINITY, f64::min);
    let mut rungs: Vec<Rung> = Vec::new();
    for l in ladder {
        let slack = 1e-9 * end.abs() + 1e-6 * l.step;
        let count = l.errors.points.partition_point(|p| p[0] <= end + slack);
        let Some(&[time, attitude, rate]) = l.errors.points[..count].last() else {
            continue;
        };
        let worst = l.errors.points[..count].iter().map(|p| p[1]);
        rungs.push(Rung {
            step: l.step,
            time,
            attitude,
            rate: (!rate.is_nan()).then_some(rate),
            worst_attitude: worst.fold(0.0, |a, b| if b <= a { a } else { b }),
        });
    }
    rungs.sort_by(|a, b| b.step.total_cmp(&a.step));
    let widest = |x: &dyn Fn(&Ladder) -> f64| {
        ladder
            .iter()
            .map(x)
            .fold(0.0, |a, b| if b <= a { a } else { b })
    };
    // Three times the bound, a few roundings, and what the digits of the files show.
    let attitude_floor =
        widest(&|l| 3.0 * l.errors.attitude.uncertainty + 10.0 * l.start[0]) + 1e-13;
    let rate_floor = widest(&|l| {
        let own = l.errors.rate.map_or(0.0, |r| r.uncertainty);
        3.0 * own + 10.0 * l.start[1]
    }) + 1e-13;
    let points = |e: &dyn Fn(&Rung) -> f64, floor: f64| {
        let points: Vec<_> = rungs.iter().map(|r| (r.step, e(r), floor)).collect();
        slopes(&points)
    };
    Convergence {
        attitude: points(&|r| r.attitude, attitude_floor),
        rate: points(&|r| r.rate.unwrap_or(f64::NAN), rate_floor),
        worst_attitude: points(&|r| r.worst_attitude, attitude_floor),
        attitude_floor,
        rate_floor,
        rungs,
    }
}
