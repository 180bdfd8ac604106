//! Maps that turn an attitude.

use crate::angles::AngleFrame;
use crate::equations::{Equations, turning};
use crate::probe::nearest_rotation;
use core::f64::consts::{FRAC_PI_4, FRAC_PI_8};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};

/// Map that turns an attitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnMap {
    /// q exp(h W).
    Exponential,
    /// q + h q', normalised.
    Sum,
    /// q + h q'; the length of q grows.
    RawSum,
    /// exp(h W) q.
    FromLeft,
    /// q exp(h W), the angle no larger than π/4 (Bullet).
    Capped,
    /// R + h R', made the nearest rotation.
    Matrix,
    /// R + h R', its columns made orthogonal one after the other.
    Columns,
    /// Roll, pitch and yaw between the frames of the body and of space.
    Angles,
    /// Roll, pitch and yaw that begin at zero, the roll about the rate at the start.
    StartAngles,
}

impl TurnMap {
    /// Returns true if engines that cut their steps turn so.
    pub(crate) fn is_of_engines(self) -> bool {
        matches!(self, Self::Exponential | Self::Sum | Self::Capped)
    }

    /// Turns the attitude with this rate for `h`.
    pub(crate) fn turn(self, equations: &Equations, q: &mut Quat, rate: &Vec3, h: f64) {
        let matrix = || {
            let att = so3::matrix_from_quat(q);
            att + att * so3::hat(rate) * h
        };
        let by_angles = |frame: AngleFrame| {
            let frames = frame.frames(equations.start());
            so3::quat_from_matrix(&frames.turned(&so3::matrix_from_quat(q), rate, h))
        };
        let sum = || -> Quat {
            let change = turning(q, rate);
            core::array::from_fn(|i| q[i] + h * change[i])
        };
        *q = match self {
            Self::Exponential => {
                quaternion::unit(&quaternion::product(q, &quaternion::exp(&(rate * h))))
            }
            Self::Sum => quaternion::unit(&sum()),
            Self::RawSum => sum(),
            Self::FromLeft => {
                quaternion::unit(&quaternion::product(&quaternion::exp(&(rate * h)), q))
            }
            Self::Capped if rate.norm() * h > FRAC_PI_4 => {
                // The axis is that of the whole turn, and longer than the sine of the half angle.
                let v = rate * (FRAC_PI_8.sin() * h / FRAC_PI_4);
                let turn = [FRAC_PI_8.cos(), v.x, v.y, v.z];
                quaternion::unit(&quaternion::product(q, &turn))
            }
            Self::Capped => {
                quaternion::unit(&quaternion::product(q, &quaternion::exp(&(rate * h))))
            }
            Self::Matrix => so3::quat_from_matrix(&nearest_rotation(matrix())),
            Self::Columns => so3::quat_from_matrix(&by_columns(&matrix())),
            Self::Angles => by_angles(AngleFrame::Given),
            Self::StartAngles => by_angles(AngleFrame::Start),
        };
    }
}

/// The rotation that the method of Gram and Schmidt makes of the first two columns.
pub(crate) fn by_columns(m: &Mat3) -> Mat3 {
    let first = m.column(0).normalize();
    let second = m.column(1) - first * first.dot(&m.column(1));
    let second = second.normalize();
    Mat3::from_columns(&[first, second, first.cross(&second)])
}
