//! The symmetric top in uniform gravity in closed form (Lagrange top), any state.
//!
//! `Ṙ = R hat(W)`, `J Ẇ = (J W) × W + torque`, potential `V = weight · up·(R lever)`. In frames whose
//! third axes are the symmetry axis and the vertical, `u = cos θ` is an elliptic function and the
//! sum σ = φ + ψ and difference δ = φ − ψ of the Euler angles are integrals of the third kind; both stay
//! regular where φ and ψ are not. Units with the transverse moment A = 1.

use super::budget::{Budget, RefError, Saddle};
use super::lagrange_roots::{Roots, Start};
use super::{FreeBody, ReferenceError, validate};
use crate::math::elliptic::{ThirdKind, complete_k, ell, incomplete_f};
use crate::math::{Mat3, Quat, Vec3, scalar, so3};

/// Allowed relative asymmetry of the inertia about the lever (rounding of a turned tensor).
const ASYMMETRY: f64 = 1e-13;

/// Exact motion of a symmetric heavy top.
#[derive(Debug, Clone)]
pub struct LagrangeTop {
    motion: Motion,
}

#[derive(Debug, Clone)]
enum Motion {
    Free(Box<FreeBody>),
    /// On the vertical, no transverse rate.
    Vertical {
        att0: Mat3,
        omega: Vec3,
        budget: Budget,
    },
    General(Box<General>),
}

#[derive(Debug, Clone)]
struct General {
    /// Columns: space frame with the vertical third; body frame with the axis third.
    space: Mat3,
    body: Mat3,
    roots: Roots,
    root_m1: f64,
    k: f64,
    epsilon: f64,
    w3: f64,
    /// Initial σ and δ, and the linear rate they share with opposite signs.
    sigma0: f64,
    delta0: f64,
    linear: f64,
    plus: Option<Swept>,
    minus: Option<Swept>,
    budget: Budget,
}

/// An angle `factor · ΔΠ`.
#[derive(Debug, Clone)]
struct Swept {
    third: ThirdKind,
    factor: f64,
    start: f64,
    complete: f64,
}

impl Swept {
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

    /// Mean angle per unit of u.
    fn mean(&self, k: f64) -> f64 {
        if k.is_finite() {
            (self.factor * self.complete / k).abs()
        } else {
            self.factor.abs()
        }
    }
}

/// A right-handed frame whose third column is the unit vector `v`; exact for coordinate axes.
fn frame_with_third(v: &Vec3) -> Mat3 {
    let k = v.iamax();
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    if v[i] == 0.0 && v[j] == 0.0 {
        let sign = v[k].signum();
        let mut m = Mat3::zeros();
        m[(i, 0)] = 1.0;
        m[(j, 1)] = sign;
        m[(k, 2)] = sign;
        return m;
    }
    let mut e = Vec3::zeros();
    e[v.iamin()] = 1.0;
    let a = v.cross(&e).normalize();
    Mat3::from_columns(&[a, v.cross(&a), *v])
}

/// Moments about and across the unit axis, and the relative asymmetry.
fn axial_moments(inertia: &Mat3, axis: &Vec3) -> (f64, f64, f64) {
    let k = axis.iamax();
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let along_coordinate = axis[i] == 0.0 && axis[j] == 0.0;
    let (axial, across) = if along_coordinate {
        (inertia[(k, k)], 0.5 * (inertia[(i, i)] + inertia[(j, j)]))
    } else {
        let axial = axis.dot(&(inertia * axis));
        (axial, 0.5 * (inertia.trace() - axial))
    };
    let model = Mat3::identity() * across + axis * axis.transpose() * (axial - across);
    // For a coordinate axis the model is exact, and so is an asymmetry of zero.
    (axial, across, (inertia - model).amax() / inertia.amax())
}

impl LagrangeTop {
    /// A top with a fixed point: `inertia` about it (body frame), potential
    /// `weight · up_space · (R lever_body)` with `weight` = M g (N), lever in m; `att0` body → space,
    /// `omega0_body` in rad/s. The inertia must be symmetric about the lever's direction. Without
    /// weight or lever the body is free and any inertia will do.
    pub fn new(
        inertia: &Mat3,
        weight: f64,
        lever_body: &Vec3,
        up_space: &Vec3,
        att0: &Mat3,
        omega0_body: &Vec3,
    ) -> Result<Self, ReferenceError> {
        validate::tensor(inertia)?;
        validate::rotation(att0)?;
        validate::finite("the initial body rate", omega0_body.as_slice())?;
        validate::finite("the weight", &[weight])?;
        validate::finite("the lever", lever_body.as_slice())?;
        validate::finite("the up direction", up_space.as_slice())?;
        let length = up_space.norm();
        let allowed = 1e-12;
        if (length - 1.0).abs() > allowed {
            return Err(ReferenceError::UpNotUnit { length, allowed });
        }
        let moment = weight * lever_body.norm();
        if moment == 0.0 {
            let free = FreeBody::new(inertia, att0, omega0_body)?;
            return Ok(Self {
                motion: Motion::Free(Box::new(free)),
            });
        }
        let axis = lever_body.normalize() * moment.signum();
        let (axial, across, asymmetry) = axial_moments(inertia, &axis);
        if asymmetry > ASYMMETRY {
            return Err(ReferenceError::NotAxisymmetric {
                axis: [axis.x, axis.y, axis.z],
                asymmetry,
                allowed: ASYMMETRY,
                axial,
                transverse: across,
            });
        }
        validate::positive(&Vec3::new(across, across, axial))?;

        let (body, space) = (
            frame_with_third(&axis),
            frame_with_third(&(up_space / length)),
        );
        let r = space.transpose() * att0 * body;
        let w = body.transpose() * omega0_body;
        let (g1, g2, u0) = (r[(2, 0)], r[(2, 1)], r[(2, 2)]);
        let across_up = g1 * g1 + g2 * g2;
        // The smaller of the two squares from the horizontal part: all digits near the vertical.
        let (c2, s2) = if u0 >= 0.0 {
            let c2 = 0.5 * (1.0 + u0);
            (c2, across_up / (4.0 * c2))
        } else {
            let s2 = 0.5 * (1.0 - u0);
            (across_up / (4.0 * s2), s2)
        };
        let exact = [g1, g2, u0].iter().all(|x| x.fract() == 0.0) && asymmetry == 0.0;
        let uncertain = if exact {
            0.0
        } else {
            4.0 * f64::EPSILON + asymmetry
        };
        let start = Start {
            m: moment.abs() / across,
            c2,
            s2,
            u0,
            gamma: [g1, g2],
            w: [w.x, w.y, w.z],
            l3: axial / across * w.z,
            uncertain,
        };
        let motion = if across_up == 0.0 && w.x == 0.0 && w.y == 0.0 {
            vertical(att0, omega0_body, &start, asymmetry)
        } else {
            let spin = w.z * ((across - axial) / across);
            let q = so3::quat_from_matrix(&r);
            General::new(space, body, &start, &q, spin, asymmetry)
        };
        Ok(Self { motion })
    }

