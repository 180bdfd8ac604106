//! A folder of finished tiles, so that a study that was interrupted goes on where it stopped, and
//! machines can share it.
//!
//! A tile is written under a temporary name, brought to the disk, then renamed: it is there whole
//! or not at all, after a kill or a power cut too. `manifest.json` tells which study the tiles are of.

mod folder;
mod format;
mod lock;
mod manifest;
#[cfg(test)]
mod tests;

use crate::cells::Cells;
use crate::compute::TileSink;
use crate::definition::Definition;
use crate::error::{ManifestDamage, TileDamage, TileError};
use crate::shard::{CellLayout, Tile};
use format::TileFormat;
use lock::Lock;
use std::fs::ReadDir;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use whole_file::WriteError;

pub use folder::TileFolder;

/// Tiles of one study in one folder.
pub struct TileStore {
    folder: TileFolder,
    format: TileFormat,
    lock: Option<Lock>,
}

impl TileStore {
    /// Opens the folder of a study, making it if it is not there, and reads what is finished. If no
    /// other program works in it, temporary files that killed runs left there are removed.
    ///
    /// # Errors
    /// [`TileError`]; no tile and no manifest that is there is changed then.
    pub fn open(
        folder: &TileFolder,
        definition: &Definition,
        layout: CellLayout,
    ) -> Result<(Self, Cells), TileError> {
        folder.check()?;
        let dir = folder.path();
        let path = dir.join(lock::NAME);
        if path.is_symlink() {
            return Err(TileError::Link { path });
        }
        let lock = Lock::share(&dir, || sweep(&dir)).map_err(|e| WriteError::new(&dir, e))?;
        // Another program may have made something of that name meanwhile.
        folder.check()?;
        let store = Self {
            folder: folder.clone(),
            format: TileFormat::new(definition, layout),
            lock,
        };
        let path = dir.join(manifest::NAME);
        if !path.exists() {
            if let Some(tile) = tile_files(&dir)?.into_iter().next() {
                let why = ManifestDamage::Missing { tile };
                return Err(TileError::Manifest { path, why });
            }
            let text = manifest::text(definition, layout);
            // A second program reads what the first one wrote.
            whole_file::write_once(&path, text.as_bytes())?;
        }
        let mut cells = Cells::unknown(&layout);
        collect(folder, definition, layout, &mut cells)?;
        Ok((store, cells))
    }

    /// Removes what the store wrote, unless another program works in the folder. The folder goes too
    /// unless it holds other files, which stay.
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
        // The tiles are removed first: after a kill the folder is then one of an unfinished study.
        for path in tile_files(&dir)? {
            if read(&path, &self.format)?.is_ok() {
                remove_file(&path)?;
            }
        }
        // Without a lock a temporary file may belong to a program at work.
        if self.lock.is_some() {
            sweep(&dir);
        }
        remove_file(&dir.join(manifest::NAME))?;
        // A program that waits for the lock sees that it is gone, and begins anew: from here on its
        // files may be in the folder.
        remove_file(&dir.join(lock::NAME))?;
        match std::fs::remove_dir(&dir) {
            Err(e) if !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => {
                Err(WriteError::new(&dir, e).into())
            }
            _ => Ok(()),
        }
    }
}

/// Removes a regular file; anything else of that name was not written by the store.
fn remove_file(path: &Path) -> Result<(), WriteError> {
    match path.symlink_metadata() {
        Ok(about) if about.is_file() => whole_file::remove(path),
        _ => Ok(()),
    }
}

impl TileSink for TileStore {
    fn keep(&self, tile: &Tile, numbers: &[i32]) -> Result<(), TileError> {
        let bytes = self.format.encode(tile, numbers);
        let path = self.folder.path().join(format::name(tile));
        whole_file::write_once(&path, &bytes)?;
        // Another program may have written it first, but with the same numbers.
        match std::fs::read(&path) {
            Ok(there) if there != bytes => Err(TileError::OtherNumbers { path }),
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
    layout: CellLayout,
    cells: &mut Cells,
) -> Result<(), TileError> {
    folder.check()?;
    let dir = folder.path();
    let there = manifest::read(&dir.join(manifest::NAME))?;
    if there != *definition {
        let here = definition.clone();
        return Err(TileError::OtherStudy { dir, there, here });
    }
    let format = TileFormat::new(definition, layout);
    let mut bad = Vec::new();
    for path in tile_files(&dir)? {
        let taken = read(&path, &format)?.and_then(|(tile, numbers)| cells.take(&tile, &numbers));
        if let Err(why) = taken {
            bad.push((path, why));
        }
    }
    if bad.is_empty() {
        Ok(())
    } else {
        Err(TileError::Damaged { tiles: bad })
    }
}

/// Reads one tile; the inner error is its fault.
fn read(
    path: &Path,
    format: &TileFormat,
) -> Result<Result<(Tile, Vec<i32>), TileDamage>, TileError> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path);
    file.and_then(|f| f.take(format.longest() + 1).read_to_end(&mut bytes))
        .map_err(TileError::reading(path))?;
    Ok(format.decode(&bytes).and_then(|(tile, numbers)| {
        let written = format::name(&tile);
        match path.file_name().is_some_and(|n| n == written.as_str()) {
            true => Ok((tile, numbers)),
            false => Err(TileDamage::Name { written }),
        }
    }))
}

/// Returns the files with the extension of tiles, by name.
fn tile_files(dir: &Path) -> Result<Vec<PathBuf>, TileError> {
    let paths = |all: ReadDir| all.map(|entry| Ok(entry?.path())).collect();
    let paths: io::Result<Vec<PathBuf>> = std::fs::read_dir(dir).and_then(paths);
    let mut files = paths.map_err(TileError::reading(dir))?;
    files.retain(|path| path.extension().is_some_and(|e| e == "tile"));
    files.sort();
    Ok(files)
}

/// Removes temporary files. A file that cannot be removed does no harm.
fn sweep(dir: &Path) {
    let _ = whole_file::sweep(dir, Duration::ZERO);
}
