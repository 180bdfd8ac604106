//! Memory and disk that a map needs, against what there is: known before an hour of computing.

use super::map::{Names, csv_length};
use crate::analysis::MapAxis;
use std::path::Path;

/// Memory that no map changes much: the program, its threads, a figure of the largest size.
const PROGRAM: u64 = 64 << 20;
/// Figures on the disk at most.
const FIGURES: u64 = 12 << 20;

/// Bytes wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Need {
    /// In memory.
    pub memory: u64,
    /// On the disk, for good and until the map is finished.
    pub disk: u64,
}

impl Need {
    /// Of a map of which `missing` cells are still to be computed.
    pub fn of_map(axes: [&MapAxis; 2], limit: u32, names: &Names, missing: u64) -> Self {
        let [x, y] = axes;
        let cells = u64::from(x.cells).saturating_mul(u64::from(y.cells));
        let bytes = |each: u64, cells: u64| cells.saturating_mul(each);
        Self {
            // The map, and its sorted escape times.
            memory: bytes(8, cells).saturating_add(PROGRAM),
            // Tiles, NPY, CSV.
            disk: bytes(4, missing)
                .saturating_add(bytes(4, cells))
                .saturating_add(csv_length(axes, limit, names))
                .saturating_add(FIGURES),
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
pub struct Room {
    /// Memory that programs can still have.
    pub memory: Option<u64>,
    /// Free on the disk of a folder, for this user.
    pub disk: Option<u64>,
}

impl Room {
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

    /// What is lacking, in words.
    pub fn lacks(&self, need: &Need) -> Option<String> {
        let short = |there: Option<u64>, wanted| there.filter(|t| *t < wanted);
        let say = |what, wanted, there| {
            format!(
                "{} of {what}, and there are {}",
                bytes(wanted),
                bytes(there)
            )
        };
        let lacking: Vec<String> = [
            short(self.memory, need.memory).map(|there| say("memory", need.memory, there)),
            short(self.disk, need.disk).map(|there| say("disk", need.disk, there)),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!lacking.is_empty()).then(|| lacking.join("; "))
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

    fn need(cells: u32) -> Need {
        let axis = MapAxis {
            from: 0.0,
            to: 1.0,
            cells,
        };
        let names = Names {
            title: String::new(),
            columns: ["x".into(), "z".into()],
            labels: [String::new(), String::new()],
        };
        let all = u64::from(cells) * u64::from(cells);
        Need::of_map([&axis, &axis], 10_000, &names, all)
    }

    #[test]
    fn a_map_that_is_too_large_is_refused_with_numbers() {
        let room = Room {
            memory: Some(8_000_000_000),
            disk: Some(3_000_000_000),
        };
        assert_eq!(room.lacks(&need(2000)), None);
        let said = room.lacks(&need(20_000)).unwrap();
        assert_eq!(said, "13 GB of disk, and there are 3.0 GB");
        let said = room.lacks(&need(100_000)).unwrap();
        assert!(
            said.contains("80 GB of memory, and there are 8.0 GB;"),
            "{said}"
        );
        assert_eq!(Room::default().lacks(&need(100_000)), None);
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        let names = Names {
            title: String::new(),
            columns: [String::new(), String::new()],
            labels: [String::new(), String::new()],
        };
        // One long side only: the texts of both would take a while.
        let long = MapAxis {
            from: 0.0,
            to: 1.0,
            cells: 1_000_000,
        };
        let n = Need::of_map([&long, &long], u32::MAX, &names, u64::MAX);
        assert!(n.disk >= 40_000_000_000_000 && n.memory >= 8_000_000_000_000);
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
                let room = Room::now(Path::new(dir));
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
