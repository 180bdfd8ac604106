//! Runs suites in parallel and collects the report.

mod execute;
mod guests;
mod space;
mod tasks;
#[cfg(test)]
mod twins;

pub use execute::{Options, Progress, execute};
pub use guests::guests;
pub use space::{history, need};
