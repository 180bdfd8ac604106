//! A running solver: its output as a stream that cannot block for ever, its end, and the end of its children.

use super::mark::Mark;
use super::pipes::{PIECE, Pipes};
use std::io::{Error, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use strict_toml::clip;

/// How often an interrupt or the end is looked for.
const POLL: Duration = Duration::from_millis(20);
/// For what a process does at once: to crash after bad output, to close a pipe when killed.
const GRACE: Duration = Duration::from_millis(300);
/// Characters of its first line that messages show.
const SHOWN: usize = 120;

/// Why a process was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    TimeLimit,
    Interrupt,
}

/// How a solver ended.
#[derive(Clone, Default)]
pub(super) struct ProcessEnd {
    /// Its status, unless it was stopped.
    pub status: Option<ExitStatus>,
    /// Why it was stopped, where that was not for its output.
    pub stop: Option<Stop>,
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
    /// The first line of its output, shortened; none if it has written nothing.
    pub first_line: Option<String>,
    /// What follows where it says `{"skip": "reason"}` in its first line.
    pub skip: Option<String>,
    /// What happened, where a function failed.
    pub raised: Option<String>,
}

/// The first line of an output, shortened; none of an empty one.
pub(super) fn first_line(output: &[u8]) -> Option<String> {
    let line = output.split(|b| *b == b'\n').next()?;
    let start = &line[..line.len().min(4 * SHOWN)];
    let text = String::from_utf8_lossy(start);
    (!output.is_empty()).then(|| clip(text.trim_end(), SHOWN))
}

/// One line of JSON instead of a history.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Skip {
    skip: String,
}

/// Returns the time at which a limit ends that begins now; a limit beyond what the clock can tell is none.
fn after(limit: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(limit)
        .unwrap_or(now + Duration::from_secs(1 << 31))
}

/// Returns the reason of a refusal, which stands in the first line of an output.
pub(super) fn skip_reason(output: &[u8]) -> Option<String> {
    let line = output.split(|b| *b == b'\n').next().unwrap_or_default();
    let skip = serde_json::from_slice::<Skip>(line).ok();
    skip.map(|s| clip(s.skip.trim(), SHOWN))
}

/// A process with the problem on its standard input.
pub(super) struct Process<'a> {
    child: Child,
    pipes: Pipes,
    piece: Vec<u8>,
    at: usize,
    /// Whether anything was read, and whether that was all.
    begun: bool,
    over: bool,
    first_line: Option<String>,
    skip: Option<String>,
    deadline: Instant,
    interrupt: &'a AtomicBool,
    stop: Option<Stop>,
    reaped: bool,
}

