//! A folder of finished tiles, so that a study that was interrupted goes on where it stopped, and
//! machines can share it.
//!
//! A tile is written under a temporary name, brought to the disk, then renamed: it is there whole
//! or not at all, after a kill or a power cut too. `manifest.json` says which study the tiles are of.

mod damage;
mod folder;
mod format;
mod lock;
mod manifest;
#[cfg(test)]
mod tests;

use crate::map::{Cells, Definition, Difference, EscapeMap, SinkError, Tile, TileSink};
use crate::space::Shortage;
use format::Map;
use lock::Lock;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use whole_file::WriteError;

pub use damage::{ManifestDamage, TileDamage};
pub use folder::TileFolder;

/// What is wrong with a folder of tiles, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TileError {
    /// A file or folder that cannot be written or removed.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file or folder that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A symbolic link in the place of a folder.
    #[error("{} is a symbolic link: tiles are neither written nor removed where one leads; remove the link, or choose another folder for the results", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// A folder that does not lie below the one it should.
    #[error("{} does not lie below {}", below.display(), root.display())]
    Outside {
        /// The folder that the user named.
        root: PathBuf,
        /// What should lie below it.
        below: PathBuf,
    },
    /// Not enough memory or disk for the study.
    #[error("no room for {what}: {shortage}")]
    NoRoom {
        /// The study, with its size.
        what: String,
        /// What is lacking.
        shortage: Shortage,
    },
    /// Tiles of another study.
    #[error("{}", other_map(dir, differences))]
    OtherMap {
        /// The folder.
        dir: PathBuf,
        /// What differs: there, and in the map wanted.
        differences: Vec<Difference>,
    },
    /// A manifest that is not one.
    #[error("{} says nothing ({why}), so it is not known which study the tiles beside it are of; restore it, or remove the folder to compute them anew", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong.
        why: ManifestDamage,
    },
    /// Tiles that cannot be used.
    #[error("{}", damaged(tiles))]
    Damaged {
        /// Their files, with what is wrong.
        tiles: Vec<(PathBuf, TileDamage)>,
    },
}

fn other_map(dir: &Path, differences: &[Difference]) -> String {
    let mut out = format!("{} holds tiles of another study:\n", dir.display());
    let say = |v: &Option<String>| v.clone().unwrap_or_else(|| "nothing".into());
    for d in differences {
        let (there, here) = (say(&d.first), say(&d.second));
        let _ = writeln!(out, "  {}: {there} there, {here} now", d.field);
    }
    out + "they are left as they are; choose another folder with --out, or remove this one to start afresh"
}

fn damaged(tiles: &[(PathBuf, TileDamage)]) -> String {
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

/// The tiles of one study in one folder.
pub struct TileStore {
    folder: TileFolder,
    map: Map,
    lock: Option<Lock>,
}

/// Size of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Cells.
    pub cells: u64,
    /// Numbers of a cell; one, a count of steps, in a map.
    pub each: u32,
    /// The largest number; the smallest is [`SURVIVOR`](crate::SURVIVOR).
    pub limit: u32,
}

impl From<&EscapeMap> for Extent {
    fn from(map: &EscapeMap) -> Self {
        Self {
            cells: map.cells(),
            each: 1,
            limit: map.escape.steps,
        }
    }
}

impl TileStore {
    /// Opens the folder of a study, making it if it is not there, and reads what is finished. If
    /// nobody else works in it, temporary files that killed runs left there are removed.
    ///
    /// # Errors
    /// [`TileError`]; no tile and no manifest that is there is changed then.
    pub fn open(
        folder: &TileFolder,
        definition: &Definition,
        extent: Extent,
    ) -> Result<(Self, Cells), TileError> {
        folder.check()?;
        folder.check_file(lock::NAME)?;
        let dir = folder.path();
        let lock = Lock::share(&dir, || sweep(&dir)).map_err(|e| WriteError::new(&dir, e))?;
        // Somebody may have been faster to make something of that name.
        folder.check()?;
        let store = Self {
            folder: folder.clone(),
            map: map_of(definition, extent),
            lock,
        };
        if !manifest::path(&dir).exists() {
            if let Some(path) = tile_files(&dir)?.into_iter().next() {
                return Err(TileError::Manifest {
                    path: manifest::path(&dir),
                    why: ManifestDamage::Missing { tile: path },
                });
            }
            let text = manifest::text(definition, extent);
            // Who comes second reads what the first wrote.
            whole_file::write_once(&manifest::path(&dir), text.as_bytes())?;
        }
        let mut cells = Cells::unknown_of(extent.cells, extent.each);
        collect(folder, definition, extent, &mut cells)?;
        Ok((store, cells))
    }

