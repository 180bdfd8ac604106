//! Motions known at any time.

use super::RefError;
use crate::math::{Mat3, Vec3};

/// A motion known at any time.
pub trait Solution: Send + Sync {
    /// Attitude (body → space) and body rate (rad/s) at time `t`.
    fn at(&self, t: f64) -> (Mat3, Vec3);
    /// Bound of the error of [`Solution::at`].
    fn error(&self, t: f64) -> RefError;
    /// Where the numbers come from, for people.
    fn provenance(&self) -> String;
}
