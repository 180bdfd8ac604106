//! The three pipes of a solver, each with a thread, so that nobody blocks on another.
//!
//! The threads end when the pipes do; nobody waits for them, since a process that has left the group of the solver
//! may keep a pipe open for ever.

use super::last_lines::LastLines;
use std::io::{ErrorKind, Read, Result, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Bytes of one piece of output.
pub(super) const PIECE: usize = 1 << 16;
/// Pieces read ahead: a solver that writes faster than it is judged waits.
const AHEAD: usize = 4;

/// What comes out of a solver.
pub(super) struct Pipes {
    /// Its standard output, in pieces.
    pub output: Receiver<Result<Vec<u8>>>,
    last: Arc<Mutex<LastLines>>,
    /// Hangs up when standard error ends.
    silent: Receiver<()>,
}

impl Pipes {
    /// Gives `problem` to the child, and listens to it.
    ///
    /// # Errors
    /// Where no thread can be made.
    pub(super) fn serve(child: &mut Child, problem: Vec<u8>) -> Result<Self> {
        let (sender, output) = sync_channel(AHEAD);
        let (done, silent) = sync_channel(0);
        let last = Arc::new(Mutex::new(LastLines::default()));
        if let Some(mut stdin) = child.stdin.take() {
            // A solver need not read it all.
            Builder::new().spawn(move || drop(stdin.write_all(&problem)))?;
        }
        if let Some(stdout) = child.stdout.take() {
            Builder::new().spawn(move || pass_on(stdout, &sender))?;
        }
        if let Some(stderr) = child.stderr.take() {
            let last = Arc::clone(&last);
            Builder::new().spawn(move || {
                let _done: SyncSender<()> = done;
                keep_last_lines(stderr, &last);
            })?;
        }
        Ok(Self {
            output,
            last,
            silent,
        })
    }

    /// The last lines of standard error, once it has ended, or after so long.
    pub(super) fn last_lines(&self, wait: Duration) -> Vec<String> {
        let _ = self.silent.recv_timeout(wait);
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.lines()
    }
}

fn pass_on(mut stdout: impl Read, to: &SyncSender<Result<Vec<u8>>>) {
    loop {
        let mut piece = vec![0; PIECE];
        let (piece, last) = match stdout.read(&mut piece) {
            Ok(0) => return,
            Ok(n) => {
                piece.truncate(n);
                (Ok(piece), false)
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => (Err(e), true),
        };
        if to.send(piece).is_err() || last {
            return;
        }
    }
}

fn keep_last_lines(mut stderr: impl Read, last: &Mutex<LastLines>) {
    let mut bytes = vec![0; PIECE];
    loop {
        match stderr.read(&mut bytes) {
            Ok(n @ 1..) => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                last.push(&bytes[..n]);
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
        }
    }
}
