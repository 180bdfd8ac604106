//! Turning points of a Lagrange top: roots of the cubic in `u = cos θ`, each kept in the form that loses no
//! digits.
//!
//! Units: transverse moment A = 1. The roots are measured as `x = u − u0` from the start, `p = 1 + u` from the
//! bottom and `q = 1 − u` from the top. Where u2 and u3 are near each other compared with u1, as next to the
//! separatrix, the two small roots in q come from the deflated quadratic, whose discriminant is a sum of
//! positive terms.

use crate::math::double_double::DoubleDouble;

/// Initial state of the motion, in units with transverse moment one.
#[derive(Debug, Clone, Copy)]
pub(super) struct LagrangeStart {
    /// `M/A > 0`; the potential is M cos θ.
    pub m: f64,
    /// `cos²(θ/2)`, `sin²(θ/2)`, `cos θ`.
    pub c2: f64,
    pub s2: f64,
    pub u0: f64,
    /// Components of the up direction across the axis, body frame.
    pub gamma: [f64; 2],
    /// Body rates; the third is about the axis.
    pub w: [f64; 3],
    /// `C w3 / A`.
    pub l3: f64,
    /// Relative uncertainty of the attitude's entries; zero when they are exact.
    pub uncertain: f64,
}

/// Turning points and elliptic constants of a motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Roots {
    /// `L_z + L_3` and `L_z − L_3`.
    pub lp: f64,
    pub lm: f64,
    /// `u2 − u1`, `1 + u1`, `1 − u2`.
    pub du: f64,
    pub p1: f64,
    pub q2: f64,
    pub m: f64,
    pub m1: f64,
    pub kappa: f64,
    /// Sine and cosine of the amplitude at the start.
    pub s0: f64,
    pub c0: f64,
    /// Relative and absolute uncertainty of m1.
    pub relative: f64,
    pub absolute: f64,
    /// Transverse rate at the bottom, an upper bound for every motion of this energy, 1/s.
    pub w_max: f64,
    /// Transverse rate at the lowest point of the motion, 1/s, and the largest sine of the tilt.
    pub speed: f64,
    pub lean: f64,
}

/// Finds the largest root of `x³ + b x² + c x + g` by Newton's method, starting above it.
fn largest_root(mut x: f64, b: f64, c: f64, g: f64) -> f64 {
    for _ in 0..200 {
        let dx = (((x + b) * x + c) * x + g) / ((3.0 * x + 2.0 * b) * x + c);
        if !dx.is_finite() {
            break;
        }
        x -= dx;
        if dx.abs() <= 4.5e-16 * x.abs() {
            break;
        }
    }
    x
}

/// Finds the root of `a0 + a1 x + a2 x² + a3 x³` next to zero by Newton's method.
fn small_root(a0: f64, a1: f64, a2: f64, a3: f64) -> f64 {
    if a0 == 0.0 {
        return 0.0;
    }
    let mut x = -a0 / a1;
    for _ in 0..60 {
        let dx = (((a3 * x + a2) * x + a1) * x + a0) / ((3.0 * a3 * x + 2.0 * a2) * x + a1);
        if !dx.is_finite() {
            break;
        }
        x -= dx;
        if dx.abs() <= 3e-16 * x.abs() {
            break;
        }
    }
    x
}

/// Roots of the cubic in q, of which q2 and q3 are next to the top, and the distance of those two.
struct NearTop {
    q1: f64,
    q2: f64,
    q3: f64,
    gap: f64,
}

fn roots_near_top(m: f64, lm: f64, b1: f64, a2: f64) -> NearTop {
    let q1 = largest_root(2.0, a2 / (2.0 * m), b1 / (2.0 * m), lm * lm / (2.0 * m));
    let product = -lm * lm / (2.0 * m * q1);
    let sum = (b1 / (2.0 * m) - product) / q1;
    let gap = (sum * sum - 4.0 * product).sqrt();
    let (q2, q3) = if gap == 0.0 {
        (0.0, 0.0)
    } else if sum >= 0.0 {
        let q2 = 0.5 * (sum + gap);
        (q2, product / q2)
    } else {
        let q3 = 0.5 * (sum - gap);
        (product / q3, q3)
    };
    NearTop { q1, q2, q3, gap }
}

