//! A lock on a folder of tiles, shared by all programs that work in it. It guards only the removal of
//! files: tiles themselves are safe without it, so a file system without locks will do.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Name of the locked file.
pub const NAME: &str = "lock";

/// Shared lock on a folder, held until it is dropped.
pub struct Lock(File);

impl Lock {
    /// Makes the folder and locks it. If no other program holds the lock, `tidy` is called before one
    /// can. Returns `None` where locks do not work.
    pub fn share(dir: &Path, tidy: impl Fn()) -> io::Result<Option<Self>> {
        let path = dir.join(NAME);
        // The last program removes the folder, perhaps just now; then it must be made again.
        for _ in 0..100 {
            std::fs::create_dir_all(dir)?;
            let mut options = OpenOptions::new();
            let file = match options.create(true).truncate(false).write(true).open(&path) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                file => file?,
            };
            if file.try_lock().is_ok() {
                tidy();
                file.unlock()?;
            }
            if file.lock_shared().is_err() {
                return Ok(None);
            }
            if whole_file::is_still(&file, &path) {
                return Ok(Some(Self(file)));
            }
        }
        Ok(None)
    }

    /// Returns whether no other program holds the lock; none can take it then while this one is held.
    pub fn is_last(&self) -> bool {
        self.0.unlock().is_ok() && self.0.try_lock().is_ok()
    }
}
