//! Memory and disk that a map needs, against what there is: known before an hour of computing.

use crate::TileError;
use crate::map::EscapeMap;
use std::fmt;
use std::path::Path;

/// Memory that no study changes much: the program, its threads, a figure of the largest size.
const PROGRAM: u64 = 64 << 20;
/// Figures on the disk at most.
const FIGURES: u64 = 12 << 20;

/// Bytes wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequiredSpace {
    /// In memory.
    pub memory: u64,
    /// On the disk, for good and until the map is finished.
    pub disk: u64,
}

impl RequiredSpace {
    /// Of a map of which `missing` cells are still to be computed, and whose table as text has
    /// `table` bytes at most.
    pub fn of_map(map: &EscapeMap, missing: u64, table: u64) -> Self {
        let cells = map.cells();
        let bytes = |each: u64, cells: u64| cells.saturating_mul(each);
        Self {
            // The map, and its sorted escape times.
            memory: bytes(8, cells).saturating_add(PROGRAM),
            // Tiles, the array, the table.
            disk: bytes(4, missing)
                .saturating_add(bytes(4, cells))
                .saturating_add(table)
                .saturating_add(FIGURES),
        }
    }

    /// Of an ensemble or another study of so many cells of `each` numbers, of which `missing` are still to be computed.
    pub fn of_cells(cells: u64, each: u32, missing: u64) -> Self {
        let bytes = |cells: u64| cells.saturating_mul(4).saturating_mul(u64::from(each));
        Self {
            // The numbers, and those of a column sorted.
            memory: bytes(cells)
                .saturating_add(cells.saturating_mul(8))
                .saturating_add(PROGRAM),
            disk: bytes(missing).saturating_add(FIGURES),
        }
    }

    /// Of a share of a map: what is in memory is the same.
    pub fn of_share(self, missing: u64) -> Self {
        Self {
            disk: missing.saturating_mul(4),
            ..self
        }
    }
}

/// Bytes that there are; `None` where the system does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FreeSpace {
    /// Memory that programs can still have.
    pub memory: Option<u64>,
    /// Free on the disk of a folder, for this user.
    pub disk: Option<u64>,
}

impl FreeSpace {
    /// What there is now; `dir` may be still to be made.
    pub fn now(dir: &Path) -> Self {
        Self {
            memory: std::fs::read_to_string("/proc/meminfo")
                .ok()
                .and_then(|text| available(&text)),
            disk: dir.ancestors().find_map(|d| {
                free(if d.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    d
                })
            }),
        }
    }

    /// Whether there is what a study, `what`, needs.
    ///
    /// # Errors
    /// [`TileError::NoRoom`].
    pub fn check(&self, what: &str, need: &RequiredSpace) -> Result<(), TileError> {
        match self.lacks(need) {
            None => Ok(()),
            Some(shortage) => Err(TileError::NoRoom {
                what: what.into(),
                shortage,
            }),
        }
    }

    /// What is lacking; `None` if all that is needed is there, or not known to be lacking.
    pub fn lacks(&self, need: &RequiredSpace) -> Option<Shortage> {
        let lack = |there: Option<u64>, wanted: u64| {
            let there = there.filter(|there| *there < wanted)?;
            Some(Lack { wanted, there })
        };
        let shortage = Shortage {
            memory: lack(self.memory, need.memory),
            disk: lack(self.disk, need.disk),
        };
        (shortage.memory.is_some() || shortage.disk.is_some()).then_some(shortage)
    }
}

/// Less than what is needed, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lack {
    /// What is needed.
    pub wanted: u64,
    /// What there is.
    pub there: u64,
}

/// What is lacking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// Memory.
    pub memory: Option<Lack>,
    /// Room on the disk.
    pub disk: Option<Lack>,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let both = [("memory", self.memory), ("disk", self.disk)];
        let lacking = both
            .iter()
            .filter_map(|(what, lack)| Some((what, (*lack)?)));
        for (i, (what, lack)) in lacking.enumerate() {
            let (wanted, there) = (bytes(lack.wanted), bytes(lack.there));
            let between = if i > 0 { "; " } else { "" };
            write!(f, "{between}{wanted} of {what}, and there are {there}")?;
        }
        Ok(())
    }
}

/// `MemAvailable` of Linux' `/proc/meminfo`.
fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
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

/// A number of bytes for people.
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
    use crate::map::small;

    /// A map of so many cells along each side.
    fn square(cells: u32) -> EscapeMap {
        let mut map = small();
        (map.x.cells, map.z.cells) = (cells, cells);
        map
    }

    fn need(cells: u32) -> RequiredSpace {
        let map = square(cells);
        // A row of the table has 25 bytes or so.
        RequiredSpace::of_map(&map, map.cells(), 25 * map.cells())
    }

    #[test]
    fn a_map_that_is_too_large_is_refused_with_numbers() {
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
        let map = "the map `small`";
        let said = room.check(map, &need(20_000)).unwrap_err().to_string();
        assert_eq!(
            said,
            "no room for the map `small`: 13 GB of disk, and there are 3.0 GB"
        );
        assert!(room.check(map, &need(2000)).is_ok());
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        let n = RequiredSpace::of_map(&square(u32::MAX), u64::MAX, u64::MAX);
        assert_eq!((n.disk, n.memory), (u64::MAX, u64::MAX));
        let n = RequiredSpace::of_map(&square(1_000_000), 0, 0);
        assert!(n.disk >= 4_000_000_000_000 && n.memory >= 8_000_000_000_000);
        assert_eq!(n.of_share(10).disk, 40);
    }

    #[test]
    fn what_there_is_is_read() {
        assert_eq!(
            available("MemTotal: 5 kB\nMemAvailable:   23456 kB\n"),
            Some(23456 * 1024)
        );
        assert_eq!(available("MemTotal: 5 kB\n"), None);
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
