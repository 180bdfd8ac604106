//! Deliberately wrong twins of Solfec's schemes: every kind of check must reject some of them.

use super::prelude::*;
use super::{Newton, Rkmk4};
use crate::models::{BodyMotion, RigidTop};

/// Schemes that have a twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Original {
    /// `rig_pos`.
    Pos,
    /// `rig_neg`.
    Neg,
    /// `rig_imp`.
    Imp,
}

/// Faults of a twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TwinFault {
    /// No fault: the twin must equal the scheme.
    None,
    /// The torque acts the other way.
    TorqueSign,
    /// Components in space taken as components in the body.
    SpaceTorqueInBody,
    /// `exp(hW) Λ` instead of `Λ exp(hW)`.
    LeftMultiplication,
    /// The torque of the step before.
    LaggedTorque,
    /// Newton stopped after one iteration.
    OneIteration,
    /// The second row of the gyroscopic term has the wrong sign.
    GyroscopicRow,
    /// The rate is 1 % too large in the attitude update.
    FastClock,
    /// The torque is evaluated twice, and the second value is not used.
    Wasteful,
    /// A rate that grows: 1 % in a thousand steps.
    SpinsUp,
    /// The attitude is never a rotation: columns 1e-9 too long after each step.
    Stretches,
    /// The momentum is computed anew in each step, from the rate: its rounding has a bias.
    CarriesRate,
}

/// Deliberately wrong twin of a scheme.
#[derive(Debug, Clone, Copy)]
pub struct Twin {
    /// The scheme.
    pub of: Original,
    /// Fault of the twin.
    pub fault: TwinFault,
}

/// Torque of the step before, N m; none before the second step.
#[derive(Debug, Clone, Copy)]
pub struct LastTorque(Option<Vec3>);

impl Memory for LastTorque {
    fn start(_: &Step<impl Torque>, _: &RotState) -> Result<Self, StepFail> {
        Ok(Self(None))
    }
}

impl RotationScheme for Twin {
    type Memory = (BodyMomentum, LastTorque);

    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(momentum), LastTorque(before)) = m;
        let Step { top, t, h, .. } = *at;
        let c = 0.5 * h;
        let j = top.inertia();
        let pace = if self.fault == TwinFault::FastClock {
            1.01
        } else {
            1.0
        };
        let turn = |att: &crate::math::Mat3, w: &Vec3| {
            let d = so3::exp(&(w * (c * pace)));
            if self.fault == TwinFault::LeftMultiplication {
                d * att
            } else {
                att * d
            }
        };
        let d = so3::exp(&(y.omega * c));
        let att_mid = turn(&y.att, &y.omega);
        let mut torque = match self.fault {
            TwinFault::TorqueSign => -top.torque_body(t + c, &att_mid),
            TwinFault::SpaceTorqueInBody => top.torque_space(t + c, &att_mid),
            _ => top.torque_body(t + c, &att_mid),
        };
        if self.fault == TwinFault::LaggedTorque {
            let fresh = torque;
            torque = before.unwrap_or(fresh);
            *before = Some(fresh);
        }
        if self.of == Original::Pos || self.fault == TwinFault::CarriesRate {
            *momentum = j.times(&y.omega);
        }
        let p = d.tr_mul(momentum);
        let mid = p + torque * c;
        let omega_mid = j.solve(&mid);
        let mut gyro = omega_mid.cross(&mid);
        if self.fault == TwinFault::GyroscopicRow {
            gyro.y = -gyro.y;
        }
        let omega1 = y.omega + j.solve(&(torque - gyro)) * h;
        let a = p + torque * h;
        let mut effort = Effort::new(1, 0);
        let (omega, turned) = match self.of {
            Original::Pos => (omega1, omega1),
            Original::Neg => {
                let d1 = so3::exp(&(omega1 * c));
                *momentum = d1.tr_mul(&a);
                (j.solve(momentum), omega1)
            }
            Original::Imp => {
                let w = if self.fault == TwinFault::OneIteration {
                    effort.iterations = 1;
                    one_iteration(j.tensor(), &a, c, omega1)
                } else {
                    let (w, n) = Newton::default().turned(j.tensor(), &a, c, omega1)?;
                    effort.iterations = n;
                    w
                };
                *momentum = so3::exp(&(w * c)).tr_mul(&a);
                if self.fault == TwinFault::OneIteration {
                    *momentum = j.times(&w);
                }
                (w, w)
            }
        };
        y.att = turn(&att_mid, &turned);
        y.omega = omega;
        match self.fault {
            TwinFault::Wasteful => effort.torque = 2,
            TwinFault::SpinsUp => {
                y.omega *= 1.0 + 1e-5;
                *momentum *= 1.0 + 1e-5;
            }
            TwinFault::Stretches => y.att *= 1.0 + 1e-9,
            _ => {}
        }
        Ok(effort)
    }
}

/// Makes one full Newton step from `w` for `exp(cW) J W = A`, with the matrix of the formula itself.
fn one_iteration(j: &crate::math::Mat3, a: &Vec3, c: f64, w: Vec3) -> Vec3 {
    let e = so3::exp(&(w * c));
    let r = e * j * w - a;
    let k = e * (j - so3::hat(&(j * w)) * so3::right_tangent(&(w * c)) * c);
    w - k.try_inverse().map_or(Vec3::zeros(), |inverse| inverse * r)
}

/// Faults of a torque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LawFault {
    /// No fault: the scheme must equal `rkmk4`.
    None,
    /// W instead of J W, so that the rate is damped.
    OfRate,
    /// Terms that depend on the rate are left out: dJ/dt, the rotor.
    WithoutRate,
    /// A rotor whose momentum stands in space: with W in space the torque of the rate is found there and turned back.
    RotorInSpace,
    /// The torque acts half a step late.
    Late,
    /// Time runs the other way.
    Backwards,
}

/// `rkmk4` with a wrong torque.
#[derive(Debug, Clone, Copy)]
pub struct WrongLaw(pub LawFault);

#[derive(Clone)]
struct WrongTorque<T> {
    torque: T,
    fault: LawFault,
    step: f64,
}

impl<T: Torque> WrongTorque<T> {
    fn time(&self, t: f64) -> f64 {
        match self.fault {
            LawFault::Late => t - 0.5 * self.step,
            LawFault::Backwards => -t,
            _ => t,
        }
    }
}

impl<T: Torque> Torque for WrongTorque<T> {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.torque.body(self.time(t), att)
    }
    fn moving(&self, t: f64, att: &Mat3, turning: &BodyMotion) -> Vec3 {
        let (mut turning, still) = (*turning, self.body(t, att));
        let t = self.time(t);
        match self.fault {
            LawFault::OfRate => turning.momentum = turning.omega,
            LawFault::WithoutRate => return still,
            LawFault::RotorInSpace => {
                turning.omega = att * turning.omega;
                return still + att.tr_mul(&(self.torque.moving(t, att, &turning) - still));
            }
            _ => {}
        }
        self.torque.moving(t, att, &turning)
    }
}

impl RotationScheme for WrongLaw {
    type Memory = <Rkmk4 as RotationScheme>::Memory;
    const TAKES_RATE: bool = true;

    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let torque = WrongTorque {
            torque: top.torque().clone(),
            fault: self.0,
            step: h,
        };
        let top = &RigidTop::new(top.inertia().clone(), torque, top.start().clone());
        RotationScheme::step(&Rkmk4 {}, &Step::new(top, t, h), y, m)
    }
}
