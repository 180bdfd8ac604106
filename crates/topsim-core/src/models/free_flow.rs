//! The flow of the free rigid body over a given time, in principal axes: a map of the momentum and
//! the rotation it makes, to round-off, for every body and motion alike.
//!
//! With `a = Π/L` and `b = τ L J⁻¹` the unit momentum obeys `a' = a × (b ∘ a)` over `s ∈ [0, 1]`.
//! Its Taylor series follows from products of series and converges like `(β s)^k`,
//! `β = ½ (max b − min b)`. The rotation is the shortest one from `a` back to `a₀` after a turn ψ
//! about `a₀` with `ψ' = (b ∘ a)·(a + a₀) / (1 + a·a₀)`, one quotient of series; so
//! `Λ Π` is kept by construction. Long times are cut into equal pieces of small β.
//!
//! No special cases: equal moments, principal-axis spin, separatrix and rest are ordinary points.
//! Elliptic functions (the reference's way) have a constant cost for any time but must tell these
//! cases apart and work out three integrals anew for each momentum, that is, for each step; and a
//! scheme that shared them with its own reference would hide their faults.

use crate::math::{Quat, Vec3, quaternion};

/// Most terms of a series; at [`REACH`] sixteen to twenty are used.
const TERMS: usize = 28;
/// Largest β of one piece: the nearest pole lies near β = π/2.
const REACH: f64 = 0.25;
/// More pieces than this are refused: their angle has lost its digits, and time is finite.
const MOST_PIECES: f64 = 1_048_576.0;
/// A term below this no longer counts beside 1.
const NEGLIGIBLE: f64 = 7e-18;

/// Rotation (a unit quaternion, body at the end → body at the start) and momentum after the time
/// `tau` (s) from the body momentum `pi` (kg m²/s); `inverse` holds the reciprocal principal moments.
///
/// None where the numbers are not finite or the motion runs over a million pieces.
pub fn free_flow(inverse: &Vec3, pi: &Vec3, tau: f64) -> Option<(Quat, Vec3)> {
    let l = pi.norm();
    let pace = tau * l;
    let b = inverse * pace;
    let beta = 0.5 * ((b.max() - b.min()).abs());
    if !(beta <= REACH * MOST_PIECES && b.amax() < f64::INFINITY) {
        return None;
    }
    if !(l > 1e-140) {
        // At rest: the square of the length leaves the range of doubles.
        return Some(([1.0, 0.0, 0.0, 0.0], *pi));
    }
    let a0 = pi / l;
    if beta <= REACH {
        let (q, a) = piece(&b, &a0);
        return Some((q, a * l));
    }
    let pieces = (beta / REACH).ceil();
    let b = b / pieces;
    let (mut q, mut a) = piece(&b, &a0);
    for _ in 1..(pieces as u64) {
        let (turn, next) = piece(&b, &a);
        q = quaternion::product(&q, &turn);
        // Lengths of both wander by round-off only; the many pieces need them held.
        a = next / next.norm();
    }
    let n = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    Some((q.map(|x| x / n), a * l))
}

