//! The step map itself, for studies and scorecards: states advanced, reversed, displaced.

use super::scheme::{Effort, Scheme, StepFail};
use crate::models::PhaseSpace;
use nalgebra::{DMatrix, DVector};

/// Makes `n` steps of `h` from `(t, y)`; returns the work of the last.
///
/// # Errors
/// As [`Scheme::step`]; `y` is then the last good state.
pub fn advance<P: crate::models::Problem, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    t: f64,
    h: f64,
    n: u64,
    y: &mut P::State,
) -> Result<Effort, StepFail> {
    let mut memory = scheme.start(p, t, h, y)?;
    let mut last = Effort::default();
    for k in 0..n {
        last = scheme.step(p, t + k as f64 * h, h, y, &mut memory)?;
    }
    Ok(last)
}

/// The state after `n` steps of `h` from the initial one at time `t`, and `n` steps of −h back.
///
/// # Errors
/// As [`advance`].
pub fn there_and_back<P: crate::models::Problem, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    t: f64,
    h: f64,
    n: u64,
) -> Result<P::State, StepFail> {
    let mut y = p.initial();
    advance(scheme, p, t, h, n, &mut y)?;
    advance(scheme, p, t + n as f64 * h, -h, n, &mut y)?;
    Ok(y)
}

/// Finite-difference step, in natural sizes of the coordinates: the truncation of the sixth-order
/// differences and round-off are then both near 1e-12.
const DISPLACEMENT: f64 = 2e-3;

/// Largest entry of `DΦᵀ Ω DΦ − Ω` for one step `Φ` of `h` from the initial state at time `t`, in
/// the coordinates of [`PhaseSpace`]; noise about 1e-12 of the form's own size.
///
/// # Errors
/// As [`advance`].
pub fn symplectic_defect<P: PhaseSpace, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    t: f64,
    h: f64,
) -> Result<f64, StepFail> {
    let start = p.initial();
    let step = |d: &[f64]| {
        let mut y = p.displaced(&start, d);
        advance(scheme, p, t, h, 1, &mut y).map(|_| y)
    };
    let base = step(&vec![0.0; P::DIMENSION])?;
    let mut tangent = DMatrix::zeros(P::DIMENSION, P::DIMENSION);
    for (k, scale) in p.scales(&start).into_iter().enumerate() {
        let e = DISPLACEMENT * scale;
        let at = |m: f64| {
            let mut d = vec![0.0; P::DIMENSION];
            d[k] = m * e;
            step(&d).map(|y| DVector::from_vec(p.displacement(&base, &y)))
        };
        let column = ((at(1.0)? - at(-1.0)?) * 45.0 - (at(2.0)? - at(-2.0)?) * 9.0
            + (at(3.0)? - at(-3.0)?))
            / (60.0 * e);
        tangent.set_column(k, &column);
    }
    let defect =
        tangent.transpose() * p.symplectic_form(&base) * &tangent - p.symplectic_form(&start);
    Ok(defect.amax())
}
