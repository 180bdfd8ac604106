//! The symmetric top in uniform gravity in closed form (Lagrange top), any state.
//!
//! `Ṙ = R hat(W)`, `J Ẇ = (J W) × W + torque`, potential `V = weight · up·(R lever)`. In frames whose
//! third axes are the symmetry axis and the vertical, `u = cos θ` is an elliptic function and the
//! sum σ = φ + ψ and difference δ = φ − ψ of the Euler angles are integrals of the third kind; both stay
//! regular where φ and ψ are not. Units with the transverse moment A = 1.

use super::budget::{Budget, RefError, Saddle};
use super::lagrange_motion::General;
use super::lagrange_roots::Start;
use super::{FreeBody, ReferenceError, validate};
use crate::math::{Mat3, Vec3, so3};

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
            let top = General::new(space, body, &start, &q, spin, asymmetry);
            Motion::General(Box::new(top))
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
            Motion::General(top) => top.error(t),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A top of transverse moment 1 and moment 0.5 about its axis e3, under a moment of 1.
    fn plain(att0: &Mat3, omega0: &Vec3) -> LagrangeTop {
        let (j, z) = (Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.5)), Vec3::z());
        LagrangeTop::new(&j, 2.0, &(z * 0.5), &z, att0, omega0).unwrap()
    }

    fn starts_right(top: &LagrangeTop, att0: &Mat3, omega0: &Vec3) {
        let ((r, w), e) = (top.at(0.0), top.error(0.0));
        let angle = (r - att0).norm() * core::f64::consts::FRAC_1_SQRT_2;
        assert!(angle <= e.attitude, "{angle:e} {e:?}");
        assert!((w - omega0).norm() <= e.rate + 1e-300, "{w} {omega0}");
    }

    /// `J = A I + (C − A) n nᵀ` whose axis n has one component zero.
    #[test]
    fn levers_in_a_coordinate_plane_and_nearly_unit_directions() {
        for k in 0..3 {
            let mut n = Vec3::zeros();
            (n[(k + 1) % 3], n[(k + 2) % 3]) = (0.6, 0.8);
            let j = Mat3::identity() * 2.0 - n * n.transpose() * 1.5;
            // Within what is allowed of a unit vector.
            let up = Vec3::new(0.48, 0.64, 0.6) * (1.0 + 9e-13);
            let (att, w) = (
                so3::exp(&Vec3::new(0.9, 0.3, 0.1)),
                Vec3::new(0.3, -0.4, 5.0),
            );
            let top = LagrangeTop::new(&j, 10.0, &n, &up, &att, &w).unwrap();
            starts_right(&top, &att, &w);
        }
    }

    /// Axis horizontal, spin 2, precession 1 rad/s: `C W₃ · 1 = M`, so `Λ(t) = exp(t e3) Λ0 exp(2t e3)`.
    #[test]
    fn steady_precession_of_a_horizontal_axis() {
        let att0 = Mat3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
        let top = plain(&att0, &Vec3::new(0.0, 1.0, 2.0));
        for t in [0.0, 0.3, -1.0, 7.0] {
            let exact = so3::exp(&(Vec3::z() * t)) * att0 * so3::exp(&(Vec3::z() * (2.0 * t)));
            let (r, w) = top.at(t);
            assert!((r - exact).norm() < 2e-14, "{t}: {r} {exact}");
            assert!((w - exact.transpose() * Vec3::z() - Vec3::z() * 2.0).norm() < 2e-14);
        }
    }

    /// No momentum about the axis nor the vertical: the angle from the top obeys `θ'' = sin θ`,
    /// followed by the classical scheme of order 4 with steps of 1e-3 (error h⁴, 1e-12).
    #[test]
    fn a_plane_pendulum_from_any_start() {
        for (lean, rate) in [
            (0.9, 1.3),
            (0.9, -1.3),
            (-0.9, 1.3),
            (2.0, 0.0),
            (0.0, 2.5),
            (0.0, -0.4),
        ] {
            let turn = so3::exp(&(Vec3::z() * 0.4));
            let (att0, w0) = (turn * so3::exp(&(Vec3::x() * lean)), Vec3::x() * rate);
            let top = plain(&att0, &w0);
            starts_right(&top, &att0, &w0);
            let (mut angle, mut speed) = (lean, rate);
            let h = 1e-3;
            for k in 1..=6000 {
                let f = |a: f64, v: f64| (v, libm::sin(a));
                let k1 = f(angle, speed);
                let k2 = f(angle + 0.5 * h * k1.0, speed + 0.5 * h * k1.1);
                let k3 = f(angle + 0.5 * h * k2.0, speed + 0.5 * h * k2.1);
                let k4 = f(angle + h * k3.0, speed + h * k3.1);
                angle += h / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
                speed += h / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
                if k % 1500 == 0 {
                    let (r, w) = top.at(h * f64::from(k));
                    let exact = turn * so3::exp(&(Vec3::x() * angle));
                    assert!((r - exact).norm() < 1e-9, "{lean} {rate} {k}");
                    assert!((w - Vec3::x() * speed).norm() < 1e-9, "{lean} {rate} {k}");
                }
            }
        }
    }
    /// Pendulums pushed from the bottom with nearly the rate 2 that carries them to the top: sine and cosine
    /// of the angle from the bottom and its rate at t = 1000, by Jacobi's functions to 60 digits.
    #[test]
    fn pendulums_that_nearly_reach_the_top_are_within_their_stated_error() {
        let att0 = Mat3::new(1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0);
        let mut out = String::new();
        for (k, [sin, cos, rate]) in [
            (
                -96,
                [
                    -0.95016293260267319,
                    -0.31175375139344824,
                    -0.13083385346730224,
                ],
            ),
            (
                -64,
                [
                    0.99318049139987601,
                    0.11658692680871564,
                    -1.1382767034501898,
                ],
            ),
            (
                -48,
                [
                    0.80659657785247841,
                    -0.59110232667167766,
                    -0.32086071223608022,
                ],
            ),
            (
                -40,
                [
                    -0.8615041043496237,
                    -0.50775060629087651,
                    -0.61960701248311173,
                ],
            ),
            (
                -32,
                [
                    0.58120430855400814,
                    0.81375767383064186,
                    -1.7728903935836766,
                ],
            ),
            (
                -24,
                [0.95530342466303072, 0.29562707390745724, -1.491657873077776],
            ),
            (
                -20,
                [
                    0.84372507740268874,
                    0.53677555250013659,
                    -1.6634766666909618,
                ],
            ),
            (
                -16,
                [0.16792611122288849, 0.98579958468725178, 1.9301568380249579],
            ),
            (
                -12,
                [
                    -0.88011509693046029,
                    -0.47476037761705272,
                    0.93014864962052951,
                ],
            ),
            (
                -8,
                [
                    -0.77651540071869296,
                    -0.63009827205499278,
                    -0.78471652103802074,
                ],
            ),
            (
                -5,
                [
                    0.29242703842772875,
                    -0.95628783700117595,
                    0.098391034775586171,
                ],
            ),
            (
                5,
                [
                    -0.43241054077520069,
                    -0.90167684024072533,
                    0.5245500826852588,
                ],
            ),
            (
                8,
                [
                    0.37480990979975268,
                    -0.92710168348240058,
                    0.52131870821523262,
                ],
            ),
            (
                12,
                [0.90530576111002148, 0.42476049592800497, 1.7433353829602065],
            ),
            (
                16,
                [
                    -0.39626509309837974,
                    -0.91813614240576132,
                    0.64624605622663366,
                ],
            ),
            (
                20,
                [
                    -0.98620104692882812,
                    0.16555209161011335,
                    1.6277922775480988,
                ],
            ),
            (
                24,
                [
                    0.94917809352096524,
                    -0.31473949034067169,
                    1.3245037115156215,
                ],
            ),
            (
                32,
                [
                    0.99686031706281751,
                    0.079180226479967451,
                    1.6352325378856473,
                ],
            ),
            (
                40,
                [
                    -0.2500322821639159,
                    -0.96823750075893257,
                    0.8443571880324907,
                ],
            ),
            (
                48,
                [-0.5063120173162754, 0.86235035868324635, 2.1236423821741957],
            ),
            (
                64,
                [
                    -0.56799388137934773,
                    -0.82303277620980774,
                    1.1901405158973391,
                ],
            ),
            (
                96,
                [
                    0.99456589788213506,
                    -0.10410895624249865,
                    1.8526756563184509,
                ],
            ),
        ] {
            let top = plain(&att0, &(Vec3::x() * (2.0 + f64::from(k) / 256.0)));
            let exact = att0 * Mat3::new(1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos);
            let ((r, w), e) = (top.at(1000.0), top.error(1000.0));
            let angle = (r - exact).norm() * core::f64::consts::FRAC_1_SQRT_2;
            let speed = (w - Vec3::x() * rate).norm();
            if !(angle <= e.attitude && speed <= e.rate) {
                out += &format!("{k}: {angle:e} {speed:e} {e:?}\n");
            }
        }
        assert!(out.is_empty(), "{out}");
    }
    #[test]
    fn asymmetry_is_allowed_up_to_rounding_only() {
        let made = |asymmetry: f64| {
            let j = Mat3::from_diagonal(&Vec3::new(1.0, 1.0 + asymmetry, 0.5));
            let (z, att) = (Vec3::z(), Mat3::identity());
            LagrangeTop::new(&j, 2.0, &(z * 0.5), &z, &att, &z).is_ok()
        };
        assert!(made(0.5e-13) && !made(4e-13));
    }
}