impl<'a> Process<'a> {
    /// Starts the command and gives it the problem, or several, in a version of the protocol; without one its standard input is empty.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub(super) fn start(
        (mut command, mark): (Command, &Mark),
        problem: Option<(Vec<u8>, u32)>,
        limit: Duration,
        interrupt: &'a AtomicBool,
    ) -> std::io::Result<Self> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some((_, protocol)) = &problem {
            command.env("TOPSIM_PROTOCOL", protocol.to_string());
        }
        mark.on(&mut command);
        // A group of its own, so that its children end with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let problem = problem.map(|(text, _)| text);
        let pipes = match Pipes::serve(&mut child, problem.unwrap_or_default()) {
            Ok(pipes) => pipes,
            Err(e) => {
                // No thread to be had: nothing is left running.
                let _ = child.kill();
                let _ = child.wait();
                return Err(e);
            }
        };
        Ok(Self {
            child,
            pipes,
            piece: Vec::new(),
            at: 0,
            begun: false,
            over: false,
            first_line: None,
            skip: None,
            deadline: after(limit),
            interrupt,
            stop: None,
            reaped: false,
        })
    }

    /// Gives it the time limit anew.
    pub(super) fn renew(&mut self, limit: Duration) {
        self.deadline = after(limit);
    }

    /// Whether it must be stopped now.
    fn stopped(&mut self) -> bool {
        if self.stop.is_none() {
            if self.interrupt.load(Ordering::Relaxed) {
                self.stop = Some(Stop::Interrupt);
            } else if Instant::now() >= self.deadline {
                self.stop = Some(Stop::TimeLimit);
            }
        }
        self.stop.is_some()
    }

    /// The next piece of output; `None` at its end.
    fn next(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        let mut silent = None;
        loop {
            if self.stopped() {
                return Err(Error::other("stopped"));
            }
            match self.pipes.output.recv_timeout(POLL) {
                Ok(piece) => return piece.map(Some),
                Err(RecvTimeoutError::Timeout) if self.exited() => {
                    // What it left running keeps its output open. That ends too, or is waited for no longer.
                    let since = *silent.get_or_insert_with(Instant::now);
                    self.kill();
                    if since.elapsed() < GRACE {
                        continue;
                    }
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => {}
            }
            self.over = true;
            return Ok(None);
        }
    }

    /// Gathers the first line: what follows looks at it as a whole, however it was written.
    fn begin(&mut self) -> std::io::Result<()> {
        self.begun = true;
        let mut whole = Vec::new();
        while whole.len() < PIECE && !whole.contains(&b'\n') {
            match self.next() {
                Ok(Some(piece)) => whole.extend(piece),
                Ok(None) => break,
                Err(e) => {
                    self.see(&whole);
                    return Err(e);
                }
            }
        }
        self.see(&whole);
        self.piece = whole;
        Ok(())
    }

    fn see(&mut self, whole: &[u8]) {
        if !whole.is_empty() {
            self.first_line = first_line(whole);
            self.skip = skip_reason(whole);
        }
    }

    /// Whether it has ended by itself. On Linux and macOS it is not waited for yet, so that its number still
    /// names its group.
    fn exited(&mut self) -> bool {
        #[cfg(any(target_os = "linux", target_os = "macos"))]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let pid = Pid::from_child(&self.child);
            matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)) | Err(_))
        }
        #[cfg(not(any(target_os = "linux", target_os = "macos")))]
        {
            !matches!(self.child.try_wait(), Ok(None))
        }
    }

    /// Ends what is left of it and of its children.
    fn kill(&mut self) {
        if self.reaped {
            return;
        }
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            // Nobody may be left.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
        let _ = self.child.kill();
    }

    /// Waits for its end, or ends it: at once after a stop, a moment after output that is not to be read on.
    pub(super) fn finish(mut self) -> ProcessEnd {
        let grace = Instant::now() + GRACE;
        let mut pause = Duration::from_millis(1);
        let own = loop {
            if self.exited() {
                break true;
            }
            if self.stop.is_some() || self.stopped() {
                break false;
            }
            if !self.over {
                if Instant::now() >= grace {
                    break false;
                }
                // It may wait for its output to be taken.
                if let Err(RecvTimeoutError::Disconnected) = self.pipes.output.recv_timeout(pause) {
                    std::thread::sleep(pause);
                }
            } else {
                std::thread::sleep(pause);
            }
            pause = (2 * pause).min(POLL);
        };
        self.kill();
        let status = self.reap();
        // Its last lines may still be on their way.
        let stderr = self.pipes.last_lines(GRACE);
        ProcessEnd {
            status: status.filter(|_| own),
            stop: self.stop,
            stderr,
            first_line: self.first_line.clone(),
            skip: self.skip.clone(),
            raised: None,
        }
    }

    /// Killed, it ends soon; one that the system does not let go is left to it.
    fn reap(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + 10 * GRACE;
        while Instant::now() < until {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.reaped = true;
                    return Some(status);
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Err(_) => break,
            }
        }
        None
    }
}

impl Read for Process<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        if !self.begun {
            self.begin()?;
        }
        if self.at == self.piece.len() {
            if self.over {
                return Ok(0);
            }
            let Some(piece) = self.next()? else {
                return Ok(0);
            };
            (self.piece, self.at) = (piece, 0);
        }
        let n = bytes.len().min(self.piece.len() - self.at);
        bytes[..n].copy_from_slice(&self.piece[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// Nothing is left running, whatever happened.
impl Drop for Process<'_> {
    fn drop(&mut self) {
        self.kill();
        self.reap();
    }
}
