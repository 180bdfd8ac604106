//! Memory that this process can still get on Linux: the least of what the machine, its control groups and its limits leave.

use std::path::{Path, PathBuf};

/// Returns the memory in bytes that this process can still get; `None` where the system does not tell.
pub fn available() -> Option<u64> {
    let machine = read("/proc/meminfo").and_then(|text| of_machine(&text));
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

fn read(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Reads `MemAvailable` of `/proc/meminfo`.
fn of_machine(text: &str) -> Option<u64> {
    kilobytes(text, "MemAvailable:")
}

/// Reads the number of kilobytes on the line with a name.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// Returns what the limits of the process (`ulimit -v`, `ulimit -d`) leave beside what it has.
fn of_limits(limits: &str, status: &str) -> Option<u64> {
    let left = |limit: &str, used: &str| {
        let line = limits.lines().find_map(|l| l.strip_prefix(limit))?;
        // The soft limit; without a limit it is the word "unlimited".
        let most: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(most.saturating_sub(kilobytes(status, used)?))
    };
    let space = left("Max address space", "VmSize:");
    space
        .into_iter()
        .chain(left("Max data size", "VmData:"))
        .min()
}

/// Returns the folders of the control groups that hold the process, of both versions, up to the root: each has a limit of
/// its own.
fn folders(groups: &str) -> Vec<PathBuf> {
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/'));
        let root = match controllers {
            "" => Path::new("/sys/fs/cgroup"),
            c if c.split(',').any(|c| c == "memory") => Path::new("/sys/fs/cgroup/memory"),
            _ => return None,
        };
        let all = root.join(path);
        let up = all.ancestors().take_while(|dir| dir.starts_with(root));
        Some(up.map(Path::to_path_buf).collect::<Vec<_>>())
    };
    groups.lines().filter_map(of_line).flatten().collect()
}

/// Returns what the limit of a control group leaves.
fn of_group(dir: &Path) -> Option<u64> {
    let number = |name: &str| read(dir.join(name))?.trim().parse::<u64>().ok();
    let left = |most: &str, used: &str| Some(number(most)?.saturating_sub(number(used)?));
    left("memory.max", "memory.current")
        .or_else(|| left("memory.limit_in_bytes", "memory.usage_in_bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_says_what_is_available() {
        let text = "MemTotal: 5 kB\nMemAvailable:   23456 kB\n";
        assert_eq!(of_machine(text), Some(23456 * 1024));
        assert_eq!(of_machine("MemTotal: 5 kB\n"), None);
        assert_eq!(available().is_some(), cfg!(target_os = "linux"));
    }

    #[test]
    fn limits_leave_what_is_not_used() {
        let status = "VmSize:     1000 kB\nVmData:\t 10 kB\n";
        let limits = |space: &str, data: &str| {
            format!(
                "Limit\nMax data size             {data}            unlimited            bytes\nMax address space         {space}            unlimited            bytes\n"
            )
        };
        assert_eq!(of_limits(&limits("unlimited", "unlimited"), status), None);
        assert_eq!(
            of_limits(&limits("2048000", "unlimited"), status),
            Some(1_024_000)
        );
        assert_eq!(of_limits(&limits("2048000", "11240"), status), Some(1000));
        assert_eq!(of_limits(&limits("5", "unlimited"), status), Some(0));
    }

    #[test]
    fn groups_are_those_above_too() {
        let shown = |text: &str| -> Vec<String> {
            let all = folders(text).into_iter();
            all.map(|dir| dir.display().to_string()).collect()
        };
        assert_eq!(
            shown("0::/user.slice/job\n"),
            [
                "/sys/fs/cgroup/user.slice/job",
                "/sys/fs/cgroup/user.slice",
                "/sys/fs/cgroup"
            ]
        );
        assert_eq!(shown("3:cpu,memory:/job\n2:devices:/\n").len(), 2);
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("memory.max"), "max\n").unwrap();
        std::fs::write(dir.path().join("memory.current"), "100\n").unwrap();
        assert_eq!(of_group(dir.path()), None);
        std::fs::write(dir.path().join("memory.max"), "1000\n").unwrap();
        assert_eq!(of_group(dir.path()), Some(900));
    }
}
