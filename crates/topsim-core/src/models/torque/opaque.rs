//! Torque that topsim cannot compute: it is passed on to external solvers, which are judged by relations.

use super::{Formula, Torque, TorqueError, TorqueParameters};
use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Value of a parameter for an external solver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum OpaqueValue {
    /// Boolean.
    Flag(bool),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// List of numbers.
    Numbers(Vec<f64>),
}

/// Symmetry of a torque, as the author of a case states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Symmetry {
    /// The torque depends on the attitude alone.
    TimeReversal,
    /// The torque has no preferred direction in space.
    SpaceTurn,
    /// The torque has no preferred direction across the z axis of space.
    Azimuth,
    /// Half a turn of the body about each of its axes changes nothing.
    HalfTurn,
    /// The mirror image across the planes x = 0 of space and body is the same.
    Mirror,
}

/// Torque that topsim cannot compute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opaque {
    /// Description for the author of the solver.
    pub text: String,
    /// Parameters that are passed on to the solver unchanged.
    #[serde(default)]
    pub parameters: BTreeMap<String, OpaqueValue>,
    /// Symmetries of the torque; the relations that rest on them are judged.
    #[serde(default)]
    pub symmetries: Vec<Symmetry>,
}

/// The components are NaN, because the torque is unknown here.
impl Torque for Opaque {
    fn body(&self, _: f64, _: &Mat3) -> Vec3 {
        Vec3::repeat(f64::NAN)
    }
}

impl Formula for Opaque {
    const FORMULA: &'static str = "as text says, with parameters; it keeps symmetries";
}

impl TorqueParameters for Opaque {
    type Torque = Self;
    #[cfg(test)]
    const EXAMPLE: &'static str =
        r#"{"text": "a spring", "parameters": {"stiffness": 3.0}, "symmetries": ["azimuth"]}"#;
    fn torque(&self) -> Result<Self, TorqueError> {
        if self.text.trim().is_empty() {
            return Err(TorqueError::new(
                "text",
                "no text",
                "what the torque is, in words",
            ));
        }
        Ok(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_no_number_and_wants_a_text() {
        let mut torque = Opaque {
            text: " ".into(),
            parameters: BTreeMap::new(),
            symmetries: Vec::new(),
        };
        assert_eq!(torque.torque().unwrap_err().key, "text");
        torque.text = "a spring".into();
        let torque = torque.torque().unwrap();
        assert!(
            torque
                .body(0.0, &Mat3::identity())
                .iter()
                .all(|x| x.is_nan())
        );
        assert_eq!(
            torque.body(0.0, &Mat3::identity()).len(),
            torque.space(0.0, &Mat3::identity()).len()
        );
    }
}
