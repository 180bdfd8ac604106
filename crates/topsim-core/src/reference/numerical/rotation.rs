//! Numerical reference of a rigid body under any torque.

use super::{Equations, Limits, NumericalError, RefinedMotion, StateParts};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{InitialValueProblem, Measured, RigidTop, RotState, Torque, TorqueModel};
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

/// Equations in the quaternion (w, x, y, z) and the body rate.
#[derive(Debug, Clone)]
struct TopEquations<T>(RigidTop<T>);

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
            None => RefinedMotion::solve(TopEquations(top), start, end, Limits::ROUND_OFF, wanted)
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
        let refined = RefinedMotion::solve(TopEquations(top.clone()), start, end, limits, &|| true);
        let agreed = refined.ok().filter(RefinedMotion::has_converged)?;
        Some(Self(Engine::Gauss(Box::new(agreed))))
    }
}

#[cfg(test)]
pub(super) fn gauss<T: Torque>(
    top: RigidTop<T>,
    start: f64,
    end: f64,
) -> Result<Numerical<T>, NumericalError> {
    let refined = RefinedMotion::solve(TopEquations(top), start, end, Limits::ROUND_OFF, &|| true);
    refined.map(|refined| Numerical(Engine::Gauss(Box::new(refined))))
}

impl<T: Torque> Equations for TopEquations<T> {
    fn initial(&self) -> Vec<f64> {
        let RotState { att, omega } = self.0.initial();
        let mut y = so3::quat_from_matrix(&att).to_vec();
        y.extend_from_slice(omega.as_slice());
        y
    }

    fn slope(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let top = &self.0;
        let [w, x, z, v] = [y[0], y[1], y[2], y[3]];
        let RotState { att, omega } = state(y);
        let momentum = top.inertia().times(&omega);
        let rate = top
            .inertia()
            .solve(&(momentum.cross(&omega) + top.torque_moving(t, &att, &omega, &momentum)));
        out.copy_from_slice(&[
            -0.5 * (x * omega.x + z * omega.y + v * omega.z),
            0.5 * (w * omega.x + z * omega.z - v * omega.y),
            0.5 * (w * omega.y + v * omega.x - x * omega.z),
            0.5 * (w * omega.z + x * omega.y - z * omega.x),
            rate.x,
            rate.y,
            rate.z,
        ]);
    }

    fn part_sizes(&self, y: &[f64]) -> StateParts {
        [1.0, self.rate(y), 0.0, 0.0]
    }

    fn part_of(&self, i: usize) -> (usize, f64) {
        (usize::from(i >= 4), 1.0)
    }

    fn rate(&self, y: &[f64]) -> f64 {
        state(y).omega.norm()
    }

    /// Differences of the attitude (rad) and of the rate (rad/s).
    fn differences(&self, y: &[f64], z: &[f64]) -> StateParts {
        let (y, z) = (state(y), state(z));
        let angle = so3::angle_between(&y.att, &z.att);
        [angle, (y.omega - z.omega).norm(), 0.0, 0.0]
    }

    fn worst(&self, d: &StateParts) -> f64 {
        d[0]
    }

    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.0.switches(from, to)
    }
}

fn state(y: &[f64]) -> RotState {
    let att: Mat3 = so3::matrix_from_quat(&[y[0], y[1], y[2], y[3]]);
    RotState {
        att,
        omega: Vec3::new(y[4], y[5], y[6]),
    }
}

impl<T: Torque> Solution for Numerical<T> {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        match &self.0 {
            Engine::Taylor(taylor) => taylor.at(t),
            Engine::Gauss(refined) => {
                let s = state(&refined.at(t));
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
