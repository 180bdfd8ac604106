//! Writing to a path that a user names: to a new file that takes its place, or into what stands there.

use crate::{WriteError, parent, write};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Most links that are followed one after another; Linux follows as many.
const MOST_LINKS: usize = 40;

/// Writes what a path leads to, for files that a user names. A regular file, or one that is not there
/// yet, is written atomically as by [`write`](crate::write()), at the end of all symbolic links, which stay. A
/// pipe or a device stays too and is written into, as is the file to which the program's own output is
/// redirected: a reader sees those bytes as they come.
///
/// # Errors
/// [`WriteError`]; the temporary file is removed.
pub fn write_through(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let fail = |e| WriteError::new(path, e);
    match stream(path).map_err(fail)? {
        Some(mut stream) => stream.write_all(bytes).map_err(fail),
        None => write(&followed(path).map_err(fail)?, bytes),
    }
}

/// Opens what no file may take the place of: a pipe, a device, the program's own output.
fn stream(path: &Path) -> io::Result<Option<File>> {
    let Ok(there) = std::fs::metadata(path) else {
        return Ok(None);
    };
    if let Some(own) = own_output(&there) {
        return Ok(Some(own));
    }
    if there.is_file() || there.is_dir() {
        return Ok(None);
    }
    OpenOptions::new().write(true).open(path).map(Some)
}

/// Returns the path at the end of all symbolic links, where a file need not be yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&at) {
            Ok(next) => at = parent(&at).join(next),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns standard output or standard error, if this is its file: `/dev/stdout` is a link to a file where the output is
/// redirected to one, and a new file in its place would lose all else that is printed.
#[cfg(unix)]
fn own_output(there: &Metadata) -> Option<File> {
    use crate::lock::inode;
    use std::os::fd::AsFd;
    let streams = [
        io::stdout().as_fd().try_clone_to_owned(),
        io::stderr().as_fd().try_clone_to_owned(),
    ];
    let mut files = streams.into_iter().flatten().map(File::from);
    let same = |m: Metadata| inode(&m) == inode(there);
    files.find(|file| file.metadata().is_ok_and(same))
}

#[cfg(not(unix))]
fn own_output(_: &Metadata) -> Option<File> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, symlink};

    fn count(dir: &Path) -> usize {
        std::fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn links_stay_and_the_file_that_they_lead_to_is_replaced_whole() {
        let dir = tempfile::tempdir().unwrap();
        let elsewhere = dir.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        let target = elsewhere.join("target");
        let (link, link_of_link) = (dir.path().join("link"), elsewhere.join("link of link"));
        symlink("elsewhere/target", &link).unwrap();
        symlink("../link", &link_of_link).unwrap();
        // There is no target yet.
        write_through(&link, b"one").unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"one");
        write_through(&link_of_link, b"two").unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"two");
        assert!(link.is_symlink() && link_of_link.is_symlink() && !target.is_symlink());
        assert_eq!((count(dir.path()), count(&elsewhere)), (2, 2));
        let ring = dir.path().join("ring");
        symlink("ring", &ring).unwrap();
        let e = write_through(&ring, b"x").unwrap_err().to_string();
        assert!(e.ends_with("too many symbolic links"), "{e}");
        assert!(ring.is_symlink());
    }

    #[test]
    fn a_pipe_is_written_into() {
        let dir = tempfile::tempdir().unwrap();
        let (pipe, link) = (dir.path().join("pipe"), dir.path().join("link"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        symlink("pipe", &link).unwrap();
        for path in [&pipe, &link] {
            let read = std::thread::spawn({
                let pipe = pipe.clone();
                move || std::fs::read(pipe).unwrap()
            });
            write_through(path, b"bytes").unwrap();
            assert_eq!(read.join().unwrap(), b"bytes");
        }
        let kind = std::fs::symlink_metadata(&pipe).unwrap().file_type();
        assert!(kind.is_fifo() && link.is_symlink());
        assert_eq!(count(dir.path()), 2);
    }

    #[test]
    fn a_file_that_is_named_directly_is_replaced_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.xml");
        write_through(&path, b"one").unwrap();
        let old = File::open(&path).unwrap();
        write_through(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(io::read_to_string(old).unwrap(), "one");
        assert_eq!(count(dir.path()), 1);
        let e = write_through(dir.path(), b"x").unwrap_err().to_string();
        assert!(e.contains("cannot write"), "{e}");
    }
}
