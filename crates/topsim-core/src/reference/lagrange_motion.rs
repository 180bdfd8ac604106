//! Motion of a Lagrange top between its turning points. The half angles follow from `sn` and `cn`, the sum and
//! the difference of the Euler angles from integrals of the third kind.

use super::budget::{Budget, RefError, Saddle};
use super::lagrange_roots::{LagrangeStart, Roots};
use crate::math::elliptic::{ThirdKind, complete_k, incomplete_f, jacobi_amplitude};
use crate::math::{Mat3, Quat, Vec3, scalar, so3};

#[derive(Debug, Clone)]
pub(super) struct GeneralMotion {
    /// Frames in columns: the space frame with the vertical third, and the body frame with the symmetry axis
    /// third.
    space: Mat3,
    body: Mat3,
    roots: Roots,
    root_m1: f64,
    k: f64,
    epsilon: f64,
    w3: f64,
    /// Initial σ and δ, and the linear rate that they share with opposite signs.
    sigma0: f64,
    delta0: f64,
    linear: f64,
    plus: Option<SweptAngle>,
    minus: Option<SweptAngle>,
    budget: Budget,
}

/// Angle `factor · ΔΠ`, with Π an integral of the third kind.
#[derive(Debug, Clone)]
struct SweptAngle {
    third: ThirdKind,
    factor: f64,
    start: f64,
    complete: f64,
}

impl SweptAngle {
    fn new(n: f64, n1: f64, factor: f64, r: &Roots, epsilon: f64, k: f64) -> Self {
        let third = ThirdKind::new(n, n1, r.m, r.m1);
        Self {
            start: third.at(r.s0, r.c0, epsilon),
            complete: third.complete(k),
            third,
            factor,
        }
    }

    #[inline]
    fn angle(&self, s: f64, c: f64, f: f64, turns: f64) -> f64 {
        let now = self.third.at(s, c, f);
        self.factor * ((now - self.start) + 2.0 * turns * self.complete)
    }

    /// Returns the mean angle per unit of u.
    fn mean(&self, k: f64) -> f64 {
        if k.is_finite() {
            (self.factor * self.complete / k).abs()
        } else {
            self.factor.abs()
        }
    }
}

impl GeneralMotion {
    pub(super) fn new(
        space: Mat3,
        body: Mat3,
        start: &LagrangeStart,
        q: &Quat,
        spin: f64,
        asymmetry: f64,
    ) -> Self {
        let r = start.roots();
        let k = complete_k(r.m1);
        let epsilon = incomplete_f(r.s0, r.c0, r.m, r.m1);
        let [qw, qx, qy, qz] = *q;
        let (w1, w2) = (start.w[0], start.w[1]);
        // For a passage exactly through the bottom (Lp = 0) or the top (Lm = 0), the half angle's cosine or
        // sine changes sign and the angle does not jump.
        let plus = (r.p1 > 0.0).then(|| {
            let (n, n1) = (-r.du / r.p1, (r.p1 + r.du) / r.p1);
            SweptAngle::new(n, n1, r.lp / (r.p1 * r.kappa), &r, epsilon, k)
        });
        let top = r.q2 + r.du;
        let minus = (r.q2 > 0.0).then(|| {
            let (n, n1) = (r.du / top, r.q2 / top);
            SweptAngle::new(n, n1, r.lm / (top * r.kappa), &r, epsilon, k)
        });
        let sigma0 = if plus.is_some() || r.s0 > 0.0 {
            2.0 * scalar::atan2(qz, qw)
        } else if r.s0 < 0.0 {
            2.0 * scalar::atan2(-qz, -qw)
        } else {
            2.0 * scalar::atan2(qx * w2 - qy * w1, -(qx * w1 + qy * w2))
        };
        let delta0 = if minus.is_none() && start.s2 == 0.0 {
            2.0 * scalar::atan2(-(qw * w2 + qz * w1), -(qw * w1 - qz * w2))
        } else {
            2.0 * scalar::atan2(qy, qx)
        };
        let linear = spin;
        let mean = |s: &Option<SweptAngle>| s.as_ref().map_or(0.0, |s| s.mean(k) * r.kappa);
        let (mean_plus, mean_minus) = (mean(&plus), mean(&minus));
        let w3 = start.w[2];
        let turning = 2.0 * linear.abs() + mean_plus + mean_minus;
        // Near the vertical the rates are differences of terms of this size.
        let rate = r.w_max.min(r.speed + (start.l3.abs() + w3.abs()) * r.lean);
        let pace = turning + rate + w3.abs();
        let eps = f64::EPSILON;
        let grow = 1.0 + asymmetry / eps;
        let floor = grow.sqrt();
        let saddle = Saddle {
            frequency: r.kappa,
            relative: r.relative,
            absolute: r.absolute,
            state: start.uncertain.max(eps),
            quarter: k,
            attitude: (r.w_max + w3.abs()) / r.kappa,
            rate: r.w_max * (1.0 + w3.abs() / r.kappa),
        };
        // The phase at the start, too, is computed from a start that is known to `state`.
        let [_, begun] = saddle.shifts(0.0);
        let budget = Budget {
            attitude: [
                20.0 * eps * floor + saddle.attitude * begun,
                1.5 * eps * grow * pace,
            ],
            rate: [
                12.0 * eps * floor * (rate + w3.abs()),
                1.5 * eps * grow * (rate * turning + start.m * r.lean),
            ],
            rate_limit: 2.0 * (r.w_max + w3.abs()),
            saddle,
        };
        Self {
            space,
            body,
            root_m1: r.m1.sqrt(),
            k,
            epsilon,
            w3,
            sigma0,
            delta0,
            linear,
            plus,
            minus,
            budget,
            roots: r,
        }
    }

