//! Floor 3: what runs are judged against.

mod gauss;
mod numerical;
mod rows;
mod table;

pub use numerical::{Numerical, NumericalError};
pub use rows::{RowReference, bind};
pub use table::{TableReference, TableRow};

use crate::math::{Mat3, Vec3};

/// Error bound of a reference at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RefError {
    /// Attitude, rad.
    pub attitude: f64,
    /// Body rate, rad/s.
    pub rate: f64,
}

/// A motion known at any time.
pub trait Solution: Send + Sync {
    /// Attitude (body → space) and body rate (rad/s) at time `t`.
    fn at(&self, t: f64) -> (Mat3, Vec3);
    /// Bound of the error of [`Solution::at`].
    fn error(&self, t: f64) -> RefError;
    /// Where the numbers come from, for people.
    fn provenance(&self) -> String;
}
