//! A solver of somebody else: started once for each step with the problem on its standard input, its standard
//! output judged as a history. One step that fails does not void the others.

mod command;
mod failure;
mod pipes;
mod process;
mod tail;

pub use command::SolverCommand;
pub use failure::{FailureKind, StepFailure};

use super::foreign::{FileReport, HistoryFailure, HistoryReport, Judged, judge_with};
use crate::analysis::foreign::diagnosis::{Together, together};
use crate::analysis::foreign::{Ended, Judge, ReadError, Reading, Rows, Schedule};
use crate::cases::CasePlan;
use crate::cases::posed::{Choice, Posed};
use failure::Output;
use process::Process;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a solver is run.
#[derive(Debug, Clone)]
pub struct Solver {
    /// The command.
    pub command: SolverCommand,
    /// Longest time for one step.
    pub time_limit: Duration,
    /// Commands at a time; as many as there are cores without it.
    pub jobs: Option<usize>,
}

/// What a solver made of some cases.
#[derive(Debug, Clone, Serialize)]
pub struct SolverReport {
    /// The command.
    pub solver: String,
    /// The cases, in their order.
    pub cases: Vec<HistoryReport>,
}

impl SolverReport {
    /// Whether every step of every case was judged.
    pub fn complete(&self) -> bool {
        self.cases.iter().all(HistoryReport::complete)
    }
    /// What the cases say together of what is wrong.
    pub fn together(&self) -> Vec<Together> {
        let all = self.cases.iter();
        let all: Vec<_> = all
            .filter_map(|c| Some((c.case.as_str(), c.diagnosis.as_ref()?)))
            .collect();
        together(&all)
    }
    /// Whether nothing speaks against the solver.
    pub fn passed(&self) -> bool {
        self.cases.iter().all(HistoryReport::passed)
    }
}

/// Runs the solver on all cases and steps, and judges what comes out.
///
/// # Errors
/// [`HistoryFailure`]: cases or steps that cannot be posed, an interrupt. What the solver does wrong is in the report.
pub fn judge_solver(
    plans: Vec<CasePlan>,
    choice: &Choice,
    solver: &Solver,
    reading: &Reading,
    interrupt: &AtomicBool,
) -> Result<SolverReport, HistoryFailure> {
    let mut posed = Vec::new();
    let mut wrong = Vec::new();
    for plan in plans {
        match Posed::all(&plan, choice) {
            Ok(problems) => posed.push((plan, problems)),
            Err(e) => wrong.push(format!("error: {e}")),
        }
    }
    if !wrong.is_empty() {
        return Err(HistoryFailure::Invalid(wrong.join("\n")));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(solver.jobs.unwrap_or(0))
        .build()
        .map_err(|e| HistoryFailure::Io(format!("cannot make threads: {e}")))?;
    let one = |(plan, problems)| judge_case(plan, problems, solver, reading, interrupt);
    let all = || posed.into_par_iter().with_max_len(1).map(one).collect();
    let cases: Vec<Result<HistoryReport, HistoryFailure>> = pool.install(all);
    Ok(SolverReport {
        solver: solver.command.text().into(),
        cases: cases.into_iter().collect::<Result<_, _>>()?,
    })
}

fn judge_case(
    plan: CasePlan,
    problems: Vec<Posed>,
    solver: &Solver,
    reading: &Reading,
    interrupt: &AtomicBool,
) -> Result<HistoryReport, HistoryFailure> {
    let start = problems.first().map_or(0.0, |p| p.start);
    let ends = problems.iter().map(|p| p.span()[1]);
    let span = [start, ends.fold(start, f64::max)];
    judge_with(plan, span, interrupt, |judge| {
        // The finest step takes longest: it comes first where the steps are ordered coarse to fine.
        let judged: Vec<_> = problems
            .into_par_iter()
            .rev()
            .with_max_len(1)
            .map(|problem| judge_step(problem, judge, solver, reading, interrupt))
            .collect();
        let mut out = Judged {
            by_step: true,
            ..Judged::default()
        };
        for step in judged.into_iter().rev() {
            match step {
                Ok(report) => out.files.push(report),
                Err(failure) => out.failed.push(failure),
            }
        }
        Ok(out)
    })
}

fn judge_step(
    problem: Posed,
    judge: &Judge,
    solver: &Solver,
    reading: &Reading,
    interrupt: &AtomicBool,
) -> Result<FileReport, StepFailure> {
    let step = problem.step;
    let mut json = serde_json::to_vec(&problem).expect("plain data always serialises");
    json.push(b'\n');
    let limit = solver.time_limit;
    let mut process = Process::start(&solver.command, json, limit, interrupt)
        .map_err(|e| StepFailure::not_started(step, &solver.command, &e))?;
    let schedule = Schedule::new(problem.times, step);
    let rows = match Rows::new(&mut process, reading) {
        Ok(rows) => judge.judge(rows.wanting(schedule)).map_err(Output::rows),
        Err(e) => Err(Output::header(e)),
    };
    let ended = process.finish();
    let (finding, output) = match rows {
        Ok(finding) => (Some(finding), Output::Whole),
        Err(output) => (None, output),
    };
    // What follows a number that is not finite was not read: how that ends says nothing.
    let lost = matches!(&finding, Some(f) if f.ended != Ended::Whole);
    let failure = StepFailure::of(step, output, &ended, limit);
    match (finding, failure) {
        (Some(finding), failure) if lost || failure.is_none() => Ok(FileReport {
            file: format!("step {step}"),
            step,
            told: true,
            finding,
        }),
        (_, Some(failure)) => Err(failure),
        // Neither a finding nor a failure cannot be.
        (_, None) => Err(StepFailure {
            step,
            kind: FailureKind::Io,
            message: "its output was not read".into(),
            stderr: ended.stderr,
        }),
    }
}

impl Output {
    fn header(e: ReadError) -> Self {
        match e {
            ReadError::Content(e) => Self::NoHeader(e),
            ReadError::Io(e) => Self::Io(e),
        }
    }
    fn rows(e: ReadError) -> Self {
        match e {
            ReadError::Content(e) => Self::Rows(e),
            ReadError::Io(e) => Self::Io(e),
        }
    }
}
