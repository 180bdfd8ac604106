//! Uniform gravity and a constant torque together: the load of a jointed body that is driven.

use crate::math::{Mat3, Vec3};
use crate::models::{Constant, Gravity, Torque};

/// The sum of both.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedGravity {
    /// Uniform forces at the lever.
    pub gravity: Gravity,
    /// The torque beside them.
    pub torque: Constant,
}

impl Torque for LoadedGravity {
    #[inline]
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.gravity.body(t, att) + self.torque.body(t, att)
    }
    #[inline]
    fn space(&self, t: f64, att: &Mat3) -> Vec3 {
        self.gravity.space(t, att) + self.torque.space(t, att)
    }
    /// Of the uniform forces; the torque has none.
    #[inline]
    fn potential(&self, att: &Mat3) -> f64 {
        self.gravity.potential(att)
    }
}
