//! Field by its series about the axis, truncated after s^J: F(s, z) = Σ_j c_j s^j φ^{(2j)}(z), c_j = (−1)^j /
//! (4^j j!²), with φ the potential on the axis.
//!
//! With R² = z² + a² the derivatives obey D_k = −[p_k z D_{k−1} + q_k D_{k−2}]/R², where p_k = 2k − 1, q_k = k
//! (k − 2) for the disk, φ' = −2π a²/R³, and p_k = 2k + 1, q_k = k² for the ring, φ = z/R³. Then F_z = Σ c_j
//! s^j D_{2j+1}, F_s = Σ j c_j s^{j−1} D_{2j} and so on are sums of a_j = c_j s^{j−1} D_{2j+1} and b_j = c_j
//! s^{j−2} D_{2j}. The D_{2j} have a factor z: with b_j = (z/R²) y_j, q = s/R², ζ = z²/R²,
//! y_j = p_{2j}/(4j²) a_{j−1} + q_{2j}/(4j²) q y_{j−1}, a_j = −p_{2j+1} ζ q y_j + q_{2j+1}/(4j²) q a_{j−1}.
//!
//! Both sequences are rescaled such that the first coefficient of either rule is one. No term is singular on
//! the axis, where a_1, b_1/s and b_2 remain.
//!
//! Harmonicity gives F_zz = −4 (F_s + s F_ss) except for the residual of the truncation, c_J s^J D_{2J+2} = −4
//! (J + 1)² s b_{J+1}: see [`VerticalGradient`].

use super::field::{AxialField, FieldSlopes, MAX_ORDER, VerticalGradient};
use crate::math::lanes::Lanes;
use core::f64::consts::PI;

/// Coefficients of the j-th terms.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct SeriesTerm {
    /// Coefficient of q y_{j−1} in y_j.
    y: f64,
    /// Coefficient of q a_{j−1} in a_j.
    a: f64,
    /// Weight of y_j in G.
    g: f64,
    /// Weight of y_j in (∂_ρ G)/ρ.
    g_r: f64,
    /// Weight of a_j in B_z.
    bz: f64,
    /// Weight of a_j in ∂_z G.
    g_z: f64,
}

/// Series of a disk or a ring; `ORDER` = 0 reads the order from the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldSeries<const RING: bool, const ORDER: usize> {
    order: usize,
    radius2: f64,
    rows: [SeriesTerm; MAX_ORDER],
    /// Coefficient of q y_J in y_{J+1}, and the weight of y_{J+1} in the residual, which is 0 if the residual
    /// is left out.
    tail: [f64; 2],
}

impl<const RING: bool> FieldSeries<RING, 0> {
    /// Computes the coefficients for base radius a (m) and order J.
    pub(super) fn new(radius: f64, order: usize, gradient: VerticalGradient) -> Self {
        let mut rows = [SeriesTerm::default(); MAX_ORDER];
        // Factors by which the scaled y_{j−1} and a_{j−1} are multiplied to give the true ones; the first of
        // either excludes the sign of the field: y_1 = a_0 + … below.
        let (mut ky, mut ka) = (1.0, 1.0);
        for j in 1..=order {
            let n = 2.0 * j as f64;
            let (ky_old, ka_old) = (ky, ka);
            ky = p::<RING>(n) / (n * n) * ka_old;
            ka = p::<RING>(n + 1.0) * ky;
            rows[j - 1] = SeriesTerm {
                y: q::<RING>(n) / (n * n) * ky_old / ky,
                a: q::<RING>(n + 1.0) / (n * n) * ka_old / ka,
                g: n * ky,
                g_r: n * (n - 2.0) * ky,
                bz: ka,
                g_z: n * ka,
            };
        }
        let n = 2.0 * order as f64 + 2.0;
        let next = p::<RING>(n) / (n * n) * ka;
        let tail = [
            q::<RING>(n) / (n * n) * ky / next,
            match gradient {
                VerticalGradient::Exact => n * n * next,
                VerticalGradient::Harmonic => 0.0,
            },
        ];
        Self {
            order,
            radius2: radius * radius,
            rows,
            tail,
        }
    }

    /// Returns the same series with the order known at compile time.
    #[inline(always)]
    pub(super) fn fixed<const ORDER: usize>(&self) -> FieldSeries<RING, ORDER> {
        debug_assert_eq!(self.order, ORDER);
        FieldSeries {
            order: self.order,
            radius2: self.radius2,
            rows: self.rows,
            tail: self.tail,
        }
    }
}

