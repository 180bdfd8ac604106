//! Numerical reference of a rigid body under any torque.

use super::{Equations, Limits, NumericalError, RefinedMotion, StateParts};
use crate::math::double_double::DoubleDouble as Fine;
use crate::math::{Mat3, Vec3, eigen, so3};
use crate::models::{Measured, RigidTop, RotState, Torque, TorqueModel};
use crate::reference::taylor::Taylor;
use crate::reference::{RefError, Solution};

/// Motion of a rigid body computed to round-off over a span.
#[derive(Debug, Clone)]
pub struct Numerical<T>(Engine<T>);

#[derive(Debug, Clone)]
enum Engine<T> {
    /// Taylor series, for torques with a recurrence.
    Taylor(Taylor),
    /// Gauss collocation, for all other torques.
    Gauss(Box<RefinedMotion<TopEquations<T>>>),
}

/// Equations in the quaternion (w, x, y, z) and the body momentum L, both about the principal axes of the body, in which
/// each component of L keeps digits of its own, however slender the body is.
#[derive(Debug, Clone)]
struct TopEquations<T> {
    top: RigidTop<T>,
    /// Principal axes, in columns.
    axes: Mat3,
    /// Inverse moments.
    inverse: Vec3,
    /// Differences of inverse moments, 1/J₃ − 1/J₂ and cyclically, with which L × W has no differences of rounded numbers.
    spread: Vec3,
    /// Exact start, rounded: L, and the quaternion.
    initial: [f64; 7],
}

impl<T: Torque> TopEquations<T> {
    fn new(top: RigidTop<T>) -> Self {
        let (moments, axes) = eigen::fine_principal_axes(&top.inertia().fine());
        let inverse = moments.0.map(|moment| Fine::ONE / moment);
        let spread =
            [0, 1, 2].map(|i: usize| (inverse[(i + 2) % 3] - inverse[(i + 1) % 3]).value());
        let (att, omega) = top.start().exact();
        let momentum = moments.component_mul(&axes.transpose().apply(&omega));
        let [w, x, y, z] = so3::quat_from_matrix(&att.times(&axes).rounded());
        let l = momentum.rounded();
        Self {
            top,
            axes: axes.rounded(),
            inverse: Vec3::from(inverse.map(Fine::value)),
            spread: Vec3::from(spread),
            initial: [w, x, y, z, l.x, l.y, l.z],
        }
    }

    /// Returns the torque about the principal axes.
    fn torque(&self, t: f64, y: &[f64]) -> Vec3 {
        let RotState { att, omega } = self.state(y);
        let momentum = self.axes * Vec3::new(y[4], y[5], y[6]);
        let torque = self.top.torque_moving(t, &att, &omega, &momentum);
        self.axes.tr_mul(&torque)
    }

    fn state(&self, y: &[f64]) -> RotState {
        let att: Mat3 = so3::matrix_from_quat(&[y[0], y[1], y[2], y[3]]);
        let rate = Vec3::new(y[4], y[5], y[6]).component_mul(&self.inverse);
        RotState {
            att: att * self.axes.transpose(),
            omega: self.axes * rate,
        }
    }
}

impl<T: Torque> Numerical<T> {
    /// Solves from `start` to `end` without a way to cancel.
    ///
    /// # Errors
    /// [`NumericalError`] if the motion cannot be followed, or the span is too long for the memory.
    pub fn new(top: RigidTop<T>, start: f64, end: f64) -> Result<Self, NumericalError> {
        Self::solve(top, start, end, &|| true)
    }

