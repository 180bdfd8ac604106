//! Floor 6: the files people write, read strictly.

mod describe;
pub mod document;
mod excerpt;
mod numbers;
pub mod problem;
mod shape;
mod strict;

#[cfg(test)]
mod mirror;
#[cfg(test)]
mod tests;

pub use document::Document;
pub use problem::{InvalidFile, Problem, Severity};
pub use shape::unsupported;
