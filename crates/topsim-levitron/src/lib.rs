//! The Levitron, a magnetic top that hovers above a base magnet: how long it stays up from each
//! start of a plane, which spins keep it up, and what linear theory predicts of both.
//!
//! A study is a plain description; a function computes it on the threads of the current rayon pool
//! and returns its result, which has [`NamedNumber`]s:
//!
//! | study | function | result |
//! |---|---|---|
//! | [`EscapeMap`]: a plane of starts | [`run_map`] | [`EscapeMapResult`] |
//! | [`SpinScan`]: starts at many spins | [`run_scan`] | [`SpinScanResult`] |
//! | [`StabilityRegion`]: linear theory over heights and spins | [`run_region`] | [`StabilityRegionResult`] |
//!
//! Maps and scans are computed in tiles, which survive a kill and which several machines can share
//! (crate `tiles`). They rest on [`kernel`], the escape times of many starts in SIMD lanes, and on
//! [`stability`], linear theory at one height.
//!
//! Results do not depend on the number of threads, the width of the vectors or the machine.
//! Nothing here prints or touches files.

pub mod kernel;
#[cfg(test)]
mod lanes_tests;
#[cfg(target_arch = "x86_64")]
pub mod lanes_x86;
mod level;
mod map;
mod number;
mod region;
mod spin_scan;
pub mod stability;
#[cfg(test)]
mod table;

pub use map::{
    EscapeGrid, EscapeMap, EscapeMapError, EscapeMapResult, MapAxis, MapSummary, Quantiles,
    SURVIVOR, Survival, ratio, run_map,
};
pub use number::{NamedNumber, NoValue};
pub use region::{
    PlanePoint, RegionError, StabilityRegion, StabilityRegionResult, StableEdges, run_region,
};
pub use spin_scan::{SpinRow, SpinScan, SpinScanResult, run_scan};
