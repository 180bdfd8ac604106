//! Floor 7: runs plans in parallel and collects the report.

mod diagnosis;
mod execute;
mod foreign;
mod map;
mod maps;
pub mod own;
mod report;
mod scorecard;
mod solver;
mod surveys;
#[cfg(test)]
mod twins;
mod verdict;

pub use execute::{Options, Progress, execute, execute_with};
pub use foreign::{FileReport, HistoryFailure, HistoryFile, HistoryReport, judge_histories};
pub use map::{Kernel, KernelEnd, MapEnd, MapProgress, MapWork, Shelf, ShelfError, compute_map};
pub use maps::{MapReport, NoShelf, Stand};
pub use report::{CaseReport, RunReport, SuiteReport};
pub use scorecard::{Times, scorecard};
pub use solver::{FailureKind, Solver, SolverCommand, SolverReport, StepFailure, judge_solver};
pub use surveys::SurveyReport;
pub use verdict::{ORDER_SLACK, accept, failing};
