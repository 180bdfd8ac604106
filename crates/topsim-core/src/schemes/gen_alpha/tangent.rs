//! Tangent maps of exp beside those of [`Turn`](crate::schemes::turn::Turn), and that of SE(3).

use crate::math::{Mat3, Vec3, scalar, so3};

/// Returns the inverse of the right tangent map.
pub(super) fn right_inverse(psi: &Vec3) -> Mat3 {
    let e = so3::tangent_inverse_coefficient(psi.norm_squared());
    so3::rodrigues_matrix(psi, 0.5, e)
}

/// Returns the block that couples the two parts of the tangent map of SE(3),
/// `T = Σ (−1)^i ad^i/(i+1)!`: the derivative of the right tangent map of SO(3) at ψ along a,
/// since `ad` is `ψ̃ + ε ã` in dual numbers.
pub(super) fn coupling(psi: &Vec3, a: &Vec3) -> Mat3 {
    let x2 = psi.norm_squared();
    let (_, b) = so3::rodrigues(x2);
    let d = so3::tangent_coefficient(x2);
    let (b1, d1) = slopes(x2);
    let along = 2.0 * psi.dot(a);
    let (k, l) = (so3::hat(psi), so3::hat(a));
    let both = so3::hat_times(psi, &l) + so3::hat_times(a, &k);
    l * (-b) - k * (b1 * along) + both * d + so3::hat_times(psi, &k) * (d1 * along)
}

/// `k (−1)^k/(2k+2)!` and `k (−1)^k/(2k+3)!` for k from 8 down to 1.
const SLOPES: [[f64; 2]; 8] = {
    let mut slopes = [[0.0; 2]; 8];
    // (2k+2)!
    let mut factorial = 6_402_373_705_728_000.0;
    let mut i = 0;
    while i < 8 {
        let n = (8 - i) as f64;
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        slopes[i] = [
            sign * n / factorial,
            sign * n / (factorial * (2.0 * n + 3.0)),
        ];
        factorial /= (2.0 * n + 2.0) * (2.0 * n + 1.0);
        i += 1;
    }
    slopes
};

/// Derivatives of b and d by x².
fn slopes(x2: f64) -> (f64, f64) {
    if x2 <= 0.25 {
        // The next term is below 1e-18.
        return SLOPES.iter().fold((0.0, 0.0), |(b, d), [next_b, next_d]| {
            (b * x2 + next_b, d * x2 + next_d)
        });
    }
    let x = x2.sqrt();
    let (s, c) = scalar::sincos(x);
    let a = s / x;
    let (_, b) = so3::rodrigues(x2);
    let a1 = (c - a) / (2.0 * x2);
    let d = (1.0 - a) / x2;
    ((a - 2.0 * b) / (2.0 * x2), -(a1 + d) / x2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::turn::Turn;

    #[test]
    fn tangents_are_derivatives_of_exp() {
        for psi in [Vec3::new(0.1, -0.2, 0.05), Vec3::new(1.1, -0.7, 0.4)] {
            let turn = Turn::new(psi);
            assert!((right_inverse(&psi) * turn.right_tangent() - Mat3::identity()).amax() < 1e-15);
            let e = 1e-5;
            for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                let (plus, minus) = (so3::exp(&(psi + axis * e)), so3::exp(&(psi - axis * e)));
                let right = so3::log(&(minus.transpose() * plus)) / (2.0 * e);
                let left = so3::log(&(plus * minus.transpose())) / (2.0 * e);
                // e² of the third derivative.
                assert!((turn.right_tangent() * axis - right).norm() < 1e-10);
                assert!((turn.left_tangent() * axis - left).norm() < 1e-10);
            }
        }
    }

    /// Against the series of the source, on both sides of the branch.
    #[test]
    fn coupling_is_the_off_diagonal_block_of_the_series() {
        let a = Vec3::new(0.3, 0.9, -0.5);
        for scale in [1e-3, 0.4, 0.49, 0.51, 1.3, 2.5] {
            let psi = Vec3::new(0.6, -0.48, 0.64) * scale;
            let (k, l) = (so3::hat(&psi), so3::hat(&a));
            // (diagonal, coupling) blocks of the powers of ad.
            let (mut p, mut q) = (Mat3::identity(), Mat3::zeros());
            let (mut sum, mut factor) = (Mat3::zeros(), 1.0);
            for i in 1..40 {
                (p, q) = (p * k, p * l + q * k);
                factor *= -1.0 / (f64::from(i) + 1.0);
                sum += q * factor;
            }
            assert!((coupling(&psi, &a) - sum).amax() < 4e-15, "{scale}");
        }
    }
}
