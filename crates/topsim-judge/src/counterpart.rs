//! Schemes of the catalogue on the problem of a report, at its steps and until its end: what a solver's errors stand
//! beside.

use crate::error::JudgeError;
use crate::history::{Convergence, Criteria, Deviation, FileReport, Ladder, convergence};
use crate::reference::with_reference;
use crate::report::Report;
use crate::thresholds::{FEW_TIMES, FLOOR, FOLLOWS, ROUNDING};
use std::sync::atomic::{AtomicBool, Ordering};
use topsim_case::{Problem, RunPlan};
use topsim_core::integration::{End, Grid, Parameters, StopReason, registry};
use topsim_protocol::history::States;
use topsim_protocol::parallel::Threads;
use topsim_relations::RIGHT_SCHEMES;

/// A scheme of the catalogue, measured as the histories of the report are.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Counterpart {
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
) -> Result<Vec<Counterpart>, JudgeError> {
    let (Some(own), Some(first)) = (&report.convergence, problem.plans.first()) else {
        return Ok(Vec::new());
    };
    let grids = own.rungs.iter().map(|r| grid(own, first, r.step));
    let last = grids.map(|g| g.time(g.steps)).fold(own.end(), f64::max);
    with_reference(problem, [first.grid.start, last], interrupt, |judge| {
        let found = at_steps_of(own, problem, judge, schemes, interrupt)?;
        let of = schemes.iter().filter_map(|name| of_scheme(name, &found));
        Ok(of.collect())
    })
}

/// The steps of this size until the histories end.
fn grid(own: &Convergence, first: &RunPlan, h: f64) -> Grid {
    Grid::new(first.grid.start, own.end(), h, first.grid.sample)
}

/// A scheme's name, its step, s, and what its history shows.
type CounterpartHistory = (&'static str, f64, FileReport);

/// The histories of schemes at these steps, as far as they can make them.
fn at_steps_of(
    own: &Convergence,
    problem: &Problem,
    judge: &Criteria,
    schemes: &[&str],
    interrupt: &AtomicBool,
) -> Result<Vec<CounterpartHistory>, JudgeError> {
    let pairs = schemes.iter().flat_map(|name| {
        let row = registry::find(name).expect("a scheme of the catalogue");
        own.rungs.iter().map(move |r| (row, r.step))
    });
    let threads = Threads::new(None);
    let found = threads.map(pairs.collect(), |(row, h)| {
        let experiment = (row.bind)(&problem.model, &Parameters::default()).ok()?;
        experiment.covers(h).ok()?;
        let grid = grid(own, problem.plans.first()?, h);
        let grid = Some(grid).filter(|g| g.steps <= MOST_STEPS)?;
        let stop = |_| {
            let stopped = interrupt.load(Ordering::Relaxed);
            stopped.then_some(StopReason::Interrupted)
        };
        let run = experiment.run(&grid, &[], &stop);
        let rows = (0..run.times.len()).map(|k| {
            let state = run.columns.state(run.row(k));
            Ok((run.times[k], state.expect("a body with an attitude")))
        });
        let finding = judge.judge(States::new(rows)).ok()?;
        (run.end == End::Reached).then_some((row.info.name, h, finding))
    });
    if interrupt.load(Ordering::Relaxed) {
        return Err(JudgeError::Interrupted);
    }
    Ok(found.into_iter().flatten().collect())
}

/// Why histories that do not follow the motion say nothing of their solver: right schemes are lost at these steps too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum CoarseSteps {
    /// The errors are at all times about those of this scheme, which does not follow the motion at these steps.
    Like(&'static str),
    /// No right scheme follows the motion at these steps; the nearest is off by so much at the finest one, rad.
    All(f64),
}

/// Histories that are accused of not following the motion.
pub(crate) struct Accusation<'a> {
    pub ladder: &'a Convergence,
    /// The errors of the finest one.
    pub finest: &'a [Deviation],
    /// The scheme of the catalogue whose rows the coarsest one has.
    pub same: Option<&'a str>,
    /// Whether the steps are known, and are not the spacings of rows.
    pub told: bool,
    /// Whether the histories agree with each other, as those of another motion do.
    pub agree: bool,
}

