//! Rigid-body rotation: bodies, torque models, integration schemes whose claims tests judge, exact and
//! numerical references with bounds of their own error, and the one time loop.
//!
//! | module | what it holds |
//! |---|---|
//! | [`math`] | rotations, special functions, small numerics |
//! | [`models`] | inertia, torque models, bodies |
//! | [`schemes`] | integration schemes, one file each |
//! | [`mod@reference`] | closed forms and the numerical reference |
//! | [`integration`] | the time loop, events, the registry of schemes |
//! | [`verdict`] | the one verdict of all that judges |
//!
//! This crate knows no files, no threads and no clock; nothing in it prints.

pub mod integration;
pub mod math;
pub mod models;
pub mod reference;
pub mod schemes;
pub mod verdict;
