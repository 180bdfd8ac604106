//! Defects of the parts of a solver, a row each: an id that does not change, a name for people, and advice.

mod part;
mod reporting;
mod scheme;

pub use crate::law::ModelDefect;
pub use part::{Defect, Part};
pub use reporting::{AttitudeReading, RateReading, ReadAttitude, ReportingDefect};
pub use scheme::SchemeDefect;
