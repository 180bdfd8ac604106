//! The asymmetric free body in principal axes, by elliptic functions. This covers the general motion only: the
//! moments are unequal and the body does not spin about a principal axis.
//!
//! Letters: `I` are the moments in the chosen order, `D_k = Σ_j I_j (I_j − I_k) w_j²`, `L = |I w|`, and `m1 = 1
//! − m` follows from `D₂` in double-double (it vanishes on the separatrix). The order puts the axis about which
//! the motion circulates third. The attitude is a rotation ψ about the fixed angular momentum between the
//! frames `B(w(0))` and `B(w(t))`.
//!
//! B is constructed about the first or the third axis, whichever leaves the other two moments, one of which is
//! `I₂`, as near to each other as possible. With `a` the third or the first axis and `p = I w`, `ψ' = L/I_a + L
//! (1 − I₂/I_a) I₂ w₂²/(p₂² + p_a²)`. The second term is small where these two moments are nearly equal; about
//! the other axis large terms would cancel for rods and plates.

use super::budget::{Budget, Saddle};
use crate::math::double_double::{DoubleDouble as Fine, power_of_two_below};
use crate::math::elliptic::{Amplitude, SineIntegral, complete_k, incomplete_f, jacobi_amplitude};
use crate::math::fine::FineVec;
use crate::math::{Mat3, Vec3, scalar};

#[derive(Debug, Clone)]
pub(super) struct EulerTop {
    /// Signed permutation whose transpose maps the principal axes of the body to the ordered axes.
    order: Mat3,
    inertia: Vec3,
    /// Amplitudes of cn, sn, dn in the ordered rates, 1/s.
    rates: Vec3,
    omega_p: f64,
    epsilon: f64,
    m1: f64,
    root_m1: f64,
    k: f64,
    /// True if B is constructed about the first axis.
    about_first: bool,
    /// Elliptic part of ψ, its value at the start, and its value over a quarter turn.
    integral: SineIntegral,
    integral0: f64,
    integral_k: f64,
    /// dψ/dt without the elliptic part, and the factor of the elliptic part.
    l_over_ia: f64,
    factor: f64,
    /// `order · B(w(0))ᵀ`.
    left: Mat3,
}

fn sign(x: f64) -> f64 {
    if x >= 0.0 { 1.0 } else { -1.0 }
}

/// Returns `D_k` and the size of its terms.
fn invariant(i: &[Fine; 3], w: &[Fine; 3], k: usize) -> (f64, f64) {
    let mut sum = Fine::ZERO;
    let mut size = 0.0_f64;
    for j in 0..3 {
        let term = i[j] * (i[j] - i[k]) * (w[j] * w[j]);
        size = size.max(term.value().abs());
        sum = sum + term;
    }
    (sum.value(), size)
}

/// Returns the frame, in rows, whose third axis is the angular momentum `p` and whose first axis is
/// perpendicular to the first or the third coordinate axis.
#[inline]
fn momentum_frame(p: &Vec3, about_first: bool) -> Mat3 {
    if about_first {
        let b = momentum_frame(&Vec3::new(p.y, p.z, p.x), false);
        return Mat3::from_columns(&[b.column(2), b.column(0), b.column(1)]);
    }
    let across = p.x * p.x + p.y * p.y;
    let rho = across.sqrt();
    let (x, y) = (p.x / rho, p.y / rho);
    let l = (across + p.z * p.z).sqrt();
    let (r, z) = (rho / l, p.z / l);
    Mat3::new(y, -x, 0.0, x * z, y * z, -r, x * r, y * r, z)
}

