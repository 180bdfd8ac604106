//! Reads the problems of `topsim judge --solver` and writes the rows, for solvers in Rust.
//!
//! ```no_run
//! # fn step(problem: &topsim_solver::Problem, t: f64, q: &mut [f64; 4], w: &mut [f64; 3]) {}
//! topsim_solver::answer(|problem, rows| {
//!     let (mut q, mut w, mut n) = (problem.quaternion, problem.rate, 0);
//!     for &t in &problem.times {
//!         while n < problem.step_of(t) {
//!             step(problem, problem.time(n), &mut q, &mut w);
//!             n += 1;
//!         }
//!         rows.write(problem.time(n), q, w);
//!     }
//!     Ok(())
//! });
//! ```

mod topsim_solver;

pub use topsim_solver::*;

/// Source text of this crate as one file, which a solver may have as a module of its own.
pub const SOURCE: &str = include_str!("topsim_solver.rs");
