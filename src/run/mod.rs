//! Runs suites in parallel and collects the report.

mod execute;
mod facts;
mod guests;
mod histories;
mod make_report;
mod report;
mod results;
pub mod scorecard;
mod space;
mod tasks;
#[cfg(test)]
mod twins_tests;

pub use execute::{Options, Progress, RunStore, execute};
pub use facts::{CommandFacts, ProblemSummary};
pub use guests::guests;
pub use histories::Histories;
pub use report::{CaseReport, Item, Report, RunReport, WorkKind, WrittenCase};
pub use results::{Artifacts, Case, Results};
pub use space::{history, need};
pub use tasks::estimated_seconds;
