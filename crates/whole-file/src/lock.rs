//! Lock that gives one program the exclusive use of a folder. The operating system releases it however the
//! program ends.

use crate::WriteError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Name of the locked file.
const NAME: &str = ".topsim.lock";

/// Exclusive use of a folder by this program, until the value is dropped.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
    path: PathBuf,
}

/// Reason why a folder cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program holds the lock.
    #[error(
        "another topsim{} writes to {}; wait until it ends, or choose another folder",
        process.map_or(String::new(), |id| format!(" (process {id})")),
        folder.display()
    )]
    Taken {
        /// The folder to be locked.
        folder: PathBuf,
        /// Process that holds the lock, if its file names it.
        process: Option<u32>,
    },
    /// The lock file cannot be created.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl FolderLock {
    /// Locks an existing folder; `None` if the file system has no locks.
    ///
    /// # Errors
    /// [`LockError`] if another program holds the lock or the lock file cannot be created.
    pub fn take(folder: &Path) -> Result<Option<Self>, LockError> {
        let path = folder.join(NAME);
        loop {
            let fail = |e| WriteError::new(&path, e);
            if path.is_symlink() {
                return Err(fail(io::Error::other("it is a symbolic link")).into());
            }
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).read(true).write(true);
            let mut file = options.open(&path).map_err(fail)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut text = String::new();
                    let _ = file.read_to_string(&mut text);
                    let (folder, process) = (folder.to_path_buf(), text.trim().parse().ok());
                    return Err(LockError::Taken { folder, process });
                }
                Err(TryLockError::Error(_)) => return Ok(None),
            }
            // The holder removes the file before it releases the lock; then a new file counts.
            if !is_still(&file, &path) {
                continue;
            }
            // On a full disk the process number is missing, but the lock holds.
            let _ = file.set_len(0);
            let _ = writeln!(file, "{}", std::process::id());
            return Ok(Some(Self { file, path }));
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        let _ = crate::remove(&self.path);
        let _ = self.file.unlock();
    }
}

/// Returns true if a path still leads to an open file.
#[cfg(unix)]
pub fn is_still(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(ours), Ok(there)) => inode(&ours) == inode(&there),
        _ => false,
    }
}

/// Returns the device and the number by which the system knows a file.
#[cfg(unix)]
pub(crate) fn inode(of: &std::fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (of.dev(), of.ino())
}

/// Returns true if a path still leads to an open file.
#[cfg(not(unix))]
pub fn is_still(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_program_at_a_time_has_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        let first = FolderLock::take(dir.path()).unwrap().unwrap();
        let said = FolderLock::take(dir.path()).unwrap_err().to_string();
        let expected = format!("another topsim (process {}) writes to", std::process::id());
        assert!(said.contains(&expected), "{said}");
        drop(first);
        assert!(!dir.path().join(NAME).exists());
        // A killed program leaves its file, but no lock.
        std::fs::write(dir.path().join(NAME), "1\n").unwrap();
        let taken = FolderLock::take(dir.path()).unwrap().unwrap();
        let text = std::fs::read_to_string(dir.path().join(NAME)).unwrap();
        assert_eq!(text, format!("{}\n", std::process::id()));
        drop(taken);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        assert!(FolderLock::take(&dir.path().join("none")).is_err());
    }
}