/// One piece, `s` from 0 to 1.
fn piece(b: &Vec3, a0: &Vec3) -> (Quat, Vec3) {
    let (bx, by, bz) = (b.z - b.y, b.x - b.z, b.y - b.x);
    let weighted = b.component_mul(a0);
    let [mut x, mut y, mut z] = [[0.0; TERMS]; 3];
    // Series of a·a₀ (its constant term is 1 + 1) and of ψ'.
    let [mut d, mut rate] = [[0.0; TERMS]; 2];
    (x[0], y[0], z[0]) = (a0.x, a0.y, a0.z);
    d[0] = 2.0;
    rate[0] = weighted.dot(a0);
    let mut used = 1;
    let mut small = 0;
    for k in 1..TERMS {
        let (mut yz, mut zx, mut xy) = (0.0, 0.0, 0.0);
        for j in 0..k {
            let i = k - 1 - j;
            yz += y[j] * z[i];
            zx += z[j] * x[i];
            xy += x[j] * y[i];
        }
        let n = 1.0 / k as f64;
        (x[k], y[k], z[k]) = (bx * yz * n, by * zx * n, bz * xy * n);
        let term = Vec3::new(x[k], y[k], z[k]);
        d[k] = a0.dot(&term);
        let mut r = weighted.dot(&term);
        for j in 1..=k {
            r -= d[j] * rate[k - j];
        }
        rate[k] = 0.5 * r;
        used = k + 1;
        small = if term.amax() + rate[k].abs() <= NEGLIGIBLE {
            small + 1
        } else {
            0
        };
        // Every other term may vanish by symmetry.
        if small == 2 {
            break;
        }
    }
    let (mut a, mut psi) = (Vec3::zeros(), 0.0);
    for k in (0..used).rev() {
        a += Vec3::new(x[k], y[k], z[k]);
        psi += rate[k] / (k + 1) as f64;
    }
    // exp(ψ a₀) · (1 + a·a₀, a × a₀), whose squared length is 2 (1 + a·a₀).
    let (c, s) = quaternion::half_angle(psi);
    let one = 1.0 + a.dot(a0);
    let v = a.cross(a0) * c + (a + a0) * s;
    let n = 1.0 / (one * one * c * c + v.norm_squared()).sqrt();
    ([c * one * n, v.x * n, v.y * n, v.z * n], a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, so3};

    fn flow(moments: [f64; 3], pi: [f64; 3], tau: f64) -> (Mat3, Vec3) {
        let inverse = Vec3::from(moments).map(|i| 1.0 / i);
        let (q, p) = free_flow(&inverse, &Vec3::from(pi), tau).unwrap();
        (so3::matrix_from_quat(&q), p)
    }

    const BODIES: [[f64; 3]; 6] = [
        [0.6, 0.8, 1.0],
        [1.0, 2.0, 3.0],
        [5.0, 5.0, 1.0],
        [1.0, 1.0 + 1e-9, 2.0],
        [2.0, 2.0, 2.0],
        [3.0, 1e-2, 3.0],
    ];

    #[test]
    fn momentum_and_energy_stay_and_time_is_additive() {
        for moments in BODIES {
            for pi in [
                [1.8, 0.4, -0.9],
                [1e-7, 2.0, 1e-7],
                [0.0, 0.0, -1.5],
                [1e-9, 0.0, 1.0],
                [0.0; 3],
            ] {
                let (y, p) = flow(moments, pi, 0.7);
                let pi = Vec3::from(pi);
                assert!((y * p - pi).norm() < 3e-15 * 10.0, "{moments:?} {pi}");
                let energy = |p: &Vec3| p.component_div(&Vec3::from(moments)).dot(p);
                let scale = energy(&pi).max(1e-300);
                assert!((energy(&p) / scale - energy(&pi) / scale).abs() < 3e-14);
                let (y1, p1) = flow(moments, pi.into(), 0.3);
                let (y2, p2) = flow(moments, p1.into(), 0.4);
                let rate = 0.7 * pi.norm() / Vec3::from(moments).min();
                assert!((y1 * y2 - y).norm() < 4e-15 * (1.0 + rate));
                assert!((p2 - p).norm() < 4e-15 * (1.0 + rate));
                let (back, p0) = flow(moments, p.into(), -0.7);
                assert!((y * back - Mat3::identity()).norm() < 4e-15 * (1.0 + rate));
                assert!((p0 - pi).norm() < 4e-15 * (1.0 + rate));
            }
        }
    }

    #[test]
    fn a_symmetric_body_precesses_regularly_at_any_speed() {
        for (tau, tol) in [(1e-3, 1e-15), (0.3, 2e-14), (200.0, 2e-11)] {
            let pi = Vec3::new(3.0, -1.0, 40.0);
            let (y, p) = flow([5.0, 5.0, 1.0], pi.into(), tau);
            let spin = so3::exp(&Vec3::new(0.0, 0.0, pi.z * (1.0 - 0.2) * tau));
            let exact = so3::exp(&(pi * (tau / 5.0))) * spin;
            assert!((y - exact).norm() < tol, "{tau} {}", (y - exact).norm());
            assert!((p - spin.tr_mul(&pi)).norm() < 40.0 * tol);
        }
    }

    /// Values of the closed form in 128-bit arithmetic: J = (1, 2, 3), W0 = (.01, 5, .01), t = 50;
    /// each passage by the saddle multiplies round-off by about a thousand.
    #[test]
    fn the_tumbling_body_of_the_references() {
        let (y, p) = flow([1.0, 2.0, 3.0], [0.01, 10.0, 0.03], 50.0);
        let exact = Mat3::new(
            0.719_297_159_111_596_5,
            -0.004_635_275_934_674_12,
            0.694_687_059_841_333_3,
            0.004_079_176_887_242_508,
            0.999_988_682_017_765_5,
            0.002_448_704_207_306_308,
            -0.694_690_547_805_214_7,
            0.001_072_405_418_549_529,
            0.719_307_926_229_587,
        );
        assert!((y - exact).norm() < 2e-11, "{}", (y - exact).norm());
        let w = p.component_div(&Vec3::new(1.0, 2.0, 3.0));
        let exact = Vec3::new(
            0.027_144_024_029_384_6,
            4.999_936_319_790_432,
            0.017_671_050_152_795_19,
        );
        assert!((w - exact).norm() < 2e-11);
    }

    #[test]
    fn what_cannot_be_done_is_refused_and_ends() {
        let inverse = Vec3::new(1.0, 0.5, 0.3);
        for pi in [f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(free_flow(&inverse, &Vec3::new(1.0, pi, 0.0), 1.0), None);
        }
        assert_eq!(free_flow(&inverse, &Vec3::x(), f64::NAN), None);
        assert_eq!(free_flow(&inverse, &Vec3::x(), 1e12), None);
    }
}