    /// Returns the attitude (body → space) and body rate (1/s) at time t (s).
    pub(super) fn at(&self, t: f64) -> (Mat3, Vec3) {
        let r = &self.roots;
        let e = jacobi_amplitude(r.kappa * t + self.epsilon, r.m1, self.root_m1, self.k);
        let (sn, cn) = (e.sign * e.s, e.sign * e.c);
        let linear = self.linear * t;
        let (mut sigma, mut delta) = (self.sigma0, self.delta0);
        sigma += linear;
        delta -= linear;
        let half = (0.5 * r.du).sqrt();
        // cos(θ/2), sin(θ/2), and the rate of θ with the vanishing factor cancelled.
        let speed = -r.du * r.kappa * e.d;
        let (c, s, theta_dot, precession);
        match (&self.plus, &self.minus) {
            (Some(plus), Some(minus)) => {
                sigma += plus.angle(e.s, e.c, e.f, e.turns);
                delta += minus.angle(e.s, e.c, e.f, e.turns);
                c = (0.5 * (r.p1 + r.du * sn * sn)).sqrt();
                s = (0.5 * (r.q2 + r.du * cn * cn)).sqrt();
                theta_dot = speed * sn * cn / (s * c);
                precession = 0.5 * (r.lp * s / c + r.lm * c / s);
            }
            (None, Some(minus)) => {
                delta += minus.angle(e.s, e.c, e.f, e.turns);
                c = half * sn;
                s = (0.5 * (r.q2 + r.du * cn * cn)).sqrt();
                theta_dot = speed * cn / (half * s);
                precession = 0.5 * r.lm * c / s;
            }
            (Some(plus), None) => {
                sigma += plus.angle(e.s, e.c, e.f, e.turns);
                c = (0.5 * (r.p1 + r.du * sn * sn)).sqrt();
                s = half * cn;
                theta_dot = speed * sn / (half * c);
                precession = 0.5 * r.lp * s / c;
            }
            (None, None) => {
                c = half * sn;
                s = half * cn;
                theta_dot = speed / (half * half);
                precession = 0.0;
            }
        }
        let ((s1, c1), (s2, c2)) = (scalar::sincos(0.5 * sigma), scalar::sincos(0.5 * delta));
        let q = [c * c1, s * c2, s * s2, c * s1];
        // ψ = (σ − δ)/2.
        let (cos, sin) = (c1 * c2 + s1 * s2, s1 * c2 - c1 * s2);
        let w = Vec3::new(
            theta_dot * cos + precession * sin,
            precession * cos - theta_dot * sin,
            self.w3,
        );
        let att = self.space * so3::matrix_from_quat(&q) * self.body.transpose();
        (att, self.body * w)
    }

    /// Returns the bound on the error of [`GeneralMotion::at`] at time t (s).
    pub(super) fn error(&self, t: f64) -> RefError {
        self.budget.at(t)
    }
}
