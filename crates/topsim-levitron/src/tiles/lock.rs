//! A lock on a folder of tiles, shared by all that work in it. It guards the tidying up only:
//! tiles themselves are safe without, so a file system that has no locks is no obstacle.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Name of the file that is locked.
pub const NAME: &str = "lock";

/// A share in a folder, until it is dropped.
pub struct Lock(File);

impl Lock {
    /// Makes the folder and takes a share in it. If nobody else has one, `tidy` is called before
    /// anybody can. `None` where locks do not work.
    pub fn share(dir: &Path, tidy: impl Fn()) -> io::Result<Option<Self>> {
        let path = dir.join(NAME);
        // Who leaves last removes the folder, perhaps just now; then there is another to be made.
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

    /// Whether nobody else has a share; nobody gets one then as long as this is held.
    pub fn is_last(&self) -> bool {
        self.0.unlock().is_ok() && self.0.try_lock().is_ok()
    }
}
