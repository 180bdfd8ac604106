//! What is asked and told while a study is made.

use crate::kernel::EscapeError;
use crate::stability::Unstable;
use topsim_core::integration::StopReason;

/// Asked often, from many threads, whether to stop and why.
pub type Stop<'a> = &'a (dyn Fn() -> Option<StopReason> + Sync);

/// Told what is done while starts are integrated. Called from many threads.
pub trait Progress: Sync {
    /// A study begins: so many cells are to be computed, of so many steps at most each.
    fn begin(&self, cells: u64, steps: u32);
    /// So many cells more are done.
    fn cells(&self, cells: u64);
    /// So many steps more were made.
    fn steps(&self, steps: u64);
}

/// Nobody watches.
impl Progress for () {
    fn begin(&self, _: u64, _: u32) {}
    fn cells(&self, _: u64) {}
    fn steps(&self, _: u64) {}
}

/// Why a study found nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// It was stopped from outside.
    #[error("{}", match .0 {
        StopReason::Deadline => "stopped at the deadline",
        StopReason::Interrupted => "interrupted",
    })]
    Stopped(StopReason),
    /// Escape times cannot be computed.
    #[error(transparent)]
    Escape(#[from] EscapeError),
    /// Nothing hovers.
    #[error(transparent)]
    Unstable(#[from] Unstable),
}
