//! What can be wrong with a file of the folder.

use crate::map::Conflict;
use std::path::PathBuf;

/// Why a tile cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TileDamage {
    /// Shorter than any tile.
    #[error("it is cut off")]
    CutOff,
    /// Not what was written.
    #[error("it is cut off or altered: its checksum does not agree with its contents")]
    Checksum,
    /// Another format.
    #[error("it was written by another version of topsim")]
    Version,
    /// Another study.
    #[error("it belongs to another study")]
    OtherMap,
    /// Cells that the study or the shard does not have.
    #[error("its cells are not cells of this study")]
    Cells,
    /// More steps than a cell can make.
    #[error("it has numbers beyond the limit of the study")]
    Steps,
    /// Renamed.
    #[error("its name is not the {written} it was written as")]
    Name {
        /// The name that its contents have.
        written: String,
    },
    /// Another tile says otherwise.
    #[error("it has {} for cell {} where another tile has {}: one of the two is wrong", .0.found, .0.cell, .0.known)]
    Conflict(Conflict),
}

/// Why a manifest says nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestDamage {
    /// It is not there, but tiles are.
    #[error("it is missing, but there is {}", tile.display())]
    Missing {
        /// One of the tiles.
        tile: PathBuf,
    },
    /// It is no manifest.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Its definition is not the one that its identity was computed of.
    #[error("its definition was altered")]
    Altered,
}
