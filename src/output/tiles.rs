//! A folder of finished tiles, so that a map that was interrupted goes on where it stopped, and
//! machines can share a map.
//!
//! A tile is written under a temporary name, brought to the disk, then renamed: it is there whole
//! or not at all, after a kill or a power cut too. `manifest.json` says which map the tiles are of.

mod format;
mod lock;
mod manifest;
#[cfg(test)]
mod tests;

use super::files::OutputError;
use crate::analysis::{Cells, Definition, Difference, Tile};
use crate::runner::{Shelf, ShelfError};
use format::Map;
use lock::Lock;
use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

/// Ending of the name of a folder of tiles.
pub const FOLDER: &str = "tiles";

/// What is wrong with a folder of tiles, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum TileError {
    /// A file or folder that cannot be written.
    #[error(transparent)]
    Write(#[from] OutputError),
    /// A file or folder that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Tiles of another map.
    #[error("{}", other_map(dir, differences))]
    OtherMap {
        /// The folder.
        dir: PathBuf,
        /// What differs: there, and in the map wanted.
        differences: Vec<Difference>,
    },
    /// A manifest that is not one.
    #[error("{} says nothing ({why}), so it is not known which map the tiles beside it are of; restore it, or remove the folder to compute them anew", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Tiles that cannot be used.
    #[error("{}", damaged(tiles))]
    Damaged {
        /// Their files, with what is wrong.
        tiles: Vec<(PathBuf, String)>,
    },
}

fn other_map(dir: &Path, differences: &[Difference]) -> String {
    let mut out = format!("{} holds tiles of another map:\n", dir.display());
    let say = |v: &Option<String>| v.clone().unwrap_or_else(|| "nothing".into());
    for d in differences {
        let (there, here) = (say(&d.first), say(&d.second));
        let _ = writeln!(out, "  {}: {there} there, {here} now", d.field);
    }
    out + "they are left as they are; choose another folder with --out, or remove this one to start afresh"
}

fn damaged(tiles: &[(PathBuf, String)]) -> String {
    const SHOWN: usize = 8;
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

/// The tiles of one map in one folder.
pub struct TileStore {
    dir: PathBuf,
    map: Map,
    lock: Option<Lock>,
}

/// Size of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Cells.
    pub cells: u64,
    /// Most steps of a cell.
    pub limit: u32,
}

impl TileStore {
    /// Opens the folder of a map, making it if it is not there, and reads what is finished.
    ///
    /// # Errors
    /// [`TileError`]; nothing that is there is changed then.
    pub fn open(
        dir: &Path,
        definition: &Definition,
        extent: Extent,
    ) -> Result<(Self, Cells), TileError> {
        let map = map_of(definition, extent);
        let lock = Lock::share(dir, || tidy(dir)).map_err(|e| OutputError::write(dir, e))?;
        let store = Self {
            dir: dir.into(),
            map,
            lock,
        };
        if !manifest::path(dir).exists() {
            if let Some(path) = tile_files(dir)?.first() {
                return Err(TileError::Manifest {
                    path: manifest::path(dir),
                    why: format!("it is missing, but there is {}", path.display()),
                });
            }
            let text = manifest::text(definition, extent);
            // Who comes second reads what the first wrote.
            store.keep(manifest::NAME, text.as_bytes())?;
        }
        let mut cells = Cells::unknown(extent.cells);
        collect(dir, definition, extent, &mut cells)?;
        Ok((store, cells))
    }

