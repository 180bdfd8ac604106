//! The slopes of the equations.

use super::{OutsideLaw, WrongLaw};
use crate::precision::Precision;
use core::cell::Cell;
use topsim_core::math::{Mat3, Vec3, eigen, so3};
use topsim_core::models::Frame;
use topsim_model::law;
use topsim_model::probe::{Load, Start};

/// Equations of motion of one body.
pub struct Equations<'a> {
    /// Their defects.
    pub laws: &'a [WrongLaw],
    /// Body and load.
    pub start: &'a Start,
    /// Torque that is used instead of the present one, N m.
    pub held: Cell<Option<Vec3>>,
    /// Numbers that are in single precision.
    pub precision: Precision,
}

/// Detects a sphere, whose inertia stays right where that of a body is wrong.
fn is_sphere(j: &Mat3) -> bool {
    *j == Mat3::from_diagonal_element(j[(0, 0)])
}

impl<'a> Equations<'a> {
    /// Returns the equations of a body at its start.
    pub fn new(laws: &'a [WrongLaw], start: &'a Start) -> Self {
        Self {
            laws,
            start,
            held: Cell::new(None),
            precision: Precision::Double,
        }
    }

    fn has(&self, law: WrongLaw) -> bool {
        self.laws.contains(&law)
    }

    /// Returns the torque in the body (N m), as the solver computes it from attitude and rate.
    pub fn torque(&self, t: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        let v = |x: [f64; 3]| Vec3::from(x);
        let mut torque = match &self.start.load {
            Load::Gravity { weight, lever, up } => {
                let (mut lever, mut up, mut factor) = (*lever, *up, 1.0);
                for law in self.laws {
                    match *law {
                        WrongLaw::Lever(x) => lever += v(x),
                        WrongLaw::Up(x) => up += v(x),
                        WrongLaw::Gravity(x) => factor *= x,
                        _ => {}
                    }
                }
                let vertical = if self.has(WrongLaw::UpInBody) {
                    up
                } else if self.has(WrongLaw::UpTransposed) {
                    att * up
                } else {
                    att.tr_mul(&up)
                };
                let moment = if self.has(WrongLaw::LeverInSpace) {
                    att.tr_mul(&lever.cross(&(up * -*weight)))
                } else {
                    lever.cross(&(vertical * -*weight))
                };
                let height = lever.dot(&vertical);
                for law in self.laws {
                    if let WrongLaw::GravityByHeight(c) = *law {
                        factor *= 1.0 + c * height;
                    }
                }
                moment * factor
            }
            Load::Constant { torque, frame } => {
                let factors = self.laws.iter().map(|l| match l {
                    WrongLaw::Push(x) => *x,
                    _ => 1.0,
                });
                let seen = match frame {
                    Frame::Space if self.has(WrongLaw::PushTwiceTurned) => {
                        att.tr_mul(&att.tr_mul(torque))
                    }
                    Frame::Space if !self.has(WrongLaw::PushFrame) => att.tr_mul(torque),
                    _ => *torque,
                };
                seen * factors.product::<f64>()
            }
            _ => self.start.torque_at(t, att, w),
        };
        for law in self.laws {
            match *law {
                WrongLaw::Torque(x) => torque *= x,
                WrongLaw::TorqueTwiceTurned => torque = att.tr_mul(&torque),
                WrongLaw::TorqueInSpaceTaken => torque = att * torque,
                WrongLaw::TorqueInAxes => {
                    let (_, axes) = eigen::principal_axes(self.start.inertia.tensor());
                    torque = axes.tr_mul(&torque);
                }
                WrongLaw::Mounting(x) => torque = so3::exp(&v(x)) * torque,
                WrongLaw::TorqueRows(x) => torque = torque.component_mul(&v(x)),
                WrongLaw::TorqueMatrix(x) => torque = Mat3::from_row_slice(&x) * torque,
                WrongLaw::Outside(o) => torque = o.torque(torque, t, att, w),
                WrongLaw::Narrow(n) => torque = n.torque(self.start, att, torque),
                _ => {}
            }
        }
        for law in self.laws {
            match *law {
                WrongLaw::TorqueBody(x) => torque += v(x),
                WrongLaw::TorqueSpace(x) => torque += att.tr_mul(&v(x)),
                WrongLaw::DampingTorque(c) => torque -= w * c,
                WrongLaw::EnergySink(c) => {
                    let momentum = self.start.inertia.times(w);
                    torque += momentum.cross(&momentum.cross(w)) * c;
                }
                WrongLaw::GravityGradient(n) => {
                    let r = att.tr_mul(&v(n));
                    torque += r.cross(&self.start.inertia.times(&r)) * 3.0;
                }
                WrongLaw::Dipole { body, field } => {
                    torque += v(body).cross(&att.tr_mul(&v(field)));
                }
                _ => {}
            }
        }
        self.precision.torque(torque)
    }

