//! Motions that can be evaluated at any time.

use super::RefError;
use crate::math::{Mat3, Vec3};

/// Motion that can be evaluated at any time.
pub trait Solution: Send + Sync {
    /// Returns the attitude (body → space) and body rate (rad/s) at time `t`.
    fn at(&self, t: f64) -> (Mat3, Vec3);
    /// Returns the bound of the error of [`Solution::at`].
    fn error(&self, t: f64) -> RefError;
    /// Returns the change of the motion at time `t` that rounding the start to doubles alone causes; no solver in double
    /// precision can be more accurate. `None` if it is not known.
    fn start_floor(&self, _t: f64) -> Option<RefError> {
        None
    }
    /// Allows the error until time `end` to be measured against a computed solution, where that is quick.
    fn certify(&mut self, _end: f64) {}
    /// Describes the source of the numbers for reports.
    fn provenance(&self) -> String;
}
