//! Computations over many cells, cut into tiles that survive a kill and into shards for several
//! machines.
//!
//! A [`CellStudy`] computes whole numbers for its cells, and says by its [`Definition`] what they
//! depend on and by its [`CellLayout`] how many there are. [`compute()`] makes what is missing of one
//! [`Shard`], [`Tile`] by tile on the threads of the current rayon pool, and hands each finished tile
//! to a [`TileSink`]. A [`TileStore`] is the sink that keeps tiles in a folder; whoever opens the
//! folder again starts from the [`Cells`] found there, and [`collect`] takes the tiles of another
//! folder too. The numbers do not depend on the number of threads, tiles or shards.
//!
//! [`space`] compares the memory and disk that a study needs with what the machine has.
//!
//! Nothing here prints; only [`TileStore`], [`collect`] and [`space`] touch files.

mod cells;
mod compute;
mod definition;
mod error;
mod memory;
mod shard;
pub mod space;
mod store;

pub use cells::Cells;
pub use compute::{CellProgress, CellStudy, Share, StopRequest, TileSink, Unfinished, compute};
pub use definition::Definition;
pub use error::{ManifestDamage, TileDamage, TileError};
pub use shard::{CellLayout, Shard, ShardError, TILE_COST, Tile};
pub use store::{TileFolder, TileStore, collect};