impl EulerTop {
    /// Returns the motion and its error budget. Moments and rates (1/s) are given along principal axes;
    /// `uncertain` is their uncertainty relative to the largest (0 when they are taken as exact).
    pub(super) fn new(moments: &FineVec, w0: &FineVec, uncertain: f64) -> (Self, Budget) {
        // Scaling by powers of two keeps squares from overflow and underflow.
        let (size, pace) = (
            power_of_two_below(moments.rounded().amax()),
            power_of_two_below(w0.rounded().amax()),
        );
        let moments = moments.0.map(|x| x.scaled(1.0 / size));
        let w0 = w0.0.map(|x| x.scaled(1.0 / pace));
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| (moments[a] - moments[b]).hi.total_cmp(&0.0));
        let pick = |v: &[Fine; 3], o: &[usize; 3]| o.map(|k| v[k]);
        if invariant(&pick(&moments, &axes), &pick(&w0, &axes), 1).0 < 0.0 {
            axes.reverse();
        }
        let mut order = Mat3::zeros();
        for (new, &old) in axes.iter().enumerate() {
            order[(old, new)] = 1.0;
        }
        if order.determinant() < 0.0 {
            order.column_mut(1).neg_mut();
        }
        let ordered = pick(&moments, &axes);
        let invariant = |k: usize| invariant(&ordered, &pick(&w0, &axes), k);
        let (d1, d2, d3) = (invariant(0).0, invariant(1), invariant(2).0);
        let i = Vec3::from(ordered.map(Fine::value));
        let w = order.transpose() * Vec3::from(w0.map(Fine::value));
        // Differences of the moments, which lose digits where rounded moments are nearly equal.
        let [i12, i13, i23] =
            [(0, 1), (0, 2), (1, 2)].map(|(a, b)| (ordered[a] - ordered[b]).value());
        let (d2, d2_size) = d2;
        let (i1, i2, i3) = (i.x, i.y, i.z);
        let p0 = i.component_mul(&w);
        let l = p0.norm();
        let rates = Vec3::new(
            sign(w.x) * (d3 / (i1 * i13)).sqrt(),
            -sign(w.x) * (d3 / (i2 * i23)).sqrt(),
            sign(w.z) * (d1 / (i3 * -i13)).sqrt(),
        );
        let omega_p = sign(i23) * sign(w.z) * (d1 * -i23 / (i1 * i2 * i3)).sqrt();
        let m = d3 * i12 / (d1 * -i23);
        let to_m1 = -i13 / (d1 * -i23);
        let m1 = d2 * to_m1;
        let ratio = |a: f64, b: f64| (a / b).max(b / a);
        let about_first = ratio(i2, i3) < ratio(i1, i2);
        let (ia, n1, factor) = if about_first {
            let share = -d3 / d1;
            (i3, 1.0 + (i1 / i3) * share, share * (-i13 / i3))
        } else {
            let share = i13 / i23;
            (i1, (i2 / i1) * share, share * (i12 / i1))
        };
        let k = complete_k(m1);
        let (s, c) = (w.y / rates.y, w.x / rates.x);
        let h = scalar::hypot(s, c);
        let (s, c) = (s / h, c / h);
        let epsilon = incomplete_f(s, c, m, m1);
        let integral = SineIntegral { n1, m, m1 };
        let l_over_ia = l / ia;
        let factor = l_over_ia * factor / omega_p;
        let integral_k = integral.complete(k);
        let top = Self {
            left: order * momentum_frame(&p0, about_first).transpose(),
            order,
            inertia: i,
            rates: rates * pace,
            omega_p: omega_p * pace,
            epsilon,
            m1,
            root_m1: m1.sqrt(),
            k,
            about_first,
            integral0: integral.at(s, c, epsilon),
            integral_k,
            integral,
            l_over_ia: l_over_ia * pace,
            factor,
        };
        // Phase rate: the two parts that bound ψ', and the motion along the orbit.
        let fastest = rates.norm();
        let phase = pace * (l_over_ia + (factor * omega_p / n1).abs() + fastest);
        // Size of the terms that cancel at the start; large next to a spin about the intermediate axis.
        let begun = epsilon.abs() + (top.factor * top.integral0).abs();
        let eps = f64::EPSILON;
        // Errors of the rates, `dw`, and of the moments, which are at most 2 here, change D₂ and, near the saddle, the phase at
        // the start.
        let dw = uncertain * w.norm();
        let moved = (0..3).fold(0.0, |sum, j| {
            let of_rates = i[j] * [i12, 0.0, i23][j].abs() * dw * (2.0 * w[j].abs() + dw);
            sum + of_rates + 8.0 * uncertain * w[j] * w[j]
        });
        let doubt = uncertain.max(1e-30) * d2_size + moved;
        let start = 2.0 * dw / (rates.x.abs() * c.max(m1.sqrt()));
        let swing = (rates.x.abs() + rates.y.abs()).min(fastest) * pace;
        let budget = Budget {
            attitude: [(48.0 + 4.0 * begun) * eps, 1.5 * eps * phase],
            rate: [
                8.0 * eps * fastest * pace,
                2.0 * eps * omega_p.abs() * pace * swing,
            ],
            rate_limit: 2.0 * l / i.min() * pace,
            saddle: Saddle {
                frequency: omega_p * pace,
                relative: if d2 == 0.0 && uncertain == 0.0 {
                    // The start lies exactly on the separatrix.
                    0.0
                } else {
                    doubt / d2.abs() + start
                },
                absolute: (doubt * to_m1).abs(),
                state: uncertain.max(eps),
                quarter: k,
                attitude: fastest / omega_p.abs(),
                rate: swing,
            },
        };
        (top, budget)
    }

    /// Returns the attitude relative to the start (in principal axes) and rates (1/s) at time t (s).
    #[inline]
    pub(super) fn at(&self, t: f64) -> (Mat3, Vec3) {
        let u = self.omega_p * t + self.epsilon;
        let amplitude = jacobi_amplitude(u, self.m1, self.root_m1, self.k);
        let Amplitude {
            turns,
            s,
            c,
            d,
            f,
            sign,
        } = amplitude;
        let w = Vec3::new(
            self.rates.x * (sign * c),
            self.rates.y * (sign * s),
            self.rates.z * d,
        );
        let swept = (self.integral.at(s, c, f) - self.integral0) + 2.0 * turns * self.integral_k;
        let psi = self.l_over_ia * t + self.factor * swept;
        let (sin, cos) = scalar::sincos(psi);
        let b = momentum_frame(&self.inertia.component_mul(&w), self.about_first);
        // Product Rz(ψ) B without the zero terms.
        let (r0, r1) = (b.row(0), b.row(1));
        let turned = Mat3::from_rows(&[
            r0 * cos - r1 * sin,
            r0 * sin + r1 * cos,
            b.row(2).into_owned(),
        ]);
        (self.left * turned * self.order.transpose(), self.order * w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the separatrix the motion ends as a spin about the intermediate axis, with L = √88 = 4 W₂.
    #[test]
    fn long_after_the_separatrix_the_body_spins_about_its_intermediate_axis() {
        let (moments, w0) = (Vec3::new(3.0, 4.0, 6.0), Vec3::new(2.0, 1.0, 1.0));
        let (top, _) = EulerTop::new(&moments.into(), &w0.into(), 0.0);
        for t in [-1e4, -1e2, 1e2, 1e4] {
            let (r, w) = top.at(t);
            let spin = Vec3::new(w.x, w.y.abs() - 88.0_f64.sqrt() / 4.0, w.z);
            assert!(spin.amax() < 1e-14, "{t}: {w}");
            let kept = r * moments.component_mul(&w) - moments.component_mul(&w0);
            assert!(kept.amax() < 1e-13, "{t}: {kept}");
        }
    }
}
