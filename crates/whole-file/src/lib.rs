//! Files are written whole or not at all: to a temporary name beside the target, then renamed.
//!
//! | function | what it does |
//! |---|---|
//! | [`write()`], [`write_with`] | replaces a file; nothing waits for the disk |
//! | [`write_through`] | does so to what a path leads to: for files that a user names |
//! | [`write_once`] | writes a file that is not there yet, and brings it to the disk |
//! | [`sweep`] | removes the temporary files that killed programs left |
//! | [`folder`], [`remove`] | make a folder, remove a file |
//! | [`FolderLock`] | keeps a folder for one program |
//!
//! Temporary files are called `.topsim-….tmp`; [`is_temporary`] knows them.
//! A symbolic link in the place of a target is replaced, so that nothing is written outside the
//! folder; [`write_through`] alone follows it.

mod destination;
mod lock;

pub use destination::write_through;
pub use lock::{FolderLock, LockError, is_still};

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::NamedTempFile;

/// A file or folder that could not be written or removed.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// Path of the target.
    pub path: PathBuf,
    /// Error of the operating system.
    pub source: io::Error,
}

impl WriteError {
    /// Attaches the path of the target to an error of the operating system.
    pub fn new(path: &Path, source: io::Error) -> Self {
        Self {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// Makes a folder and its parents.
///
/// # Errors
/// [`WriteError`] if the folder cannot be made.
pub fn folder(path: &Path) -> Result<(), WriteError> {
    std::fs::create_dir_all(path).map_err(|e| WriteError::new(path, e))
}

/// Removes a file if it exists.
///
/// # Errors
/// [`WriteError`] if an existing file cannot be removed.
pub fn remove(path: &Path) -> Result<(), WriteError> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(WriteError::new(path, e)),
        _ => Ok(()),
    }
}

/// Writes a file atomically: a reader sees the old contents or the new, never a part. Nothing is synced to the
/// disk, because results can be computed again.
///
/// # Errors
/// [`WriteError`]; the temporary file is removed.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_with(path, |file| file.write_all(bytes))
}

/// Writes a file atomically and piece by piece, for contents that need not be in memory all at once.
///
/// # Errors
/// [`WriteError`]; the temporary file is removed.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let fail = |e| WriteError::new(path, e);
    let file = temporary(parent(path)).map_err(fail)?;
    let mut buffered = BufWriter::new(file.as_file());
    fill(&mut buffered)
        .and_then(|()| buffered.flush())
        .map_err(fail)?;
    drop(buffered);
    // A file that is replaced keeps its mode: one that only its owner may read stays so.
    if let Some(old) = std::fs::symlink_metadata(path)
        .ok()
        .filter(Metadata::is_file)
    {
        file.as_file()
            .set_permissions(old.permissions())
            .map_err(fail)?;
    }
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// Writes a file that does not exist yet and syncs it: once this returns, neither a kill nor a power cut loses
/// it. An existing file is left as it is.
///
/// # Errors
/// [`WriteError`]; the temporary file is removed.
pub fn write_once(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let fail = |e| WriteError::new(path, e);
    let dir = parent(path);
    let file = temporary(dir).map_err(fail)?;
    file.as_file().write_all(bytes).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    match file.persist_noclobber(path) {
        Err(e) if e.error.kind() != io::ErrorKind::AlreadyExists => return Err(fail(e.error)),
        _ => {}
    }
    sync_folder(dir).map_err(fail)
}

/// Syncs a folder, which makes renames in it durable.
#[cfg(unix)]
fn sync_folder(dir: &Path) -> io::Result<()> {
    std::fs::File::open(dir)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    }
}

const PREFIX: &str = ".topsim-";
const SUFFIX: &str = ".tmp";

/// Creates a file with a temporary name, which is removed unless it is renamed. The umask decides its permissions, as for any file
/// that a program makes. Errors are those of the operating system, without the temporary name.
fn temporary(dir: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    let mut code = None;
    let made = builder.make_in(dir, |path| {
        let opened = File::create_new(path);
        opened.inspect_err(|e| code = e.raw_os_error())
    });
    made.map_err(|e| code.map_or(e, io::Error::from_raw_os_error))
}

/// Returns true if a path has the name of a temporary file, whose program still writes it or was killed.
pub fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str());
    name.and_then(|n| n.strip_prefix(PREFIX))
        .is_some_and(|n| n.ends_with(SUFFIX))
}

