//! Elliptic integrals and functions, with the amplitude given by its sine and cosine.
//!
//! Parameter `m = k²`; the complementary parameter `m1 = 1 − m` and `n' = 1 − n` are always carried separately,
//! and the amplitude itself is never formed, because both would lose half of the digits near the separatrix `m
//! → 1`. Integrals use Carlson's duplication (Carlson 1995, Numer. Algorithms 10, 13–26), functions the
//! descending Gauss transformation (Bulirsch 1965, Numer. Math. 7, 78–90).

use super::scalar;

/// Carlson's `R_F(x, y, z) = ½ ∫₀^∞ dt / √((t+x)(t+y)(t+z))`; at most one argument zero.
pub fn carlson_rf(x: f64, y: f64, z: f64) -> f64 {
    let (mut x, mut y, mut z) = (x, y, z);
    let a0 = (x + y + z) / 3.0;
    let (x0, y0) = (a0 - x, a0 - y);
    // (3 ε)^(-1/8) = 83.8
    let q = 83.8 * x0.abs().max(y0.abs()).max((a0 - z).abs());
    let (mut a, mut f) = (a0, 1.0);
    while q * f > a {
        let (sx, sy, sz) = (x.sqrt(), y.sqrt(), z.sqrt());
        let l = sx * (sy + sz) + sy * sz;
        x = 0.25 * (x + l);
        y = 0.25 * (y + l);
        z = 0.25 * (z + l);
        a = 0.25 * (a + l);
        f *= 0.25;
    }
    let (dx, dy) = (x0 * f / a, y0 * f / a);
    let dz = -dx - dy;
    let (e2, e3) = (dx * dy - dz * dz, dx * dy * dz);
    let series = 1.0
        + e3 * (1.0 / 14.0 + 3.0 * e3 / 104.0)
        + e2 * (-0.1 + e2 / 24.0 - 3.0 * e3 / 44.0 - 5.0 * e2 * e2 / 208.0 + e2 * e3 / 16.0);
    series / a.sqrt()
}

/// Carlson's degenerate integral `R_C(x, y) = R_F(x, y, y)`, `x ≥ 0`, `y > 0`.
pub fn carlson_rc(x: f64, y: f64) -> f64 {
    let (mut x, mut y) = (x, y);
    let (a0, y0) = ((x + 2.0 * y) / 3.0, y);
    let q = 83.8 * (a0 - x).abs();
    let (mut a, mut f) = (a0, 1.0);
    while q * f > a {
        let l = 2.0 * x.sqrt() * y.sqrt() + y;
        x = 0.25 * (x + l);
        y = 0.25 * (y + l);
        a = 0.25 * (a + l);
        f *= 0.25;
    }
    rc_series((y0 - a0) * f / a) / a.sqrt()
}

fn rc_series(s: f64) -> f64 {
    1.0 + s
        * s
        * (0.3
            + s * (1.0 / 7.0
                + s * (0.375 + s * (9.0 / 22.0 + s * (159.0 / 208.0 + s * (9.0 / 8.0))))))
}

/// Evaluates `R_C(1, 1 + e)`, `e > −1`, by the power series `Σ (−e)^k/(2k+1)` when `e` is small.
#[inline]
fn rc_one(e: f64) -> f64 {
    if e.abs() > 1e-3 {
        return carlson_rc(1.0, 1.0 + e);
    }
    1.0 - e * (1.0 / 3.0 - e * (1.0 / 5.0 - e * (1.0 / 7.0 - e * (1.0 / 9.0 - e * (1.0 / 11.0)))))
}

