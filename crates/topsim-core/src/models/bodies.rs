//! Bodies on which schemes are compared. They are asymmetric where possible, so that no symmetry hides a
//! mistake.

use super::given_rate::{Coning, Factor, Product, Sine, TimeFunction};
use super::jointed::{JointedBody, JointedParts, Support};
#[cfg(test)]
pub(crate) use super::testbed::*;
use super::{GivenRate, Gravity, Inertia, NoTorque, RateModel, RigidTop, RotState, Torque};
use crate::math::{Mat3, Vec3, so3};

/// Returns a diagonal inertia with these principal moments, kg m².
pub(super) fn moments(a: f64, b: f64, c: f64) -> Inertia {
    Inertia::diagonal(Vec3::new(a, b, c)).expect("positive moments")
}

/// Returns the state with the identity attitude and this body rate, rad/s.
pub(super) fn upright(omega: Vec3) -> RotState {
    RotState {
        att: Mat3::identity(),
        omega,
    }
}

/// Returns the body J = diag(0.6, 0.8, 1), Π0 = (1.8, 0.4, −0.9), Λ0 = I (Hairer & Vilmart 2006) under
/// `torque`.
pub fn body<T: Torque>(torque: T) -> RigidTop<T> {
    let inertia = moments(0.6, 0.8, 1.0);
    let omega = inertia.solve(&Vec3::new(1.8, 0.4, -0.9));
    RigidTop::new(inertia, torque, upright(omega))
}

/// Returns body f, which is free.
pub fn body_f() -> RigidTop<NoTorque> {
    body(NoTorque)
}

/// Returns body a, with the force (0, 0, −2) at the body point (0.3, −0.2, 0.5).
pub fn body_a() -> RigidTop<Gravity> {
    body(Gravity::new(2.0, Vec3::new(0.3, -0.2, 0.5), Vec3::z()))
}

/// Returns coning from the attitude I with a half angle of 0.1 rad at 5 rad/s.
pub fn coning() -> GivenRate<RateModel> {
    let coning = Coning {
        angle: 0.1,
        frequency: 5.0,
    };
    GivenRate {
        rate: RateModel::Coning(coning),
        initial: Mat3::identity(),
    }
}

/// Returns a motion without any symmetry: three rotations about oblique axes by angles that grow and oscillate.
pub fn manufactured() -> GivenRate<RateModel> {
    let turn = |axis, grows: f64, amplitude, rate| Factor {
        axis,
        angle: TimeFunction {
            polynomial: vec![0.2, grows, 0.1 * grows],
            sines: vec![Sine {
                amplitude,
                rate,
                phase: 0.3,
            }],
        },
    };
    let factors = vec![
        turn([0.0, 0.6, 0.8], 0.7, 0.4, 1.3),
        turn([0.8, -0.6, 0.0], -0.3, 0.9, 2.1),
        turn([0.36, 0.48, 0.8], 0.5, 0.3, 3.0),
    ];
    GivenRate {
        rate: RateModel::Product(Product { factors }),
        initial: so3::exp(&Vec3::new(0.7, -0.4, 1.1)),
    }
}

/// Returns a body for schemes of symmetric bodies: J = diag(0.8, 0.8, 1), the other numbers as for body a and
/// f.
pub(crate) fn symmetric_body<T: Torque>(torque: T) -> RigidTop<T> {
    let inertia = moments(0.8, 0.8, 1.0);
    let omega = inertia.solve(&Vec3::new(1.8, 0.4, -0.9));
    // The attitude is tilted: upright, the first half of a kick would vanish, which would change the observed
    // order.
    let att = so3::exp(&Vec3::new(0.7, -0.4, 0.2));
    RigidTop::new(inertia, torque, RotState { att, omega })
}

/// Returns the symmetric body, free.
pub fn symmetric_f() -> RigidTop<NoTorque> {
    symmetric_body(NoTorque)
}

/// Returns the symmetric body with the force (0, 0, −2) at the body point (0, 0, 0.6).
pub fn symmetric_a() -> RigidTop<Gravity> {
    symmetric_body(Gravity::new(2.0, Vec3::new(0.0, 0.0, 0.6), Vec3::z()))
}

/// Returns the published heavy top (Simo & Wong 1991; Solfec's validation manual): J = diag(5, 5, 1), weight 20
/// at e3, tilted by 0.05 rad about e1, spinning at 50 rad/s.
pub fn heavy_top() -> RigidTop<Gravity> {
    let start = RotState {
        att: so3::exp(&Vec3::new(0.05, 0.0, 0.0)),
        omega: Vec3::new(0.0, 0.0, 50.0),
    };
    let torque = Gravity::new(20.0, Vec3::z(), Vec3::z());
    RigidTop::new(moments(5.0, 5.0, 1.0), torque, start)
}

/// Returns the heavy top of Brüls, Cardona & Arnold 2012 and of Kynema's regression suite: a disc of 15 kg on
/// an arm of 1 m, spinning at 150 rad/s.
pub fn jointed_heavy_top() -> JointedBody {
    JointedBody::new(jointed_heavy_parts()).expect("a published body")
}

pub(super) fn jointed_heavy_parts() -> JointedParts {
    JointedParts::new(
        15.0,
        moments(0.234375, 0.46875, 0.234375),
        Support::Joint { lever: Vec3::y() },
        Vec3::new(0.0, 0.0, -9.81),
        upright(Vec3::new(0.0, 150.0, -4.61538)),
    )
}