    /// Solves from `start` to `end` until the attitude is accurate to round-off; `wanted` is polled
    /// periodically and returns false to cancel.
    ///
    /// # Errors
    /// [`NumericalError`] if the motion cannot be followed, the span is too long for the memory, or the
    /// computation is cancelled.
    pub fn solve(
        top: RigidTop<T>,
        start: f64,
        end: f64,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Self, NumericalError> {
        match Taylor::solve(&top, start, end, wanted) {
            Some(taylor) => taylor.map(Engine::Taylor),
            None => gauss(top, start, end, Limits::ROUND_OFF, wanted)
                .map(|refined| Engine::Gauss(Box::new(refined))),
        }
        .map(Self)
    }
}

impl Numerical<TorqueModel> {
    /// Solves the motion if that takes only milliseconds.
    pub(in crate::reference) fn quick_solve(
        top: &RigidTop<TorqueModel>,
        start: f64,
        end: f64,
    ) -> Option<Self> {
        if top.torque().piece(start).is_some() {
            return Taylor::quick_solve(top, start, end).map(|taylor| Self(Engine::Taylor(taylor)));
        }
        let limits = Limits {
            numbers: 14 << 12,
            ..Limits::ROUND_OFF
        };
        let refined = gauss(top.clone(), start, end, limits, &|| true);
        let agreed = refined.ok().filter(RefinedMotion::has_converged)?;
        Some(Self(Engine::Gauss(Box::new(agreed))))
    }
}

fn gauss<T: Torque>(
    top: RigidTop<T>,
    start: f64,
    end: f64,
    limits: Limits,
    wanted: &dyn Fn() -> bool,
) -> Result<RefinedMotion<TopEquations<T>>, NumericalError> {
    RefinedMotion::solve(TopEquations::new(top), start, end, limits, wanted)
}

#[cfg(test)]
pub(super) fn by_gauss<T: Torque>(
    top: RigidTop<T>,
    start: f64,
    end: f64,
) -> Result<Numerical<T>, NumericalError> {
    let refined = gauss(top, start, end, Limits::ROUND_OFF, &|| true);
    refined.map(|refined| Numerical(Engine::Gauss(Box::new(refined))))
}

impl<T: Torque> Equations for TopEquations<T> {
    fn initial(&self) -> Vec<f64> {
        self.initial.to_vec()
    }

    fn slope(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let [w, x, z, v] = [y[0], y[1], y[2], y[3]];
        let l = Vec3::new(y[4], y[5], y[6]);
        let rate = l.component_mul(&self.inverse);
        let gyroscopic = Vec3::new(l.y * l.z, l.z * l.x, l.x * l.y).component_mul(&self.spread);
        let slope = gyroscopic + self.torque(t, y);
        out.copy_from_slice(&[
            -0.5 * (x * rate.x + z * rate.y + v * rate.z),
            0.5 * (w * rate.x + z * rate.z - v * rate.y),
            0.5 * (w * rate.y + v * rate.x - x * rate.z),
            0.5 * (w * rate.z + x * rate.y - z * rate.x),
            slope.x,
            slope.y,
            slope.z,
        ]);
    }

    /// Each component of the torque is rounded as the whole torque is.
    fn slope_sizes(&self, t: f64, y: &[f64], slope: &[f64]) -> Vec<f64> {
        let torque = self.torque(t, y).norm();
        let of = |(i, x): (usize, &f64)| x.abs() + if i < 4 { 0.0 } else { torque };
        slope.iter().enumerate().map(of).collect()
    }

    fn part_sizes(&self, y: &[f64]) -> StateParts {
        [1.0, self.rate(y), 0.0, 0.0]
    }

    /// A number of the momentum counts by the rate that it makes.
    fn part_of(&self, i: usize) -> (usize, f64) {
        if i < 4 {
            (0, 1.0)
        } else {
            (1, self.inverse[i - 4])
        }
    }

    fn rate(&self, y: &[f64]) -> f64 {
        Vec3::new(y[4], y[5], y[6])
            .component_mul(&self.inverse)
            .norm()
    }

    /// Differences of the attitude (rad) and of the rate (rad/s).
    fn differences(&self, y: &[f64], z: &[f64]) -> StateParts {
        let (y, z) = (self.state(y), self.state(z));
        let angle = so3::angle_between(&y.att, &z.att);
        [angle, (y.omega - z.omega).norm(), 0.0, 0.0]
    }

    fn worst(&self, d: &StateParts) -> f64 {
        d[0]
    }

    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.top.switches(from, to)
    }
}

impl<T: Torque> Solution for Numerical<T> {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        match &self.0 {
            Engine::Taylor(taylor) => taylor.at(t),
            Engine::Gauss(refined) => {
                let s = refined.motion().state(&refined.at(t));
                (s.att, s.omega)
            }
        }
    }

    fn error(&self, t: f64) -> RefError {
        match &self.0 {
            Engine::Taylor(taylor) => taylor.error(t),
            Engine::Gauss(refined) => {
                let Some(([attitude, rate, ..], _)) = refined.bound(t) else {
                    return RefError::UNKNOWN;
                };
                let attitude = attitude.min(core::f64::consts::PI);
                RefError { attitude, rate }
            }
        }
    }

    fn start_floor(&self, t: f64) -> Option<RefError> {
        match &self.0 {
            Engine::Taylor(taylor) => taylor.start_floor(t),
            Engine::Gauss(_) => None,
        }
    }

    fn provenance(&self) -> String {
        match &self.0 {
            Engine::Taylor(taylor) => taylor.provenance(),
            Engine::Gauss(refined) => refined.provenance(),
        }
    }
}
