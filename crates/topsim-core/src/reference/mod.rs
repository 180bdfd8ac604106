//! Reference solutions that runs are compared with.
//!
//! Closed forms are evaluated at any time at constant cost: the free body (Euler top), the symmetric top in
//! uniform gravity (Lagrange top), and further motions derived from these ([`ReferenceKind`] lists all). Every
//! other problem has a numerical reference. Each reference states a bound on its own error;
//! `docs/science/reference-bounds.md` derives the bounds.

mod along_momentum;
mod budget;
mod closed_form;
mod error;
mod euler_top;
mod free_body;
mod gauss;
mod given_rate;
mod gyrostat;
mod jointed;
mod kind;
mod lagrange_motion;
mod lagrange_roots;
mod lagrange_top;
mod numerical;
mod plan;
mod precession;
mod rows;
mod solution;
mod taylor;
mod validate;

#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod certificate_tests;
#[cfg(test)]
mod kind_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod truth_tests;

pub use budget::RefError;
pub use closed_form::{NoClosedForm, free_body, lagrange_top};
pub use error::ReferenceError;
pub use free_body::FreeBody;
pub(crate) use given_rate::given_motion;
use jointed::bind_jointed;
pub use kind::ReferenceKind;
pub use lagrange_top::LagrangeTop;
use numerical::{LEAST_NUMERICAL_ERROR, ReducedMotion};
pub use numerical::{Numerical, NumericalError};
pub use plan::{NoReference, ReferencePlan};
pub use rows::{RowReference, bind};
pub use solution::Solution;
#[cfg(test)]
pub(crate) use taylor::coefficients;
