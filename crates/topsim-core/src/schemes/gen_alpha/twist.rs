//! A translational and a rotational part: velocities, accelerations, increments, residuals.

use crate::math::Vec3;

/// Two parts of one vector of ℝ⁶.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Twist {
    /// Part of the centre of mass.
    pub u: Vec3,
    /// Part of the attitude.
    pub w: Vec3,
}

impl Twist {
    #[inline(always)]
    pub(super) fn new(u: Vec3, w: Vec3) -> Self {
        Self { u, w }
    }
    /// Returns `self + b f`.
    #[inline(always)]
    pub(super) fn plus(&self, b: &Self, f: f64) -> Self {
        Self::new(self.u + b.u * f, self.w + b.w * f)
    }
    #[inline(always)]
    pub(super) fn times(&self, f: f64) -> Self {
        Self::new(self.u * f, self.w * f)
    }
}