impl LagrangeStart {
    /// Computes the turning points and elliptic constants of the motion.
    pub(super) fn roots(&self) -> Roots {
        let &Self {
            m,
            c2,
            s2,
            u0,
            l3,
            gamma,
            w,
            ..
        } = self;
        let dd = DoubleDouble::product;
        let tau = dd(w[0], gamma[0]) + dd(w[1], gamma[1]);
        let lp = (tau + dd(2.0 * l3, c2)).value();
        let lm = (tau - dd(2.0 * l3, s2)).value();
        let tau = tau.value();
        let udot = (dd(gamma[0], w[1]) - dd(gamma[1], w[0])).value();
        let square = dd(w[0], w[0]) + dd(w[1], w[1]);
        let kt = 0.5 * square.value();
        // Energy above upright rest: Kt + M u0 − M = Kt − 2 M s2.
        let e = 0.5 * (square - dd(4.0 * m, s2)).value();

        let f1 = 2.0 * (-4.0 * m * s2 * c2 - 2.0 * u0 * kt) + 2.0 * l3 * tau;
        let f2 = 2.0 * (4.0 * m * u0 - 2.0 * kt) - 2.0 * l3 * l3;
        let g = udot * udot / (2.0 * m);
        let c = f1 / (2.0 * m);
        let b = f2 / (4.0 * m);

        let b1 = 2.0 * l3 * lm - 4.0 * e;
        let top = roots_near_top(m, lm, b1, l3 * l3 - 4.0 * m + 2.0 * e);
        let near = top.gap < 0.5 * (top.q1 - top.q3) && top.q3 <= 0.0;
        let x3 = if near {
            2.0 * s2 - top.q3
        } else {
            largest_root(1.0 + b.abs().max(c.abs()).max(g), b, c, g)
        };
        let p0 = g / x3;
        let d = (c + p0) / x3;
        let root = (d * d + 4.0 * p0).sqrt();
        let (x1, x2) = if d >= 0.0 {
            let x2 = 0.5 * (d + root);
            (if x2 > 0.0 { -p0 / x2 } else { 0.0 }, x2)
        } else {
            let x1 = 0.5 * (d - root);
            (x1, -p0 / x1)
        };

        let total = e + m; // transverse kinetic and potential energy
        let mut p1 = 2.0 * c2 + x1;
        if p1 < 0.2 * c2 || lp == 0.0 {
            p1 = small_root(
                lp * lp,
                -(2.0 * l3 * lp + 4.0 * (kt + 2.0 * m * c2)),
                l3 * l3 + 2.0 * (total + 3.0 * m),
                -2.0 * m,
            );
        }
        let mut q2 = 2.0 * s2 - x2;
        if near {
            q2 = top.q2;
        } else if q2 < 0.2 * s2 {
            let r = small_root(lm * lm, b1, l3 * l3 - 4.0 * m + 2.0 * e, 2.0 * m);
            if (r - q2).abs() < 1e-6 {
                q2 = r;
            }
        }
        let du = x2 - x1;
        let span = x3 - x1;
        let m1 = if near {
            top.gap / span
        } else {
            (x3 - x2) / span
        };
        let (s, co) = ((-x1).max(0.0).sqrt(), x2.max(0.0).sqrt());
        let h = (s * s + co * co).sqrt();
        let (s, co) = if h > 0.0 { (s / h, co / h) } else { (0.0, 1.0) };
        let (relative, absolute) = if near {
            self.m1_uncertainty(&top, kt, tau, lm, span)
        } else {
            (0.0, 0.0)
        };
        let (p1, q2) = (p1.max(0.0), q2.max(0.0));
        let lean = if p1 >= 1.0 {
            (2.0 * s2 - x1).max(0.0) * p1
        } else if q2 >= 1.0 {
            q2 * (p1 + du)
        } else {
            1.0
        };
        Roots {
            lp,
            lm,
            du,
            p1,
            q2,
            m: du / span,
            m1: m1.clamp(0.0, 1.0),
            kappa: (0.5 * m * span).sqrt(),
            s0: if udot >= 0.0 { s } else { -s },
            c0: co,
            relative,
            absolute,
            w_max: (2.0 * (total + m)).max(0.0).sqrt(),
            speed: (2.0 * (e + m * (2.0 * s2 - x1))).max(0.0).sqrt(),
            lean: lean.sqrt(),
        }
    }

