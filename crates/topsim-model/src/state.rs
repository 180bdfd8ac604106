//! A state of a solver, and how far two are apart.

use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};

/// Attitude and body rate of a solver; its quaternion need not have unit length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Attitude, body → space, scalar first.
    pub quat: Quat,
    /// Body rate, rad/s.
    pub omega: Vec3,
}

/// Difference of two states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Rotation vector from one to the other, rad.
    pub turn: Vec3,
    /// Difference of the rates, rad/s.
    pub rate: Vec3,
    /// Difference of the logarithms of the quaternions' lengths.
    pub length: f64,
}

impl State {
    /// Returns the state of an attitude.
    #[must_use]
    pub fn new(att: &Mat3, omega: Vec3) -> Self {
        let quat = so3::quat_from_matrix(att);
        Self { quat, omega }
    }

    /// Returns the attitude.
    #[must_use]
    pub fn attitude(&self) -> Mat3 {
        so3::matrix_from_quat(&self.quat)
    }

    /// Returns what `other` has more.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Difference {
        let [w, x, y, z] = self.quat;
        Difference {
            turn: rotation_vector(&quaternion::product(&[w, -x, -y, -z], &other.quat)),
            rate: other.omega - self.omega,
            length: (squared(&other.quat) / squared(&self.quat)).ln() * 0.5,
        }
    }

    /// Returns true if all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        (self.quat.iter().sum::<f64>() + self.omega.sum()).is_finite()
    }
}

impl Difference {
    /// Returns what this difference has less than `other`.
    #[must_use]
    pub fn to(&self, other: &Self) -> Self {
        Self {
            turn: other.turn - self.turn,
            rate: other.rate - self.rate,
            length: other.length - self.length,
        }
    }
}

fn squared(q: &Quat) -> f64 {
    q.iter().map(|x| x * x).sum()
}

/// Rotation vector of a quaternion of any length and sign, rad.
fn rotation_vector(q: &Quat) -> Vec3 {
    let v = Vec3::new(q[1], q[2], q[3]);
    let (s, w) = (v.norm(), q[0]);
    if s == 0.0 {
        return Vec3::zeros();
    }
    v * (2.0 * s.atan2(w.abs()) * w.signum() / s)
}
