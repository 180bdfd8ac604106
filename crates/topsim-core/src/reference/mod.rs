//! What runs are judged against.
//!
//! Closed forms, evaluated at any time at constant cost: of the free body (Euler top), of the symmetric
//! top in uniform gravity (Lagrange top), and of what follows from them ([`ReferenceKind`] lists all); and
//! a numerical reference for everything else; each with a bound on its own error.

mod along_momentum;
mod budget;
mod closed_form;
mod error;
mod euler_top;
mod forms;
mod free_body;
mod gauss;
mod given_rate;
mod gyrostat;
mod jointed;
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
mod forms_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod truth_tests;

pub use budget::RefError;
pub use closed_form::{NoClosedForm, free_body, lagrange_top};
pub use error::ReferenceError;
pub use forms::ReferenceKind;
pub use free_body::FreeBody;
pub use given_rate::given_motion;
pub use jointed::bind_jointed;
pub use lagrange_top::LagrangeTop;
pub use numerical::{
    LEAST_NUMERICAL_ERROR, Limits, Motion, Numerical, NumericalError, Parts, ReducedMotion,
    RefinedMotion,
};
pub use plan::{NoReference, ReferencePlan};
pub use rows::{RowReference, bind};
pub use solution::Solution;
#[cfg(test)]
pub(crate) use taylor::coefficients;
