//! topsim: the validation suite for rigid-body rotation integrators.
//!
//! The library is built on floors; a module imports only from its own floor or lower ones
//! (`tests/floors.rs` enforces it):
//!
//! | floor | module | what lives there |
//! |---|---|---|
//! | 0 | [`math`] | rotations, special functions, small numerics |
//! | 1 | [`models`] | inertia, torque models, bodies that turn about a point |
//! | 2 | [`schemes`] | integration schemes |
//! | 3 | [`mod@reference`] | closed forms, the numerical reference |
//! | 4 | [`drive`] | the time loop, events, the registry of schemes |
//! | 5 | [`analysis`] | checks and verdicts |
//! | 6 | [`cases`] | case and tolerance files, built-in cases |
//! | 7 | [`runner`] | parallel execution, the report |
//! | 8 | [`output`] | CSV, JSON, plots, JUnit, console |
//! | 9 | [`cli`] | the command line |
//!
//! To judge an integrator of your own, start at [`judge`].

pub mod analysis;
pub mod cases;
pub mod cli;
pub mod drive;
pub mod math;
pub mod models;
pub mod output;
pub mod reference;
pub mod runner;
pub mod schemes;

#[doc(inline)]
pub use runner::own as judge;
