//! Propagation of small changes along a motion: of the start, and of each step.
//!
//! In local coordinates (δθ, δW), with the perturbed attitude `R exp(δθ̂)`, the variational equation is `δθ' =
//! δW − W × δθ`, `J δW' = JδW × W + JW × δW + δT`. Φ propagates changes of the start, the covariance P the
//! independent errors of the steps.

use super::segment::Segment;
use crate::math::{Mat3, Vec3, so3};
use nalgebra::{Matrix6, Vector6};

/// Motion about which the variational equation is taken: the rows of R, and W, at a time after the node.
pub(super) type BaseMotion<'a> = &'a dyn Fn(f64) -> (Mat3, Vec3);

#[derive(Debug, Clone)]
pub(super) struct Tangent {
    /// Propagator Φ(t, start).
    start: Matrix6<f64>,
    covariance: Matrix6<f64>,
}

/// Sizes of the angle and of the rate of a small change.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChangeSize {
    pub(super) angle: f64,
    pub(super) rate: f64,
}

impl ChangeSize {
    fn vector(self) -> Vector6<f64> {
        let Self { angle, rate } = self;
        Vector6::new(angle, angle, angle, rate, rate, rate)
    }
    fn variances(self) -> Matrix6<f64> {
        let spread = self.vector();
        Matrix6::from_diagonal(&spread.component_mul(&spread))
    }
}

impl Tangent {
    /// Returns the propagation at a start that is known to `uncertain`.
    pub(super) fn new(uncertain: ChangeSize) -> Self {
        Self {
            start: Matrix6::identity(),
            covariance: uncertain.variances(),
        }
    }

    /// Propagates over a step of `h` from `t` (all in the units of the segment) in `count` parts, and adds the
    /// error of the step itself.
    pub(super) fn step(
        &mut self,
        segment: &Segment,
        (t, h, count): (f64, f64, u32),
        passing: BaseMotion,
        own: ChangeSize,
    ) {
        let part = h / f64::from(count);
        let matrix = |s: f64| flow_matrix(segment, t, s, passing(s));
        let mut flow = Matrix6::identity();
        let mut here = matrix(0.0);
        for k in 0..count {
            let from = f64::from(k) * part;
            let (middle, end) = (matrix(from + 0.5 * part), matrix(from + part));
            let k1 = here * flow;
            let k2 = middle * (flow + k1 * (0.5 * part));
            let k3 = middle * (flow + k2 * (0.5 * part));
            let k4 = end * (flow + k3 * part);
            flow += (k1 + (k2 + k3) * 2.0 + k4) * (part / 6.0);
            here = end;
        }
        self.start = flow * self.start;
        self.covariance = flow * self.covariance * flow.transpose() + own.variances();
    }

    /// Returns the standard deviations of the propagated errors of the steps.
    pub(super) fn deviations(&self) -> ChangeSize {
        // The covariance is rounded itself, by ε of its largest entries.
        let rounded = f64::EPSILON * self.covariance.trace();
        let variance = |from: usize| {
            let diagonal = (from..from + 3).map(|i| self.covariance[(i, i)]);
            diagonal.sum::<f64>().max(rounded)
        };
        ChangeSize {
            angle: variance(0).sqrt(),
            rate: variance(3).sqrt(),
        }
    }

    /// Returns the sizes to which changes of the start have grown, given their initial sizes.
    pub(super) fn propagate(&self, sizes: ChangeSize) -> ChangeSize {
        let grown = self.start * Matrix6::from_diagonal(&sizes.vector());
        ChangeSize {
            angle: grown.fixed_rows::<3>(0).norm(),
            rate: grown.fixed_rows::<3>(3).norm(),
        }
    }
}

/// Returns the matrix of the variational equation.
fn flow_matrix(segment: &Segment, t: f64, s: f64, (rows, rate): (Mat3, Vec3)) -> Matrix6<f64> {
    let [inertia, inverse] =
        [segment.moments, segment.inverse].map(|v| Mat3::from_diagonal(&v.rounded()));
    let turn = so3::hat(&rate);
    let gyroscopic = inverse * (so3::hat(&(inertia * rate)) - turn * inertia);
    let mut out = Matrix6::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(&-turn);
    out.fixed_view_mut::<3, 3>(0, 3)
        .copy_from(&Mat3::identity());
    out.fixed_view_mut::<3, 3>(3, 0)
        .copy_from(&(inverse * segment.stiffness(&rows, t, s)));
    out.fixed_view_mut::<3, 3>(3, 3).copy_from(&gyroscopic);
    out
}
