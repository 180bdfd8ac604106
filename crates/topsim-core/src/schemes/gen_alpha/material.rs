//! Formulations with the rate in the body frame and attitudes multiplied from the right: ℝ³ × SO(3)
//! with the velocity in space, and SE(3) with the velocity in the body (Brüls, Cardona & Arnold 2012).

use super::form::{Configuration, Form, Iterate, Linear, StepMemory};
use super::tangent::coupling;
use super::twist::Twist;
use crate::math::{Mat3, Vec3, so3};
use crate::models::jointed::Accelerations;
use crate::models::{Frame, JointedBody, JointedState, RotState};
use crate::schemes::turn::Turn;

/// Returns the torque in the body frame and minus its derivative by the rotation, of the iterate.
#[inline(always)]
fn torque(p: &JointedBody, att: &Mat3) -> (Vec3, Mat3) {
    let torque = p.torque();
    match torque.frame {
        Frame::Body => (torque.torque, Mat3::zeros()),
        Frame::Space => {
            let torque = so3::to_body(att, &torque.torque);
            (torque, -so3::hat(&torque))
        }
    }
}

pub(super) struct R3xSo3;

impl Form for R3xSo3 {
    const CROSS: bool = false;

    #[inline(always)]
    fn velocity(y: &JointedState) -> Twist {
        Twist::new(y.velocity, y.rotation.omega)
    }
    #[inline(always)]
    fn state(_: &Mat3, v: &Twist) -> (Vec3, Vec3) {
        (v.u, v.w)
    }
    fn acceleration(_: &RotState, _: &Twist, rates: &Accelerations) -> Twist {
        Twist::new(rates.acceleration, rates.spin)
    }
    fn jerk(_: &RotState, _: &Twist, _: &Accelerations, (jerk, third): &(Vec3, Vec3)) -> Twist {
        Twist::new(*third, *jerk)
    }
    fn bracket(v: &Twist, vdot: &Twist) -> Twist {
        Twist::new(Vec3::zeros(), v.w.cross(&vdot.w))
    }
    #[inline(always)]
    fn joint_force(_: &Mat3, lambda: &Vec3) -> Vec3 {
        *lambda
    }
    #[inline(always)]
    fn moved(from: &Configuration, dq: &Twist) -> Configuration {
        Configuration {
            att: from.att * so3::exp(&dq.w),
            x: from.x + dq.u,
        }
    }

    #[inline(always)]
    fn linear(p: &JointedBody, m: &StepMemory, from: &Configuration, at: &Iterate) -> Linear {
        let turn = Turn::new(at.dq.w);
        let att = from.att * turn.matrix();
        let x = from.x + at.dq.u;
        let (lever, inertia) = (&m.lever, *p.inertia().tensor());
        let (omega, lambda) = (&at.v.w, &at.lambda);
        let momentum = inertia * omega;
        let pull = so3::to_body(&att, lambda);
        let (torque, k_torque) = torque(p, &att);
        let r = Twist::new(
            at.vdot.u * p.mass() - p.load() - lambda,
            inertia * at.vdot.w + omega.cross(&momentum) + lever.cross(&pull) - torque,
        );
        Linear {
            r,
            phi: att * lever - x,
            sigma: -1.0,
            b: -so3::times_hat(&att, lever),
            inertia,
            c_ww: so3::hat_times(omega, &inertia) - so3::hat(&momentum),
            k_ww: so3::hat_times(lever, &so3::hat(&pull)) * m.stiffness + k_torque,
            t_ww: turn.right_tangent(),
            d_w: -so3::times_hat(&att, &omega.cross(lever)),
            ..Linear::default()
        }
    }

    fn gradient(lever: &Vec3, at: &Configuration) -> (f64, Mat3) {
        (-1.0, -at.att * so3::hat(lever))
    }
}

pub(super) struct Se3;

impl Form for Se3 {
    const COUPLED: bool = true;
    const CROSS: bool = true;

    #[inline(always)]
    fn velocity(y: &JointedState) -> Twist {
        Twist::new(so3::to_body(&y.rotation.att, &y.velocity), y.rotation.omega)
    }
    #[inline(always)]
    fn state(att: &Mat3, v: &Twist) -> (Vec3, Vec3) {
        (att * v.u, v.w)
    }
    fn acceleration(y: &RotState, v: &Twist, rates: &Accelerations) -> Twist {
        Twist::new(
            so3::to_body(&y.att, &rates.acceleration) - v.w.cross(&v.u),
            rates.spin,
        )
    }
    fn jerk(y: &RotState, v: &Twist, rates: &Accelerations, (jerk, third): &(Vec3, Vec3)) -> Twist {
        let vdot = Self::acceleration(y, v, rates);
        let turning = vdot.w.cross(&v.u) + v.w.cross(&vdot.u) * 2.0 + v.w.cross(&v.w.cross(&v.u));
        Twist::new(so3::to_body(&y.att, third) - turning, *jerk)
    }
    fn bracket(v: &Twist, vdot: &Twist) -> Twist {
        Twist::new(v.w.cross(&vdot.u) + v.u.cross(&vdot.w), v.w.cross(&vdot.w))
    }
    #[inline(always)]
    fn joint_force(att: &Mat3, lambda: &Vec3) -> Vec3 {
        att * lambda
    }
    #[inline(always)]
    fn moved(from: &Configuration, dq: &Twist) -> Configuration {
        let turn = Turn::new(dq.w);
        Configuration {
            att: from.att * turn.matrix(),
            x: from.x + from.att * (turn.left_tangent() * dq.u),
        }
    }

    #[inline(always)]
    fn linear(p: &JointedBody, m: &StepMemory, from: &Configuration, at: &Iterate) -> Linear {
        let Configuration { att, x } = Self::moved(from, &at.dq);
        let (lever, inertia) = (&m.lever, *p.inertia().tensor());
        let (mass, speed, omega) = (p.mass(), &at.v.u, &at.v.w);
        let momentum = inertia * omega;
        let load = so3::to_body(&att, p.load());
        let (torque, k_torque) = torque(p, &att);
        let r = Twist::new(
            (at.vdot.u + omega.cross(speed)) * mass - load - at.lambda,
            inertia * at.vdot.w + omega.cross(&momentum) + lever.cross(&at.lambda) - torque,
        );
        let cross = so3::hat(omega);
        Linear {
            r,
            phi: lever - so3::to_body(&att, &x),
            sigma: -1.0,
            b: -so3::hat(lever),
            inertia,
            c_uu: cross * mass,
            c_uw: so3::hat(speed) * -mass,
            c_ww: so3::hat_times(omega, &inertia) - so3::hat(&momentum),
            k_uw: -so3::hat(&load),
            k_ww: k_torque,
            t_ww: Turn::new(at.dq.w).right_tangent(),
            t_uw: coupling(&at.dq.w, &at.dq.u),
            d_w: Mat3::zeros(),
        }
    }

    fn gradient(lever: &Vec3, _: &Configuration) -> (f64, Mat3) {
        (-1.0, -so3::hat(lever))
    }
}
