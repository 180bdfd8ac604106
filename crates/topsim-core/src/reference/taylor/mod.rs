//! The reference of motions that have a Taylor recurrence: series in double-double, and for the bound of
//! their error its covariance.
//!
//! A step loses about 1e-30, and the motion multiplies that by its conditioning κ. The variational
//! equation, followed beside the motion, knows κ, so that the stated error is a bound also of chaotic and
//! long motions; until κ is about 1e14 it is the rounding of a double. What rounding the start alone
//! costs any solver in double follows from the same equation.

mod expansion;
mod segment;
mod tangent;
mod track;
mod walk;

use super::{NumericalError, RefError, Solution};
use crate::math::double_double::DoubleDouble as Fine;
use crate::math::{Mat3, Vec3};
use crate::models::{RigidTop, Torque};
use segment::{Segment, Units};
use std::sync::Arc;
use track::Track;
use walk::Walk;

/// Unit round-off of a double.
const ROUNDING: f64 = 0.5 * f64::EPSILON;
/// Error of a step: of the terms left out, in parts of the state.
const TOLERANCE: f64 = 1e-31;
/// Rounding of a step, in parts of the state: 2⁻¹⁰³, above what double-double leaves.
const STEP_ROUNDING: f64 = 1e-31;
/// Most numbers kept of all steps; beyond them steps are expanded again.
const MOST_NUMBERS: usize = 14 << 20;
/// Rounding of the start, as it is made of the numbers of a case.
const START_ROUNDING: f64 = 3e-31;
/// Beyond this angle nothing is claimed: bounds are of the first order.
const LINEAR: f64 = 0.01;

/// How a motion is computed.
#[derive(Debug, Clone, Copy)]
struct Settings {
    order: usize,
    /// Parts of the step that the tolerance allows.
    shortened: f64,
    /// Multiple of a step's error that its covariance is given.
    noise: f64,
    /// Whether the errors of steps are carried along the motion.
    transported: bool,
    most_nodes: usize,
}

impl Settings {
    const STANDARD: Self = Self {
        order: 30,
        shortened: 1.0,
        noise: 1.0,
        transported: true,
        most_nodes: 1 << 20,
    };
}

/// A rotation computed over a span.
#[derive(Debug, Clone)]
pub(super) struct Taylor(Arc<Track>);

impl Taylor {
    /// Follows a motion from `start` to `end`; `None` where its torque has no recurrence.
    pub(super) fn new_while<T: Torque>(
        top: &RigidTop<T>,
        start: f64,
        end: f64,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Result<Self, NumericalError>> {
        Self::with(Settings::STANDARD, top, start, end, wanted)
    }

    /// The motion, if so few steps suffice that it takes milliseconds.
    pub(super) fn quick<T: Torque>(top: &RigidTop<T>, start: f64, end: f64) -> Option<Self> {
        let settings = Settings {
            most_nodes: 1500,
            ..Settings::STANDARD
        };
        Self::with(settings, top, start, end, &|| true)?.ok()
    }

    fn with<T: Torque>(
        settings: Settings,
        top: &RigidTop<T>,
        start: f64,
        end: f64,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Result<Self, NumericalError>> {
        let mut edges = vec![start];
        edges.extend(top.torque().switches(start, end));
        edges.push(end);
        let middle = |e: &[f64]| 0.5 * (e[0] + e[1]);
        let pieces: Option<Vec<_>> = edges
            .windows(2)
            .map(|e| top.torque().piece(middle(e)))
            .collect();
        let pieces = pieces?;
        let (att, omega) = top.start().exact();
        let units = Units::new(top.inertia(), omega.rounded().norm(), &pieces, end - start);
        let mut walk = Walk::new(settings, units, start, att);
        for (edge, piece) in edges.windows(2).zip(pieces) {
            let segment = Segment::new(top.inertia(), piece, units);
            if walk.track.segments.is_empty() {
                let rate = omega.times(Fine::from(1.0 / units.rate));
                walk.state.momentum = segment.inertia.apply(&rate);
                let rate = rate.rounded().norm();
                walk.begin(rate);
            }
            let first = walk.track.nodes.len();
            walk.track.segments.push((first, segment));
            if let Err(why) = walk.follow(edge[1], wanted) {
                return Some(Err(why));
            }
        }
        walk.push();
        Some(Ok(Self(Arc::new(walk.track))))
    }
}

impl Solution for Taylor {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        self.0.at(t)
    }
    fn error(&self, t: f64) -> RefError {
        self.0.error(t)
    }
    fn start_floor(&self, t: f64) -> Option<RefError> {
        self.0.floor(t)
    }
    fn provenance(&self) -> String {
        format!(
            "Taylor series of order {} in double-double, {} steps",
            self.0.order,
            self.0.nodes.len() - 1
        )
    }
}

/// Coefficients of R, row by row, and of W at the start of a motion at time `t`, to an order; from double-double.
#[cfg(test)]
pub(crate) fn coefficients<T: Torque>(
    top: &RigidTop<T>,
    t: f64,
    order: usize,
) -> Option<Vec<[f64; 12]>> {
    let units = Units {
        inertia: 1.0,
        rate: 1.0,
    };
    let segment = Segment::new(top.inertia(), top.torque().piece(t)?, units);
    let (att, omega) = top.start().exact();
    let momentum = segment.inertia.apply(&omega);
    let mut all = expansion::Expansion::default();
    let state = expansion::State { att, momentum };
    all.expand(&segment, &state, t, order, order);
    Some(all.doubles(order).collect())
}

#[cfg(test)]
mod tests;
