//! topsim: the validation suite for rigid-body rotation integrators.
//!
//! The library is built on floors; a module imports only from its own floor or lower ones
//! (`tests/floors.rs` enforces it).

pub mod math;
pub mod models;
pub mod output;
