//! Uniform gravity on a body that rotates about a point: `t = −Mg (Λ r) × up`, `V = Mg up·(Λ r)`.

use super::{Formula, InLanes, KeptMomentum, Piece, Torque, TorqueError, TorqueParameters};
use crate::math::fine::FineVec;
use crate::math::{Mat3, Quat, Vec3, lane_numbers, quaternion, so3};
use crate::models::{Inertia, Integral, Start};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Uniform gravity on a body that rotates about a fixed point: t = −weight (Λ lever) × up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GravityParameters {
    /// Mass times gravity, N; negative for a pull upward.
    pub weight: f64,
    /// Vector from the fixed point to the centre of mass, m, body frame.
    pub lever: [f64; 3],
    /// Unit vector against gravity, space frame.
    #[serde(default = "up")]
    pub up: [f64; 3],
}

pub(super) fn up() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

impl TorqueParameters for GravityParameters {
    type Torque = Gravity;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"weight": 3.0, "lever": [0.1, -0.3, 1.0]}"#;
    fn torque(&self) -> Result<Gravity, TorqueError> {
        let up = Vec3::from(self.up);
        if up.norm() < 1e-12 {
            return Err(TorqueError::new(
                "up",
                "a vector of no length",
                "a direction",
            ));
        }
        Ok(Gravity::new(self.weight, self.lever.into(), up))
    }
}

/// Uniform gravity on a body that rotates about a point.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(into = "GravityParameters")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(with = "GravityParameters")
)]
pub struct Gravity {
    weight: f64,
    pull: Pull,
    up: Vec3,
    /// Load to 32 digits.
    fine_load: Arc<FineVec>,
}

/// A constant force at a point of the body: what the torque of gravity is computed from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// Load Mg up, N, stored so that each evaluation saves one product.
    load: Vec3,
    /// Vector from the fixed point to the point, m, body frame.
    lever: Vec3,
}

lane_numbers! { Pull { load, lever } }

impl InLanes for Gravity {
    type Lane = Pull;
    fn lane(&self) -> Pull {
        self.pull
    }
}

impl Gravity {
    /// Builds the torque from `weight` M g in N, `lever` from the fixed point to the centre of mass in m (body
    /// frame), and `up` in the space frame (normalised here).
    pub fn new(weight: f64, lever: Vec3, up: Vec3) -> Self {
        let fine_load = FineVec::from(up).unit().times(weight.into());
        let up = if (up.norm_squared() - 1.0).abs() < 1e-15 {
            up
        } else {
            up.normalize()
        };
        let load = up * weight;
        Self {
            weight,
            pull: Pull { load, lever },
            up,
            fine_load: Arc::new(fine_load),
        }
    }
    /// Replaces the load `weight · up` by one with more digits.
    pub(in crate::models) fn with_load(self, fine_load: FineVec) -> Self {
        let fine_load = Arc::new(fine_load);
        Self { fine_load, ..self }
    }
    /// Returns the weight M g, N.
    pub fn weight(&self) -> f64 {
        self.weight
    }
    /// Returns the vector from the fixed point to the centre of mass, m, body frame.
    pub fn lever(&self) -> &Vec3 {
        &self.pull.lever
    }
    /// Returns the unit vector against gravity, space frame.
    pub fn up(&self) -> &Vec3 {
        &self.up
    }
}

impl From<Gravity> for GravityParameters {
    fn from(gravity: Gravity) -> Self {
        Self {
            weight: gravity.weight,
            lever: gravity.pull.lever.into(),
            up: gravity.up.into(),
        }
    }
}

impl Formula for Gravity {
    const FORMULA: &'static str =
        "tau_space = cross(R lever, -weight * up); tau_body = transpose(R) tau_space";
}

impl Torque for Pull {
    #[inline]
    fn body(&self, _: f64, att: &Mat3) -> Vec3 {
        so3::to_body(att, &self.load).cross(&self.lever)
    }
    #[inline]
    fn body_by(&self, _: f64, att: &Quat) -> Vec3 {
        let load = &self.load;
        let in_body = if load.x == 0.0 && load.y == 0.0 {
            quaternion::vertical_to_body(att, load.z)
        } else {
            quaternion::to_body(att, load)
        };
        in_body.cross(&self.lever)
    }
    #[inline]
    fn derivative(&self, _: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        let load = so3::to_body(att, &self.load);
        load.cross(omega).cross(&self.lever)
    }
    #[inline]
    fn space(&self, _: f64, att: &Mat3) -> Vec3 {
        self.load.cross(&(att * self.lever))
    }
    #[inline]
    fn potential(&self, att: &Mat3) -> f64 {
        self.load.dot(&(att * self.lever))
    }
}

impl Torque for Gravity {
    #[inline(always)]
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.pull.body(t, att)
    }
    #[inline(always)]
    fn body_by(&self, t: f64, att: &Quat) -> Vec3 {
        self.pull.body_by(t, att)
    }
    #[inline(always)]
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        self.pull.derivative(t, att, omega)
    }
    #[inline(always)]
    fn space(&self, t: f64, att: &Mat3) -> Vec3 {
        self.pull.space(t, att)
    }
    #[inline(always)]
    fn potential(&self, att: &Mat3) -> f64 {
        self.pull.potential(att)
    }
    fn kept_momentum(&self) -> KeptMomentum {
        KeptMomentum::Along(*self.up())
    }
    fn is_conservative(&self) -> bool {
        true
    }
    fn integral(&self, inertia: &Inertia, start: &Start) -> Option<Integral> {
        Integral::of_top(self, inertia, start)
    }
    fn lever(&self) -> Option<&Vec3> {
        Some(&self.pull.lever)
    }
    fn piece(&self, _: f64) -> Option<Piece> {
        Some(Piece {
            load: Some((*self.fine_load, self.pull.lever)),
            ..Piece::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_of_no_length_is_refused() {
        let parameters = GravityParameters {
            up: [0.0; 3],
            ..Gravity::new(1.0, Vec3::z(), Vec3::z()).into()
        };
        assert_eq!(parameters.torque().unwrap_err().key, "up");
    }
}
