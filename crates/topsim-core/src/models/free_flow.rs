//! Flow of the free rigid body over a given time, in principal axes: the momentum and the rotation at the end,
//! in closed form to round-off.
//!
//! **Two equal moments** A, A, C: a rotation by `τ Π/A`, then one by `φ = τ Π₃ (1/C − 1/A)` about the third
//! axis, over any time.
//!
//! **Any moments.** Let `b = τ |Π| J⁻¹`, β_i = b_k − b_j (i, j, k cyclic), a = Π/|Π| and X_i = β_j β_k a_i². In
//! the gauge in which the addition theorem of the elliptic functions has no denominator,
//! `Π_i(s) = Π_i C_j C_k + β_i a_j Π_k S C_i` with `S² = 1/(℘(s) − X̄)`, `C_i² = 1 + X_i S²`. The Laurent
//! series of Weierstrass's ℘ (DLMF 23.9) needs no root, no distinction of cases and no limit: equal moments,
//! spins about an axis, the separatrix and rest are ordinary points. The rotation maps the momentum in the body
//! at the end to the momentum in the body at the start, after a rotation ψ about it,
//! `ψ' = (2T − b_i a_i²)/(1 − a_i²)` for an axis i away from the momentum, by Gauss quadrature. Long times are
//! divided into equal pieces.
//!
//! `docs/science/fast-integration.md` derives the method. It shares nothing with the closed form of the
//! references (Jacobi's and Carlson's functions), so that neither hides a fault of the other.

use crate::math::double_double::two_sum_of;
use crate::math::{Quat, Vec3, quaternion};

/// Largest `½ (max b − min b)` of one piece, with eight nodes of the quadrature, with six and with four. The
/// worst errors of ψ over random bodies and motions were 1e-19, 3e-17 and 2e-17 rad. Beyond 0.2 the series of ℘
/// would need more terms: the truncation error is 1e-17 of the momentum at 0.18 and 4e-16 at 0.22.
const REACH: f64 = 0.18;
const REACH_OF_SIX: f64 = 0.12;
const REACH_OF_FOUR: f64 = 0.03;
/// Largest number of pieces; beyond it the angle has lost its digits and the run time would be excessive, so
/// the motion is refused.
const MOST_PIECES: f64 = 65_536.0;

/// Nodes and weights of a Gauss quadrature on \[0, 1\].
type Nodes<const N: usize> = ([f64; N], [f64; N]);

const FOUR: Nodes<4> = (
    [
        0.069_431_844_202_973_71,
        0.330_009_478_207_571_87,
        0.669_990_521_792_428_1,
        0.930_568_155_797_026_3,
    ],
    [
        0.173_927_422_568_726_93,
        0.326_072_577_431_273_07,
        0.326_072_577_431_273_07,
        0.173_927_422_568_726_93,
    ],
);

const SIX: Nodes<6> = (
    [
        0.033_765_242_898_423_986,
        0.169_395_306_766_867_74,
        0.380_690_406_958_401_55,
        0.619_309_593_041_598_5,
        0.830_604_693_233_132_3,
        0.966_234_757_101_576,
    ],
    [
        0.085_662_246_189_585_17,
        0.180_380_786_524_069_3,
        0.233_956_967_286_345_52,
        0.233_956_967_286_345_52,
        0.180_380_786_524_069_3,
        0.085_662_246_189_585_17,
    ],
);

const EIGHT: Nodes<8> = (
    [
        0.019_855_071_751_231_884,
        0.101_666_761_293_186_63,
        0.237_233_795_041_835_5,
        0.408_282_678_752_175_1,
        0.591_717_321_247_824_9,
        0.762_766_204_958_164_5,
        0.898_333_238_706_813_4,
        0.980_144_928_248_768_1,
    ],
    [
        0.050_614_268_145_188_13,
        0.111_190_517_226_687_24,
        0.156_853_322_938_943_64,
        0.181_341_891_689_180_99,
        0.181_341_891_689_180_99,
        0.156_853_322_938_943_64,
        0.111_190_517_226_687_24,
        0.050_614_268_145_188_13,
    ],
);

