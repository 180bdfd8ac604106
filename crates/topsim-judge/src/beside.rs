//! Schemes of the catalogue on the problem of a report, at its steps and until its end: what a solver's errors stand
//! beside.

use crate::error::JudgeError;
use crate::histories::with_reference;
use crate::history::{Convergence, Finding, Judge, Ladder, States, convergence, state};
use crate::parallel::Threads;
use crate::report::Report;
use std::sync::atomic::{AtomicBool, Ordering};
use topsim_case::{Job, Problem};
use topsim_core::integration::{End, Grid, Parameters, StopReason, registry};
use topsim_core::models::{Quantity, RotState};
use topsim_core::reference::NoReference;

/// A scheme of the catalogue, measured as the histories of the report are.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Beside {
    /// Its name.
    pub scheme: &'static str,
    /// Its errors at the steps that it could make.
    pub convergence: Convergence,
}

/// Steps made for one history; a step that would need more is left out.
const MOST_STEPS: u64 = 20_000_000;

/// Measures schemes at the steps of a report of `problem`; none where the report has no two histories with errors.
///
/// # Errors
/// [`JudgeError::Interrupted`].
///
/// # Panics
/// If the catalogue has no scheme of a name.
pub fn beside(
    problem: &Problem,
    report: &Report,
    schemes: &[&str],
    interrupt: &AtomicBool,
) -> Result<Vec<Beside>, JudgeError> {
    let (Some(own), Some(first)) = (&report.convergence, problem.jobs.first()) else {
        return Ok(Vec::new());
    };
    let grids = own.rungs.iter().map(|r| grid(own, first, r.step));
    let last = grids.map(|g| g.time(g.steps)).fold(own.end(), f64::max);
    with_reference(problem, [first.grid.start, last], interrupt, |judge| {
        at_steps_of(own, problem, judge, schemes, interrupt)
    })
}

/// The steps of this size until the histories end.
fn grid(own: &Convergence, first: &Job, h: f64) -> Grid {
    Grid::new(first.grid.start, own.end(), h, first.grid.sample)
}

/// The same where the reference is there.
pub(crate) fn at_steps_of(
    own: &Convergence,
    problem: &Problem,
    judge: &Judge,
    schemes: &[&str],
    interrupt: &AtomicBool,
) -> Result<Vec<Beside>, JudgeError> {
    let pairs = schemes.iter().flat_map(|name| {
        let row = registry::find(name).expect("a scheme of the catalogue");
        own.rungs.iter().map(move |r| (row, r.step))
    });
    let threads = Threads::new(None);
    let found = threads.map(pairs.collect(), |(row, h)| {
        let experiment = (row.bind)(&problem.model, &Parameters::default()).ok()?;
        experiment.covers(h).ok()?;
        let grid = grid(own, problem.jobs.first()?, h);
        let grid = Some(grid).filter(|g| g.steps <= MOST_STEPS)?;
        let stop = |_| {
            let stopped = interrupt.load(Ordering::Relaxed);
            stopped.then_some(StopReason::Interrupted)
        };
        let run = experiment.run(&grid, &[], &stop);
        let rows = (0..run.times.len()).map(|k| {
            let state = state(&run.columns, run.row(k));
            Ok((run.times[k], state.expect("a body with an attitude")))
        });
        let finding = judge.judge(States::new(rows)).ok()?;
        (run.end == End::Reached).then_some((row.info.name, h, finding))
    });
    if interrupt.load(Ordering::Relaxed) {
        return Err(JudgeError::Interrupted);
    }
    let found: Vec<_> = found.into_iter().flatten().collect();
    Ok(schemes
        .iter()
        .filter_map(|name| of_scheme(name, &found))
        .collect())
}

/// Why histories that do not follow the motion say nothing of their solver: right schemes are lost at these steps too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TooCoarse {
    /// The solver makes the steps of this scheme.
    Same(&'static str),
    /// Right schemes of all kinds are off; the nearest at the finest step by so much, rad.
    All(f64),
}

/// Right schemes of four kinds: explicit, implicit, with the exact free motion, and by series.
const RIGHT: [&str; 4] = ["quat_rk4", "rig_imp", "exact_strang", "taylor16"];
/// Nearer than this at the finest step to the errors of a scheme, in parts of them: the steps of that scheme.
const SAME_ERROR: f64 = 1e-3;
/// Errors so much larger than those of right schemes are not for their reason.
const COMPARABLE: f64 = 10.0;

/// Whether the steps of these histories are too coarse for every scheme; `same` is the scheme of the catalogue whose
/// rows the coarsest history has, and `told` says that the steps are known and not the spacings of rows.
pub(crate) fn too_coarse(
    own: &Convergence,
    problem: &Problem,
    judge: &Judge,
    (same, told): (Option<&str>, bool),
    interrupt: &AtomicBool,
) -> Result<Option<TooCoarse>, JudgeError> {
    let measured = |schemes: &[&str]| at_steps_of(own, problem, judge, schemes, interrupt);
    if let Some(row) = same.and_then(registry::find) {
        let found = measured(&[row.info.name])?;
        let off = found.first().map_or(f64::NAN, |b| b.convergence.finest());
        if (off - own.finest()).abs() <= SAME_ERROR * off {
            return Ok(Some(TooCoarse::Same(row.info.name)));
        }
    }
    if !told {
        return Ok(None);
    }
    let right = measured(&RIGHT)?;
    let whole = right
        .iter()
        .filter(|b| b.convergence.rungs.len() == own.rungs.len());
    let off: Vec<f64> = whole.map(|b| b.convergence.finest()).collect();
    let nearest = off.iter().copied().fold(f64::INFINITY, f64::min);
    let all = off.len() > 1 && right.iter().all(|b| b.convergence.astray());
    let comparable = own.finest() <= COMPARABLE * nearest;
    Ok((all && comparable).then_some(TooCoarse::All(nearest)))
}

/// The exact motion of a problem.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExactMotion {
    /// Times, s, and the states there.
    pub states: Vec<(f64, RotState)>,
    /// Bounds of their errors: of the attitude, rad, and of the rate, rad/s.
    pub errors: Vec<[f64; 2]>,
    /// Where the numbers come from.
    pub provenance: String,
}

/// The exact motion of a problem at these times, of which none may lie before its start, or why it is not known.
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
            reference.row(*t, &mut row);
            (*t, state(columns, &row).expect("a body with an attitude"))
        };
        let errors =
            |t: &f64| [Quantity::Attitude, Quantity::BodyRate].map(|q| reference.error_of(*t, q));
        Ok(Ok(ExactMotion {
            states: times.iter().map(at).collect(),
            errors: times.iter().map(errors).collect(),
            provenance: reference.provenance(),
        }))
    })
}

fn of_scheme(name: &str, found: &[(&'static str, f64, Finding)]) -> Option<Beside> {
    let own = found.iter().filter(|(of, ..)| *of == name);
    let rungs: Vec<Ladder> = own
        .filter_map(|(_, h, finding)| {
            Some(Ladder {
                step: *h,
                errors: finding.errors.as_ref()?,
                rows: &finding.deviations,
                start: [0.0; 2],
            })
        })
        .collect();
    let (scheme, ..) = found.iter().find(|(of, ..)| *of == name)?;
    Some(Beside {
        scheme,
        convergence: convergence(&rungs),
    })
}