    /// Removes what the store wrote, if nobody else works in the folder: the study is complete
    /// elsewhere. The folder goes too unless it holds files of somebody else, which stay.
    ///
    /// # Errors
    /// [`TileError::Write`], [`TileError::Read`], [`TileError::Link`].
    pub fn remove(self) -> Result<(), TileError> {
        if self.lock.as_ref().is_some_and(|l| !l.is_last()) {
            return Ok(());
        }
        self.folder.check()?;
        let dir = self.folder.path();
        if !dir.exists() {
            return Ok(());
        }
        // The tiles first: a folder that a kill leaves half removed is one of an unfinished study.
        for path in tile_files(&dir)? {
            if has_tile_name(&path) && is_tile_of(&path, &self.map) {
                remove_file(&path)?;
            }
        }
        // Without a lock a temporary file may be somebody's at work.
        if self.lock.is_some() {
            sweep(&dir);
        }
        remove_file(&manifest::path(&dir))?;
        // Who waits for the lock sees that it is gone, and begins anew: from here on another's files
        // may be in the folder.
        remove_file(&dir.join(lock::NAME))?;
        match std::fs::remove_dir(&dir) {
            Err(e) if !is_in_use(&e) => Err(WriteError::new(&dir, e).into()),
            _ => Ok(()),
        }
    }
}

/// Whether a folder is not removed for a reason that is no error: it is gone, or holds other files.
fn is_in_use(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty
    )
}

/// Removes a regular file; what else has its name is not the store's.
fn remove_file(path: &Path) -> Result<(), WriteError> {
    match path.symlink_metadata() {
        Ok(about) if about.is_file() => whole_file::remove(path),
        _ => Ok(()),
    }
}

/// Whether a file has exactly the name that a tile is written with.
fn has_tile_name(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str());
    name.is_some_and(|n| format::tile_of(n).is_some_and(|tile| format::name(&tile) == n))
}

/// Whether a file begins as a tile of the study.
fn is_tile_of(path: &Path, map: &Map) -> bool {
    let mut head = [0; format::HEAD];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && format::is_head(map, &head)
}

impl TileSink for TileStore {
    fn keep(&self, tile: &Tile, steps: &[i32]) -> Result<(), SinkError> {
        let bytes = format::encode(&self.map, tile, steps);
        let path = self.folder.path().join(format::name(tile));
        whole_file::write_once(&path, &bytes)?;
        // Somebody else may have been faster, but not of another opinion.
        match std::fs::read(&path) {
            Ok(there) if there != bytes => Err(SinkError::OtherNumbers { path }),
            _ => Ok(()),
        }
    }
}

/// Reads the finished tiles of a study from a folder into `cells`.
///
/// # Errors
/// [`TileError`], in particular if the folder is not there or holds another study.
pub fn collect(
    folder: &TileFolder,
    definition: &Definition,
    extent: Extent,
    cells: &mut Cells,
) -> Result<(), TileError> {
    folder.check()?;
    let dir = folder.path();
    let differences = manifest::read(&dir)?.differences(definition);
    if !differences.is_empty() {
        return Err(TileError::OtherMap { dir, differences });
    }
    let map = map_of(definition, extent);
    let mut bad = Vec::new();
    for path in tile_files(&dir)? {
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
fn take(path: &Path, map: &Map, cells: &mut Cells) -> Result<Result<(), TileDamage>, TileError> {
    let mut bytes = Vec::new();
    let read =
        std::fs::File::open(path).and_then(|f| f.take(map.longest() + 1).read_to_end(&mut bytes));
    read.map_err(|source| TileError::Read {
        path: path.into(),
        source,
    })?;
    let (tile, steps) = match format::decode(map, &bytes) {
        Ok(good) => good,
        Err(why) => return Ok(Err(why)),
    };
    let name = format::name(&tile);
    if path.file_name().is_none_or(|n| n != name.as_str()) {
        return Ok(Err(TileDamage::Name { written: name }));
    }
    Ok(cells.take(&tile, &steps).map_err(TileDamage::Conflict))
}

fn map_of(definition: &Definition, extent: Extent) -> Map {
    Map {
        identity: definition.identity(),
        cells: extent.cells,
        each: extent.each,
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

/// Removes temporary files. What cannot be removed does no harm.
fn sweep(dir: &Path) {
    let _ = whole_file::sweep(dir, Duration::ZERO);
}
