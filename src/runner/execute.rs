//! Case × scheme × step on all cores, longest first; results in the order of the plan.

use super::maps::{MapReport, NoShelf, Stand, run_map};
use super::report::{CaseReport, RunReport, SuiteReport};
use super::surveys::{SurveyReport, run_survey};
use crate::analysis::{Bench, Cells, Context, MapNumbers, Shard, conduct, judge};
use crate::cases::{CasePlan, Job, MapPlan, ReferencePlan};
use crate::drive::{End, Grid, Probes, StopReason};
use crate::models::reduced::{Potential, Reduced, ReducedVisitor};
use crate::models::{Model, RigidTop, TopVisitor, Torque};
use crate::reference::{self, Numerical, NumericalError, NumericalReduced, RowReference};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How a suite is run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Threads; all cores without it.
    pub jobs: Option<usize>,
    /// Longest time a run may take.
    pub timeout: Option<Duration>,
}

/// What reporters are told while a suite runs. Called from many threads.
pub trait Progress: Sync {
    /// The suite has this many steps in all.
    fn total(&self, steps: u64);
    /// So many more steps were made.
    fn advance(&self, steps: u64);
    /// A map begins: so many of its cells are to be computed, of so many steps at most.
    fn map_total(&self, _cells: u64, _steps: u32) {}
    /// So many cells more are done.
    fn map_cells(&self, _cells: u64) {}
    /// So many steps more were made on it.
    fn map_steps(&self, _steps: u64) {}
}

