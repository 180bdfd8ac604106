//! Maps of escape times: a plane of starts, cut into shards for machines and into tiles that are
//! saved one by one.

mod cells;
mod compute;
mod definition;
mod escape_map;
mod grid;
mod run;
mod shards;

pub use cells::{Cells, Conflict};
pub use compute::{
    Interruption, Kernel, MapEnd, MapFailure, SinkError, TileSink, TileWork, compute_tiles,
};
pub(crate) use definition::hex;
pub use definition::{Definition, Difference};
#[cfg(test)]
pub(crate) use escape_map::tests::small;
pub use escape_map::{EscapeMap, EscapeMapError};
pub use grid::{
    EscapeGrid, GridError, MapAxis, MapSummary, Quantiles, SURVIVOR, Survival, is_possible, ratio,
};
pub use run::{EscapeMapResult, MapShare, run_map};
pub use shards::{Shard, ShardError, Tile};
