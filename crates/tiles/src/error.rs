//! Errors of tiles and of the folders that keep them, each with what to do.

use crate::definition::Definition;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use whole_file::WriteError;

/// Number of damaged tiles that a message names.
const SHOWN: usize = 8;

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
    #[error("{}", other_study(dir, there, here))]
    OtherStudy {
        /// The folder.
        dir: PathBuf,
        /// Definition of the study whose tiles are there.
        there: Definition,
        /// Definition of the study that is wanted.
        here: Definition,
    },
    /// Tile that another program wrote with other numbers.
    #[error("{} was written meanwhile by another run, with other numbers", path.display())]
    OtherNumbers {
        /// File of the tile.
        path: PathBuf,
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

impl TileError {
    /// Attaches the path of a file or folder to the error of reading it.
    pub(crate) fn reading(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| {
            let path = path.into();
            Self::Read { path, source }
        }
    }
}

fn other_study(dir: &Path, there: &Definition, here: &Definition) -> String {
    let mut out = format!("{} holds tiles of another study:\n", dir.display());
    for name in there.differences(here) {
        let [there, here] =
            [there, here].map(|study| study.fields().get(name).map_or("nothing", String::as_str));
        let _ = writeln!(out, "  {name}: {there} there, {here} now");
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
    #[error(
        "it has {found} for cell {cell} where another tile has {known}: one of the two is wrong"
    )]
    Conflict {
        /// Number of the cell.
        cell: u64,
        /// Number that was known.
        known: i32,
        /// Number in the tile that was read later.
        found: i32,
    },
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