    /// Returns the relative and the absolute uncertainty of m1 near the separatrix.
    fn m1_uncertainty(&self, top: &NearTop, kt: f64, tau: f64, lm: f64, span: f64) -> (f64, f64) {
        let scale = 2.0 * self.m * top.q1;
        let d_lm = self.uncertain * (tau.abs() + 2.0 * self.l3.abs() * self.s2);
        let d_sum = (4.0 * self.uncertain * (kt + 2.0 * self.m * self.s2)
            + 2.0 * self.l3.abs() * d_lm)
            / scale;
        let absolute = d_sum + 2.0 * d_lm / scale.sqrt();
        if absolute == 0.0 {
            return (0.0, 0.0);
        }
        let sum = (top.q2 + top.q3).abs();
        let change = (sum * d_sum + 4.0 * lm.abs() * d_lm / scale) / top.gap;
        (change / top.gap, absolute / span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elliptic::complete_k;

    /// Hanging straight down with transverse rate `w`, the cubic has the root −1, and the others solve a
    /// quadratic with exact coefficients. An error of m1 shifts the phase by ½ δm1/m1 / K for each unit of
    /// phase; the growth of the stated error allows 1.5 ε.
    #[test]
    fn turning_points_near_the_top_keep_the_phase() {
        for l3 in [0.0, 1.0, 3.0, 8.0].map(|x| x / 256.0) {
            for k in (-64..=64).filter(|k| i32::abs(*k) >= 3) {
                let w = 2.0 + f64::from(k) / 256.0;
                let start = LagrangeStart {
                    m: 1.0,
                    c2: 0.0,
                    s2: 1.0,
                    u0: -1.0,
                    gamma: [0.0; 2],
                    w: [w, 0.0, l3],
                    l3,
                    uncertain: 0.0,
                };
                let found = start.roots().m1;
                // (1 + u)² − b (1 + u) + w² has exact coefficients, and only its root is rounded.
                let b = 2.0 + 0.5 * w * w + 0.5 * l3 * l3;
                let gap = (b * b - 4.0 * w * w).sqrt();
                let exact = gap / (0.5 * (b + gap));
                let shift = 0.5 * (found / exact - 1.0).abs() / complete_k(exact);
                assert!(shift <= 1.5 * f64::EPSILON, "{l3} {w}: {shift:e}");
            }
        }
    }

    /// A tilted start on the separatrix (`L_z = L_3`, energy of upright rest). Its inputs are changed by the
    /// stated uncertainty, which is chosen far above round-off, in the directions in which the errors add up.
    #[test]
    fn absolute_uncertainty_of_m1_bounds_its_change() {
        let uncertain = 1e-6;
        for square in [0.2, 0.6, 1.0, 1.6, 2.4] {
            let (l3, s2, sine) = (f64::sqrt(square), 0.25, f64::sqrt(0.75));
            let across = 2.0 * l3 * s2 / sine;
            let start = LagrangeStart {
                m: 1.0,
                c2: 0.75,
                s2,
                u0: 0.5,
                gamma: [sine, 0.0],
                w: [across, (4.0 * s2 - across * across).sqrt(), l3],
                l3,
                uncertain,
            };
            let doubt = start.roots().absolute;
            for sign in [1.0, -1.0] {
                let mut moved = start;
                let by = |x: f64| 1.0 + sign * x * uncertain;
                moved.s2 *= by(-1.0);
                // Half of the change is in the kinetic energy, the other half in Lz − L3.
                moved.w = [start.w[0] * by(0.5), start.w[1] * by(0.5), l3];
                moved.gamma[0] *= by(0.5);
                let change = moved.roots().m1;
                assert!(change <= doubt, "{square}: {change:e} of {doubt:e}");
            }
        }
    }
}
