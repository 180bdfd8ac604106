//! Work that Ctrl-C ends, and memory that need not be there.

use super::invalid;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Interval at which Ctrl-C is polled while Rust works.
pub const POLL: Duration = Duration::from_millis(20);

/// Does work on another thread while this one polls Ctrl-C, which sets the flag that the work gets.
pub fn watched<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let interrupt = AtomicBool::new(false);
    let (working, ended) = channel::<()>();
    let ended = Mutex::new(ended);
    let next = || {
        let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.recv_timeout(POLL)
    };
    let mut pressed = Ok(());
    let made = thread::scope(|scope| {
        let worker = thread::Builder::new().spawn_scoped(scope, || {
            // Dropped at the end of the work, which ends the wait.
            let _working = working;
            work(&interrupt)
        })?;
        while py.detach(next) == Err(RecvTimeoutError::Timeout) {
            if let Err(e) = py.check_signals() {
                interrupt.store(true, Ordering::Relaxed);
                pressed = Err(e);
            }
        }
        Ok::<_, PyErr>(worker.join())
    });
    pressed?;
    made?.map_err(|_| invalid("topsim failed: please report it"))
}

/// Makes room for so many elements.
///
/// # Errors
/// `MemoryError` where there is none.
pub fn room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut out = Vec::new();
    let made = out.try_reserve_exact(count);
    made.map_err(|e| PyMemoryError::new_err(e.to_string()))?;
    Ok(out)
}
