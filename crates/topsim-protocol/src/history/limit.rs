//! Rows of bounded length: a line without end must not fill the memory.

use std::io::{Error, Read, Result};

/// No row is longer, in bytes.
pub(super) const LONGEST: usize = 1 << 16;

/// A row that goes on and on.
#[derive(Debug, thiserror::Error)]
#[error("a row longer than {LONGEST} bytes")]
pub(super) struct TooLong;

/// A reader that gives up within a row once so many bytes of it are read.
pub(super) struct RowLimit<R> {
    input: R,
    taken: usize,
}

impl<R> RowLimit<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, taken: 0 }
    }
    /// A row begins.
    pub(super) fn begin(&mut self) {
        self.taken = 0;
    }
}

impl<R: Read> Read for RowLimit<R> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        // Before the read: what is read for a short row may hold many more.
        if self.taken >= LONGEST {
            return Err(Error::other(TooLong));
        }
        let n = self.input.read(bytes)?;
        self.taken += n;
        Ok(n)
    }
}

/// Whether this is the error of a row too long.
pub(super) fn is_too_long(e: &Error) -> bool {
    e.get_ref().is_some_and(|e| e.is::<TooLong>())
}
