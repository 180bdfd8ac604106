//! A torque that topsim does not know: it is handed to the solvers of others, who are judged by relations.

use super::{Formula, Torque, TorqueError, TorqueParameters};
use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A number, a text or numbers, as a solver of somebody else wants them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum OpaqueValue {
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Numbers.
    Numbers(Vec<f64>),
}

/// What the author of a case says that a torque keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Symmetry {
    /// It depends on the attitude alone.
    TimeReversal,
    /// No direction of space is another than the others.
    SpaceTurn,
    /// No direction across the z axis of space is.
    Azimuth,
    /// Half a turn of the body about each of its axes changes nothing.
    HalfTurn,
    /// The mirror image across the planes x = 0 of space and body is the same.
    Mirror,
}

/// A torque that topsim cannot compute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opaque {
    /// What it is, for the eyes of who writes the solver.
    pub text: String,
    /// Numbers and texts that the solver gets as they are.
    #[serde(default)]
    pub parameters: BTreeMap<String, OpaqueValue>,
    /// What it keeps: relations that rest on it are judged.
    #[serde(default)]
    pub symmetries: Vec<Symmetry>,
}

/// Nobody knows it here: its components are no numbers.
impl Torque for Opaque {
    fn body(&self, _: f64, _: &Mat3) -> Vec3 {
        Vec3::repeat(f64::NAN)
    }
    fn space(&self, _: f64, _: &Mat3) -> Vec3 {
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
