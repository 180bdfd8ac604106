//! What runs are judged against.
//!
//! Closed forms of the free body (Euler top) and of the symmetric top in uniform gravity (Lagrange
//! top), evaluated at any time at constant cost, and a numerical reference for everything else;
//! each with a bound on its own error.

mod budget;
mod closed;
mod euler_top;
mod free_body;
mod gauss;
mod jointed;
mod lagrange_motion;
mod lagrange_roots;
mod lagrange_top;
mod numerical;
mod plan;
mod rows;
mod validate;

#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod table_tests;

pub use budget::RefError;
pub use closed::{NoClosedForm, free_body, lagrange_top};
pub use free_body::FreeBody;
pub use jointed::bind_jointed;
pub use lagrange_top::LagrangeTop;
pub use numerical::{
    LEAST_NUMERICAL_ERROR, Limits, Motion, Numerical, NumericalError, NumericalReduced, Parts,
    Refined,
};
pub use plan::{NoReference, ReferencePlan};
pub use rows::{RowReference, bind};

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

/// Why a closed form does not apply to the given numbers.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// An input is infinite or not a number.
    #[error("{what} must be finite, got {value}")]
    NotFinite {
        /// The input.
        what: &'static str,
        /// Its first offending entry.
        value: f64,
    },
    /// The inertia tensor is not symmetric.
    #[error(
        "the inertia tensor must be symmetric: entries ({row},{column}) and ({column},{row}) \
         differ by {difference:e}"
    )]
    TensorNotSymmetric {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        column: usize,
        /// Difference of the two entries.
        difference: f64,
    },
    /// A principal moment is zero or negative.
    #[error("principal moments must be positive, got {moments:?}")]
    MomentNotPositive {
        /// The principal moments.
        moments: [f64; 3],
    },
    /// The initial attitude is not a rotation.
    #[error(
        "the initial attitude must be a rotation: |RᵀR − I| = {defect:e} (allowed {allowed:e}), \
         det R = {determinant}"
    )]
    NotRotation {
        /// Largest entry of |RᵀR − I|.
        defect: f64,
        /// Allowed value.
        allowed: f64,
        /// Determinant.
        determinant: f64,
    },
    /// The up direction has not length one.
    #[error(
        "the up direction must be a unit vector: its length is {length} (allowed 1 ± {allowed:e})"
    )]
    UpNotUnit {
        /// Its length.
        length: f64,
        /// Allowed deviation.
        allowed: f64,
    },
    /// The inertia is not symmetric about the lever, so the top is not a Lagrange top.
    #[error(
        "no closed form: the inertia must be symmetric about the lever direction {axis:?}; the \
         relative asymmetry is {asymmetry:e} (allowed {allowed:e}), the moment about the axis \
         {axial}, the mean moment across it {transverse}"
    )]
    NotAxisymmetric {
        /// Lever direction, body frame, unit.
        axis: [f64; 3],
        /// `|J − A I − (C − A) n nᵀ| / |J|`.
        asymmetry: f64,
        /// Allowed value.
        allowed: f64,
        /// C, the moment about the axis.
        axial: f64,
        /// A, the mean of the moments across it.
        transverse: f64,
    },
}
