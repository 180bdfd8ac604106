//! Inertial coordinates (Kynema): v = (ẋ, ω) in space, attitudes multiplied from the left.
//!
//! Kynema gives the joint a node of its own, with displacement u_SJ, no mass, and the constraint
//! `u_SJ = 0` with multipliers λ_SJ. Its equations are `λ_SJ = λ_HT` and `u_SJ = 0` at every
//! iterate, from the first, so both are eliminated here: the iterates are the same but for
//! rounding, which Kynema's factorisation leaves in u_SJ. They still count in the norm of a
//! correction: Δλ twice, and 15 unknowns.

use super::form::{Configuration, Form, Iterate, Linear, StepMemory};
use super::twist::Twist;
use crate::math::{Mat3, Vec3, so3};
use crate::models::jointed::Accelerations;
use crate::models::{Frame, JointedBody, JointedState, RotState};
use crate::schemes::turn::Turn;

pub(super) struct Inertial;

impl Form for Inertial {
    const CROSS: bool = true;
    const COPIES: f64 = 2.0;
    const UNKNOWNS: f64 = 15.0;

    #[inline(always)]
    fn velocity(y: &JointedState) -> Twist {
        Twist::new(y.velocity, y.rotation.att * y.rotation.omega)
    }
    #[inline(always)]
    fn state(att: &Mat3, v: &Twist) -> (Vec3, Vec3) {
        (v.u, so3::to_body(att, &v.w))
    }
    fn acceleration(y: &RotState, _: &Twist, rates: &Accelerations) -> Twist {
        Twist::new(rates.acceleration, y.att * rates.spin)
    }
    fn jerk(y: &RotState, _: &Twist, rates: &Accelerations, (jerk, third): &(Vec3, Vec3)) -> Twist {
        Twist::new(*third, y.att * (jerk + y.omega.cross(&rates.spin)))
    }
    fn bracket(v: &Twist, vdot: &Twist) -> Twist {
        Twist::new(Vec3::zeros(), -v.w.cross(&vdot.w))
    }
    #[inline(always)]
    fn joint_force(_: &Mat3, lambda: &Vec3) -> Vec3 {
        -lambda
    }
    #[inline(always)]
    fn moved(from: &Configuration, dq: &Twist) -> Configuration {
        Configuration {
            att: so3::exp(&dq.w) * from.att,
            x: from.x + dq.u,
        }
    }

    #[inline(always)]
    fn linear(p: &JointedBody, m: &StepMemory, from: &Configuration, at: &Iterate) -> Linear {
        let turn = Turn::new(at.dq.w);
        let att = turn.matrix() * from.att;
        let x = from.x + at.dq.u;
        let c = att * m.lever;
        let inertia = Self::inertia(p, &att);
        let (omega, spin, lambda) = (&at.v.w, &at.vdot.w, &at.lambda);
        let momentum = inertia * omega;
        let rate = inertia * spin;
        let mut r = Twist::new(
            at.vdot.u * p.mass() - p.load() + lambda,
            rate + omega.cross(&momentum) - c.cross(lambda),
        );
        let hat = so3::hat(&momentum);
        let b = so3::hat(&c);
        let constraint = so3::hat_times(lambda, &b);
        let turned = so3::times_hat(&inertia, omega) - hat;
        let mut k_ww = so3::times_hat(&inertia, spin) - so3::hat(&rate)
            + so3::hat_times(omega, &turned)
            - constraint * m.stiffness;
        let torque = p.torque();
        match torque.frame {
            Frame::Space => r.w -= torque.torque,
            Frame::Body => {
                let torque = att * torque.torque;
                r.w -= torque;
                k_ww += so3::hat(&torque);
            }
        }
        Linear {
            r,
            phi: x - c,
            sigma: 1.0,
            b,
            inertia,
            c_ww: so3::hat_times(omega, &inertia) - hat,
            k_ww,
            t_ww: turn.left_tangent(),
            d_w: so3::hat_times(omega, &b),
            ..Linear::default()
        }
    }

    fn gradient(lever: &Vec3, at: &Configuration) -> (f64, Mat3) {
        (1.0, so3::hat(&(at.att * lever)))
    }

    #[inline(always)]
    fn inertia(p: &JointedBody, att: &Mat3) -> Mat3 {
        att * p.inertia().tensor() * att.transpose()
    }
}
