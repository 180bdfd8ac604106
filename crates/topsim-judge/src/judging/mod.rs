//! Entries: histories in files, a program or a function that solves, an integrator in Rust.

mod given_rate;
mod histories;
mod new_starts;
mod rotation_problem;
mod solver;
mod stepped;
mod trial;

pub use histories::{HistoryFile, identify_model, judge_histories};
pub use rotation_problem::RotationProblem;
pub use solver::{SolverReport, Watch, judge_solver};
pub use trial::{Trial, judging_set};
