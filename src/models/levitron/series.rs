//! The field by its series about the axis, cut after s^J:
//! F(s, z) = Σ_j c_j s^j φ^{(2j)}(z), c_j = (−1)^j / (4^j j!²), with φ the potential on the axis.
//!
//! With R² = z² + a², u = z/R², q = s/R² the derivatives obey D_k = −[p_k z D_{k−1} + q_k D_{k−2}]/R²,
//! where p_k = 2k − 1, q_k = k (k − 2) for the disk, φ' = −2π a²/R³, and p_k = 2k + 1, q_k = k² for
//! the ring, φ = z/R³. So with b_j = c_j s^{j−2} D_{2j}, a_j = c_j s^{j−1} D_{2j+1}
//! b_j = p_{2j}/(4j²) u a_{j−1} + q_{2j}/(4j²) q b_{j−1}, a_j = −p_{2j+1} z q b_j + q_{2j+1}/(4j²) q a_{j−1}
//! and F_z = D_1 + s Σ a_j, F_sz = Σ j a_j, F_s = c_1 D_2 + s Σ_{j≥2} j b_j, F_ss = Σ j(j−1) b_j.
//! Both sequences are rescaled such that the first coefficient of either rule is one.
//!
//! Harmonicity gives F_zz = −4 (F_s + s F_ss) but for the residual of the cut,
//! c_J s^J D_{2J+2} = −s [p_{2J+2} u a_J + q_{2J+2} q b_J]: see [`Gradient`].

use super::field::{AxialField, Gradient, MAX_ORDER, Slopes};
use crate::math::lanes::Lanes;
use core::f64::consts::PI;

/// Coefficients of the j-th terms.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Row {
    /// Of q b_{j−1} in b_j.
    b: f64,
    /// Of q a_{j−1} in a_j.
    a: f64,
    /// Weight of b_j in G.
    g: f64,
    /// Weight of b_j in (∂_ρ G)/ρ.
    g_r: f64,
    /// Weight of a_j in B_z.
    bz: f64,
    /// Weight of a_j in ∂_z G.
    g_z: f64,
}

/// The series of a disk or a ring; `ORDER` = 0 reads the order from the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Series<const RING: bool, const ORDER: usize> {
    order: usize,
    radius2: f64,
    /// Factor of 1/R³ in everything.
    strength: f64,
    rows: [Row; MAX_ORDER],
    /// Of z q a_J and of q s b_J in the residual; zeros without it.
    tail: [f64; 2],
}

impl<const RING: bool> Series<RING, 0> {
    /// Base radius a (m), order J.
    pub(super) fn new(radius: f64, order: usize, gradient: Gradient) -> Self {
        let mut rows = [Row::default(); MAX_ORDER];
        // What the scaled b_{j−1}, a_{j−1} must be multiplied by to be the true ones. The true
        // b_1 of the rules is s times what is kept, G/2 on the axis.
        let (mut kb, mut ka) = (0.5, 1.0);
        for j in 1..=order {
            let n = 2.0 * j as f64;
            let kb_new = if j == 1 {
                0.5
            } else {
                p::<RING>(n) / (n * n) * ka
            };
            let ka_new = p::<RING>(n + 1.0) * kb_new;
            rows[j - 1] = Row {
                b: q::<RING>(n) / (n * n) * kb / kb_new,
                a: q::<RING>(n + 1.0) / (n * n) * ka / ka_new,
                g: n * kb_new,
                g_r: n * (n - 2.0) * kb_new,
                bz: ka_new,
                g_z: n * ka_new,
            };
            (kb, ka) = (kb_new, ka_new);
        }
        let n = 2.0 * order as f64 + 2.0;
        let tail = match gradient {
            Gradient::Exact => [p::<RING>(n) * ka, q::<RING>(n) * kb],
            Gradient::Harmonic => [0.0; 2],
        };
        let radius2 = radius * radius;
        Self {
            order,
            radius2,
            strength: if RING { -1.0 } else { 2.0 * PI * radius2 },
            rows,
            tail,
        }
    }

