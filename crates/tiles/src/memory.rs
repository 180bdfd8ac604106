//! Memory that this process can still get on Linux: the least of what the machine, its control groups and its limits leave.

use std::path::{Path, PathBuf};

/// Returns the memory in bytes that this process can still get; `None` where the system does not tell.
pub fn available() -> Option<u64> {
    let machine = read("/proc/meminfo").and_then(|text| kilobytes(&text, AVAILABLE));
    let limits = read("/proc/self/limits").and_then(|limits| {
        let status = read("/proc/self/status")?;
        of_limits(&limits, &status)
    });
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let groups = folders(&groups)
        .into_iter()
        .filter_map(|dir| of_group(&dir));
    machine.into_iter().chain(limits).chain(groups).min()
}

/// Name of the line of `/proc/meminfo`.
const AVAILABLE: &str = "MemAvailable:";

fn read(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Reads the number of kilobytes on the line with a name.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// Returns what the limit of the process's memory (`ulimit -v`) leaves beside what it has.
fn of_limits(limits: &str, status: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|l| l.strip_prefix("Max address space"))?;
    // The soft limit; without a limit it is the word "unlimited".
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(most.saturating_sub(kilobytes(status, "VmSize:")?))
}

/// Returns the folders of the control group (version 2) that holds the process and of those above it: each has a limit.
fn folders(groups: &str) -> Vec<PathBuf> {
    let root = Path::new("/sys/fs/cgroup");
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"));
    let own = own.map(|path| root.join(path)).unwrap_or_default();
    let up = own.ancestors().take_while(|dir| dir.starts_with(root));
    up.map(Path::to_path_buf).collect()
}

/// Returns what the limit of a control group leaves.
fn of_group(dir: &Path) -> Option<u64> {
    let number = |name: &str| read(dir.join(name))?.trim().parse::<u64>().ok();
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_says_what_is_available() {
        let text = "MemTotal: 5 kB\nMemAvailable:   23456 kB\n";
        assert_eq!(kilobytes(text, AVAILABLE), Some(23456 * 1024));
        assert_eq!(kilobytes("MemTotal: 5 kB\n", AVAILABLE), None);
        assert_eq!(available().is_some(), cfg!(target_os = "linux"));
    }

    #[test]
    fn limits_leave_what_is_not_used() {
        let limits = |space: &str| {
            format!(
                "Limit\nMax address space         {space}            unlimited            bytes\n"
            )
        };
        let left = |space: &str| of_limits(&limits(space), "VmSize:     1000 kB\n");
        assert_eq!(left("unlimited"), None);
        assert_eq!(left("2048000"), Some(1_024_000));
        assert_eq!(left("5"), Some(0));
    }

    #[test]
    fn groups_are_those_above_too() {
        let all = folders("0::/user.slice/job\n").into_iter();
        let all: Vec<String> = all.map(|dir| dir.display().to_string()).collect();
        let root = "/sys/fs/cgroup";
        assert_eq!(
            all,
            [
                format!("{root}/user.slice/job"),
                format!("{root}/user.slice"),
                root.into()
            ]
        );
        assert!(folders("2:devices:/\n").is_empty());
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("memory.max"), "max\n").unwrap();
        std::fs::write(dir.path().join("memory.current"), "100\n").unwrap();
        assert_eq!(of_group(dir.path()), None);
        std::fs::write(dir.path().join("memory.max"), "1000\n").unwrap();
        assert_eq!(of_group(dir.path()), Some(900));
    }
}