/// Nobody watches.
impl Progress for () {
    fn total(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Runs all plans and judges them.
///
/// `interrupt` is looked at between and within runs.
///
/// # Errors
/// If the thread pool cannot be made.
pub fn execute(
    plans: Vec<CasePlan>,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> Result<SuiteReport, rayon::ThreadPoolBuildError> {
    let afresh = |plan: &CasePlan| {
        let stand = |map: &MapPlan| Stand {
            shelf: &NoShelf,
            known: Cells::unknown(map.cells()),
            shard: Shard::WHOLE,
        };
        plan.maps.iter().map(stand).collect()
    };
    let stands = plans.iter().map(afresh).collect();
    execute_with(plans, stands, options, progress, interrupt)
}

/// As [`execute`], with a place for the tiles of each case's maps, in their order.
///
/// # Errors
/// As [`execute`].
pub fn execute_with(
    plans: Vec<CasePlan>,
    stands: Vec<Vec<Stand>>,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> Result<SuiteReport, rayon::ThreadPoolBuildError> {
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.unwrap_or(0))
        .build()?;
    let cases = pool.install(|| run_all(plans, stands, options, progress, interrupt));
    Ok(SuiteReport {
        cases,
        interrupted: interrupt.load(Ordering::Relaxed),
        wall: started.elapsed(),
    })
}

enum Task {
    Run { case: usize, job: usize },
    Reference { case: usize },
}

enum Done {
    Run(Box<RunReport>),
    Reference(Result<Box<dyn RowReference>, String>),
}

/// What a case computes beside its runs.
struct Own {
    maps: Vec<MapReport>,
    surveys: Vec<SurveyReport>,
}

fn run_all(
    plans: Vec<CasePlan>,
    stands: Vec<Vec<Stand>>,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> Vec<CaseReport> {
    // References first, then the longest runs, so that no core is left with the longest at the end.
    let mut tasks: Vec<(u64, Task)> = Vec::new();
    let mut total = 0;
    for (c, plan) in plans.iter().enumerate() {
        if matches!(plan.reference, ReferencePlan::Numerical { .. }) {
            tasks.push((u64::MAX, Task::Reference { case: c }));
        }
        for (j, job) in plan.jobs.iter().enumerate() {
            tasks.push((job.grid.steps, Task::Run { case: c, job: j }));
            total += job.grid.steps;
        }
    }
    tasks.sort_by_key(|t| std::cmp::Reverse(t.0));
    progress.total(total);
    let done: Vec<Done> = tasks
        .par_iter()
        .with_max_len(1)
        .map(|(_, task)| match *task {
            Task::Run { case, job } => Done::Run(Box::new(run(
                &plans[case],
                job,
                options,
                progress,
                interrupt,
            ))),
            Task::Reference { case } => {
                Done::Reference(compute(&plans[case].reference, options, interrupt))
            }
        })
        .collect();

    let mut runs: Vec<Vec<Option<RunReport>>> = plans
        .iter()
        .map(|p| p.jobs.iter().map(|_| None).collect())
        .collect();
    let mut references: Vec<_> = plans.iter().map(|_| None).collect();
    for ((_, task), done) in tasks.iter().zip(done) {
        match (task, done) {
            (Task::Run { case, job }, Done::Run(r)) => runs[*case][*job] = Some(*r),
            (Task::Reference { case }, Done::Reference(r)) => references[*case] = Some(r),
            _ => unreachable!("a task answers in kind"),
        }
    }
    time_steps(&plans, &mut runs, interrupt);
    // One map after the other, each on all threads.
    let maps: Vec<Vec<MapReport>> = plans
        .iter()
        .zip(stands)
        .map(|(plan, stands)| {
            let pairs = plan.maps.iter().zip(stands);
            pairs
                .map(|(map, stand)| run_map(map, stand, options, progress, interrupt))
                .collect()
        })
        .collect();
    let survey = |s| run_survey(s, options, progress, interrupt);
    let own = plans
        .iter()
        .map(|plan| plan.surveys.iter().map(survey).collect())
        .zip(maps)
        .map(|(surveys, maps)| Own { maps, surveys });
    let own: Vec<Own> = own.collect();
    let finished: Vec<_> = plans
        .into_iter()
        .zip(runs)
        .zip(references)
        .zip(own)
        .collect();
    finished
        .into_par_iter()
        .map(|(((plan, runs), computed), own)| {
            finish(plan, runs.into_iter().flatten().collect(), computed, own)
        })
        .collect()
}

fn run(
    plan: &CasePlan,
    job: usize,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> RunReport {
    let job = &plan.jobs[job];
    let started = Instant::now();
    let told = AtomicU64::new(0);
    let poll = |n: u64| {
        progress.advance(n - told.swap(n, Ordering::Relaxed));
        if interrupt.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if options
            .timeout
            .is_some_and(|limit| started.elapsed() >= limit)
        {
            Some(StopReason::Deadline)
        } else {
            None
        }
    };
    let run = job.experiment.run(&job.grid, &plan.events, &poll);
    let wall = started.elapsed();
    let wanted = plan.wanted(job);
    let go_on = || poll(told.load(Ordering::Relaxed)).is_none();
    let Grid {
        start, h, steps, ..
    } = job.grid;
    let probes = Probes {
        back: wanted
            .back
            .then(|| job.experiment.there_and_back((start, h, steps), &go_on)),
        symplectic_defect: wanted
            .symplectic_defect
            .then(|| job.experiment.symplectic_defect(start, h)),
        seconds: None,
    };
    progress.advance(job.grid.steps.saturating_sub(told.load(Ordering::Relaxed)));
    RunReport {
        scheme: job.scheme.clone(),
        scheme_name: job.scheme_name.clone(),
        step: job.step.clone(),
        run,
        probes,
        wall,
    }
}

/// Times the bare steps of the runs that a study asks it of: after everything else, one at a time.
fn time_steps(plans: &[CasePlan], runs: &mut [Vec<Option<RunReport>>], interrupt: &AtomicBool) {
    let go_on = || !interrupt.load(Ordering::Relaxed);
    for (plan, runs) in plans.iter().zip(runs) {
        for (job, report) in plan.jobs.iter().zip(runs) {
            if let Some(report) = report
                && plan.wanted(job).seconds
                && report.run.end == End::Reached
            {
                report.probes.seconds = fastest(job, &go_on);
            }
        }
    }
}

/// Least time of a few repetitions; `None` if it was stopped.
fn fastest(job: &Job, go_on: &dyn Fn() -> bool) -> Option<f64> {
    const ENOUGH: f64 = 0.02;
    const REPEATS: u32 = 20;
    let (mut least, mut total) = (f64::INFINITY, 0.0);
    let Grid {
        start, h, steps, ..
    } = job.grid;
    for _ in 0..REPEATS {
        let started = Instant::now();
        job.experiment.advance((start, h, steps), go_on).ok()?;
        let seconds = started.elapsed().as_secs_f64();
        least = least.min(seconds);
        total += seconds;
        if total > ENOUGH {
            break;
        }
    }
    Some(least)
}

pub(super) fn compute(
    plan: &ReferencePlan,
    options: &Options,
    interrupt: &AtomicBool,
) -> Result<Box<dyn RowReference>, String> {
    struct Solve<'a> {
        start: f64,
        end: f64,
        wanted: &'a dyn Fn() -> bool,
    }
    impl Solve<'_> {
        fn solve<T: Torque>(&self, top: RigidTop<T>) -> Result<Numerical<T>, String> {
            Numerical::new_while(top, self.start, self.end, self.wanted).map_err(failed)
        }
    }
    fn failed(e: NumericalError) -> String {
        format!("the numerical reference failed: {e}")
    }
    impl ReducedVisitor for Solve<'_> {
        type Out = Result<Box<dyn RowReference>, String>;
        fn visit<U: Potential>(self, problem: Reduced<U>) -> Self::Out {
            let solved = NumericalReduced::new_while(problem, self.start, self.end, self.wanted);
            Ok(Box::new(solved.map_err(failed)?))
        }
    }
    impl TopVisitor for Solve<'_> {
        type Out = Result<Box<dyn RowReference>, String>;
        fn visit<T: Torque>(self, top: RigidTop<T>) -> Self::Out {
            Ok(reference::bind(top.clone(), self.solve(top)?))
        }
    }
    let started = Instant::now();
    let wanted = || {
        let late = options
            .timeout
            .is_some_and(|limit| started.elapsed() >= limit);
        !late && !interrupt.load(Ordering::Relaxed)
    };
    match plan {
        ReferencePlan::Numerical { model, start, end } => {
            let solve = Solve {
                start: *start,
                end: *end,
                wanted: &wanted,
            };
            match &**model {
                Model::Top(top) => top.visit(solve),
                Model::Reduced(reduced) => reduced.visit(solve),
                Model::Held(held) => Ok(reference::bind_held(
                    held,
                    *start,
                    solve.solve(held.top().clone())?,
                )),
                Model::Flying(flying) => Ok(reference::bind_flight(
                    flying,
                    *start,
                    solve.solve(flying.body().clone())?,
                )),
            }
        }
        _ => Err("the case has no reference".into()),
    }
}

fn finish(
    mut plan: CasePlan,
    runs: Vec<RunReport>,
    computed: Option<Result<Box<dyn RowReference>, String>>,
    own: Own,
) -> CaseReport {
    let checks = std::mem::take(&mut plan.checks);
    let studies = std::mem::take(&mut plan.studies);
    let baseline = plan.baseline.take();
    let specs = plan.events.clone();
    let ready = match std::mem::replace(&mut plan.reference, ReferencePlan::None) {
        ReferencePlan::Ready(r) => Some(Ok(r)),
        _ => computed,
    };
    let mut report = CaseReport::new(plan, runs);
    if let Some(r) = ready {
        report.reference = r;
    }
    report.warnings.extend(switches(&report.runs));
    let benches: Vec<Bench> = report
        .runs
        .iter()
        .map(|r| Bench {
            scheme: &r.scheme,
            step: &r.step,
            run: &r.run,
            probes: &r.probes,
        })
        .collect();
    let of_maps = own.maps.iter().map(MapReport::numbers);
    let of_surveys = own.surveys.iter().map(SurveyReport::numbers);
    let numbers: Vec<MapNumbers> = of_maps.chain(of_surveys).collect();
    let context = Context {
        maps: &numbers,
        runs: &benches,
        reference: report.reference.as_deref().map_err(Clone::clone),
        events: &specs,
        baseline: baseline.as_ref(),
    };
    let judged = judge(&checks, &context);
    let findings = studies.iter().map(|s| conduct(s, &context)).collect();
    (report.judged, report.findings) = (judged, findings);
    (report.maps, report.surveys) = (own.maps, own.surveys);
    report
}

/// Steps that straddle a kink of the torque are said aloud, once for all step sizes.
fn switches(runs: &[RunReport]) -> Option<String> {
    let straddling: Vec<&RunReport> = runs
        .iter()
        .filter(|r| !r.run.straddled.is_empty())
        .collect();
    let mut steps: Vec<&str> = Vec::new();
    let mut times: Vec<f64> = Vec::new();
    for r in &straddling {
        if !steps.contains(&r.step.as_str()) {
            steps.push(&r.step);
        }
        times.extend(&r.run.straddled);
    }
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