/// Rotation, rounded momentum, and rounding error of the momentum.
type FlowResult = (Quat, Vec3, Vec3);

/// Flow of one free body.
#[derive(Debug, Clone)]
pub struct FreeFlow {
    /// Reciprocal principal moments.
    inverse: Vec3,
    /// Differences of the reciprocal moments, `1/I_k − 1/I_j`.
    spread: Vec3,
    /// True if the first two moments are equal.
    symmetric: bool,
}

impl FreeFlow {
    /// Prepares the flow of a body with these principal moments, kg m². Two equal moments use the short closed
    /// form if they are the first two.
    pub fn new(moments: &Vec3) -> Self {
        let [a, b, c] = (*moments).into();
        Self {
            inverse: moments.map(|i| 1.0 / i),
            spread: Vec3::new((b - c) / (b * c), (c - a) / (c * a), (a - b) / (a * b)),
            symmetric: are_equal(a, b),
        }
    }

    /// Returns the rotation (a unit quaternion, body at the end → body at the start), the momentum after the
    /// time `tau` (s) from the body momentum `pi` (kg m²/s), and the rounding error of that momentum.
    ///
    /// Returns `None` if the numbers are not finite or the motion needs more than 65 536 pieces.
    #[inline(always)]
    pub fn after(&self, pi: &Vec3, tau: f64) -> Option<FlowResult> {
        if self.symmetric {
            self.symmetric(pi, tau)
        } else {
            self.asymmetric(pi, tau)
        }
    }

    #[inline(always)]
    fn symmetric(&self, pi: &Vec3, tau: f64) -> Option<FlowResult> {
        let u = pi * (0.5 * tau * self.inverse.x);
        let x = u.norm_squared();
        let phi = tau * self.spread.x * pi.z;
        const MOST: f64 = REACH * MOST_PIECES;
        if !(x + phi * phi <= MOST * MOST) {
            return None;
        }
        let (c, s) = quaternion::cos_sinc(x);
        let (cos, sin) = quaternion::half_turn(phi);
        let q = [
            c * cos - u.z * s * sin,
            (u.x * cos + u.y * sin) * s,
            (u.y * cos - u.x * sin) * s,
            u.z * s * cos + c * sin,
        ];
        let (p, r) = (2.0 * sin * sin, 2.0 * cos * sin);
        let change = Vec3::new(r * pi.y - p * pi.x, -(r * pi.x + p * pi.y), 0.0);
        let (end, rest) = two_sum_of(pi, &change);
        Some((q, end, rest))
    }

    fn asymmetric(&self, pi: &Vec3, tau: f64) -> Option<FlowResult> {
        let l = pi.norm();
        let b = self.inverse * (tau * l);
        let beta = 0.5 * (b.max() - b.min()).abs();
        if !(beta <= REACH * MOST_PIECES && b.amax() < f64::INFINITY) {
            return None;
        }
        if !(l > 1e-140) {
            // The body counts as at rest, because the square of this length leaves the range of doubles.
            return Some(([1.0, 0.0, 0.0, 0.0], *pi, Vec3::zeros()));
        }
        if beta <= REACH {
            return Some(self.piece(pi, l, tau, beta));
        }
        let pieces = (beta / REACH).ceil();
        let (tau, beta) = (tau / pieces, beta / pieces);
        let (mut q, mut pi, mut rest) = self.piece(pi, l, tau, beta);
        for _ in 1..(pieces as u64) {
            let (turn, next, left) = self.piece(&pi, pi.norm(), tau, beta);
            (q, pi) = (quaternion::product(&q, &turn), next);
            rest += left;
        }
        let n = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        Some((q.map(|x| x / n), pi, rest))
    }

