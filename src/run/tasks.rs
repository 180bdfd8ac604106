//! Integrates the runs and references of suites on all cores, longest first. The results have the order of the suites.

use super::{Options, Progress};
use crate::check::{SchemeRun, StepFact};
use crate::suite::Suite;
use rayon::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use topsim_case::RunPlan;
use topsim_core::integration::{End, StepFacts, StopReason};
use topsim_core::reference::{NoReference, ReferencePlan, RowReference};

/// The integrated runs and the computed reference of one suite.
#[derive(Default)]
pub(super) struct SuiteRuns {
    /// The runs in the order of the plans.
    pub runs: Vec<SchemeRun>,
    /// The reference, if it had to be computed.
    pub reference: Option<Result<Box<dyn RowReference>, NoReference>>,
}

/// Integrates the runs and references of all suites.
pub(super) fn integrate(
    suites: &[Suite],
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> Vec<SuiteRuns> {
    // The longest runs come first, so that no core is left with one of them at the end.
    let mut tasks: Vec<(usize, usize, u64)> = Vec::new();
    for (s, suite) in suites.iter().enumerate() {
        let plans = suite.problem.plans.iter().enumerate();
        tasks.extend(plans.map(|(p, plan)| (s, p, plan.grid.steps)));
    }
    let find = |&(s, p, _): &(usize, usize, u64)| {
        let (suite, output) = (&suites[s], options.output.as_ref()?);
        Some(((s, p), output.find(suite, &suite.problem.plans[p])?))
    };
    let found: Vec<_> = tasks.par_iter().map(find).collect();
    let mut kept = found.iter();
    tasks.retain(|_| kept.next().is_some_and(Option::is_none));
    tasks.sort_by_key(|(.., steps)| std::cmp::Reverse(*steps));
    progress.total(tasks.iter().map(|t| t.2).sum());
    let reference = |suite: &Suite| {
        let plan = &suite.problem.reference;
        matches!(plan, ReferencePlan::Numerical { .. }).then(|| {
            let stop_rule = StopRule::new(options, interrupt);
            plan.compute(&|| stop_rule.reason().is_none())
        })
    };
    let integrated = |&(s, p, _): &(usize, usize, u64)| {
        let made = run(&suites[s], p, options, progress, interrupt);
        if let Some(output) = &options.output {
            output.keep(&suites[s], &suites[s].problem.plans[p], &made);
        }
        ((s, p), made)
    };
    // References take longest of all, so they start before the runs.
    let (references, mut runs): (Vec<_>, Vec<_>) = rayon::join(
        || suites.par_iter().with_max_len(1).map(reference).collect(),
        || tasks.par_iter().with_max_len(1).map(integrated).collect(),
    );
    runs.extend(found.into_iter().flatten());
    runs.sort_by_key(|(place, _)| *place);
    let mut runs = runs.into_iter().peekable();
    let mut of_suite = |s: usize| {
        let next = || Some(runs.next_if(|((of, _), _)| *of == s)?.1);
        std::iter::from_fn(next).collect()
    };
    let all = references.into_iter().enumerate();
    all.map(|(s, reference)| SuiteRuns {
        runs: of_suite(s),
        reference,
    })
    .collect()
}

/// Number of steps in which torque evaluations are counted.
const COUNTED_STEPS: u64 = 64;

/// Shortest time between two polls of the interrupt and the time limit.
const POLL: Duration = Duration::from_millis(10);

/// Reasons to stop the work: the time limit, an interrupt, a failed output.
pub(super) struct StopRule<'a> {
    started: Instant,
    options: &'a Options,
    interrupt: &'a AtomicBool,
}

impl<'a> StopRule<'a> {
    pub fn new(options: &'a Options, interrupt: &'a AtomicBool) -> Self {
        Self {
            started: Instant::now(),
            options,
            interrupt,
        }
    }
    /// Returns the reason for which the work should stop, if there is one.
    pub fn reason(&self) -> Option<StopReason> {
        let output = self.options.output.as_ref();
        if self.interrupt.load(Ordering::Relaxed) || output.is_some_and(|o| o.has_failed()) {
            return Some(StopReason::Interrupted);
        }
        let limit = self.options.time_limit;
        let late = limit.is_some_and(|limit| self.started.elapsed() >= limit);
        late.then_some(StopReason::Deadline)
    }
}