/// Carlson's `R_J(x, y, z, p) = (3/2) ∫₀^∞ dt / ((t+p) √((t+x)(t+y)(t+z)))`, `p > 0`.
pub fn carlson_rj(x: f64, y: f64, z: f64, p: f64) -> f64 {
    let (mut x, mut y, mut z, mut p) = (x, y, z, p);
    let a0 = (x + y + z + 2.0 * p) / 5.0;
    let delta = (p - x) * (p - y) * (p - z);
    let (x0, y0, z0) = (a0 - x, a0 - y, a0 - z);
    // (ε/4)^(-1/8) = 107.7
    let spread = x0.abs().max(y0.abs()).max(z0.abs()).max((a0 - p).abs());
    let q = 107.7 * spread;
    let (mut a, mut f, mut f3, mut sum) = (a0, 1.0, 1.0, 0.0);
    // The loop is bounded, so that it ends for NaN too.
    for _ in 0..600 {
        let (sx, sy, sz, sp) = (x.sqrt(), y.sqrt(), z.sqrt(), p.sqrt());
        let l = sx * (sy + sz) + sy * sz;
        let d = (sp + sx) * (sp + sy) * (sp + sz);
        sum += f / d * rc_one(f3 * delta / (d * d));
        x = 0.25 * (x + l);
        y = 0.25 * (y + l);
        z = 0.25 * (z + l);
        p = 0.25 * (p + l);
        a = 0.25 * (a + l);
        f *= 0.25;
        f3 *= 1.0 / 64.0;
        if q * f < a {
            break;
        }
    }
    let r = f / a;
    let (dx, dy, dz) = (x0 * r, y0 * r, z0 * r);
    let dp = -0.5 * (dx + dy + dz);
    let e2 = dx * dy + dx * dz + dy * dz - 3.0 * dp * dp;
    let e3 = dx * dy * dz + 2.0 * e2 * dp + 4.0 * dp * dp * dp;
    let e4 = (2.0 * dx * dy * dz + e2 * dp + 3.0 * dp * dp * dp) * dp;
    let e5 = dx * dy * dz * dp * dp;
    let series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0
        - 3.0 * e4 / 22.0
        - 9.0 * e2 * e3 / 52.0
        + 3.0 * e5 / 26.0
        - e2 * e2 * e2 / 16.0
        + 3.0 * e3 * e3 / 40.0
        + 3.0 * e2 * e4 / 20.0;
    f * series / (a * a.sqrt()) + 6.0 * sum
}

/// Returns the complete integral of the first kind `K(m)` from `m1 = 1 − m`; infinite at `m1 = 0`.
pub fn complete_k(m1: f64) -> f64 {
    if m1 > 0.0 {
        carlson_rf(0.0, m1, 1.0)
    } else {
        f64::INFINITY
    }
}

/// Returns the incomplete integral of the first kind `F(φ | m)`, with `s = sin φ`, `c = cos φ ≥ 0`.
pub fn incomplete_f(s: f64, c: f64, m: f64, m1: f64) -> f64 {
    s * carlson_rf(c * c, m1 + m * c * c, 1.0)
}

/// Integral of the third kind `Π(n | m)` with its constants computed once.
///
/// For `n < 0` the integral is transformed to the characteristic `N = (m − n)/(1 − n)`, so that all terms are
/// of one sign.
#[derive(Debug, Clone, Copy)]
pub struct ThirdKind {
    m: f64,
    m1: f64,
    negative: bool,
    /// The value `n/3`, or `N/3` after the transformation.
    n_third: f64,
    /// The value `1 − n`, or `1 − N`.
    n1: f64,
    /// Weights of the transformed integral, of F, and of the arc tangent, and the factor in the latter.
    weight_pi: f64,
    weight_f: f64,
    weight_atan: f64,
    atan_factor: f64,
}

impl ThirdKind {
    /// Prepares the integral with characteristic `n`, `n1 = 1 − n`, parameter `m`, `m1 = 1 − m`.
    pub fn new(n: f64, n1: f64, m: f64, m1: f64) -> Self {
        if n >= 0.0 {
            return Self {
                m,
                m1,
                negative: false,
                n_third: n / 3.0,
                n1,
                weight_pi: 1.0,
                weight_f: 0.0,
                weight_atan: 0.0,
                atan_factor: 0.0,
            };
        }
        let g = m - n;
        Self {
            m,
            m1,
            negative: true,
            n_third: g / n1 / 3.0,
            n1: m1 / n1,
            weight_pi: (-n / n1) * (m1 / g),
            weight_f: m / g,
            weight_atan: (-n / (g * n1)).sqrt(),
            atan_factor: (-n).sqrt() * (g / n1).sqrt(),
        }
    }

