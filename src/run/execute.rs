//! Runs suites: first the integrations, then the studies, then the verdicts.

use super::report::ReferenceReport;
use super::tasks::{StopRule, SuiteRuns, integrate, time_steps};
use super::{Artifacts, CaseReport, Item, ProblemSummary, Results, RunReport};
use crate::check::{Context, SchemeRun, StudyNumbers, evaluate, grouped};
use crate::study::{Finding, Study, StudyInput, TileFolders};
use crate::suite::Suite;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tiles::CellProgress;
use topsim_case::RunPlan;
use topsim_core::reference::{NoReference, ReferencePlan};
use topsim_core::verdict::Fineness;

/// Options of a run of suites.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Number of threads; all cores without it.
    pub jobs: Option<usize>,
    /// Longest time that a run may take.
    pub time_limit: Option<Duration>,
    /// Git revision of the program, for the report.
    pub revision: String,
    /// Folders in which studies keep finished tiles; without them no tile is kept.
    pub tiles: Option<TileFolders>,
    /// Store in which finished runs are kept and found again; without it no run is kept.
    pub output: Option<Arc<dyn RunStore>>,
}

/// Keeps finished runs, so that a command that was broken off goes on where it stopped.
pub trait RunStore: Send + Sync {
    /// Returns the run of a plan that an earlier command finished.
    fn find(&self, suite: &Suite, plan: &RunPlan) -> Option<SchemeRun>;
    /// Keeps a run that is complete.
    fn keep(&self, suite: &Suite, plan: &RunPlan, run: &SchemeRun);
    /// Tells whether a run could not be kept; nothing more needs to be run then.
    fn has_failed(&self) -> bool;
}

/// Receives the progress of suites; called from many threads.
pub trait Progress: CellProgress {
    /// Receives the number of steps of all suites.
    fn total(&self, steps: u64);
    /// Receives the number of steps made since the last call.
    fn advance(&self, steps: u64);
}

/// A no-op observer.
impl Progress for () {
    fn total(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Runs all suites and judges them.
///
/// `interrupt` is polled between and within runs.
///
/// # Errors
/// Fails if the thread pool cannot be made.
pub fn execute(
    suites: Vec<Suite>,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> Result<Results, rayon::ThreadPoolBuildError> {
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()?;
    let cases: Vec<(CaseReport, Artifacts)> = pool.install(|| {
        let mut integrated = integrate(&suites, options, progress, interrupt);
        for (suite, done) in suites.iter().zip(&mut integrated) {
            time_steps(suite, &mut done.runs, &StopRule::new(options, interrupt));
        }
        let all = suites.into_par_iter().with_max_len(1).zip(integrated);
        all.map(|(suite, done)| finish(suite, done, options, progress, interrupt))
            .collect()
    });
    let mut results = Results::new(&options.revision, cases);
    results.interrupted = interrupt.load(Ordering::Relaxed);
    results.report.complete &= !results.interrupted;
    results.wall = started.elapsed();
    Ok(results)
}

fn finish(
    suite: Suite,
    done: SuiteRuns,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> (CaseReport, Artifacts) {
    let planned = CaseReport::planned(&suite);
    let (problem, baseline) = (suite.problem, suite.baseline);
    let posed = ProblemSummary::of(&problem);
    let reference = match (problem.reference, done.reference) {
        (ReferencePlan::Ready(r), _) => Ok(r),
        (_, Some(computed)) => computed,
        _ => Err(NoReference::Unasked),
    };
    let mut warnings = problem.warnings;
    warnings.extend(switches(&done.runs));
    let runs: Vec<SchemeRun> = done.runs.into_iter().chain(suite.guests).collect();
    let mut context = Context {
        runs: &runs,
        reference: reference.as_deref().map_err(Clone::clone),
        events: &problem.events,
        baseline: baseline.as_ref(),
        numbers: &[],
    };
    let make = |study: &dyn Study| {
        let stop_rule = StopRule::new(options, interrupt);
        let started = Instant::now();
        let found = study.make(&StudyInput {
            title: &problem.title,
            runs: &context,
            place: options.tiles.as_ref().map(|t| t.place(&problem.name)),
            progress,
            stop: &|| stop_rule.reason(),
        });
        let wall = started.elapsed();
        Finding { wall, ..found }
    };
    let findings: Vec<Finding> = suite.studies.iter().map(|study| make(&**study)).collect();
    let numbers: Vec<StudyNumbers> = findings.iter().filter_map(Finding::asked_for).collect();
    context.numbers = &numbers;
    // The tolerances of the catalogue say nothing about another solver.
    let own = runs.iter().take_while(|v| !v.guest).count();
    context.runs = &runs[..own];
    let verdicts = evaluate(&suite.checks, &context);
    let known = reference.as_deref().ok();
    let reference_report = known.map(|r| ReferenceReport::of(r, &runs));
    let events: Vec<String> = problem.events.into_iter().map(|e| e.name).collect();
    let numbers = |run| Item::Run(RunReport::of(run, &events, known));
    let (timed, studies): (Vec<_>, Vec<_>) = findings.into_iter().partition(|found| found.timed);
    let studies = studies.into_iter().map(Item::Study);
    let report = CaseReport {
        missing: Vec::new(),
        warnings,
        reference: reference_report,
        items: runs.iter().map(numbers).chain(studies).collect(),
        verdicts,
        ..planned
    };
    let artifacts = Artifacts {
        summary: problem.summary,
        posed,
        reference,
        runs,
        timed,
        histories: None,
        figures: suite.figures,
    };
    (report, artifacts)
}

/// Returns a warning about steps that straddle a kink of the torque, once for all step sizes.
fn switches(runs: &[SchemeRun]) -> Option<String> {
    let straddling = runs.iter().filter(|r| !r.run.straddled.is_empty());
    let by_step = grouped(straddling.filter_map(|r| match &r.fineness {
        Fineness::Step(step) => Some((&**step, &r.run.straddled)),
        // Inner steps grow shorter where the torque is not smooth.
        Fineness::Tolerance(_) => None,
    }));
    let (steps, times): (Vec<&str>, Vec<_>) = by_step.into_iter().unzip();
    let mut times: Vec<f64> = times.into_iter().flatten().flatten().copied().collect();
    if times.is_empty() {
        return None;
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    let shown: Vec<String> = times.iter().take(4).map(|t| format!("{t:.6}")).collect();
    let more = match times.len() {
        0..=4 => String::new(),
        n => format!(" and {} more times", n - 4),
    };
    Some(format!(
        "steps straddle the torque's switch at t = {}{more} (h = {}); they are not split, so the order is not guaranteed across it",
        shown.join(", "),
        steps.join(", "),
    ))
}