    /// The same with the order known to the compiler.
    #[inline(always)]
    pub(super) fn fixed<const ORDER: usize>(&self) -> Series<RING, ORDER> {
        debug_assert_eq!(self.order, ORDER);
        Series {
            order: self.order,
            radius2: self.radius2,
            strength: self.strength,
            rows: self.rows,
            tail: self.tail,
        }
    }
}

impl<const RING: bool, const ORDER: usize> Series<RING, ORDER> {
    /// J.
    #[inline(always)]
    pub(super) fn order(&self) -> usize {
        if ORDER == 0 { self.order } else { ORDER }
    }
}

/// p_k of the rule for the derivatives on the axis.
fn p<const RING: bool>(k: f64) -> f64 {
    if RING { 2.0 * k + 1.0 } else { 2.0 * k - 1.0 }
}

/// q_k.
fn q<const RING: bool>(k: f64) -> f64 {
    if RING { k * k } else { k * (k - 2.0) }
}

/// φ and its derivatives up to `out.len() − 1` at height `z`.
pub(super) fn on_axis<const RING: bool>(radius: f64, z: f64, out: &mut [f64]) {
    let r2 = z * z + radius * radius;
    let r = r2.sqrt();
    for k in 0..out.len() {
        out[k] = match (k, RING) {
            // 1 − z/R without cancellation where z > 0.
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

impl<const RING: bool, const ORDER: usize> AxialField for Series<RING, ORDER> {
    #[inline(always)]
    fn slopes<V: Lanes>(&self, s: V, z: V) -> Slopes<V> {
        let c = |x: f64| s.splat(x);
        let order = self.order();
        let r2 = z.mul_add(z, c(self.radius2));
        let i = c(1.0) / r2;
        // 1/R³ = R/R⁴: root and quotient do not wait for each other.
        let scale = r2.sqrt() * (c(self.strength) * (i * i));
        let (u, q) = (z * i, s * i);
        let zq = z * q;
        // D_1 and G on the axis in units of the common factor, with the sign of B.
        let (a0, b1) = if RING {
            let a0 = (z * u).neg_mul_add(c(3.0), c(1.0));
            (a0, u * a0.mul_add(c(2.5), c(2.0)))
        } else {
            (c(1.0), u * c(1.5))
        };
        let first = &self.rows[0];
        let mut b = b1;
        let mut a = u.neg_mul_add(b, i * a0 * c(first.a));
        let (mut g, mut g_r) = (c(0.0), c(0.0));
        let (mut bz, mut g_z) = (a * c(first.bz), a * c(first.g_z));
        for j in 2..=order {
            let row = &self.rows[j - 1];
            // b_1 comes without its factor s.
            let by = if j == 2 { i } else { q };
            b = u.mul_add(a, by * c(row.b) * b);
            a = zq.neg_mul_add(b, q * c(row.a) * a);
            g = b.mul_add(c(row.g), g);
            g_r = b.mul_add(c(row.g_r), g_r);
            bz = a.mul_add(c(row.bz), bz);
            g_z = a.mul_add(c(row.g_z), g_z);
        }
        let g = s.mul_add(g, b1);
        let sb = if order == 1 { b1 } else { s * b };
        let tail = (zq * a).mul_add(c(self.tail[0]), q * sb * c(self.tail[1]));
        let laplace = s.mul_add(g_r, g + g);
        Slopes {
            scale,
            g,
            bz: s.mul_add(bz, a0),
            g_z,
            g_r,
            bz_z: -(laplace + tail),
        }
    }

    fn potential(&self, s: f64, z: f64) -> f64 {
        let mut d = [0.0; 2 * MAX_ORDER + 1];
        let order = self.order();
        on_axis::<RING>(self.radius2.sqrt(), z, &mut d[..=2 * order]);
        // c_j s^j from the highest term down.
        let mut sum = 0.0;
        for j in (1..=order).rev() {
            let n = 2.0 * j as f64;
            sum = (d[2 * j] + sum) * (-s / (n * n));
        }
        sum + d[0]
    }
}
