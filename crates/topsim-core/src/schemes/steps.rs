//! Steps of one scheme on one problem, with nothing around them.

use super::scheme::{Effort, Scheme, StepFail};
use crate::models::InitialValueProblem;

/// Reason why steps were not finished.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Halt {
    /// The caller stopped it.
    #[error("stopped")]
    Stopped,
    /// A step failed.
    #[error(transparent)]
    Failed(#[from] StepFail),
}

/// Time of the start (s), step (s) and number of steps.
pub type Steps = (f64, f64, u64);
/// Function that is called from time to time; it returns false to stop the steps.
pub type Continuation<'a> = &'a dyn Fn() -> bool;

/// Makes `n` steps of `h` from `(t, y)` while `wanted`; returns the work of the last.
///
/// # Errors
/// [`Halt`]; `y` is then the last good state.
pub fn advance<P: InitialValueProblem, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    (t, h, n): Steps,
    y: &mut P::State,
    wanted: Continuation,
) -> Result<Effort, Halt> {
    let mut memory = scheme.start(p, t, h, y)?;
    let mut last = Effort::default();
    for k in 0..n {
        if !wanted() {
            return Err(Halt::Stopped);
        }
        last = scheme.step(p, t + k as f64 * h, h, y, &mut memory)?;
    }
    Ok(last)
}
