//! Facts about the command that makes a report: its arguments, the time, the machine.

use super::terminal::Terminal;
use crate::run::CommandFacts;
use crate::suite::hex;
use sha2::{Digest, Sha256};
use std::env;
use std::path::{Path, PathBuf};

/// Returns the facts of the running command.
pub(super) fn made(terminal: &Terminal) -> CommandFacts {
    let arguments = terminal.program.arguments.iter().skip(1);
    let words: Vec<String> = std::iter::once("topsim".into())
        .chain(arguments.map(|a| a.to_string_lossy().into_owned()))
        .collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    CommandFacts {
        command: shlex::try_join(words.iter().map(String::as_str))
            .expect("no argument of a process holds a NUL"),
        time: chrono::Utc::now().format("%Y-%m-%d %H:%M UTC").to_string(),
        machine: format!("{} {}, {cores} threads", env::consts::OS, env::consts::ARCH),
        files: Vec::new(),
    }
}

/// Returns the files that can be read, by name, each with its SHA-256.
pub(super) fn hashed(files: impl Iterator<Item = (String, PathBuf)>) -> Vec<(String, String)> {
    let hash = |path: PathBuf| Some(hex(&Sha256::digest(std::fs::read(path).ok()?)));
    let found = files.filter_map(|(name, path)| Some((name, hash(path)?)));
    found.collect()
}

/// Returns the file of a program as a shell finds it.
pub(super) fn program_file(name: &str) -> PathBuf {
    let is_bare = Path::new(name).components().count() == 1;
    let folders = env::var_os("PATH").filter(|_| is_bare).unwrap_or_default();
    let mut files = env::split_paths(&folders).map(|folder| folder.join(name));
    let found = files.find(|file| file.is_file());
    found.unwrap_or_else(|| name.into())
}
