//! Reference of motions that have a Taylor recurrence: series in double-double, with a covariance that bounds
//! their error.
//!
//! A step loses about 1e-30, and the motion multiplies that by its conditioning κ. The variational equation is
//! integrated beside the motion and gives κ, so that the stated error is a bound for chaotic and long motions
//! too; until κ is about 1e14 it is the rounding of a double. The same equation gives the error that rounding
//! the start alone causes in any solver in double precision.

mod expansion;
mod integration;
mod segment;
mod solution;
mod tangent;

use super::{NumericalError, RefError, Solution};
use crate::math::double_double::DoubleDouble as Fine;
use crate::math::{Mat3, Vec3, eigen};
use crate::models::{RigidTop, Torque};
use integration::Integration;
use segment::{Segment, SegmentUnits};
use solution::TaylorSolution;
#[cfg(test)]
use solution::turned;
use std::sync::Arc;

/// Unit round-off of a double.
const ROUNDING: f64 = 0.5 * f64::EPSILON;
/// Truncation error of a step, relative to the state.
const TOLERANCE: f64 = 1e-31;
/// Rounding error of a step, relative to the state: 2⁻¹⁰³, above the rounding of double-double.
const STEP_ROUNDING: f64 = 1e-31;
/// Largest number of coefficients kept of all steps; later steps are expanded again when they are evaluated.
const MOST_NUMBERS: usize = 14 << 20;
/// Relative rounding of the start, which is computed from the numbers of a case.
const START_ROUNDING: f64 = 3e-31;
/// Attitude error (rad) above which nothing is claimed, because the bounds are of the first order.
const LINEAR: f64 = 0.01;

/// Settings of the computation of a motion.
#[derive(Debug, Clone, Copy)]
struct Settings {
    order: usize,
    /// Step as a fraction of the one that the tolerance allows.
    shortened: f64,
    /// Factor applied to the error of a step in its covariance.
    noise: f64,
    /// True if the errors of steps are carried along the motion.
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

/// Rotation computed over a span.
#[derive(Debug, Clone)]
pub(super) struct Taylor(Arc<TaylorSolution>);

impl Taylor {
    /// Computes a motion from `start` to `end`; `None` if the torque has no recurrence.
    pub(super) fn solve<T: Torque>(
        top: &RigidTop<T>,
        start: f64,
        end: f64,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Result<Self, NumericalError>> {
        Self::with(Settings::STANDARD, top, start, end, wanted)
    }

    /// Computes a motion if so few steps suffice that it takes milliseconds.
    pub(super) fn quick_solve<T: Torque>(top: &RigidTop<T>, start: f64, end: f64) -> Option<Self> {
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
        let units = SegmentUnits::new(top.inertia(), omega.rounded().norm(), &pieces, end - start);
        let body = eigen::fine_principal_axes(&top.inertia().fine());
        let axes = body.1;
        let mut integration = Integration::new(settings, units, start, (att.times(&axes), axes));
        for (edge, piece) in edges.windows(2).zip(pieces) {
            let segment = Segment::new(&body, piece, units);
            let first = integration.solution.nodes.len();
            integration.solution.segments.push((first, segment));
            if first == 0 {
                let rate = axes.transpose().apply(&omega);
                integration.begin(&rate.times(Fine::from(1.0 / units.rate)));
            }
            if let Err(why) = integration.integrate_segment(edge[1], wanted) {
                return Some(Err(why));
            }
        }
        integration.push_node();
        Some(Ok(Self(Arc::new(integration.solution))))
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

/// Returns the Taylor coefficients of R, row by row, and of W at the start of a motion at time `t`, to an order, computed
/// in double-double.
#[cfg(test)]
pub(crate) fn coefficients<T: Torque>(
    top: &RigidTop<T>,
    t: f64,
    order: usize,
) -> Option<Vec<[f64; 12]>> {
    let units = SegmentUnits {
        inertia: 1.0,
        rate: 1.0,
    };
    let body = eigen::fine_principal_axes(&top.inertia().fine());
    let segment = Segment::new(&body, top.torque().piece(t)?, units);
    let (att, omega) = top.start().exact();
    let (_, axes) = body;
    let att = att.times(&axes);
    let momentum = segment
        .moments
        .component_mul(&axes.transpose().apply(&omega));
    let mut all = expansion::TaylorExpansion::default();
    let state = expansion::RotationState { att, momentum };
    all.expand(&segment, &state, t, order, order);
    let axes = axes.rounded();
    Some(
        all.doubles(order)
            .map(|numbers| turned(&numbers, &axes))
            .collect(),
    )
}

#[cfg(test)]
mod tests;
