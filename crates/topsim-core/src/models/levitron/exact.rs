//! Field of the uniformly magnetised thin disk without truncation: outside the disk it equals the field of a
//! current loop at its rim, given by complete elliptic integrals.
//!
//! With Q² = (a + ρ)² + z², m = 4aρ/Q², Δ² = 1 − m sin²ψ and the integrals over [0, π/2] B = ∫cos²ψ/Δ, D =
//! ∫sin²ψ/Δ, C = ∫sin²ψ cos²ψ/Δ³, no difference of nearly equal numbers remains: B_z = (4a/Q³) [(a + ρ) D + (a
//! − ρ) B/(1 − m)], B_ρ/ρ = (16 a² z/Q⁵) g, g = B/(1 − m) − C. The derivatives are D' = g/2, B' = C/2, C' = (g
//! − 3C)/(2m), hence g' = (C/2 + B/(1 − m))/(1 − m) − C'. Only ∂_ρ G divides by ρ; it is used multiplied by x
//! and y.
//!
//! All three integrals come from one arithmetic-geometric mean of 1 and √(1 − m). With d_0 = 1, e_{n+1} =
//! d_n²/(16 a_{n+1}²), d_n = m e_n: K = π/(2 a_∞), D = K/2 Σ_{n≥0} 2^n d_n, C = K Σ_{n≥1} 2^n e_n, B = K − D
//! (d_n = c_n²/m of Abramowitz & Stegun 17.6).

use super::field::{AxialField, FieldSlopes};
use crate::math::lanes::Lanes;
use core::f64::consts::FRAC_PI_2;

/// Iterations of the mean: the convergence is quadratic, and these suffice for m ≤ 1 − 1e-6.
const MEANS: usize = 6;

/// Exact field of a disk of radius a.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactDisk {
    radius: f64,
}

/// Computes the integrals B, D, C for parameter `m`, `m1` = 1 − m.
#[inline(always)]
pub(super) fn integrals<V: Lanes>(m: V, m1: V) -> [V; 3] {
    let c = |x: f64| m.splat(x);
    let (mut a, mut b) = (c(1.0), m1.sqrt());
    let mut d = c(1.0);
    let (mut sum_d, mut sum_e) = (c(1.0), c(0.0));
    let mut weight = 1.0;
    for _ in 0..MEANS {
        weight *= 2.0;
        let next = (a + b) * c(0.5);
        b = (a * b).sqrt();
        a = next;
        let ratio = d * c(0.25) / a;
        let e = ratio * ratio;
        d = m * e;
        sum_d = d.mul_add(c(weight), sum_d);
        sum_e = e.mul_add(c(weight), sum_e);
    }
    let k = c(FRAC_PI_2) / a;
    let d = k * c(0.5) * sum_d;
    [k - d, d, k * sum_e]
}

impl ExactDisk {
    /// Builds the field of a disk of radius a (m).
    pub(super) fn new(radius: f64) -> Self {
        Self { radius }
    }
}

impl AxialField for ExactDisk {
    #[inline(always)]
    fn strength(&self) -> f64 {
        1.0
    }

    #[inline(always)]
    fn slopes<V: Lanes>(&self, s: V, z: V) -> FieldSlopes<V> {
        let c = |x: f64| s.splat(x);
        let a = c(self.radius);
        // The distance from the axis is at least 1e-20 a, which avoids a division by zero and changes no bit of
        // any result.
        let rho = (s + c(1e-40 * self.radius * self.radius)).sqrt();
        let sum = a + rho;
        let diff = a - rho;
        let z2 = z * z;
        let q2 = sum.mul_add(sum, z2);
        let i2 = c(1.0) / q2;
        let i = i2.sqrt();
        let m = c(4.0) * a * rho * i2;
        let m1 = diff.mul_add(diff, z2) * i2;
        let [b, d, cc] = integrals(m, m1);
        let im1 = c(1.0) / m1;
        let bm = b * im1;
        let g = bm - cc;
        let c_m = (g - c(3.0) * cc) / (m + m);
        let g_m = cc.mul_add(c(0.5), bm).mul_add(im1, -c_m);
        let twist = g.mul_add(c(5.0), (m + m) * g_m);
        let i3 = i * i2;
        let i5 = i3 * i2;
        let front = c(16.0 * self.radius * self.radius);
        let g_z = front * i5 * (z2 * i2).neg_mul_add(twist, g);
        let big_g = front * i5 * z * g;
        let slope = sum.neg_mul_add(twist, c(4.0) * a * g_m);
        let g_r = front * i5 * i2 * z * slope / rho;
        FieldSlopes {
            scale: c(1.0),
            g: big_g,
            bz: c(4.0) * a * i3 * sum.mul_add(d, diff * bm),
            g_z,
            g_r,
            // The field has no divergence: 2 G + ρ ∂_ρ G + ∂_z B_z = 0.
            bz_z: -s.mul_add(g_r, big_g + big_g),
        }
    }
}