    /// Removes the folder, if nobody else works in it: the map is complete elsewhere.
    ///
    /// # Errors
    /// [`TileError::Write`].
    pub fn remove(self) -> Result<(), TileError> {
        if self.lock.as_ref().is_some_and(|l| !l.is_last()) {
            return Ok(());
        }
        // First out of the way, in one piece: somebody who starts now starts in a new folder.
        let gone = doomed(&self.dir);
        let fail = |e| OutputError::write(&self.dir, e);
        match std::fs::remove_dir_all(&gone) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(fail(e).into()),
            _ => {}
        }
        std::fs::rename(&self.dir, &gone).map_err(fail)?;
        std::fs::remove_dir_all(&gone).map_err(fail)?;
        Ok(())
    }

    /// Writes a file that is not there yet, for good; what is there stays.
    fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), OutputError> {
        let path = self.dir.join(name);
        let fail = |e| OutputError::write(&path, e);
        let mut file = super::files::temporary(&self.dir).map_err(fail)?;
        file.write_all(bytes).map_err(fail)?;
        file.as_file().sync_all().map_err(fail)?;
        match file.persist_noclobber(&path) {
            Err(e) if e.error.kind() != io::ErrorKind::AlreadyExists => return Err(fail(e.error)),
            _ => {}
        }
        sync_folder(&self.dir).map_err(fail)
    }
}

impl Shelf for TileStore {
    fn put(&self, tile: &Tile, steps: &[i32]) -> Result<(), ShelfError> {
        let bytes = format::encode(&self.map, tile, steps);
        let name = format::name(tile);
        self.keep(&name, &bytes)
            .map_err(|e| ShelfError(e.to_string()))?;
        // Somebody else may have been faster, but not of another opinion.
        let path = self.dir.join(name);
        match std::fs::read(&path) {
            Ok(there) if there != bytes => Err(ShelfError(format!(
                "{} was written meanwhile by another run, with other numbers",
                path.display()
            ))),
            _ => Ok(()),
        }
    }
}

/// Reads the finished tiles of a map from a folder into `cells`.
///
/// # Errors
/// [`TileError`], in particular if the folder is not there or holds another map.
pub fn collect(
    dir: &Path,
    definition: &Definition,
    extent: Extent,
    cells: &mut Cells,
) -> Result<(), TileError> {
    let differences = manifest::read(dir)?.differences(definition);
    if !differences.is_empty() {
        let dir = dir.into();
        return Err(TileError::OtherMap { dir, differences });
    }
    let map = map_of(definition, extent);
    let mut bad = Vec::new();
    for path in tile_files(dir)? {
        if let Err(why) = take(&path, &map, cells)? {
            bad.push((path, why));
        }
    }
    if bad.is_empty() {
        Ok(())
    } else {
        Err(TileError::Damaged { tiles: bad })
    }
}

/// Takes one tile; the inner error says what is wrong with it.
fn take(path: &Path, map: &Map, cells: &mut Cells) -> Result<Result<(), String>, TileError> {
    let mut bytes = Vec::new();
    let read =
        std::fs::File::open(path).and_then(|f| f.take(map.longest() + 1).read_to_end(&mut bytes));
    read.map_err(|source| TileError::Read {
        path: path.into(),
        source,
    })?;
    let (tile, steps) = match format::decode(map, &bytes) {
        Ok(good) => good,
        Err(why) => return Ok(Err(why.into())),
    };
    let name = format::name(&tile);
    if path.file_name().is_none_or(|n| n != name.as_str()) {
        return Ok(Err(format!("its name is not the {name} it was written as")));
    }
    Ok(cells.take(&tile, &steps).map_err(|c| {
        format!(
            "it has {} steps for cell {} where another tile has {}: one of the two is wrong",
            c.found, c.cell, c.known
        )
    }))
}

fn map_of(definition: &Definition, extent: Extent) -> Map {
    Map {
        identity: definition.identity(),
        cells: extent.cells,
        limit: extent.limit,
    }
}

/// Files that call themselves tiles, in the order of their names.
fn tile_files(dir: &Path) -> Result<Vec<PathBuf>, TileError> {
    let fail = |source| TileError::Read {
        path: dir.into(),
        source,
    };
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|e| e == "tile") {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

/// Removes what a killed run left. What cannot be removed does no harm.
fn tidy(dir: &Path) {
    let _ = std::fs::remove_dir_all(doomed(dir));
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if super::files::is_temporary(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The name under which a folder is removed.
fn doomed(dir: &Path) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    dir.with_file_name(name)
}

/// A rename is on the disk when its folder is.
#[cfg(unix)]
fn sync_folder(dir: &Path) -> io::Result<()> {
    std::fs::File::open(dir)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
