//! Floor 7: runs plans in parallel and collects the report.

mod execute;
mod report;
mod scorecard;
#[cfg(test)]
mod twins;

pub use execute::{Options, Progress, execute};
pub use report::{CaseReport, RunReport, SuiteReport};
pub use scorecard::{Times, scorecard};
