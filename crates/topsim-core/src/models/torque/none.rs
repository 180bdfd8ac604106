//! Free bodies.

use super::{Formula, InLanes, KeptMomentum, Piece, Torque, TorqueError, TorqueParameters};
use crate::math::{Mat3, Vec3, lane_numbers};
use serde::{Deserialize, Serialize};

/// No torque.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoTorque;

lane_numbers! { NoTorque {} }

impl InLanes for NoTorque {
    type Lane = Self;
    fn lane(&self) -> Self {
        *self
    }
}

impl Torque for NoTorque {
    #[inline]
    fn body(&self, _: f64, _: &Mat3) -> Vec3 {
        Vec3::zeros()
    }
    fn derivative(&self, _: f64, _: &Mat3, _: &Vec3) -> Vec3 {
        Vec3::zeros()
    }
    #[inline]
    fn space(&self, _: f64, _: &Mat3) -> Vec3 {
        Vec3::zeros()
    }
    fn kept_momentum(&self) -> KeptMomentum {
        KeptMomentum::Whole
    }
    fn is_conservative(&self) -> bool {
        true
    }
    fn piece(&self, _: f64) -> Option<Piece> {
        Some(Piece::default())
    }
}

impl Formula for NoTorque {
    const FORMULA: &'static str = "tau_body = 0";
}

impl TorqueParameters for NoTorque {
    type Torque = Self;
    #[cfg(test)]
    const EXAMPLE: &'static str = "{}";
    fn torque(&self) -> Result<Self, TorqueError> {
        Ok(Self)
    }
}
