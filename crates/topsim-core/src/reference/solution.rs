//! Motions known at any time.

use super::RefError;
use crate::math::{Mat3, Vec3};

/// A motion known at any time.
pub trait Solution: Send + Sync {
    /// Attitude (body → space) and body rate (rad/s) at time `t`.
    fn at(&self, t: f64) -> (Mat3, Vec3);
    /// Bound of the error of [`Solution::at`].
    fn error(&self, t: f64) -> RefError;
    /// What rounding the start to doubles alone does to the motion at time `t`: no solver in double can
    /// be sure of less. `None` where nobody has computed it.
    fn start_floor(&self, _t: f64) -> Option<RefError> {
        None
    }
    /// Lets the error until time `end` be measured against a computed solution, where that is quick.
    fn certify(&mut self, _end: f64) {}
    /// Where the numbers come from, for people.
    fn provenance(&self) -> String;
}
