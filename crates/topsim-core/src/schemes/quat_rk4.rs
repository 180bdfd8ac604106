//! Classical Runge–Kutta of order 4 on the quaternion: `quat_rk4`.
//!
//! Source: what most engineers write; the tableau is that of any textbook (`hairer1993`). Letters:
//! q quaternion (body → space), Λ(q) its matrix, W body rate, Π = J W, T body torque.
//! - `q̇ = ½ q ⊗ (0, W)`, `Π̇ = Π × W + T(Λ(q), t)`, by the classical tableau
//! - `q' ← q'/|q'|` after each step
//!
//! The quaternion is carried from step to step: extracting it anew from Λ without normalising blows
//! up. Stages are not normalised; Λ(q) divides by |q|². No invariant is kept.

use super::prelude::*;
use crate::math::quaternion::plus;
use crate::models::RigidTop;

scheme! {
    /// Order 4, normalised after each step.
    QuatRk4 {
        name: "quat_rk4",
        title: "Classical Runge–Kutta on the quaternion, normalised each step",
        formula: "RK4 for q' = ½ q (0, W), Π' = Π × W + T(Λ(q), t); then q ← q/|q|",
        citations: &["hairer1993"],
        claims: Claims { order: 4, reversible: false, symplectic: false,
            energy: Energy::Loses(5), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(4) },
    }
}

/// Returns `½ q ⊗ (0, w)`.
#[inline(always)]
pub(super) fn derivative(q: &Quat, w: &Vec3) -> Quat {
    let [s, x, y, z] = *q;
    [
        -0.5 * (x * w.x + y * w.y + z * w.z),
        0.5 * (s * w.x + y * w.z - z * w.y),
        0.5 * (s * w.y + z * w.x - x * w.z),
        0.5 * (s * w.z + x * w.y - y * w.x),
    ]
}

/// Returns `(q̇, Π̇)`.
#[inline(always)]
pub(super) fn slopes<T: Torque>(top: &RigidTop<T>, t: f64, q: &Quat, pi: &Vec3) -> (Quat, Vec3) {
    let w = top.inertia().solve(pi);
    let torque = top.torque_moving(t, &so3::matrix_from_quat(q), &w, pi);
    (derivative(q, &w), pi.cross(&w) + torque)
}

/// Makes a step of h from t by the classical method; q is not normalised.
#[inline(always)]
pub(super) fn classical<T: Torque>(
    top: &RigidTop<T>,
    (t, h): (f64, f64),
    (q, pi): (&Quat, &Vec3),
) -> (Quat, Vec3) {
    let c = 0.5 * h;
    let (k1, l1) = slopes(top, t, q, pi);
    let (k2, l2) = slopes(top, t + c, &plus(q, c, &k1), &(pi + l1 * c));
    let (k3, l3) = slopes(top, t + c, &plus(q, c, &k2), &(pi + l2 * c));
    let (k4, l4) = slopes(top, t + h, &plus(q, h, &k3), &(pi + l3 * h));
    let s = h / 6.0;
    let sum: Quat = core::array::from_fn(|i| k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    (plus(q, s, &sum), pi + (l1 + (l2 + l3) * 2.0 + l4) * s)
}

/// Quaternion q of the attitude, of unit length.
#[derive(Debug, Clone, Copy)]
pub struct AttitudeQuat(pub(super) Quat);

lane_numbers! {
    AttitudeQuat { 0; HAS_ATTITUDE = true }
    BodyMomentum { 0 }
}

impl Memory for AttitudeQuat {
    fn start(_: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        Ok(Self(so3::quat_from_matrix(&y.att)))
    }
}

/// Ends a step at a quaternion, which is normalised, and a momentum.
#[inline(always)]
pub(super) fn end<T: Torque>(
    top: &RigidTop<T>,
    (next, momentum): (Quat, Vec3),
    y: &mut RotState,
    (BodyMomentum(pi), AttitudeQuat(q)): &mut (BodyMomentum, AttitudeQuat),
) {
    let length = next.iter().map(|v| v * v).sum::<f64>().sqrt();
    *q = next.map(|v| v / length);
    y.att = so3::matrix_from_quat(q);
    *pi = momentum;
    y.omega = top.inertia().solve(pi);
}

impl RotationScheme for QuatRk4 {
    type Memory = (BodyMomentum, AttitudeQuat);
    const TAKES_RATE: bool = true;
    in_lanes!();

    #[inline(always)]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let next = classical(top, (t, h), (&m.1.0, &m.0.0));
        end(top, next, y, m);
        Ok(Effort::new(4, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::InitialValueProblem;
    use crate::schemes::testbed::{body_a, run};

    #[test]
    fn the_attitude_stays_a_rotation() {
        let y = run(&QuatRk4 {}, &body_a(), 100.0, 1000);
        assert!(so3::orthogonality_defect(&y.att) < 1e-15);
        assert_ne!(y, body_a().initial());
    }
}
