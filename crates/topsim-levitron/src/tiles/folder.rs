//! Where the tiles of a map lie, and that no symbolic link leads elsewhere.

use super::TileError;
use std::path::{Component, Path, PathBuf};

/// The folder for the tiles of one map.
///
/// `root` is what the user named, and may be reached through symbolic links. What lies below it is
/// the program's own: a symbolic link there is refused rather than followed, lest tiles are written
/// to, or removed from, a place that nobody named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileFolder {
    root: PathBuf,
    below: PathBuf,
}

impl TileFolder {
    /// The folder `below` the folder `root`; neither needs to be there yet.
    pub fn new(root: impl Into<PathBuf>, below: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            below: below.into(),
        }
    }

    /// Its path.
    pub fn path(&self) -> PathBuf {
        self.root.join(&self.below)
    }

    /// Whether it lies where it says.
    ///
    /// # Errors
    /// [`TileError::Link`] names a symbolic link on the way from the root, [`TileError::Outside`] a
    /// path that leads out of it.
    pub fn check(&self) -> Result<(), TileError> {
        let mut path = self.root.clone();
        for part in self.below.components() {
            let Component::Normal(name) = part else {
                return Err(TileError::Outside {
                    root: self.root.clone(),
                    below: self.below.clone(),
                });
            };
            path.push(name);
            if is_link(&path) {
                return Err(TileError::Link { path });
            }
        }
        Ok(())
    }

    /// Whether a file of the folder is no symbolic link.
    pub(super) fn check_file(&self, name: &str) -> Result<(), TileError> {
        let path = self.path().join(name);
        if is_link(&path) {
            return Err(TileError::Link { path });
        }
        Ok(())
    }
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|m| m.is_symlink())
}