    /// Evaluates one piece, `s` from 0 to 1; `l` is the length of the momentum.
    #[inline]
    fn piece(&self, pi: &Vec3, l: f64, tau: f64, reach: f64) -> FlowResult {
        let pace = tau * l;
        let a = pi / l;
        let beta = self.spread * pace;
        let x = Vec3::new(
            beta.y * beta.z * (a.x * a.x),
            beta.z * beta.x * (a.y * a.y),
            beta.x * beta.y * (a.z * a.z),
        );
        let series = WeierstrassSeries::new(&x);
        // Value of S² at s = 1.
        let s2 = 1.0 / series.end();
        let c = x.map(|x| (1.0 + x * s2).sqrt());
        // C − 1 and C_j C_k − 1 without cancellation, so that only the change is rounded.
        let d = (x * s2).zip_map(&c, |x, c| x / (1.0 + c));
        let same = Vec3::new(
            d.y + d.z + d.y * d.z,
            d.z + d.x + d.z * d.x,
            d.x + d.y + d.x * d.y,
        );
        let other = beta.component_mul(&c) * s2.sqrt();
        let change = |v: &Vec3| {
            let cross = Vec3::new(a.y * v.z, a.z * v.x, a.x * v.y);
            v.component_mul(&same) + other.component_mul(&cross)
        };
        let n = a + change(&a);
        let (end, rest) = two_sum_of(pi, &change(pi));
        let b = self.inverse * pace;
        let twice_energy = b.dot(&a.component_mul(&a));
        // The axis in the quotient is chosen away from the momentum.
        let first = a.x * a.x < 0.7;
        let from = |v: &Vec3| if first { *v } else { Vec3::new(v.y, v.z, v.x) };
        let (ia, ix, ib, n_axis) = (from(&a), from(&x), from(&b), from(&n));
        let beta_i = if first { beta.x } else { beta.y };
        let f = (beta_i * ia.y * ia.z) * (beta_i * ia.y * ia.z);
        let a2 = ia.x * ia.x;
        let square = [
            a2,
            a2 * (ix.y + ix.z) + f,
            a2 * ix.y * ix.z + f * ix.x,
            beta_i * (a.x * a.y * a.z),
        ];
        let rate = |z: f64| (twice_energy - ib.x * z) / (1.0 - z);
        let psi = if reach <= REACH_OF_FOUR {
            series.integral(&FOUR, &square, rate)
        } else if reach <= REACH_OF_SIX {
            series.integral(&SIX, &square, rate)
        } else {
            series.integral(&EIGHT, &square, rate)
        };
        let (ch, sh) = quaternion::half_turn(psi);
        let across = |v: &Vec3| v.y * v.y + v.z * v.z;
        let r = (across(&ia) * across(&n_axis)).sqrt();
        let u = (r + ia.y * n_axis.y + ia.z * n_axis.z) * (1.0 + ia.x * n_axis.x + r);
        let w = (n_axis.y * ia.z - n_axis.z * ia.y) * (ia.x + n_axis.x);
        let (p, t) = (u * ch - w * sh, u * sh + w * ch);
        let v = n.cross(&a);
        let one = 1.0 + n.dot(&a);
        let q = v * p + (a * one + a.cross(&v)) * t;
        let scalar = p * one;
        let k = 1.0 / (scalar * scalar + q.norm_squared()).sqrt();
        ([scalar * k, q.x * k, q.y * k, q.z * k], end, rest)
    }
}

/// Returns true if two moments are equal up to the rounding of an eigenvalue solver.
pub(crate) fn are_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 4.0 * f64::EPSILON * b
}

/// The function `s² (℘(s) − X̄)` as a series in s².
struct WeierstrassSeries([f64; 9]);

impl WeierstrassSeries {
    #[inline(always)]
    fn new(x: &Vec3) -> Self {
        let mean = (x.x + x.y + x.z) * (1.0 / 3.0);
        let e = x.map(|x| mean - x);
        let c2 = e.norm_squared() * (2.0 / 20.0);
        let c3 = e.x * e.y * e.z * (4.0 / 28.0);
        let (square, third) = (c2 * c2, c3 * c3);
        Self([
            1.0,
            -mean,
            c2,
            c3,
            square * (1.0 / 3.0),
            c2 * c3 * (3.0 / 11.0),
            (2.0 * c2 * square + 3.0 * third) * (1.0 / 39.0),
            square * c3 * (2.0 / 33.0),
            c2 * (11.0 * c2 * square + 36.0 * third) * (5.0 / 7293.0),
        ])
    }

