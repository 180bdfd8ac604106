//! Sum of uniform gravity and a constant torque: the load of a driven jointed body.

use super::{Constant, Formula, Frame, Gravity, Piece, Torque};
use crate::math::{Mat3, Vec3};
use serde::Serialize;

/// Uniform gravity with a constant torque; files give it by their `[support]`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(into = "LoadedGravityNumbers")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(with = "LoadedGravityNumbers")
)]
pub struct LoadedGravity {
    /// Uniform forces at the lever.
    pub gravity: Gravity,
    /// Torque in addition to the forces.
    pub torque: Constant,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LoadedGravityNumbers {
    /// Mass times gravity, N.
    weight: f64,
    /// Vector from the fixed point to the centre of mass, m, body frame.
    lever: [f64; 3],
    /// Unit vector against gravity, space frame.
    up: [f64; 3],
    /// Components of the constant torque, N m.
    torque: [f64; 3],
    /// Frame of the constant torque.
    frame: Frame,
}

impl From<LoadedGravity> for LoadedGravityNumbers {
    fn from(LoadedGravity { gravity, torque }: LoadedGravity) -> Self {
        Self {
            weight: gravity.weight(),
            lever: (*gravity.lever()).into(),
            up: (*gravity.up()).into(),
            torque: torque.torque.into(),
            frame: torque.frame,
        }
    }
}

impl Formula for LoadedGravity {
    const FORMULA: &'static str = "tau_body = transpose(R) cross(R lever, -weight * up) + c; \
         frame body: c = torque; frame space: c = transpose(R) torque";
}

impl Torque for LoadedGravity {
    #[inline]
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.gravity.body(t, att) + self.torque.body(t, att)
    }
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        self.gravity.derivative(t, att, omega) + self.torque.derivative(t, att, omega)
    }
    /// Returns the potential of the uniform forces; the torque has none.
    #[inline]
    fn potential(&self, att: &Mat3) -> f64 {
        self.gravity.potential(att)
    }
    fn lever(&self) -> Option<&Vec3> {
        Some(self.gravity.lever())
    }
    fn piece(&self, t: f64) -> Option<Piece> {
        Some(Piece {
            load: self.gravity.piece(t)?.load,
            drive: self.torque.piece(t)?.drive,
        })
    }
}
