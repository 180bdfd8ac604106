//! The step map itself, for studies and scorecards: states advanced, reversed, displaced.

use super::scheme::{Effort, Scheme, StepFail};
use crate::models::{PhaseSpace, Problem};
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

/// Why a probe has no result.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Halt {
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
    /// A step failed.
    #[error(transparent)]
    Failed(#[from] StepFail),
}

/// Steps between two questions whether to go on: few, for a step may take a twentieth of a second.
const POLL_STEPS: u64 = 16;

/// Time of the start (s), step (s) and number of steps.
pub type Steps = (f64, f64, u64);
/// Asked now and then whether to go on.
pub type Wanted<'a> = &'a dyn Fn() -> bool;

/// Makes `n` steps of `h` from `(t, y)` while `wanted`; returns the work of the last.
///
/// # Errors
/// [`Halt`]; `y` is then the last good state.
pub fn advance<P: Problem, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    (t, h, n): Steps,
    y: &mut P::State,
    wanted: Wanted,
) -> Result<Effort, Halt> {
    let mut memory = scheme.start(p, t, h, y)?;
    bare_steps(scheme, p, (t, h), 0..n, (y, &mut memory), wanted)
}

/// Makes the steps of these numbers, counted from the start at time `t`, while `wanted`; returns the work of the last.
/// One copy a scheme and body, for the steps are long.
///
/// # Errors
/// As [`advance`].
#[inline(never)]
pub(crate) fn bare_steps<P: Problem, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    (t, h): (f64, f64),
    numbers: Range<u64>,
    (y, memory): (&mut P::State, &mut S::Memory),
    wanted: Wanted,
) -> Result<Effort, Halt> {
    let mut last = Effort::default();
    for k in numbers {
        if k % POLL_STEPS == 0 && !wanted() {
            return Err(Halt::Stopped);
        }
        last = scheme.step(p, t + k as f64 * h, h, y, memory)?;
    }
    Ok(last)
}

/// The state after `n` steps of `h` from the initial one at time `t`, and `n` steps of −h back.
///
/// # Errors
/// As [`advance`].
pub fn there_and_back<P: Problem, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    (t, h, n): Steps,
    wanted: Wanted,
) -> Result<P::State, Halt> {
    let mut y = p.initial();
    advance(scheme, p, (t, h, n), &mut y, wanted)?;
    advance(scheme, p, (t + n as f64 * h, -h, n), &mut y, wanted)?;
    Ok(y)
}

/// Finite-difference step, in natural sizes of the coordinates: the truncation of the sixth-order
/// differences and round-off are then both near 1e-12.
const DISPLACEMENT: f64 = 2e-3;

/// Largest entry of `DΦᵀ Ω DΦ − Ω` for one step `Φ` of `h` from the initial state at time `t`, in
/// the coordinates of [`PhaseSpace`]. Its entries have the units of that form: for a rotating body
/// |Π|, 1 and 1/|Π|, with noise of some 1e-13 of each.
///
/// # Errors
/// As [`advance`].
pub fn symplectic_defect<P: PhaseSpace, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    (t, h): (f64, f64),
    wanted: Wanted,
) -> Result<f64, Halt> {
    let start = p.initial();
    let step = |d: &[f64]| {
        let mut y = p.displaced(&start, d);
        advance(scheme, p, (t, h, 1), &mut y, wanted).map(|_| y)
    };
    let scales = p.scales(&start);
    let base = step(&vec![0.0; scales.len()])?;
    let tangent = tangent(&scales, &|d| step(d).map(|y| p.displacement(&base, &y)))?;
    let defect =
        tangent.transpose() * p.symplectic_form(&base) * &tangent - p.symplectic_form(&start);
    Ok(defect.amax())
}

/// A map of coordinates.
type CoordinateMap<'a> = dyn Fn(&[f64]) -> Result<Vec<f64>, Halt> + 'a;

/// The derivative of `step` at zero, column by column; not generic, for there are many schemes.
fn tangent(scales: &[f64], step: &CoordinateMap<'_>) -> Result<DMatrix<f64>, Halt> {
    let dimension = scales.len();
    let mut tangent = DMatrix::zeros(dimension, dimension);
    for (k, scale) in scales.iter().enumerate() {
        let e = DISPLACEMENT * scale;
        let at = |m: f64| {
            let mut d = vec![0.0; dimension];
            d[k] = m * e;
            step(&d).map(DVector::from_vec)
        };
        let column = ((at(1.0)? - at(-1.0)?) * 45.0 - (at(2.0)? - at(-2.0)?) * 9.0
            + (at(3.0)? - at(-3.0)?))
            / (60.0 * e);
        tangent.set_column(k, &column);
    }
    Ok(tangent)
}
