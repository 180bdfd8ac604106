//! Torque constant in one frame.

use super::{Drive, Formula, Frame, Piece, Torque, TorqueError, TorqueParameters, vector};
use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Torque constant in the body or in space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Constant {
    /// Components, N m.
    #[serde(with = "vector")]
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    pub torque: Vec3,
    /// Frame of the components.
    #[serde(default)]
    pub frame: Frame,
}

impl Torque for Constant {
    #[inline]
    fn body(&self, _: f64, att: &Mat3) -> Vec3 {
        self.frame.to_body(&self.torque, att)
    }
    #[inline]
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        self.frame.derivative(&self.body(t, att), omega)
    }
    fn piece(&self, _: f64) -> Option<Piece> {
        Some(Piece {
            drive: Some((self.frame, Drive::constant(self.torque))),
            ..Piece::default()
        })
    }
}

impl Formula for Constant {
    const FORMULA: &'static str =
        "frame body: tau_body = torque; frame space: tau_body = transpose(R) torque";
}

impl TorqueParameters for Constant {
    type Torque = Self;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"torque": [1.0, 2.0, -3.0]}"#;
    fn torque(&self) -> Result<Self, TorqueError> {
        Ok(self.clone())
    }
}
