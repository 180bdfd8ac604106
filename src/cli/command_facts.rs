//! Facts about the command that makes a report: its arguments, the time, the machine.

use crate::run::CommandFacts;
use crate::suite::hex;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the facts of the running command.
pub(super) fn made() -> CommandFacts {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let arguments = std::env::args_os().skip(1);
    let words = arguments.map(|a| quoted(&a.to_string_lossy()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (system, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    CommandFacts {
        command: std::iter::once("topsim".into())
            .chain(words)
            .collect::<Vec<String>>()
            .join(" "),
        time: utc(now.map_or(0, |d| d.as_secs())),
        machine: format!("{system} {arch}, {cores} threads"),
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
    let path = PathBuf::from(name);
    let folders = std::env::var_os("PATH").filter(|_| path.components().count() == 1);
    let found = folders.and_then(|folders| {
        std::env::split_paths(&folders)
            .map(|folder| folder.join(name))
            .find(|file| file.is_file())
    });
    found.unwrap_or(path)
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./,:@%*".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Formats seconds since 1970 as a date and a time of day.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // The calendar repeats after 400 years, which begin in March so that the leap day is the last (Howard Hinnant's
    // days_from_civil).
    let z = days + 719_468;
    let (era, day) = (z / 146_097, z % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let (hour, minute) = (rest / 3600, rest / 60 % 60);
    let year = era * 400 + year + later;
    format!("{year}-{month:02}-{date:02} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01 00:00 UTC");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(utc(1_798_761_599), "2026-12-31 23:59 UTC");
    }

    #[test]
    fn words_read_back() {
        assert_eq!(quoted("--steps=0.1,0.2"), "--steps=0.1,0.2");
        assert_eq!(quoted("python3 it's.py"), "'python3 it'\\''s.py'");
        assert_eq!(quoted(""), "''");
    }
}
