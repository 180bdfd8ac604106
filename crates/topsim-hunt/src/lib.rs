//! The hunt: a search for a problem on which a solver breaks what it keeps on ordinary ones, and the simplest such
//! problem.
//!
//! Closed forms are the oracles, and nothing within ten times their stated error is a finding. Where there is none, what
//! the motion keeps, its images and half the step are. What a *right* scheme of
//! a low order does is no finding either: an error is judged by whether it falls with the step, and everything else
//! against the habits that the solver shows on ordinary problems ([`Habits`]).

mod claim;
mod corner;
mod coverage;
mod finding;
mod habits;
mod hunt;
mod image;
mod ladder;
mod margins;
mod point;
mod runs;
mod search;
pub mod show;
mod shrink;
mod space;
#[cfg(test)]
mod tests;
mod trial;
mod worlds;

pub use claim::{HuntClaim, Margin, MarginQuantity};
pub use corner::Corner;
pub use coverage::{Axis, AxisCoverage, ClaimCoverage, Coverage};
pub use finding::Finding;
pub use habits::Habits;
pub use hunt::{HuntOptions, HuntReport, HuntTarget, HuntWatch, hunt};
pub use image::{ImageMap, Numbers};
pub use point::Point;
pub use search::ROUND;
pub use worlds::{SomeWorlds, WorldFault, WorldPart};
