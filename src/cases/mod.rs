//! Floor 6: the files people write, read strictly.

pub mod describe;
pub mod document;
mod excerpt;
pub mod problem;
pub mod strict;

#[cfg(test)]
mod mirror;
#[cfg(test)]
mod tests;

pub use document::Document;
pub use problem::{InvalidFile, Problem, Severity};