    /// Returns the rate of turning (rad/s) and the acceleration (rad/s²), in the body.
    pub fn slopes(&self, t: f64, att: &Mat3, w: &Vec3) -> (Vec3, Vec3) {
        let v = |x: [f64; 3]| Vec3::from(x);
        let inverse = |m: Mat3| m.try_inverse().unwrap();
        let body_a = !is_sphere(self.start.inertia.tensor());
        let j = *self.start.inertia.tensor();
        let torque = self.held.get().unwrap_or_else(|| self.torque(t, att, w));
        let (mut jd, mut jg) = (j, j);
        for law in self.laws {
            match *law {
                WrongLaw::Products(c) if body_a => {
                    let d = Mat3::from_diagonal(&j.diagonal());
                    jd = d + (j - d) * c;
                    jg = jd;
                }
                WrongLaw::DiagonalInverse => jd = Mat3::from_diagonal(&j.diagonal()),
                WrongLaw::Inertia(x) if body_a => {
                    jd += law::symmetric(&x);
                    jg += law::symmetric(&x);
                }
                WrongLaw::InertiaOfTorque(x) if body_a => jd += law::symmetric(&x),
                WrongLaw::InertiaOfGyroscopic(x) if body_a => jg += law::symmetric(&x),
                WrongLaw::Narrow(n) => {
                    jd = n.inertia(jd);
                    jg = jd;
                }
                WrongLaw::InertiaHardCoded(x) => {
                    jd = Mat3::from_diagonal(&v(x));
                    jg = jd;
                }
                _ => {}
            }
        }
        let mut gyroscopic = (jg * w).cross(w);
        for law in self.laws {
            match *law {
                WrongLaw::Gyroscopic(x) => gyroscopic *= x,
                WrongLaw::Narrow(n) => gyroscopic = n.gyroscopic(self.start, &jg, w, gyroscopic),
                WrongLaw::Rows(x) => gyroscopic = gyroscopic.component_mul(&v(x)),
                WrongLaw::GyroscopicLimit(most) if gyroscopic.norm() > most => {
                    gyroscopic *= most / gyroscopic.norm();
                }
                _ => {}
            }
        }
        let mut a = inverse(jd) * (gyroscopic + torque);
        if self.has(WrongLaw::TorqueNotDivided) {
            a = inverse(jd) * gyroscopic + torque;
        }
        let mut u = *w;
        for law in self.laws {
            match *law {
                WrongLaw::Damping(c) => a -= w * c,
                WrongLaw::DampingQuadratic(c) => a -= w * (c * w.norm()),
                WrongLaw::DampingCubic(c) => a -= w * (c * w.norm_squared()),
                WrongLaw::Friction(c) if w.norm() > 0.0 => a -= w * (c / w.norm()),
                WrongLaw::EngineDamping(c) => a -= w * (c * (1.0 + w.norm())),
                WrongLaw::DampingAxes(c) => a -= w.component_mul(&v(c)),
                WrongLaw::ResistanceAxes { c, power, torque } => {
                    let of = |x: f64| x.abs().powi(power) * if x == 0.0 { 0.0 } else { x.signum() };
                    let resistance = w.map(of).component_mul(&v(c));
                    a -= if torque {
                        inverse(jd) * resistance
                    } else {
                        resistance
                    };
                }
                WrongLaw::ResistingTorque { c, power } if w.norm() > 0.0 => {
                    a -= inverse(jd) * w * (c * w.norm().powi(power - 1));
                }
                WrongLaw::Linear(x) => a += Mat3::from_row_slice(&x) * w,
                WrongLaw::Rotor(h) => a += inverse(jd) * w.cross(&v(h)),
                WrongLaw::SpaceDrag(c) => {
                    a -= inverse(jd) * att.tr_mul(&v(c).component_mul(&(att * w)));
                }
                WrongLaw::FrameRate(x) => a += w.cross(&att.tr_mul(&v(x))),
                WrongLaw::AccelerationBody(x) => a += v(x),
                WrongLaw::AccelerationSpace(x) => a += att.tr_mul(&v(x)),
                WrongLaw::NotDivided(x) => a += (j * w).cross(w) * x,
                WrongLaw::Rate(x) => u *= x,
                WrongLaw::TurnBias {
                    rate,
                    in_space: false,
                } => u += v(rate),
                WrongLaw::TurnBias { rate, .. } => u += att.tr_mul(&v(rate)),
                WrongLaw::RateMatrix(x) => u += Mat3::from_row_slice(&x) * w,
                WrongLaw::BodyRateInSpace => u = att.tr_mul(&u),
                WrongLaw::SpaceRateInBody => u = att * u,
                WrongLaw::InertiaNotTurned => a = att.tr_mul(&(inverse(j) * (att * torque))),
                WrongLaw::InertiaNotTurnedEuler => {
                    let omega = att * w;
                    let moment = att * torque - omega.cross(&(j * omega));
                    a = att.tr_mul(&(inverse(j) * moment));
                }
                WrongLaw::InertiaTurnedBack => {
                    // ω = I⁻¹ π with I = Λᵀ J Λ, by differences of I along the motion.
                    let omega = att * w;
                    let seen = |att: Mat3| att.transpose() * j * att;
                    let d = 1e-6;
                    let at = |e: f64| seen(so3::exp(&(omega * e)) * att);
                    let change = (at(d) - at(-d)) / (2.0 * d);
                    a = att.tr_mul(&(inverse(seen(*att)) * (att * torque - change * omega)));
                }
                WrongLaw::Outside(o) => (u, a) = o.slopes(t, u, a, w),
                _ => {}
            }
        }
        for law in self.laws {
            if let WrongLaw::Clock(x) = *law {
                (u, a) = (u * x, a * x);
            }
        }
        self.precision.slopes((u, a))
    }

