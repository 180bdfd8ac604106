//! Files are written whole or not at all: to a temporary name beside the target, then renamed.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file or folder that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file or folder.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The target.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A figure that could not be drawn.
    #[error("cannot draw {name}: {why}")]
    Draw {
        /// The figure.
        name: String,
        /// Why.
        why: String,
    },
}

impl OutputError {
    pub(super) fn write(path: &Path, source: std::io::Error) -> Self {
        Self::Write {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// Makes a folder and its parents.
///
/// # Errors
/// [`OutputError::Write`].
pub fn folder(path: &Path) -> Result<(), OutputError> {
    std::fs::create_dir_all(path).map_err(|e| OutputError::write(path, e))
}

/// Removes a file if it is there.
///
/// # Errors
/// [`OutputError::Write`].
pub fn remove(path: &Path) -> Result<(), OutputError> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(OutputError::write(path, e)),
        _ => Ok(()),
    }
}

/// Writes a file atomically; a reader sees the old contents or the new, never a part. Results can
/// be made again, so nothing waits for the disk here.
///
/// # Errors
/// [`OutputError::Write`]; the temporary file is removed.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write_with(path, |file| file.write_all(bytes))
}

/// Writes a file atomically, piece by piece: for what need not be in memory all at once.
///
/// # Errors
/// [`OutputError::Write`]; the temporary file is removed.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), OutputError> {
    let fail = |e| OutputError::write(path, e);
    let dir = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    let file = temporary(dir).map_err(fail)?;
    let mut buffered = BufWriter::new(file);
    fill(&mut buffered).map_err(fail)?;
    let file = buffered.into_inner().map_err(|e| fail(e.into_error()))?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

const PREFIX: &str = ".topsim-";
const SUFFIX: &str = ".tmp";

/// A file under a temporary name, removed unless it is renamed.
pub(super) fn temporary(dir: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        // As for any file made by a program: the umask decides, not tempfile's private mode.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(dir)
}

/// Whether a file has a temporary name: a program that was killed left it.
pub(super) fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str());
    name.is_some_and(|n| n.starts_with(PREFIX) && n.ends_with(SUFFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("none").join("a.csv");
        let e = write(&path, b"x").unwrap_err().to_string();
        assert!(e.contains("a.csv"), "{e}");
    }
}
