//! Elementary differentials of the equations of motion: the terms of which the error of a rule of first order is made.

use crate::probe::Start;
use nalgebra::SVector;
use topsim_core::math::{Vec3, so3};

/// A term of the first-order defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Differential {
    /// Change of the gyroscopic term by itself; in W'.
    GyroscopicByGyroscopic,
    /// Change of the gyroscopic term by the torque; in W'.
    GyroscopicByTorque,
    /// Change of the torque as the body turns; in W'.
    TorqueByTurn,
    /// The gyroscopic part of the rate in the attitude.
    TurnByGyroscopic,
    /// The torque's part of the rate in the attitude.
    TurnByTorque,
    /// The inertia turned with another attitude than the rate belongs to.
    InertiaTurned,
    /// The length of the momentum put back.
    MomentumRestored,
    /// The energy put back.
    EnergyRestored,
    /// The gyroscopic term seen from an attitude that turned with another rate: W × f_T.
    FrameOfTorque,
    /// The same of the gyroscopic acceleration, W × f_g.
    FrameOfGyroscopic,
    /// The inertia that divides turned with another attitude.
    DivisorTurned,
    /// The torque of another attitude, held in space and not in the body: J⁻¹ (W × T).
    TorqueHeldInSpace,
    /// The momentum in the gyroscopic term at another time than its rate: J⁻¹ (J f × W).
    MomentumInGyroscopic,
}

impl Differential {
    /// Terms that the error of a scheme has.
    pub const SCHEMES: [Self; 5] = [
        Self::GyroscopicByGyroscopic,
        Self::GyroscopicByTorque,
        Self::TorqueByTurn,
        Self::TurnByGyroscopic,
        Self::TurnByTorque,
    ];
    /// Terms that no scheme should have.
    pub const OTHERS: [Self; 8] = [
        Self::MomentumInGyroscopic,
        Self::TorqueHeldInSpace,
        Self::InertiaTurned,
        Self::MomentumRestored,
        Self::EnergyRestored,
        Self::FrameOfTorque,
        Self::FrameOfGyroscopic,
        Self::DivisorTurned,
    ];

    /// Returns its value at a state: three components of a rate, and three of an acceleration.
    #[must_use]
    pub fn of(self, s: &Start) -> SVector<f64, 6> {
        let w = s.omega;
        let j = &s.inertia;
        let gyroscopic = |w: &Vec3| j.solve(&j.times(w).cross(w));
        let torque = |att: &_| j.solve(&s.torque(0.0, att));
        const D: f64 = 1e-5;
        let along = |v: Vec3| (gyroscopic(&(w + v * D)) - gyroscopic(&(w - v * D))) / (2.0 * D);
        let (fg, ft) = (gyroscopic(&w), torque(&s.att));
        let mut out = SVector::<f64, 6>::zeros();
        let (row, value) = match self {
            Self::GyroscopicByGyroscopic => (3, along(fg)),
            Self::GyroscopicByTorque => (3, along(ft)),
            Self::TorqueByTurn => {
                let at = |sign: f64| torque(&(s.att * so3::exp(&(w * (sign * D)))));
                (3, (at(1.0) - at(-1.0)) / (2.0 * D))
            }
            Self::TurnByGyroscopic => (0, fg),
            Self::TurnByTorque => (0, ft),
            Self::InertiaTurned => (3, j.solve(&w.cross(&w.cross(&j.times(&w))))),
            Self::MomentumRestored => {
                let l = j.times(&w);
                (
                    3,
                    w * (l.cross(&w).norm_squared() / l.norm_squared().max(1e-300)),
                )
            }
            Self::EnergyRestored => {
                let l = j.times(&w);
                (3, w * (fg.dot(&j.times(&fg)) / l.dot(&w).max(1e-300)))
            }
            Self::FrameOfTorque => (3, w.cross(&ft)),
            Self::TorqueHeldInSpace => (3, j.solve(&w.cross(&s.torque(0.0, &s.att)))),
            Self::MomentumInGyroscopic => (3, j.solve(&j.times(&(fg + ft)).cross(&w))),
            Self::FrameOfGyroscopic => (3, w.cross(&fg)),
            Self::DivisorTurned => {
                let f = fg + ft;
                (3, j.solve(&w.cross(&j.times(&f))) - w.cross(&f))
            }
        };
        out.fixed_rows_mut::<3>(row).copy_from(&value);
        out
    }
}
