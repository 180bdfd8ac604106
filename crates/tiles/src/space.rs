//! Compares the memory and disk that a study needs with what the machine has, before an hour of
//! computing.

use crate::memory;
use crate::shard::CellLayout;
use std::fmt;
use std::path::Path;

/// Memory in bytes that no study changes much: the program, its threads, a figure of the largest size.
const PROGRAM: u64 = 64 << 20;
/// Room for figures on the disk at most, in bytes.
const FIGURES: u64 = 12 << 20;

/// Memory and disk that are needed, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequiredSpace {
    /// Memory.
    pub memory: u64,
    /// Disk, including files that are removed when the study is finished.
    pub disk: u64,
}

impl RequiredSpace {
    /// Returns what a study needs of which `missing` cells are to be computed; `results` is the size of
    /// its files, or `None` where a shard writes tiles only.
    pub fn of_cells(layout: &CellLayout, missing: u64, results: Option<u64>) -> Self {
        let bytes = |cells: u64| cells.saturating_mul(4).saturating_mul(layout.each.into());
        let results = results.map_or(0, |size| size.saturating_add(FIGURES));
        Self {
            // These are the numbers, and the sorted numbers of a column.
            memory: bytes(layout.cells)
                .saturating_add(layout.cells.saturating_mul(4))
                .saturating_add(PROGRAM),
            disk: bytes(missing).saturating_add(results),
        }
    }
}

/// Memory and disk that the machine has, in bytes; `None` where the system does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FreeSpace {
    /// Memory that programs can still get.
    pub memory: Option<u64>,
    /// Free disk below a folder, for this user.
    pub disk: Option<u64>,
}

impl FreeSpace {
    /// Asks the system; `dir` need not exist.
    pub fn now(dir: &Path) -> Self {
        Self {
            memory: memory::available(),
            disk: Path::new(".").join(dir).ancestors().find_map(free),
        }
    }

    /// Returns what is lacking; `None` if all that is needed is there, or not known to be lacking.
    pub fn lacks(&self, need: &RequiredSpace) -> Option<Shortage> {
        let lack = |there: Option<u64>, wanted| {
            let there = there.filter(|there| *there < wanted)?;
            Some((wanted, there))
        };
        let memory = lack(self.memory, need.memory);
        let disk = lack(self.disk, need.disk);
        (memory.or(disk).is_some()).then_some(Shortage { memory, disk })
    }
}

/// Shortage of memory or disk: what is needed and what the machine has, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// Memory.
    pub memory: Option<(u64, u64)>,
    /// Disk.
    pub disk: Option<(u64, u64)>,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lacking = [("memory", self.memory), ("disk", self.disk)];
        let lacking = lacking.iter().filter_map(|(what, lack)| {
            let (wanted, there) = lack.map(|(wanted, there)| (bytes(wanted), bytes(there)))?;
            Some(format!("{wanted} of {what}, and there are {there}"))
        });
        f.write_str(&lacking.collect::<Vec<_>>().join("; "))
    }
}

#[cfg(unix)]
fn free(dir: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(dir).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}

/// Writes a number of bytes for people.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if n < 1000 {
        return format!("{n} B");
    }
    let mut size = n as f64 / 1000.0;
    let mut unit = 0;
    while size >= 999.5 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    let places = usize::from(size < 9.95);
    format!("{size:.places$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: u64) -> CellLayout {
        CellLayout {
            cells: side * side,
            each: 1,
            limit: 10_000,
            row: 1,
            cost: 10_000,
        }
    }

    fn need(side: u64) -> RequiredSpace {
        let layout = square(side);
        // The array has 4 bytes a cell, and the rows of the table have some 25 bytes.
        RequiredSpace::of_cells(&layout, layout.cells, Some(29 * layout.cells))
    }

    #[test]
    fn a_study_that_is_too_large_is_refused_with_numbers() {
        let room = FreeSpace {
            memory: Some(8_000_000_000),
            disk: Some(3_000_000_000),
        };
        assert_eq!(room.lacks(&need(2000)), None);
        let lacks = room.lacks(&need(20_000)).unwrap();
        assert_eq!(lacks.memory, None);
        assert_eq!(lacks.to_string(), "13 GB of disk, and there are 3.0 GB");
        let said = room.lacks(&need(100_000)).unwrap().to_string();
        assert!(
            said.contains("80 GB of memory, and there are 8.0 GB;"),
            "{said}"
        );
        assert_eq!(FreeSpace::default().lacks(&need(100_000)), None);
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        let largest = square(u64::from(u32::MAX));
        let n = RequiredSpace::of_cells(&largest, u64::MAX, Some(u64::MAX));
        assert_eq!((n.disk, n.memory), (u64::MAX, u64::MAX));
        let n = RequiredSpace::of_cells(&square(1_000_000), 0, Some(4_000_000_000_000));
        assert!(n.disk >= 4_000_000_000_000 && n.memory >= 8_000_000_000_000);
        assert_eq!(RequiredSpace::of_cells(&largest, 10, None).disk, 40);
    }

    #[test]
    fn what_there_is_is_read() {
        if cfg!(target_os = "linux") {
            for dir in ["", "not/there/yet", "/"] {
                let room = FreeSpace::now(Path::new(dir));
                assert!(
                    room.memory.is_some() && room.disk.is_some(),
                    "{dir}: {room:?}"
                );
            }
        }
    }

    #[test]
    fn sizes_are_legible() {
        for (n, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1500, "1.5 kB"),
            (36_000_000, "36 MB"),
            (999_600_000, "1.0 GB"),
            (u64::MAX, "18 EB"),
        ] {
            assert_eq!(bytes(n), text);
        }
    }
}
