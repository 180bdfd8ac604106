//! A turn `exp(Ψ)` by its coefficients: what one pair of series gives to attitudes, momenta and Newton's matrices.

use crate::math::so3::AngleRange;
use crate::math::{Mat3, Quat, Vec3, quaternion, so3};

/// `exp(Ψ)` by its coefficients.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub psi: Vec3,
    pub x2: f64,
    pub cos: f64,
    pub a: f64,
    pub b: f64,
}

impl Turn {
    #[inline(always)]
    pub(crate) fn new(psi: Vec3) -> Self {
        let x2 = psi.norm_squared();
        let (a, b) = so3::rodrigues(x2);
        let cos = 1.0 - b * x2;
        Self { psi, x2, cos, a, b }
    }
    /// Returns the same turn with the cosine from a series of its own, which does not wait for b: faster if
    /// [`Turn::twice`] comes next.
    #[inline(always)]
    pub(crate) fn with_cosine(angles: AngleRange, psi: Vec3) -> Self {
        let x2 = psi.norm_squared();
        let (cos, a, b) = angles.cosine_and_rodrigues(x2);
        Self { psi, x2, cos, a, b }
    }
    /// Returns `exp(2Ψ)ᵀ v`, without new series.
    #[inline(always)]
    pub(crate) fn twice_back(&self, v: &Vec3) -> Vec3 {
        let (a, b) = (self.a * self.cos, 0.5 * self.a * self.a);
        so3::turn_back(v, &(self.psi * 2.0), a, b)
    }
    /// Returns the quaternion q turned by `exp(2Ψ)`, which as a quaternion is `(cos x, a Ψ)`; the product with Ψ does
    /// not wait for a.
    #[inline(always)]
    pub(crate) fn twice(&self, q: &Quat) -> Quat {
        let r = quaternion::times_vector(q, &self.psi);
        core::array::from_fn(|i| q[i] * self.cos + r[i] * self.a)
    }
    /// Returns `exp(Ψ)` as a matrix.
    #[inline(always)]
    pub(crate) fn matrix(&self) -> Mat3 {
        so3::rodrigues_matrix(&self.psi, self.a, self.b)
    }
    /// Returns `exp(Ψ)ᵀ v = v − a Ψ×v + b Ψ×(Ψ×v)`.
    #[inline(always)]
    pub(crate) fn back(&self, v: &Vec3) -> Vec3 {
        so3::turn_back(v, &self.psi, self.a, self.b)
    }
    /// Returns `Jl = I + b [Ψ]× + d [Ψ]×²`: `exp(Ψ + δ) ≈ exp(Jl δ) exp(Ψ)`.
    #[inline(always)]
    pub(crate) fn left_tangent(&self) -> Mat3 {
        so3::rodrigues_matrix(&self.psi, self.b, so3::tangent_coefficient(self.x2))
    }
    /// Returns `Jr = I − b [Ψ]× + d [Ψ]×²`, `exp(Ψ + δ) ≈ exp(Ψ) exp(Jr δ)`: the derivative of `exp(Ψ)ᵀ v` is
    /// `[exp(Ψ)ᵀ v]× Jr`.
    #[inline(always)]
    pub(crate) fn right_tangent(&self) -> Mat3 {
        so3::rodrigues_matrix(&self.psi, -self.b, so3::tangent_coefficient(self.x2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small angles, and those beyond the series.
    #[test]
    fn turns_of_twice_the_angle_are_those_of_new_series() {
        let (q, v) = ([0.8, 0.36, -0.48, 0.0], Vec3::new(3.0, -2.0, 7.0));
        for size in [1e-3, 0.3, 0.499, 0.501, 1.5, 3.1] {
            let psi = Vec3::new(0.6, -0.48, 0.64) * size;
            let (turn, whole) = (
                Turn::with_cosine(AngleRange::Any, psi),
                quaternion::exp(&(psi * 2.0)),
            );
            assert!((turn.cos - Turn::new(psi).cos).abs() < 5e-16);
            let (twice, product) = (turn.twice(&q), quaternion::product(&q, &whole));
            assert!(
                (0..4).all(|i| (twice[i] - product[i]).abs() < 5e-16),
                "{size}"
            );
            let back = Turn::new(psi * 2.0).back(&v);
            assert!((turn.twice_back(&v) - back).amax() < 5e-15, "{size}");
        }
    }
}