fn run(
    suite: &Suite,
    plan: usize,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> SchemeRun {
    let plan = &suite.problem.plans[plan];
    let stop_rule = StopRule::new(options, interrupt);
    let told = AtomicU64::new(0);
    // The clock decides when to poll, however long a step takes: reading it is cheap, all else is not.
    let next = Cell::new(stop_rule.started);
    let poll = |n: u64| {
        let now = Instant::now();
        if now < next.get() {
            return None;
        }
        next.set(now + POLL);
        progress.advance(n - told.swap(n, Ordering::Relaxed));
        stop_rule.reason()
    };
    let (grid, experiment) = (&plan.grid, &plan.experiment);
    let run = experiment.run(grid, &suite.problem.events, &poll);
    let wall = stop_rule.started.elapsed();
    let step_facts = suite.step_facts(plan);
    let asked = |fact| step_facts.contains(&fact);
    let go_on = || poll(told.load(Ordering::Relaxed)).is_none();
    let (start, h, steps) = (grid.start, grid.h, grid.steps);
    let back = || experiment.there_and_back((start, h, steps), &go_on);
    let symplectic_defect = || experiment.symplectic_defect((start, h), &go_on);
    let counted = (start, h, steps.min(COUNTED_STEPS));
    let evaluations = || experiment.evaluations(counted, &go_on);
    let step_facts = StepFacts {
        back: asked(StepFact::Back).then(back),
        symplectic_defect: asked(StepFact::SymplecticDefect).then(symplectic_defect),
        evaluations: asked(StepFact::Evaluations).then(evaluations).flatten(),
        seconds: None,
    };
    progress.advance(grid.steps.saturating_sub(told.load(Ordering::Relaxed)));
    SchemeRun {
        scheme: plan.scheme.clone(),
        scheme_name: plan.scheme_name.clone(),
        fineness: plan.fineness.clone(),
        guest: false,
        run,
        step_facts,
        wall,
    }
}

/// Times the bare steps of the runs for which a study asks, after everything else and one at a time.
pub(super) fn time_steps(suite: &Suite, runs: &mut [SchemeRun], stop_rule: &StopRule) {
    let go_on = || stop_rule.reason().is_none();
    for (plan, item) in suite.problem.plans.iter().zip(runs) {
        if suite.step_facts(plan).contains(&StepFact::Seconds) && item.run.end == End::Reached {
            item.step_facts.seconds = fastest(plan, plan.grid.steps, &go_on);
        }
    }
}

/// Number of steps that are timed for an estimate of a whole run: some hundredths of a second for the costliest scheme.
const TIMED_STEPS: u64 = 5_000;
/// Number of steps below which a run takes less than a second, so that its time need not be said.
const SHORT_RUN: u64 = 100_000;

/// Estimates the time (s) that the long runs of a suite take on one core, from the first steps of one run of each scheme.
pub fn estimated_seconds(suite: &Suite) -> f64 {
    let plans = suite.problem.plans.iter();
    let mut timed = BTreeMap::new();
    let long = plans.filter(|plan| plan.grid.steps > SHORT_RUN);
    let seconds = long.filter_map(|plan| {
        let first_steps = || fastest(plan, TIMED_STEPS, &|| true);
        let timed = timed.entry(&plan.scheme).or_insert_with(first_steps);
        timed.map(|timed| timed * (plan.grid.steps as f64 / TIMED_STEPS as f64))
    });
    seconds.sum()
}

/// Returns the shortest time of a few repetitions of the first steps, or `None` if it was stopped.
fn fastest(plan: &RunPlan, steps: u64, go_on: &dyn Fn() -> bool) -> Option<f64> {
    const ENOUGH: f64 = 0.02;
    const REPEATS: u32 = 20;
    let (mut least, mut total) = (f64::INFINITY, 0.0);
    let grid = &plan.grid;
    let (start, h) = (grid.start, grid.h);
    for _ in 0..REPEATS {
        let started = Instant::now();
        plan.experiment.advance((start, h, steps), go_on).ok()?;
        let seconds = started.elapsed().as_secs_f64();
        least = least.min(seconds);
        total += seconds;
        if total > ENOUGH {
            break;
        }
    }
    Some(least)
}