    /// Evaluates `Π(n; φ | m)` for `s = sin φ`, `c = cos φ ≥ 0`, given `f = F(φ | m)`.
    #[inline]
    pub fn at(&self, s: f64, c: f64, f: f64) -> f64 {
        let delta2 = self.m1 + self.m * c * c;
        if self.negative && self.weight_pi == 0.0 {
            return self.weight_f * f + self.weight_atan * scalar::atan(self.atan_factor * s);
        }
        let pi = if self.n_third == 0.0 {
            f
        } else {
            let p = c * c + self.n1 * s * s;
            f + self.n_third * s * s * s * carlson_rj(c * c, delta2, 1.0, p)
        };
        if !self.negative {
            return pi;
        }
        let angle = scalar::atan(self.atan_factor * s * c / delta2.sqrt());
        self.weight_pi * pi + self.weight_f * f + self.weight_atan * angle
    }

    /// Returns the complete integral, given `K`.
    pub fn complete(&self, k: f64) -> f64 {
        if k.is_finite() {
            self.at(1.0, 0.0, k)
        } else {
            // An infinite `K` allows only zero turns, so this value is only multiplied by zero.
            0.0
        }
    }
}

/// The integral `∫ sn²/(1 − n sn²) du` from 0, for `n ≤ 0`: `(Π(n) − F)/n` without its cancellation.
#[derive(Debug, Clone, Copy)]
pub struct SineIntegral {
    /// Complementary characteristic `1 − n`.
    pub n1: f64,
    /// Parameter `m`.
    pub m: f64,
    /// Complementary parameter `1 − m`.
    pub m1: f64,
}

impl SineIntegral {
    /// Evaluates the integral for `s = sin φ`, `c = cos φ ≥ 0`, given `f = F(φ | m)`.
    #[inline]
    pub fn at(&self, s: f64, c: f64, f: f64) -> f64 {
        if self.m1 == 0.0 {
            // With sn = tanh the integral is elementary, also where c underflows.
            let root = (self.n1 - 1.0).sqrt();
            let angle = if root == 0.0 {
                s
            } else {
                scalar::atan(root * s) / root
            };
            return (f - angle) / self.n1;
        }
        let (s2, c2) = (s * s, c * c);
        s * s2 / 3.0 * carlson_rj(c2, self.m1 + self.m * c2, 1.0, c2 + self.n1 * s2)
    }

    /// Returns the complete integral, given `K`.
    pub fn complete(&self, k: f64) -> f64 {
        if k.is_finite() {
            self.at(1.0, 0.0, k)
        } else {
            // An infinite `K` allows only zero turns, so this value is only multiplied by zero.
            0.0
        }
    }
}

/// Computes Jacobi's `sn, cn, dn` of `u ≥ 0` by Bulirsch's recursion; requires `m1 > 0`, accurate up to `K/2`.
pub fn sncndn(u: f64, m1: f64) -> (f64, f64, f64) {
    if u == 0.0 {
        return (0.0, 1.0, 1.0);
    }
    let mut stack = [(0.0, 0.0); 14];
    let (mut a, mut root, mut mean) = (1.0, m1, 1.0);
    let mut used = 0;
    for slot in &mut stack {
        root = root.sqrt();
        *slot = (a, root);
        used += 1;
        mean = 0.5 * (a + root);
        if (a - root).abs() <= 1e-8 * a {
            break;
        }
        root *= a;
        a = mean;
    }
    let (sn, cn) = scalar::sincos(u * mean);
    if sn == 0.0 {
        return (sn, cn, 1.0);
    }
    let mut dn = 1.0;
    let mut ratio = cn / sn;
    let mut c = mean * ratio;
    for &(b, e) in stack[..used].iter().rev() {
        ratio *= c;
        c *= dn;
        dn = (e + ratio) / (b + ratio);
        ratio = c / b;
    }
    let s = 1.0 / (c * c + 1.0).sqrt();
    let s = if sn >= 0.0 { s } else { -s };
    (s, c * s, dn)
}

/// Jacobi's amplitude reduced to a half turn: `am u = turns·π + φ`, `|φ| ≤ π/2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amplitude {
    /// Number of half turns.
    pub turns: f64,
    /// `sin φ`.
    pub s: f64,
    /// `cos φ ≥ 0`.
    pub c: f64,
    /// `dn u`.
    pub d: f64,
    /// `F(φ | m) = u − 2 K turns`.
    pub f: f64,
    /// The factor `(−1)^turns`, with which `sn u = sign s`, `cn u = sign c`.
    pub sign: f64,
}

