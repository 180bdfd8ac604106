//! Maps by which an increment becomes a turn.

use schemars::JsonSchema;
use serde::Deserialize;
use strum::VariantArray;
use topsim_core::math::{Mat3, Vec3, scalar, so3};

/// Map by which an increment h W becomes a turn, as seen of a sphere; the simplest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AngleMap {
    /// The exponential map.
    Exponential,
    /// 1 + h Ŵ in quaternions, normalised, which is Cayley's map.
    Cayley,
    /// 1 + h Ŵ in matrices, made orthogonal alike in all axes.
    Polar,
    /// A quaternion with vector part h W/2.
    HalfSine,
    /// The quaternion's exponential to second order.
    QuaternionSecond,
    /// To third order.
    QuaternionThird,
    /// To fourth order: the classical Runge–Kutta rule.
    QuaternionFourth,
}

/// Rounds of secants at most, in which an increment is found.
const ROUNDS: usize = 40;
/// Accuracy of an increment, rad.
const FOUND: f64 = 1e-14;

impl AngleMap {
    /// Returns the angle of the turn that it makes of an increment.
    #[must_use]
    pub fn angle(self, increment: f64) -> f64 {
        let y = 0.5 * increment;
        let square = y * y;
        let of_quaternion = |vector: f64, scalar: f64| 2.0 * scalar::atan2(vector, scalar);
        match self {
            Self::Exponential => increment,
            Self::Cayley => of_quaternion(y, 1.0),
            Self::Polar => scalar::atan2(increment, 1.0),
            Self::HalfSine => of_quaternion(y, (1.0 - square).sqrt()),
            Self::QuaternionSecond => of_quaternion(y, 1.0 - square / 2.0),
            Self::QuaternionThird => of_quaternion(y * (1.0 - square / 6.0), 1.0 - square / 2.0),
            Self::QuaternionFourth => {
                let scalar = 1.0 - square / 2.0 + square * square / 24.0;
                of_quaternion(y * (1.0 - square / 6.0), scalar)
            }
        }
    }

    /// Returns the increment that gives a turn of `angle`, by secants; none where none does.
    #[must_use]
    pub fn increment(self, angle: f64) -> Option<f64> {
        let off = |x: f64| self.angle(x) - angle;
        let (mut a, mut b) = (0.9 * angle, angle);
        for _ in 0..ROUNDS {
            let (before, now) = (off(a), off(b));
            if now == 0.0 || before == now || a == b {
                break;
            }
            (a, b) = (b, b - now * (b - a) / (now - before));
        }
        (off(b).abs() <= FOUND).then_some(b)
    }

    /// Returns the turn that it makes of an increment.
    #[must_use]
    pub fn turn(self, x: &Vec3) -> Mat3 {
        let size = x.norm();
        let factor = if size > 0.0 {
            self.angle(size) / size
        } else {
            1.0
        };
        so3::exp(&(x * factor))
    }

    /// Returns the increment of a rotation vector.
    #[must_use]
    pub fn of(self, turn: &Vec3) -> Option<Vec3> {
        let angle = turn.norm();
        if angle < 1e-12 {
            return Some(*turn);
        }
        Some(turn * (self.increment(angle)? / angle))
    }

    /// Returns its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential map",
            Self::Cayley => "quaternion sum normalised (Cayley's map)",
            Self::Polar => "matrix sum made orthogonal (polar)",
            Self::HalfSine => "quaternion of vector part hW/2",
            Self::QuaternionSecond => "quaternion series of second order, normalised",
            Self::QuaternionThird => "quaternion series of third order, normalised",
            Self::QuaternionFourth => "quaternion series of fourth order, normalised",
        }
    }
}
