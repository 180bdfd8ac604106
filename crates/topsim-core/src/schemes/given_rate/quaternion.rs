//! The quaternion stepped as any differential equation, and brought back to unit length: `quat_euler`, `quat_rate_rk4`.
//!
//! q' = ½ q ⊗ (0, W(t)), by Euler's rule and by the classical method of order 4 (`hairer1993`). The first is what many write
//! first: with a constant rate it turns by 2 atan(h|W|/2) instead of h|W|.
//!
//! A step of the second is a product with the quaternion p(h; W₀, W₁, W₂) = 1 + h (W₀ + 4W₁ + W₂)/12 + h² (W₀W₁ + W₁W₁ + W₁W₂)/24 + …, of
//! which all terms are palindromes of W₀ and W₂: its conjugate is the step back, p(−h; W₂, W₁, W₀), so that of unit length it is
//! reversible.

use super::{RateScheme, rate_schemes};
use crate::math::quaternion::{plus, times_vector, unit};
use crate::math::{Mat3, Quat, so3};
use crate::models::Rate;
use crate::schemes::description::scheme;

rate_schemes! {
    /// Order 1.
    QuatEuler "quat_euler", order 1, reversible false, takes 1, ["hairer1993"],
        "First-order update of the quaternion", "q' = q + ½ h q (0, W(t)); then q ← q/|q|";
    /// Order 4.
    QuatRateRk4 "quat_rate_rk4", order 4, reversible true, takes 3, ["hairer1993"],
        "Classical Runge–Kutta on the quaternion with a given rate",
        "RK4 for q' = ½ q (0, W(t)); then q ← q/|q|";
}

impl RateScheme for QuatEuler {
    type Memory = Quat;
    fn start(&self, att: &Mat3) -> Quat {
        so3::quat_from_matrix(att)
    }
    #[inline]
    fn step(&self, rate: &impl Rate, (t, h): (f64, f64), att: &mut Mat3, q: &mut Quat) -> u32 {
        *q = unit(&plus(q, 0.5 * h, &times_vector(q, &rate.at(t))));
        *att = so3::matrix_from_unit(q);
        1
    }
}

impl RateScheme for QuatRateRk4 {
    type Memory = Quat;
    fn start(&self, att: &Mat3) -> Quat {
        so3::quat_from_matrix(att)
    }
    #[inline]
    fn step(&self, rate: &impl Rate, (t, h): (f64, f64), att: &mut Mat3, q: &mut Quat) -> u32 {
        let [w0, w1, w2] = [0.0, 0.5 * h, h].map(|s| rate.at(t + s) * 0.5);
        let k1 = times_vector(q, &w0);
        let k2 = times_vector(&plus(q, 0.5 * h, &k1), &w1);
        let k3 = times_vector(&plus(q, 0.5 * h, &k2), &w1);
        let k4 = times_vector(&plus(q, h, &k3), &w2);
        let sum: Quat = core::array::from_fn(|i| k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        *q = unit(&plus(q, h / 6.0, &sum));
        *att = so3::matrix_from_unit(q);
        3
    }
}
