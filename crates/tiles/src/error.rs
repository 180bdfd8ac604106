//! Errors of tiles and of the folders that keep them, each with what to do.

use crate::cells::Conflict;
use crate::definition::ChangedField;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whole_file::WriteError;

/// Number of damaged tiles that a message names.
const SHOWN: usize = 8;

/// Tile that could not be kept.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SinkError {
    /// File that could not be written.
    #[error(transparent)]
    Write(Arc<WriteError>),
    /// File that holds other numbers.
    #[error("{} was written meanwhile by another run, with other numbers", path.display())]
    OtherNumbers {
        /// The file.
        path: PathBuf,
    },
}

impl From<WriteError> for SinkError {
    fn from(error: WriteError) -> Self {
        Self::Write(Arc::new(error))
    }
}

/// Fault of a folder of tiles.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TileError {
    /// File or folder that cannot be written or removed.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// File or folder that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// Symbolic link in the place of a folder.
    #[error("{} is a symbolic link: tiles are neither written nor removed where one leads; remove the link, or choose another folder for the results", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// Folder that does not lie below the one it should.
    #[error("{} does not lie below {}", below.display(), root.display())]
    Outside {
        /// Folder that the user named.
        root: PathBuf,
        /// Path that should lie below it.
        below: PathBuf,
    },
    /// Tiles of another study.
    #[error("{}", other_study(dir, changes))]
    OtherStudy {
        /// The folder.
        dir: PathBuf,
        /// Fields that differ, with their values there and in the study wanted.
        changes: Vec<ChangedField>,
    },
    /// Manifest that cannot be used.
    #[error("{} cannot be used ({why}), so it is not known which study the tiles beside it are of; restore it, or remove the folder to compute them anew", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Fault of the manifest.
        why: ManifestDamage,
    },
    /// Tiles that cannot be used.
    #[error("{}", damaged(tiles))]
    Damaged {
        /// Files of the tiles, each with its fault.
        tiles: Vec<(PathBuf, TileDamage)>,
    },
}

fn other_study(dir: &Path, changes: &[ChangedField]) -> String {
    let mut out = format!("{} holds tiles of another study:\n", dir.display());
    let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "nothing".into());
    for change in changes {
        let (there, here) = (value(&change.first), value(&change.second));
        let _ = writeln!(out, "  {}: {there} there, {here} now", change.field);
    }
    out + "they are left as they are; choose another folder with --out, or remove this one to start afresh"
}

fn damaged(tiles: &[(PathBuf, TileDamage)]) -> String {
    let mut out = String::new();
    for (path, why) in tiles.iter().take(SHOWN) {
        let _ = writeln!(out, "{}: {why}", path.display());
    }
    if tiles.len() > SHOWN {
        let _ = writeln!(out, "and {} tiles more", tiles.len() - SHOWN);
    }
    let them = if tiles.len() == 1 { "it" } else { "them" };
    out + &format!(
        "all other tiles are good and stay; remove {them}, and the next run computes what is missing"
    )
}

/// Fault of a tile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TileDamage {
    /// File that is shorter than any tile.
    #[error("it is cut off")]
    CutOff,
    /// Contents that are not what was written.
    #[error("it is cut off or altered: its checksum does not agree with its contents")]
    Checksum,
    /// Another format.
    #[error("it was written by another version of topsim")]
    Version,
    /// Another study.
    #[error("it belongs to another study")]
    OtherStudy,
    /// Cells that the study or the shard does not have.
    #[error("its cells are not cells of this study")]
    Cells,
    /// Numbers that no cell can have.
    #[error("it has numbers beyond the limit of the study")]
    Numbers,
    /// File that was renamed.
    #[error("its name is not the {written} it was written as")]
    Name {
        /// Name that belongs to the contents.
        written: String,
    },
    /// Numbers that another tile contradicts.
    #[error("it has {} for cell {} where another tile has {}: one of the two is wrong", .0.found, .0.cell, .0.known)]
    Conflict(Conflict),
}

/// Fault of a manifest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestDamage {
    /// Manifest that is not there, although tiles are.
    #[error("it is missing, but there is {}", tile.display())]
    Missing {
        /// One of the tiles.
        tile: PathBuf,
    },
    /// Text that is no manifest.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Definition that does not have the identity beside it.
    #[error("its definition was altered")]
    Altered,
}
