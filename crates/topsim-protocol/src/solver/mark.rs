//! Processes that a solver leaves running outside its group (daemons, `setsid`): they inherit its environment, and a word
//! in it finds them. Nothing else of the process that judges is touched: a program that uses this crate keeps its children.

use std::hash::{BuildHasher, RandomState};
use std::process::Command;

/// The variable.
const NAME: &str = "TOPSIM_JUDGED";

/// A word that the processes of one judged solver have in their environment; dropped, it ends those that are left.
pub(super) struct Mark(String);

impl Mark {
    pub fn new() -> Self {
        Self(format!("{:016x}", RandomState::new().hash_one(NAME)))
    }
    /// Puts it into the environment of a command.
    pub fn on(&self, command: &mut Command) {
        command.env(NAME, &self.0);
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mark {
    fn drop(&mut self) {
        use std::time::Duration;
        // One may start another while it is looked for; one that is killed takes a moment to end.
        for _ in 0..100 {
            if self.kill() == 0 {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[cfg(target_os = "linux")]
impl Mark {
    /// Kills all that are there, and says how many.
    fn kill(&self) -> usize {
        use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
        let word = format!("{NAME}={}", self.0);
        let marked = |pid: i32| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|b| *b == 0).any(|v| v == word.as_bytes())
        };
        let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = folders.filter_map(|f| f.file_name().to_str()?.parse::<i32>().ok());
        let killed = pids.filter(|pid| marked(*pid)).filter_map(|pid| {
            let process = pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()?;
            // The number may have become another's before it was opened.
            marked(pid).then(|| pidfd_send_signal(process, Signal::KILL).ok())?
        });
        killed.count()
    }
}