    /// Evaluates the series at s = 1.
    #[inline(always)]
    fn end(&self) -> f64 {
        self.0.iter().rev().sum()
    }

    /// Integrates `rate(a_i²)` over s from 0 to 1; `square` are the coefficients of a_i². All nodes are
    /// evaluated side by side, as lanes.
    #[inline(always)]
    fn integral<const N: usize>(
        &self,
        (nodes, weights): &Nodes<N>,
        [m0, m1, m2, m3]: &[f64; 4],
        rate: impl Fn(f64) -> f64,
    ) -> f64 {
        let s2 = nodes.map(|s| s * s);
        let mut value = [self.0[8]; N];
        // −½ s³ ℘'(s) = 1 − Σ (k − 1) c_k s^2k.
        let mut slope = [-7.0 * self.0[8]; N];
        for power in (0..8).rev() {
            let c = self.0[power];
            let d = if power == 0 {
                1.0
            } else {
                (1.0 - power as f64) * c
            };
            for k in 0..N {
                value[k] = value[k] * s2[k] + c;
                slope[k] = slope[k] * s2[k] + d;
            }
        }
        let mut parts = [0.0; N];
        for k in 0..N {
            let over = 1.0 / value[k];
            let (sn2, change) = (s2[k] * over, 2.0 * nodes[k] * slope[k] * (over * over));
            parts[k] = weights[k] * rate(m0 + sn2 * (m1 + sn2 * m2) + change * m3);
        }
        parts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, so3};

    fn flow(moments: [f64; 3], pi: [f64; 3], tau: f64) -> (Mat3, Vec3) {
        let (q, p, _) = FreeFlow::new(&moments.into())
            .after(&pi.into(), tau)
            .unwrap();
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

    /// Values of the closed form in 128-bit arithmetic for J = (1, 2, 3), W0 = (.01, 5, .01), t = 50; each
    /// passage near the saddle multiplies round-off by about a thousand.
    #[test]
    fn the_tumbling_body_of_the_references() {
        let start = [0.01, 10.0, 0.03];
        let (y, p) = flow([1.0, 2.0, 3.0], start, 50.0);
        // Change of the end caused by rounding the start alone, in each number.
        let floor = (0..3).map(|k| {
            let mut near = start;
            near[k] *= 1.0 + f64::EPSILON;
            let (z, q) = flow([1.0, 2.0, 3.0], near, 50.0);
            (z - y).norm().max((q - p).norm())
        });
        let tol = 10.0 * floor.fold(0.0, f64::max);
        assert!(tol < 1e-8, "{tol:e}");
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
        assert!((y - exact).norm() < tol, "{} {tol:e}", (y - exact).norm());
        let w = p.component_div(&Vec3::new(1.0, 2.0, 3.0));
        let exact = Vec3::new(
            0.027_144_024_029_384_6,
            4.999_936_319_790_432,
            0.017_671_050_152_795_19,
        );
        assert!((w - exact).norm() < tol, "{} {tol:e}", (w - exact).norm());
    }

    #[test]
    fn what_cannot_be_done_is_refused_and_ends() {
        for moments in [Vec3::new(1.0, 2.0, 2.5), Vec3::new(1.0, 1.0, 0.5)] {
            let flow = FreeFlow::new(&moments);
            for pi in [f64::NAN, f64::INFINITY, 1e300] {
                assert_eq!(flow.after(&Vec3::new(1.0, pi, 0.0), 1.0), None);
            }
            assert_eq!(flow.after(&Vec3::x(), f64::NAN), None);
            assert_eq!(flow.after(&Vec3::x(), 1e12), None);
        }
    }
}
