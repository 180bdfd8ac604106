//! A command that is run to its end, or to that of its time.

use super::SolverCommand;
use super::mark::Mark;
use super::process::{Process, Stop};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// End of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandEnd {
    /// It ended by itself.
    Ended {
        /// True for exit status 0.
        success: bool,
        /// Last line of its standard error that is not empty; empty if there is none.
        said: String,
    },
    /// Its time was over. It was ended, with the processes that it had started.
    TimeLimit,
    /// The interrupt came first, which ended it in the same way.
    Interrupted,
}

impl SolverCommand {
    /// Runs the program with these words as its arguments and an empty standard input. Its standard output is not kept.
    ///
    /// # Errors
    /// Fails if the program cannot be started.
    pub fn run(
        &self,
        arguments: impl IntoIterator<Item = String>,
        limit: Duration,
        interrupt: &AtomicBool,
    ) -> std::io::Result<CommandEnd> {
        let mut command = Command::new(self.program());
        command.args(arguments);
        let mark = Mark::new();
        let mut process = Process::start((command, &mark), None, limit, interrupt)?;
        // An output that cannot be read to its end belongs to a process that was stopped, of which `finish` tells the reason.
        let _ = std::io::copy(&mut process, &mut std::io::sink());
        let end = process.finish();
        Ok(match (end.stop, end.status) {
            (Some(Stop::TimeLimit), _) => CommandEnd::TimeLimit,
            (Some(Stop::Interrupt), _) => CommandEnd::Interrupted,
            (None, status) => CommandEnd::Ended {
                success: status.is_some_and(|status| status.success()),
                said: end.stderr.last().cloned().unwrap_or_default(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_command_ends_or_is_ended() {
        let run = |script: &str, seconds: f64, interrupted: bool| {
            let shell: SolverCommand = "sh".parse().unwrap();
            let words = ["-c".to_string(), script.to_string()];
            let limit = Duration::from_secs_f64(seconds);
            shell.run(words, limit, &AtomicBool::new(interrupted))
        };
        let ended = |success, said: &str| CommandEnd::Ended {
            success,
            said: said.into(),
        };
        assert_eq!(run("exit 0", 60.0, false).unwrap(), ended(true, ""));
        let both = "echo rows; echo first >&2; echo why >&2; exit 3";
        assert_eq!(run(both, 60.0, false).unwrap(), ended(false, "why"));
        let begun = std::time::Instant::now();
        assert_eq!(run("sleep 600", 0.2, false).unwrap(), CommandEnd::TimeLimit);
        assert_eq!(
            run("sleep 600", 60.0, true).unwrap(),
            CommandEnd::Interrupted
        );
        assert!(begun.elapsed() < Duration::from_secs(30));
        let none: SolverCommand = "no_such_program".parse().unwrap();
        let started = none.run([], Duration::from_secs(1), &AtomicBool::new(false));
        assert!(started.is_err());
    }
}
