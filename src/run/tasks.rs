//! The integrations and references of suites on all cores, longest first; results in the order of
//! the suites.

use super::{Options, Progress};
use crate::report::RunItem;
use crate::suite::Suite;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use topsim_case::Job;
use topsim_core::integration::{End, Grid, Probes, StopReason};
use topsim_core::reference::{NoReference, ReferencePlan, RowReference};

/// What was integrated of one suite.
#[derive(Default)]
pub(super) struct Integrated {
    /// In the order of the jobs.
    pub runs: Vec<RunItem>,
    /// A reference that had to be computed.
    pub reference: Option<Result<Box<dyn RowReference>, NoReference>>,
}

#[derive(Clone, Copy)]
enum Task {
    Run { suite: usize, job: usize },
    Reference { suite: usize },
}

enum Done {
    Run(Box<RunItem>),
    Reference(Result<Box<dyn RowReference>, NoReference>),
}

/// Runs and references of all suites.
pub(super) fn integrate(
    suites: &[Suite],
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> Vec<Integrated> {
    // References first, then the longest runs, so that no core is left with the longest at the end.
    let mut tasks: Vec<(u64, Task)> = Vec::new();
    let mut total = 0;
    for (s, Suite { problem, .. }) in suites.iter().enumerate() {
        if matches!(problem.reference, ReferencePlan::Numerical { .. }) {
            tasks.push((u64::MAX, Task::Reference { suite: s }));
        }
        for (j, job) in problem.jobs.iter().enumerate() {
            tasks.push((job.grid.steps, Task::Run { suite: s, job: j }));
            total += job.grid.steps;
        }
    }
    tasks.sort_by_key(|t| std::cmp::Reverse(t.0));
    progress.total(total);
    let done: Vec<Done> = tasks
        .par_iter()
        .with_max_len(1)
        .map(|(_, task)| match *task {
            Task::Run { suite, job } => {
                let made = run(&suites[suite], job, options, progress, interrupt);
                Done::Run(Box::new(made))
            }
            Task::Reference { suite } => {
                let watch = Watch::new(options, interrupt);
                let wanted = || watch.stop().is_none();
                Done::Reference(suites[suite].problem.reference.compute(&wanted))
            }
        })
        .collect();
    let mut runs: Vec<Vec<Option<RunItem>>> = suites
        .iter()
        .map(|s| s.problem.jobs.iter().map(|_| None).collect())
        .collect();
    let mut references: Vec<_> = suites.iter().map(|_| None).collect();
    for ((_, task), done) in tasks.iter().zip(done) {
        match (task, done) {
            (Task::Run { suite, job }, Done::Run(r)) => runs[*suite][*job] = Some(*r),
            (Task::Reference { suite }, Done::Reference(r)) => references[*suite] = Some(r),
            _ => unreachable!("a task answers in kind"),
        }
    }
    let all = runs.into_iter().zip(references);
    all.map(|(runs, reference)| Integrated {
        runs: runs.into_iter().flatten().collect(),
        reference,
    })
    .collect()
}

/// A time limit and an interrupt.
pub(super) struct Watch<'a> {
    started: Instant,
    options: &'a Options,
    interrupt: &'a AtomicBool,
}

impl<'a> Watch<'a> {
    pub fn new(options: &'a Options, interrupt: &'a AtomicBool) -> Self {
        Self {
            started: Instant::now(),
            options,
            interrupt,
        }
    }
    /// Why to stop.
    pub fn stop(&self) -> Option<StopReason> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        let limit = self.options.time_limit;
        let late = limit.is_some_and(|limit| self.started.elapsed() >= limit);
        late.then_some(StopReason::Deadline)
    }
}

fn run(
    suite: &Suite,
    job: usize,
    options: &Options,
    progress: &dyn Progress,
    interrupt: &AtomicBool,
) -> RunItem {
    let job = &suite.problem.jobs[job];
    let watch = Watch::new(options, interrupt);
    let told = AtomicU64::new(0);
    let poll = |n: u64| {
        progress.advance(n - told.swap(n, Ordering::Relaxed));
        watch.stop()
    };
    let run = job.experiment.run(&job.grid, &suite.problem.events, &poll);
    let wall = watch.started.elapsed();
    let needs = suite.probes(job);
    let go_on = || poll(told.load(Ordering::Relaxed)).is_none();
    let Grid {
        start, h, steps, ..
    } = job.grid;
    let probes = Probes {
        back: needs
            .back
            .then(|| job.experiment.there_and_back((start, h, steps), &go_on)),
        symplectic_defect: needs
            .symplectic_defect
            .then(|| job.experiment.symplectic_defect(start, h)),
        seconds: None,
    };
    progress.advance(job.grid.steps.saturating_sub(told.load(Ordering::Relaxed)));
    RunItem {
        scheme: job.scheme.clone(),
        scheme_name: job.scheme_name.clone(),
        step: job.step.clone(),
        run,
        probes,
        wall,
    }
}

/// Times the bare steps of the runs that a study asks it of: after everything else, one at a time.
pub(super) fn time_steps(suite: &Suite, runs: &mut [RunItem], watch: &Watch) {
    let go_on = || watch.stop().is_none();
    for (job, item) in suite.problem.jobs.iter().zip(runs) {
        if suite.probes(job).seconds && item.run.end == End::Reached {
            item.probes.seconds = fastest(job, &go_on);
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
