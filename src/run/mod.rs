//! Runs suites in parallel and collects the report.

mod execute;
mod tasks;
#[cfg(test)]
mod twins;

pub use execute::{Options, Progress, execute};