/// Computes the amplitude of `u`, given `K` and `√m1`; at `m1 = 0` by hyperbolic functions.
#[inline]
pub fn jacobi_amplitude(u: f64, m1: f64, root_m1: f64, k: f64) -> Amplitude {
    if m1 == 0.0 {
        let c = 1.0 / scalar::cosh(u);
        let s = scalar::tanh(u);
        return Amplitude {
            turns: 0.0,
            s,
            c,
            d: c,
            f: u,
            sign: 1.0,
        };
    }
    let turns = (u / (2.0 * k) + 0.5).floor();
    let r = u - 2.0 * turns * k;
    let (s, c, d) = if r.abs() <= 0.5 * k {
        sncndn(r.abs(), m1)
    } else {
        let (s, c, d) = sncndn((k - r.abs()).max(0.0), m1);
        (c / d, root_m1 * s / d, root_m1 / d)
    };
    let odd = turns - 2.0 * (0.5 * turns).floor() != 0.0;
    Amplitude {
        turns,
        s: if r >= 0.0 { s } else { -s },
        c,
        d,
        f: r,
        sign: if odd { -1.0 } else { 1.0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 4e-15 * b.abs(), "{a} {b}");
    }

    /// Values published in Carlson 1995, section 3.
    #[test]
    fn carlson_published_values() {
        close(carlson_rf(1.0, 2.0, 0.0), 1.311_028_777_146_059_9);
        close(carlson_rf(2.0, 3.0, 4.0), 0.584_082_841_677_151_7);
        close(carlson_rc(0.0, 0.25), core::f64::consts::PI);
        close(carlson_rc(2.25, 2.0), core::f64::consts::LN_2);
        close(carlson_rj(0.0, 1.0, 2.0, 3.0), 0.776_886_237_785_823_3);
        close(carlson_rj(2.0, 3.0, 4.0, 5.0), 0.142_975_796_671_567_53);
    }

    /// Values to 40 digits, both near equal arguments, where the series alone suffices, and far from them.
    #[test]
    fn carlson_functions_near_and_far() {
        for ([x, y, z], exact) in [
            ([1.0078125, 1.0078125, 0.984375], 1.000_018_380_075_534_8),
            ([0.9921875, 0.9921875, 1.015625], 1.000_018_243_812_530_6),
            ([0.9921875, 1.0, 1.0078125], 1.000_006_103_670_850_9),
            ([0.001, 1.0, 2000.0], 0.115_294_718_998_334_77),
            ([2000.0, 0.001, 1.0], 0.115_294_718_998_334_77),
            ([0.0, 1e-10, 1.0], 12.899_219_826_387_6),
        ] {
            close(carlson_rf(x, y, z), exact);
        }
        for ([x, y], exact) in [
            ([1.015625, 1.0], 0.997_413_975_371_541_95),
            ([0.984375, 1.0], 1.002_622_649_344_523_2),
            ([0.001, 2.0], 1.095_181_858_024_004),
            ([50.0, 0.25], 0.473_682_008_136_830_49),
        ] {
            close(carlson_rc(x, y), exact);
        }
        for ([x, y, z, p], exact) in [
            ([1.03515625, 1.0, 1.0, 1.0], 0.989_647_346_460_509_31),
            (
                [0.96484375, 0.96484375, 1.03515625, 1.0],
                1.011_018_863_820_328_9,
            ),
            ([1.0, 1.0, 1.0, 1.03515625], 0.979_421_868_626_027),
            ([1.0, 1.0, 1.0, 0.96484375], 1.021_638_361_293_647_4),
            (
                [0.96484375, 1.03515625, 1.03515625, 0.96484375],
                1.011_287_678_504_146,
            ),
            ([0.0, 0.001, 1.0, 5.0], 2.572_762_234_779_409_8),
            ([1.0, 2.0, 3000.0, 0.125], 0.051_069_655_423_968_53),
        ] {
            close(carlson_rj(x, y, z, p), exact);
        }
    }

    #[test]
    fn functions_satisfy_their_identities_and_invert_the_integral() {
        for m1 in [1.0, 0.7, 0.1, 1e-6, 1e-15, 1e-30] {
            let (m, k) = (1.0 - m1, complete_k(m1));
            for i in -40..=40 {
                let u = 0.137 * f64::from(i) * k;
                let e = jacobi_amplitude(u, m1, m1.sqrt(), k);
                assert!((e.s * e.s + e.c * e.c - 1.0).abs() < 2e-15);
                assert!((e.d * e.d - (m1 + m * e.c * e.c)).abs() < 2e-15 * e.d);
                let back = incomplete_f(e.s, e.c, m, m1) + 2.0 * e.turns * k;
                assert!(
                    (back - u).abs() < 4e-15 * (1.0 + u.abs()),
                    "{m1} {u} {back}"
                );
            }
        }
    }

    /// Values to 25 digits; for small m1 the arithmetic and the geometric mean converge late.
    #[test]
    fn jacobi_functions_next_to_the_separatrix() {
        let tiny = |k: i32| libm::ldexp(1.0, -k);
        for (u, m1, exact) in [
            (
                9.0,
                tiny(50),
                [
                    0.999_999_969_540_041_2,
                    0.000_246_819_603_514_679_02,
                    0.000_246_819_605_313_925_01,
                ],
            ),
            (
                4.0,
                tiny(680),
                [
                    0.999_329_299_739_067_04,
                    0.036_618_993_473_686_533,
                    0.036_618_993_473_686_533,
                ],
            ),
        ] {
            let (s, c, d) = sncndn(u, m1);
            for (x, exact) in [s, c, d].into_iter().zip(exact) {
                close(x, exact);
            }
        }
    }

    #[test]
    fn the_separatrix_is_the_limit() {
        let (m1, u) = (1e-30_f64, 3.0);
        let (a, b) = (
            jacobi_amplitude(u, 0.0, 0.0, f64::INFINITY),
            jacobi_amplitude(u, m1, m1.sqrt(), complete_k(m1)),
        );
        close(a.s, b.s);
        close(a.c, b.c);
        for n in [-3.0, -0.01] {
            let (p, q) = (
                ThirdKind::new(n, 1.0 - n, 1.0, 0.0),
                ThirdKind::new(n, 1.0 - n, 1.0, m1),
            );
            close(p.at(a.s, a.c, u), q.at(b.s, b.c, u));
        }
    }

    #[test]
    fn the_integral_of_squared_sines_is_a_difference_of_the_others() {
        let (u, n1) = (1.3, 4.0);
        for m1 in [0.7, 1e-3, 1e-30] {
            let (m, k) = (1.0 - m1, complete_k(m1));
            let e = jacobi_amplitude(u, m1, m1.sqrt(), k);
            let third = ThirdKind::new(1.0 - n1, n1, m, m1).at(e.s, e.c, e.f);
            let integral = SineIntegral { n1, m, m1 }.at(e.s, e.c, e.f);
            close(integral, (e.f - third) / (n1 - 1.0));
        }
        // On the separatrix, with characteristic zero, the integral is u − tanh u.
        let e = jacobi_amplitude(u, 0.0, 0.0, f64::INFINITY);
        let at = |n1: f64, m1: f64| {
            let m = 1.0 - m1;
            SineIntegral { n1, m, m1 }.at(e.s, e.c, u)
        };
        close(at(n1, 0.0), at(n1, 1e-30));
        close(at(1.0, 0.0), u - libm::tanh(u));
        close(at(1.0, 1e-30), u - libm::tanh(u));
    }

    #[test]
    fn third_kind_is_continuous_at_zero_and_elementary_for_m_zero() {
        let (s, c) = scalar::sincos(1.1);
        // For m = 0, Π(n; φ) = atan(√(1−n) tan φ)/√(1−n).
        for n in [-8.0, -0.5, -1e-3, 0.0, 0.3, 0.9] {
            let r = (1.0_f64 - n).sqrt();
            let exact = scalar::atan2(r * s, c) / r;
            close(ThirdKind::new(n, 1.0 - n, 0.0, 1.0).at(s, c, 1.1), exact);
        }
        close(ThirdKind::new(-1e-18, 1.0, 0.5, 0.5).at(s, c, 1.3), 1.3);
    }
}
