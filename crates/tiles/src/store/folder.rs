//! The folder of a study's tiles, and the refusal of symbolic links in its path.

use crate::error::TileError;
use std::path::{Component, PathBuf};

/// Folder for the tiles of one study.
///
/// The user named its root, which may be reached through symbolic links. The folders below it belong
/// to the program: a symbolic link there is refused rather than followed, so that tiles are neither
/// written to nor removed from a place that the user did not name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileFolder {
    root: PathBuf,
    below: PathBuf,
}

impl TileFolder {
    /// Returns the folder `below` the folder `root`; neither needs to exist.
    pub fn new(root: impl Into<PathBuf>, below: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            below: below.into(),
        }
    }

    /// Returns the path.
    pub fn path(&self) -> PathBuf {
        self.root.join(&self.below)
    }

    /// Checks that no symbolic link leads out of the root.
    ///
    /// # Errors
    /// [`TileError::Link`] names a symbolic link on the way from the root, [`TileError::Outside`] a
    /// path that leads out of it.
    pub(super) fn check(&self) -> Result<(), TileError> {
        let mut path = self.root.clone();
        for part in self.below.components() {
            let Component::Normal(name) = part else {
                return Err(TileError::Outside {
                    root: self.root.clone(),
                    below: self.below.clone(),
                });
            };
            path.push(name);
            if path.is_symlink() {
                return Err(TileError::Link { path });
            }
        }
        Ok(())
    }
}
