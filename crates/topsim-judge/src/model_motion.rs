//! The motion of a solver's model, right or wrong, as accurately as a comparison with a solver's limit asks for.

use crate::model::SolverModel;
use topsim_core::math::{Mat3, Vec3, quaternion, so3};
use topsim_core::models::{Measured, Problem, RotState};
use topsim_core::reference::{Limits, Motion, NumericalError, Parts, Refined};

/// The motion of a model over a span.
#[derive(Debug, Clone)]
pub(crate) struct ModelMotion(Refined<Equations>);

/// A model on quaternion (w, x, y, z) and body rate.
#[derive(Debug, Clone)]
struct Equations(SolverModel);

/// Solvers are never compared more closely than 1e-9 rad; of two solutions of order 12 that agree to
/// 1e-10 the finer one is some thousand times better. The nodes are enough for some 10^4 turns; motions that run
/// away would be refined for nothing.
const LIMITS: Limits = Limits {
    agreement: 1e-10,
    numbers: 14 << 15,
};

impl ModelMotion {
    /// Solves from `start` to `end` until two step sizes agree to 1e-10 rad, or as nearly as 2^15
    /// nodes let them.
    ///
    /// # Errors
    /// [`NumericalError`] if the motion cannot be followed, as one that runs away, or `wanted`, asked
    /// every so many steps, says no.
    pub fn new_while(
        top: SolverModel,
        start: f64,
        end: f64,
        wanted: &dyn Fn() -> bool,
    ) -> Result<Self, NumericalError> {
        Refined::new_while(Equations(top), start, end, LIMITS, wanted).map(Self)
    }

    /// Attitude (body → space) and body rate (rad/s) at time `t`.
    pub fn at(&self, t: f64) -> (Mat3, Vec3) {
        let s = state(&self.0.at(t));
        (s.att, s.omega)
    }

    /// Bound of the attitude's error at time `t`, rad; infinite outside the span.
    pub fn error(&self, t: f64) -> f64 {
        let bound = self.0.bound(t);
        bound.map_or(f64::INFINITY, |([a, ..], rounding, _)| 2.0 * a + rounding)
    }
}

impl Motion for Equations {
    fn initial(&self) -> Vec<f64> {
        let RotState { att, omega } = self.0.initial();
        let mut y = so3::quat_from_matrix(&att).to_vec();
        y.extend_from_slice(omega.as_slice());
        y
    }

    fn slope(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let RotState { att, omega } = state(y);
        let half = self.0.turn(&att, &omega) * 0.5;
        let q = quaternion::product(&[y[0], y[1], y[2], y[3]], &[0.0, half.x, half.y, half.z]);
        let a = self.0.acceleration(t, &att, &omega);
        out.copy_from_slice(&[q[0], q[1], q[2], q[3], a.x, a.y, a.z]);
    }

    fn rate(&self, y: &[f64]) -> f64 {
        let s = state(y);
        s.omega.norm().max(self.0.turn(&s.att, &s.omega).norm())
    }

    fn differences(&self, y: &[f64], z: &[f64]) -> Parts {
        let (y, z) = (state(y), state(z));
        let angle = so3::angle_between(&y.att, &z.att);
        [angle, (y.omega - z.omega).norm(), 0.0, 0.0]
    }

    fn worst(&self, d: &Parts) -> f64 {
        d[0]
    }

    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.0.switches(from, to)
    }
}

fn state(y: &[f64]) -> RotState {
    RotState {
        att: so3::matrix_from_quat(&[y[0], y[1], y[2], y[3]]),
        omega: Vec3::new(y[4], y[5], y[6]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defect::ModelDefect;
    use topsim_core::models::{Free, RigidTop, TorqueModel, bodies};
    use topsim_core::reference::{Numerical, Solution};

    fn body() -> RigidTop<TorqueModel> {
        let top = bodies::body_a();
        RigidTop::new(
            top.inertia().clone(),
            top.torque().clone().into(),
            top.initial(),
        )
    }

    #[test]
    fn without_a_defect_it_is_the_reference() {
        let right = Numerical::new(body(), 0.0, 2.0).unwrap();
        let top = SolverModel::new(body(), None);
        let found = ModelMotion::new_while(top, 0.0, 2.0, &|| true).unwrap();
        for t in [0.0, 0.7, 2.0] {
            let ((a, w), (b, v)) = (right.at(t), found.at(t));
            assert!(so3::angle_between(&a, &b) < 1e-11, "{t}");
            assert!((w - v).norm() < 1e-10, "{t}");
        }
        assert!(found.error(1.0) < 1e-9 && found.error(3.0).is_infinite());
    }

    /// A body rate taken for a space rate keeps ω = W where W does not change: R = exp(tW) R0.
    #[test]
    fn a_body_rate_in_space_turns_about_space_axes() {
        let w = Vec3::new(0.0, 0.0, 2.0);
        let att = so3::exp(&Vec3::new(0.4, -0.3, 0.2));
        let top = RigidTop::new(
            bodies::body_f().inertia().clone(),
            Free.into(),
            RotState { att, omega: w },
        );
        let top = SolverModel::new(top, Some(ModelDefect::BodyRateInSpace));
        let found = ModelMotion::new_while(top, 0.0, 3.0, &|| true).unwrap();
        let (a, _) = found.at(3.0);
        assert!(so3::angle_between(&a, &(so3::exp(&(w * 3.0)) * att)) < 1e-11);
    }
}
