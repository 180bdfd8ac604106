//! The Levitron, a magnetic top that hovers above a base magnet: how long it stays up from each
//! start of a plane, which spins keep it up, and what linear theory says of both.
//!
//! | module | what it holds |
//! |---|---|
//! | [`kernel`] | escape times of many starts in SIMD lanes |
//! | [`map`] | [`EscapeMap`](map::EscapeMap): a plane of escape times, in shards and tiles |
//! | [`tiles`] | a folder of finished tiles that survives a kill |
//! | [`spin_scan`] | [`SpinScan`](spin_scan::SpinScan): survivors against the spin |
//! | [`region`] | [`StabilityRegion`](region::StabilityRegion): linear theory over heights and spins |
//! | [`stability`] | linear stability at one height: modes, stable spins, landmarks |
//! | [`room`] | memory and disk that a map needs, against what there is |
//!
//! A study is a plain description ([`EscapeMap`](map::EscapeMap), [`SpinScan`](spin_scan::SpinScan),
//! [`StabilityRegion`](region::StabilityRegion)); a function makes it on the threads of the current
//! rayon pool ([`run_map`](map::run_map), [`run_scan`](spin_scan::run_scan),
//! [`run_region`](region::run_region)) and returns what was found, whose [`Number`]s have names.
//! Results do not depend on the number of threads, the width of the vectors or the machine.
//! Nothing here prints; only [`tiles`] and [`room`] touch files.

pub mod kernel;
#[cfg(test)]
mod lanes_tests;
#[cfg(target_arch = "x86_64")]
pub mod lanes_x86;
mod level;
pub mod map;
mod number;
mod progress;
pub mod region;
pub mod room;
pub mod spin_scan;
pub mod stability;
#[cfg(test)]
mod table;
pub mod tiles;

pub use number::{NoValue, Number};
pub use progress::{Progress, Stop, StudyError};