impl<const RING: bool, const ORDER: usize> FieldSeries<RING, ORDER> {
    /// Returns the order J.
    #[inline(always)]
    pub(super) fn order(&self) -> usize {
        if ORDER == 0 { self.order } else { ORDER }
    }
}

/// Returns the coefficient p_k of the recurrence for the derivatives on the axis.
fn p<const RING: bool>(k: f64) -> f64 {
    if RING { 2.0 * k + 1.0 } else { 2.0 * k - 1.0 }
}

/// Returns the coefficient q_k of the recurrence.
fn q<const RING: bool>(k: f64) -> f64 {
    if RING { k * k } else { k * (k - 2.0) }
}

/// Computes φ and its derivatives up to `out.len() − 1` at height `z`.
pub(super) fn on_axis<const RING: bool>(radius: f64, z: f64, out: &mut [f64]) {
    let r2 = z * z + radius * radius;
    let r = r2.sqrt();
    for k in 0..out.len() {
        out[k] = match (k, RING) {
            // 1 − z/R without cancellation for z > 0.
            (0, false) if z > 0.0 => 2.0 * PI * radius * radius / (r * (r + z)),
            (0, false) => 2.0 * PI * (1.0 - z / r),
            (0, true) => z / (r * r2),
            (1, false) => -2.0 * PI * radius * radius / (r * r2),
            (1, true) => (r2 - 3.0 * z * z) / (r * r2 * r2),
            _ => {
                let n = k as f64;
                -(p::<RING>(n) * z * out[k - 1] + q::<RING>(n) * out[k - 2]) / r2
            }
        };
    }
}

impl<const RING: bool, const ORDER: usize> AxialField for FieldSeries<RING, ORDER> {
    #[inline(always)]
    fn strength(&self) -> f64 {
        if RING { -1.0 } else { 2.0 * PI * self.radius2 }
    }

    #[inline(always)]
    fn slopes<V: Lanes>(&self, s: V, z: V) -> FieldSlopes<V> {
        let c = |x: f64| s.splat(x);
        let order = self.order();
        let r2 = z.mul_add(z, c(self.radius2));
        let i = c(1.0) / r2;
        // 1/R³ = R/R⁴, so that root and quotient do not wait for each other.
        let scale = r2.sqrt() * (i * i);
        let (u, q) = (z * i, s * i);
        let zeta = i.neg_mul_add(c(self.radius2), c(1.0));
        let zq = zeta * q;
        // D_1 and, for the ring, D_0, in units of the common factor: a_0 and the part of y_1 that comes from
        // y_0.
        let first = &self.rows[0];
        let (a0, y1) = if RING {
            let a0 = zeta.neg_mul_add(c(3.0), c(1.0));
            (a0, a0 + c(0.8))
        } else {
            (c(1.0), c(1.0))
        };
        // For j = 1 and for y_2 the factor is 1/R² instead of q, because by definition a factor s is missing.
        let mut y = y1;
        let mut a = i * zeta.neg_mul_add(y, a0 * c(first.a));
        let (mut g, mut g_r) = (c(0.0), c(0.0));
        let (mut bz, mut g_z) = (a * c(first.bz), a * c(first.g_z));
        macro_rules! terms {
            ($j:expr, $by:expr) => {{
                let row = &self.rows[$j - 1];
                y = ($by * c(row.y)).mul_add(y, a);
                a = zq.neg_mul_add(y, q * c(row.a) * a);
                g = y.mul_add(c(row.g), g);
                g_r = y.mul_add(c(row.g_r), g_r);
                bz = a.mul_add(c(row.bz), bz);
                g_z = a.mul_add(c(row.g_z), g_z);
            }};
        }
        if order > 1 {
            terms!(2, i);
        }
        if ORDER == 0 {
            for j in 3..=order {
                terms!(j, q);
            }
        } else {
            // The loop is unrolled by hand, because the compiler finds it too long.
            macro_rules! unrolled {
                ($($j:literal)*) => {$(if ORDER >= $j { terms!($j, q); })*};
            }
            unrolled!(3 4 5 6 7 8 9 10 11 12);
        }
        let by = if order == 1 { i } else { q };
        let next = (by * c(self.tail[0])).mul_add(y, a);
        let g = u * s.mul_add(g, y1 * c(first.g));
        let rest = next.mul_add(c(self.tail[1]), g_r);
        FieldSlopes {
            scale,
            g,
            bz: s.mul_add(bz, a0),
            g_z,
            g_r: u * g_r,
            bz_z: -(s * u).mul_add(rest, g + g),
        }
    }
}
