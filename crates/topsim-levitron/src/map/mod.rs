//! Maps of escape times over a plane of starts.

mod definition;
mod grid;
mod run;
#[cfg(test)]
mod tests;

pub use definition::{EscapeMap, EscapeMapError};
pub use grid::{EscapeGrid, MapAxis, MapSummary, Quantiles, SURVIVOR, Survival, ratio};
pub use run::{EscapeMapResult, run_map};
#[cfg(test)]
pub(crate) use tests::small;
