//! What options say of a file: orders, sequences, frames, units.

use super::header::{NAMES, RenamedColumn};
use super::units::Kind;
use schemars::JsonSchema;
use serde::Serialize;
use std::str::FromStr;
use topsim_case::EulerSequence;
use topsim_core::math::{Mat3, Quat, Vec3, so3};
use topsim_model::report::{DEGREE, QuaternionOrder};

/// Reason for which an option cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("allowed: {}", self.allowed())]
#[non_exhaustive]
pub enum InvalidReading {
    /// Neither a sequence of Euler angles nor their unit.
    EulerAngles,
    /// No header for a name of a column.
    Column,
    /// No unit of a rate.
    RateUnit,
    /// No frame of a rate.
    RateFrame,
}

impl InvalidReading {
    /// Returns what is allowed.
    pub fn allowed(&self) -> String {
        match self {
            Self::EulerAngles => {
                let sequences = EulerSequence::ALLOWED;
                format!("{sequences}; and the unit, such as ZXZ:rad or zyx:deg")
            }
            Self::Column => format!("NAME=HEADER, where NAME is one of {}", NAMES.join(", ")),
            Self::RateUnit => Kind::Rate.allowed(),
            Self::RateFrame => "body or space".into(),
        }
    }
}

/// A sequence of Euler angles, and their unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EulerAngles {
    sequence: EulerSequence,
    /// Radians in one unit of the angles.
    pub(super) unit: f64,
}

impl EulerAngles {
    /// Returns the attitude, body → space.
    pub fn matrix(&self, angles: [f64; 3]) -> Mat3 {
        let mut m = Mat3::identity();
        for (axis, angle) in self.sequence.rotations(angles) {
            let mut psi = Vec3::zeros();
            psi[axis] = angle * self.unit;
            m *= so3::exp(&psi);
        }
        m
    }
    /// Returns the same sequence in the other unit.
    pub fn other_unit(self) -> Self {
        let unit = if self.unit == 1.0 { DEGREE } else { 1.0 };
        Self { unit, ..self }
    }
    /// Name of the unit.
    pub fn unit(&self) -> &'static str {
        if self.unit == 1.0 {
            "radians"
        } else {
            "degrees"
        }
    }
}

impl FromStr for EulerAngles {
    type Err = InvalidReading;
    fn from_str(text: &str) -> Result<Self, InvalidReading> {
        const WRONG: InvalidReading = InvalidReading::EulerAngles;
        let (sequence, unit) = text.split_once(':').ok_or(WRONG)?;
        let unit = match unit {
            "rad" => 1.0,
            "deg" => DEGREE,
            _ => return Err(WRONG),
        };
        let sequence = sequence.parse().map_err(|_| WRONG)?;
        Ok(Self { sequence, unit })
    }
}

/// What the options say about a file.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Headers of columns whose names the protocol does not know.
    pub columns: Vec<RenamedColumn>,
    /// Order of quaternions whose column names do not say it.
    pub quaternion: Option<QuaternionOrder>,
    /// Sequence of Euler angles.
    pub euler: Option<EulerAngles>,
    /// The attitude takes space components to body components.
    pub transposed: bool,
    /// Frame of rates whose column names do not say it.
    pub rate_frame: Option<RateFrame>,
    /// One of the rate's units, rad/s, where the header does not say it.
    pub rate_unit: Option<RateUnit>,
}

/// Unit of an angular velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateUnit(pub(super) f64);

impl FromStr for RateUnit {
    type Err = InvalidReading;
    fn from_str(text: &str) -> Result<Self, InvalidReading> {
        let factor = Kind::Rate.factor(text);
        factor.map(Self).ok_or(InvalidReading::RateUnit)
    }
}

/// How the attitude is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AttitudeKind {
    /// Four columns, in this order.
    Quaternion(QuaternionOrder),
    /// Nine columns, row by row.
    Matrix,
    /// Three angles.
    Euler(EulerAngles),
}

impl AttitudeKind {
    /// Returns the quaternion, scalar first, that these numbers of a row are; `transposed`, they take space components to
    /// body components. None where the attitude is written otherwise.
    pub fn quaternion(self, numbers: &[f64], transposed: bool) -> Option<Quat> {
        let Self::Quaternion(order) = self else {
            return None;
        };
        let [w, x, y, z] = order.quaternion(numbers);
        let sign = if transposed { -1.0 } else { 1.0 };
        Some([w, sign * x, sign * y, sign * z])
    }
}

/// Frame of the angular velocity's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RateFrame {
    /// `W1 W2 W3`.
    Body,
    /// `omega_x omega_y omega_z`.
    Space,
}

impl FromStr for RateFrame {
    type Err = InvalidReading;
    fn from_str(text: &str) -> Result<Self, InvalidReading> {
        match text {
            "body" => Ok(Self::Body),
            "space" => Ok(Self::Space),
            _ => Err(InvalidReading::RateFrame),
        }
    }
}

impl RateFrame {
    /// Its name in headers, options and reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Space => "space",
        }
    }
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Body => Self::Space,
            Self::Space => Self::Body,
        }
    }
}

impl std::fmt::Display for RateFrame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}
