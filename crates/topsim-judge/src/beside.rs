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

/// Whether right schemes of two kinds do not follow the motion at the steps of these histories either: by how much the nearer one is
/// off at the finest step, rad. Then the steps are too coarse for what acts on the body, a pulse between two of them say.
pub(crate) fn also_off(
    own: &Convergence,
    problem: &Problem,
    judge: &Judge,
    interrupt: &AtomicBool,
) -> Result<Option<f64>, JudgeError> {
    let right = at_steps_of(own, problem, judge, &["quat_rk4", "rig_imp"], interrupt)?;
    let off = right.iter().map(|b| &b.convergence);
    let nearest = off.clone().map(Convergence::finest);
    let nearest = nearest.fold(f64::INFINITY, f64::min);
    let comparable = nearest.is_finite() && nearest >= 0.1 * own.finest();
    Ok((comparable && off.clone().all(|c| !c.converges())).then_some(nearest))
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