/// Whether the steps of these histories are too coarse for right schemes. The errors of the finest are compared at all times: one that
/// is lost early, where right schemes still follow, has no such excuse.
pub(crate) fn too_coarse(
    accused: &Accusation,
    problem: &Problem,
    judge: &Criteria,
    interrupt: &AtomicBool,
) -> Result<Option<CoarseSteps>, JudgeError> {
    let same = accused.same.and_then(registry::find).map(|r| r.info.name);
    let right = RIGHT_SCHEMES.iter().copied().filter(|_| accused.told);
    let schemes: Vec<&str> = same.into_iter().chain(right).collect();
    let own = accused.ladder;
    let found = at_steps_of(own, problem, judge, &schemes, interrupt)?;
    let finest = own.rungs.last().map_or(f64::NAN, |r| r.step);
    // Each scheme with the worst error until each time of the history.
    let mut lost: Vec<(&'static str, f64, Vec<f64>)> = Vec::new();
    let mut others = 0;
    for (name, _, finding) in found.iter().filter(|(_, h, _)| *h == finest) {
        let ladder = of_scheme(name, &found).expect("it was found").convergence;
        if ladder.rungs.len() < own.rungs.len() {
            continue;
        }
        if ladder.converges() {
            others += 1;
        } else {
            let worst = worst_until(accused.finest, &finding.deviations);
            lost.push((name, ladder.finest(), worst));
        }
    }
    let errors = worst_until(accused.finest, accused.finest);
    if errors.is_empty() {
        return Ok(None);
    }
    let alike = |worst: &[f64]| {
        let mut pairs = errors.iter().zip(worst);
        pairs.all(|(a, b)| {
            a + FLOOR <= FEW_TIMES * (b + FLOOR) && b + FLOOR <= FEW_TIMES * (a + FLOOR)
        })
    };
    let like = lost.iter().find(|(name, _, worst)| {
        let known = Some(*name) == same;
        (known || !accused.agree) && alike(worst)
    });
    if let Some((name, ..)) = like {
        return Ok(Some(CoarseSteps::Like(name)));
    }
    let nearest = lost.iter().map(|l| l.1).fold(f64::INFINITY, f64::min);
    let most = |k: usize| lost.iter().map(|l| l.2[k]).fold(0.0, f64::max);
    let mut times = errors.iter().enumerate();
    let excused = accused.told
        && others == 0
        && lost.len() > 1
        && nearest > FOLLOWS
        && times.all(|(k, e)| *e <= FEW_TIMES * most(k) + FOLLOWS);
    Ok(excused.then_some(CoarseSteps::All(nearest)))
}

/// The worst error of `of` until each time of `rows`, rad; NaN where one is none.
fn worst_until(rows: &[Deviation], of: &[Deviation]) -> Vec<f64> {
    let mut worst = 0.0;
    let mut left = of.iter().peekable();
    let until = |row: &Deviation| {
        while let Some(d) = left.next_if(|d| d.t <= row.t + ROUNDING * row.t.abs()) {
            let error = d.attitude.unwrap_or(worst);
            worst = if error <= worst { worst } else { error };
        }
        worst
    };
    rows.iter().map(until).collect()
}

fn of_scheme(name: &str, found: &[CounterpartHistory]) -> Option<Counterpart> {
    let own = found.iter().filter(|(of, ..)| *of == name);
    let rungs: Vec<Ladder> = own
        .filter_map(|(_, h, finding)| {
            Some(Ladder {
                step: *h,
                length: *h,
                errors: finding.errors.as_ref()?,
                rows: &finding.deviations,
                start: [0.0; 2],
                unit: f64::EPSILON,
            })
        })
        .collect();
    let (scheme, ..) = found.iter().find(|(of, ..)| *of == name)?;
    Some(Counterpart {
        scheme,
        convergence: convergence(&rungs),
    })
}