    /// Updates what remembers the torque, after a step of `h` that ended at `t`.
    pub fn advance(&self, t: f64, h: f64, att: &Mat3, w: &Vec3) {
        for law in self.laws {
            if let WrongLaw::Outside(OutsideLaw::Lagged { time, .. }) = *law {
                let before = self.held.get().unwrap_or_default();
                let part = 1.0 - (-h / time).exp();
                self.held
                    .set(Some(before + (self.torque(t, att, w) - before) * part));
            }
        }
    }
}

impl OutsideLaw {
    fn torque(self, torque: Vec3, t: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        let size = torque.norm();
        match self {
            Self::Saturated(c) if size > c => torque * (c / size),
            Self::SaturatedAxes(c) => torque.map(|x| x.clamp(-c, c)),
            Self::Soft(c) if size > 0.0 => torque * (c * (size / c).tanh() / size),
            Self::DeadBand(c) if size < c => Vec3::zeros(),
            Self::Spring(c) => torque - so3::log(att) * c,
            Self::TorqueByRate(c) => torque * (1.0 + c * w.norm_squared()),
            Self::TorqueByAttitude(c) => torque * (1.0 + c * att[(0, 1)]),
            Self::Ramp(c) => torque * (t / c).min(1.0),
            _ => torque,
        }
    }

    fn slopes(self, t: f64, mut u: Vec3, mut a: Vec3, w: &Vec3) -> (Vec3, Vec3) {
        match self {
            Self::CubicAxes(c) => a += w.map(|x| c * x * x * x),
            Self::Coupling(c) => a.z += c * w.x * w.y,
            Self::TurnCoupling(c) => u.x += c * w.y * w.y,
            Self::Swing { size, rate } => a += Vec3::from(size) * (rate * t).sin(),
            Self::SmoothFriction(c) => a -= w.map(|x| c * (5.0 * x).tanh()),
            _ => {}
        }
        (u, a)
    }
}