    /// Attitude (body → space) and body rate (rad/s) at time `t` (s), at constant cost.
    pub fn at(&self, t: f64) -> (Mat3, Vec3) {
        match &self.motion {
            Motion::Free(body) => body.at(t),
            Motion::Vertical { att0, omega, .. } => (att0 * so3::exp(&(omega * t)), *omega),
            Motion::General(top) => top.at(t),
        }
    }

    /// Bound on the error of [`LagrangeTop::at`] at time `t` (s).
    pub fn error(&self, t: f64) -> RefError {
        match &self.motion {
            Motion::Free(body) => body.error(t),
            Motion::Vertical { budget, .. } => budget.at(t),
            Motion::General(top) => top.budget.at(t),
        }
    }
}

/// Spin about the vertical axis, upright or hanging.
fn vertical(att0: &Mat3, omega: &Vec3, start: &Start, asymmetry: f64) -> Motion {
    let n = omega.norm();
    let eps = f64::EPSILON + asymmetry;
    // Upright and too slow: rounding of an inexact start grows.
    let square = start.m - 0.25 * start.l3 * start.l3;
    let unstable = start.u0 > 0.0 && square > 0.0;
    let growth = if unstable { square.sqrt() } else { 0.0 };
    let saddle = Saddle {
        frequency: growth,
        relative: if unstable && start.uncertain > 0.0 {
            f64::INFINITY
        } else {
            0.0
        },
        absolute: start.uncertain * start.uncertain,
        quarter: 1.0,
        attitude: 1.0,
        rate: growth.max(n),
    };
    Motion::Vertical {
        att0: *att0,
        omega: *omega,
        budget: Budget {
            attitude: [6.0 * eps, eps * n],
            rate: [0.0, 0.0],
            rate_limit: 2.0 * n + 4.0 * start.m.sqrt(),
            saddle,
        },
    }
}

impl General {
    fn new(space: Mat3, body: Mat3, start: &Start, q: &Quat, spin: f64, asymmetry: f64) -> Motion {
        let r = start.roots();
        let k = complete_k(r.m1);
        let epsilon = incomplete_f(r.s0, r.c0, r.m, r.m1);
        let [qw, qx, qy, qz] = *q;
        let (w1, w2) = (start.w[0], start.w[1]);
        // Passing exactly through the bottom (Lp = 0) or the top (Lm = 0) the half-angle's
        // cosine or sine changes sign and the angle does not jump.
        let plus = (r.p1 > 0.0).then(|| {
            let (n, n1) = (-r.du / r.p1, (r.p1 + r.du) / r.p1);
            Swept::new(n, n1, r.lp / (r.p1 * r.kappa), &r, epsilon, k)
        });
        let top = r.q2 + r.du;
        let minus = (r.q2 > 0.0).then(|| {
            let (n, n1) = (r.du / top, r.q2 / top);
            Swept::new(n, n1, r.lm / (top * r.kappa), &r, epsilon, k)
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
        let mean = |s: &Option<Swept>| s.as_ref().map_or(0.0, |s| s.mean(k) * r.kappa);
        let (mean_plus, mean_minus) = (mean(&plus), mean(&minus));
        let w3 = start.w[2];
        let turning = 2.0 * linear.abs() + mean_plus + mean_minus;
        let pace = turning + r.w_max + w3.abs();
        let eps = f64::EPSILON;
        let grow = 1.0 + asymmetry / eps;
        let floor = grow.sqrt();
        let budget = Budget {
            attitude: [20.0 * eps * floor, 1.5 * eps * grow * pace],
            rate: [
                12.0 * eps * floor * (r.w_max + w3.abs()),
                1.5 * eps * grow * (r.w_max * turning + start.m),
            ],
            rate_limit: 2.0 * (r.w_max + w3.abs()),
            saddle: Saddle {
                frequency: r.kappa,
                relative: r.relative,
                absolute: r.absolute,
                quarter: k,
                attitude: (r.w_max + w3.abs()) / r.kappa,
                rate: r.w_max * (1.0 + w3.abs() / r.kappa),
            },
        };
        Motion::General(Box::new(Self {
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
        }))
    }

    fn at(&self, t: f64) -> (Mat3, Vec3) {
        let r = &self.roots;
        let e = ell(r.kappa * t + self.epsilon, r.m1, self.root_m1, self.k);
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
}
