//! Runs suites in parallel and collects the report.

mod execute;
mod guests;
mod need;
mod tasks;
#[cfg(test)]
mod twins;

pub use execute::{Options, Progress, execute};
pub use guests::guests;
pub use need::{history, need};
