//! References of cases: what histories are held against.

use crate::error::JudgeError;
use crate::history::{Body, Criteria};
use std::sync::atomic::{AtomicBool, Ordering};
use topsim_case::Problem;
use topsim_core::models::{Model, Quantity, RotState};
use topsim_core::reference::{NoReference, ReferencePlan, RowReference};

/// Makes the reference of a case over `span`, and returns what `all` makes of it.
pub(crate) fn with_reference<T>(
    problem: &Problem,
    span: [f64; 2],
    interrupt: &AtomicBool,
    all: impl FnOnce(&Criteria) -> Result<T, JudgeError>,
) -> Result<T, JudgeError> {
    if problem.is_opaque() {
        return Err(JudgeError::Opaque(problem.name.clone()));
    }
    let no_body = || JudgeError::NoBody(problem.name.clone());
    let first = problem.plans.first().ok_or_else(no_body)?;
    let body = match &problem.model {
        Model::GivenRate(given) => Body::with_rate(given, first.grid.start),
        model => Body::of(model).ok_or_else(no_body)?,
    };
    let computed;
    let reference: Result<&dyn RowReference, NoReference> = match &problem.reference {
        ReferencePlan::Ready(r) => Ok(&**r),
        other => {
            let wanted = || !interrupt.load(Ordering::Relaxed);
            computed = other.until(span[1]).compute(&wanted);
            computed.as_deref().map_err(Clone::clone)
        }
    };
    all(&Criteria {
        body: &body,
        columns: first.experiment.columns(),
        span,
        reference,
    })
}

/// The exact motion of a problem.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExactMotion {
    /// Times, s, and the states there.
    pub states: Vec<(f64, RotState)>,
    /// Bounds of their errors: of the attitude, rad, and of the rate, rad/s.
    pub errors: Vec<[f64; 2]>,
    /// Source of the numbers.
    pub provenance: String,
}

/// Returns the exact motion of a problem at these times, of which none may lie before its start, or why it is not known.
///
/// # Errors
/// [`JudgeError::Interrupted`], and [`JudgeError::NoBody`] where no body turns.
///
/// # Panics
/// If the columns of a body that turns hold no attitude.
pub fn exact_motion(
    problem: &Problem,
    times: &[f64],
    interrupt: &AtomicBool,
) -> Result<Result<ExactMotion, NoReference>, JudgeError> {
    let first = times.iter().copied().fold(f64::INFINITY, f64::min);
    let last = times.iter().copied().fold(first, f64::max);
    with_reference(problem, [first, last], interrupt, |judge| {
        if interrupt.load(Ordering::Relaxed) {
            return Err(JudgeError::Interrupted);
        }
        let reference = match &judge.reference {
            Ok(reference) => reference,
            Err(why) => return Ok(Err(why.clone())),
        };
        let columns = reference.columns();
        let mut row = vec![f64::NAN; columns.width()];
        let at = |t: &f64| {
            if interrupt.load(Ordering::Relaxed) {
                return Err(JudgeError::Interrupted);
            }
            reference.row(*t, &mut row);
            Ok((*t, columns.state(&row).expect("a body with an attitude")))
        };
        let errors =
            |t: &f64| [Quantity::Attitude, Quantity::BodyRate].map(|q| reference.error_of(*t, q));
        Ok(Ok(ExactMotion {
            states: times.iter().map(at).collect::<Result<_, _>>()?,
            errors: times.iter().map(errors).collect(),
            provenance: reference.provenance(),
        }))
    })
}
