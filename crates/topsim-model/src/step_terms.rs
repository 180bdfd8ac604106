//! Terms of the series of a step in its length, at a start: elementary differentials of the equations, and products of their vectors.

use crate::probe::{Load, Start};
use topsim_core::math::Vec3;

/// A term of the series of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// J⁻¹ T.
    Torque,
    /// g = J⁻¹(J W × W).
    Gyro,
    /// The torque's change as the body turns with W.
    TorqueTurning,
    /// The gyroscopic term's change with J⁻¹ T.
    GyroTorque,
    /// With g.
    GyroGyro,
    /// The torque's second change.
    TorqueTurningTwice,
    /// The torque's change as the body turns with J⁻¹ T.
    TorqueTorque,
    /// With g.
    TorqueGyro,
    /// g' of the torque's change.
    GyroTorqueTurning,
    /// g' g' J⁻¹ T.
    GyroGyroTorque,
    /// g' g' g.
    GyroGyroGyro,
    /// g'' of the torque twice.
    GyroTwiceTorque,
    /// g'' of torque and g.
    GyroTwiceMixed,
    /// g'' of g twice.
    GyroTwiceGyro,
    /// W, of the turn.
    Rate,
    /// W × J⁻¹T, of the turn.
    CommutatorTorque,
    /// W × g, of the turn.
    CommutatorGyro,
    /// |W|² W, of the turn.
    Cube,
    /// J⁻¹(J W × J⁻¹T): the momentum turned by another increment.
    CarriedTorque,
    /// J⁻¹(J W × g).
    CarriedGyro,
    /// W × J⁻¹T in the rate.
    RateCommutatorTorque,
    /// W × g in the rate.
    RateCommutatorGyro,
}

/// A term with its order, the exact factor in the first step, and its value at a start.
pub type TermOfStep = (usize, Term, f64, fn(&Terms) -> Vec3);

/// The vectors at a start from which terms are made.
#[derive(Debug)]
pub struct Terms {
    body: Start,
    /// W, rad/s.
    pub w: Vec3,
    /// J⁻¹ T.
    torque: Vec3,
    /// g.
    gyro: Vec3,
}

impl Terms {
    /// Computes the vectors of a start.
    #[must_use]
    pub fn new(start: &Start) -> Self {
        let w = start.omega;
        let mut out = Self {
            body: start.clone(),
            w,
            torque: start.inertia.solve(&start.torque(0.0, &start.att)),
            gyro: Vec3::zeros(),
        };
        out.gyro = out.b(&w, &w);
        out
    }
    /// J⁻¹(J x × y).
    fn b(&self, x: &Vec3, y: &Vec3) -> Vec3 {
        let j = &self.body.inertia;
        j.solve(&j.times(x).cross(y))
    }
    /// `g'[v]`.
    fn dg(&self, v: &Vec3) -> Vec3 {
        self.b(&self.w, v) + self.b(v, &self.w)
    }
    /// The derivative of J⁻¹T along these turns, one after the other.
    fn dt(&self, turns: &[Vec3]) -> Vec3 {
        let Load::Gravity { weight, lever, up } = &self.body.load else {
            return Vec3::zeros();
        };
        let mut gamma = self.body.att.tr_mul(up) * *weight;
        for v in turns {
            gamma = gamma.cross(v);
        }
        self.body.inertia.solve(&gamma.cross(lever))
    }
}

/// Returns the terms of the rate.
#[must_use]
pub fn rate_terms() -> Vec<TermOfStep> {
    use Term as E;
    let (half, third, sixth) = (1.0 / 2.0, 1.0 / 3.0, 1.0 / 6.0);
    vec![
        (1, E::Torque, 1.0, |e| e.torque),
        (1, E::Gyro, 1.0, |e| e.gyro),
        (2, E::TorqueTurning, half, |e| e.dt(&[e.w])),
        (2, E::GyroTorque, half, |e| e.dg(&e.torque)),
        (2, E::GyroGyro, half, |e| e.dg(&e.gyro)),
        (2, E::CarriedTorque, 0.0, |e| e.b(&e.w, &e.torque)),
        (2, E::CarriedGyro, 0.0, |e| e.b(&e.w, &e.gyro)),
        (2, E::RateCommutatorTorque, 0.0, |e| e.w.cross(&e.torque)),
        (2, E::RateCommutatorGyro, 0.0, |e| e.w.cross(&e.gyro)),
        (3, E::TorqueTurningTwice, third, |e| e.dt(&[e.w, e.w]) * 0.5),
        (3, E::TorqueTorque, sixth, |e| e.dt(&[e.torque])),
        (3, E::TorqueGyro, sixth, |e| e.dt(&[e.gyro])),
        (3, E::GyroTorqueTurning, sixth, |e| e.dg(&e.dt(&[e.w]))),
        (3, E::GyroGyroTorque, sixth, |e| e.dg(&e.dg(&e.torque))),
        (3, E::GyroGyroGyro, sixth, |e| e.dg(&e.dg(&e.gyro))),
        (3, E::GyroTwiceTorque, third, |e| e.b(&e.torque, &e.torque)),
        (3, E::GyroTwiceMixed, third, |e| {
            e.b(&e.torque, &e.gyro) + e.b(&e.gyro, &e.torque)
        }),
        (3, E::GyroTwiceGyro, third, |e| e.b(&e.gyro, &e.gyro)),
    ]
}

/// Returns the terms of the turn.
#[must_use]
pub fn attitude_terms() -> Vec<TermOfStep> {
    use Term as E;
    let (half, sixth, twelfth) = (1.0 / 2.0, 1.0 / 6.0, 1.0 / 12.0);
    vec![
        (1, E::Rate, 1.0, |e| e.w),
        (2, E::Torque, half, |e| e.torque),
        (2, E::Gyro, half, |e| e.gyro),
        (3, E::TorqueTurning, sixth, |e| e.dt(&[e.w])),
        (3, E::GyroTorque, sixth, |e| e.dg(&e.torque)),
        (3, E::GyroGyro, sixth, |e| e.dg(&e.gyro)),
        (3, E::CommutatorTorque, twelfth, |e| e.w.cross(&e.torque)),
        (3, E::CommutatorGyro, twelfth, |e| e.w.cross(&e.gyro)),
        (3, E::Cube, 0.0, |e| e.w * e.w.norm_squared()),
    ]
}