/// Removes the temporary files directly in a folder that have not been written to for `older_than`, and returns
/// their number. Only regular files with a temporary name are touched. A missing folder counts as empty, and
/// files that cannot be removed are skipped.
///
/// With [`Duration::ZERO`] all of them are removed, which is safe if no other program works in the folder.
///
/// # Errors
/// [`WriteError`] if the folder cannot be read.
pub fn sweep(dir: &Path, older_than: Duration) -> Result<usize, WriteError> {
    let fail = |e| WriteError::new(dir, e);
    let entries = match std::fs::read_dir(dir) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries.map_err(fail)?,
    };
    let now = SystemTime::now();
    let mut removed = 0;
    for entry in entries {
        let entry = entry.map_err(fail)?;
        if !is_temporary(&entry.path()) {
            continue;
        }
        // The metadata are those of the entry itself, even if it is a symbolic link.
        let Ok(about) = entry.metadata() else {
            continue;
        };
        // A file from the future, which occurs after the clock was set back, counts as new.
        let modified = about.modified().unwrap_or(now);
        let age = now.duration_since(modified).unwrap_or(Duration::ZERO);
        if about.is_file() && age >= older_than && std::fs::remove_file(entry.path()).is_ok() {
            removed += 1;
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(dir: &Path) -> usize {
        std::fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn replaces_and_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(count(dir.path()), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("none").join("a.csv");
        for result in [write(&path, b"x"), write_once(&path, b"x")] {
            let e = result.unwrap_err().to_string();
            assert!(e.contains("cannot write") && e.contains("a.csv"), "{e}");
            assert!(!e.contains(".topsim-") && e.contains("os error"), "{e}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        std::fs::write(&path, b"one").unwrap();
        for mode in [0o600, 0o640, 0o755] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            write(&path, b"two").unwrap();
            write_through(&path, b"three").unwrap();
            let kept = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(kept & 0o777, mode);
        }
    }

    #[test]
    fn a_failed_write_leaves_the_old_contents_and_no_temporary_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        write(&path, b"one").unwrap();
        let result = write_with(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(result.unwrap_err().to_string().contains("no more"));
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(count(dir.path()), 1);
    }

    #[test]
    fn what_is_written_once_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.tile");
        write_once(&path, b"one").unwrap();
        write_once(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(count(dir.path()), 1);
    }

    #[test]
    fn what_is_removed_need_not_be_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        write(&path, b"x").unwrap();
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert_eq!(count(dir.path()), 0);
    }

    #[test]
    fn temporary_files_are_known_by_their_names() {
        let dir = tempfile::tempdir().unwrap();
        assert!(is_temporary(temporary(dir.path()).unwrap().path()));
        assert!(is_temporary(Path::new("a/.topsim-Xy12.tmp")));
        for other in ["a.tmp", ".topsim-x", "topsim-x.tmp", ".topsim-", ".tmp", ""] {
            assert!(!is_temporary(Path::new(other)), "{other}");
        }
    }

    /// Only old regular files with temporary names are removed.
    #[test]
    fn stale_temporary_files_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let old = SystemTime::now() - Duration::from_secs(7200);
        for name in [
            ".topsim-old.tmp",
            ".topsim-new.tmp",
            "other.tmp",
            "results.json",
        ] {
            let file = std::fs::File::create(path(name)).unwrap();
            if name != ".topsim-new.tmp" {
                file.set_modified(old).unwrap();
            }
        }
        std::fs::create_dir(path(".topsim-folder.tmp")).unwrap();
        assert_eq!(sweep(dir.path(), Duration::from_secs(3600)).unwrap(), 1);
        assert!(!path(".topsim-old.tmp").exists() && path(".topsim-new.tmp").exists());
        assert_eq!(sweep(dir.path(), Duration::ZERO).unwrap(), 1);
        assert_eq!(count(dir.path()), 3);
        assert_eq!(sweep(&path("none"), Duration::ZERO).unwrap(), 0);
        assert!(sweep(&path("other.tmp"), Duration::ZERO).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_neither_swept_nor_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("target");
        std::fs::write(&target, b"foreign").unwrap();
        let link = dir.path().join(".topsim-link.tmp");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert_eq!(sweep(dir.path(), Duration::ZERO).unwrap(), 0);
        assert!(link.is_symlink() && target.exists());
        write(&link, b"ours").unwrap();
        assert!(!link.is_symlink());
        assert_eq!(std::fs::read(&target).unwrap(), b"foreign");
    }
}
