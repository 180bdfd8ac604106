//! The Levitron, a magnetic top that hovers above a base magnet: how long it stays up from each
//! start of a plane, which spins keep it up, and what linear theory says of both.
//!
//! A study is a plain description; a function makes it on the threads of the current rayon pool and
//! returns what was found, whose [`Number`]s have names:
//!
//! | study | function | what is found |
//! |---|---|---|
//! | [`EscapeMap`]: a plane of starts | [`run_map`] | [`EscapeMapResult`] |
//! | [`SpinScan`]: starts at many spins | [`run_scan`] | [`SpinScanResult`] |
//! | [`StabilityRegion`]: linear theory over heights and spins | [`run_region`] | [`StabilityRegionResult`] |
//!
//! A map is cut into [`Shard`]s for several machines and into [`Tile`]s that a [`TileStore`] keeps
//! as they are finished, so that a kill costs unfinished tiles only; [`compute_tiles`] does that for
//! any study whose cells are whole numbers. Below the studies lie
//! [`kernel`], the escape times of many starts in SIMD lanes, and [`stability`], linear theory at
//! one height; [`space`] knows the memory and the disk that a map needs.
//!
//! Results do not depend on the number of threads, the width of the vectors or the machine.
//! Nothing here prints; only [`TileStore`], [`collect`] and [`space`] touch files.

pub mod kernel;
#[cfg(test)]
mod lanes_tests;
#[cfg(target_arch = "x86_64")]
pub mod lanes_x86;
mod level;
mod map;
mod number;
mod progress;
mod region;
pub mod space;
mod spin_scan;
pub mod stability;
#[cfg(test)]
mod table;
mod tiles;

pub use map::{
    Cells, Conflict, Definition, Difference, EscapeGrid, EscapeMap, EscapeMapError,
    EscapeMapResult, GridError, Interruption, Kernel, MapAxis, MapEnd, MapFailure, MapShare,
    MapSummary, Quantiles, SURVIVOR, Shard, ShardError, SinkError, Survival, Tile, TileSink,
    TileWork, compute_tiles, is_possible, ratio, run_map,
};
pub use number::{NoValue, Number};
pub use progress::{Progress, Stop, StudyError};
pub use region::{Edges, PlanePoint, StabilityRegion, StabilityRegionResult, run_region};
pub use spin_scan::{SpinRow, SpinScan, SpinScanResult, run_scan};
pub use tiles::{Extent, ManifestDamage, TileDamage, TileError, TileFolder, TileStore, collect};
