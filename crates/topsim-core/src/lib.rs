//! Rigid-body rotation: bodies, torque models, integration schemes whose claims are tested, exact and
//! numerical references with bounds on their own error, and the time loop.
//!
//! | module | contents |
//! |---|---|
//! | [`math`] | rotations, special functions, small numerical methods |
//! | [`models`] | inertia, torque models, bodies |
//! | [`schemes`] | integration schemes, one file each |
//! | [`mod@reference`] | closed forms and the numerical reference |
//! | [`integration`] | the time loop, events, the registry of schemes |
//! | [`verdict`] | the verdict type of checks and judges |
//!
//! The crate does not use files, threads or a clock, and it prints nothing.

pub mod integration;
pub mod math;
pub mod models;
pub mod reference;
pub mod schemes;
pub mod verdict;
