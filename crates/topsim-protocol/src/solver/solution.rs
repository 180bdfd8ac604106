//! The rows of a solver at the steps of a problem, as they are.

use super::failure::FailureKind;
use super::{Solver, SolverSession, StepFailure};
use crate::history::{HistoryError, ReadError, Reading};
use crate::parallel::Threads;
use crate::problem::{NotPosed, ProblemChoice, SolverProblem, rotation};
use std::sync::atomic::{AtomicBool, Ordering};
use topsim_case::Problem;
use topsim_core::models::{RigidTop, RotState};
use topsim_model::probe::Start;
use topsim_model::{Model, State};

/// Reason for which a solver was not run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// A problem or steps that cannot be posed.
    #[error("error: {0}")]
    NotPosed(#[from] NotPosed),
    /// Somebody stopped it.
    #[error("interrupted")]
    Interrupted,
}

/// What a solver made of one step.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StepSolution {
    /// Step, s.
    pub step: f64,
    /// Its rows, with their times in s.
    pub rows: Vec<(f64, RotState)>,
    /// Torque evaluations that made them, where it states them.
    pub evaluations: Option<u64>,
}

/// Runs a solver at the steps of a problem, those of the case unless others are chosen, and gives what came out; of
/// each step that has no complete rows with a rate, why.
///
/// # Errors
/// [`SolveError`].
pub fn solve(
    problem: &Problem,
    choice: &ProblemChoice,
    solver: &Solver,
    reading: &Reading,
    interrupt: &AtomicBool,
) -> Result<Vec<Result<StepSolution, StepFailure>>, SolveError> {
    let started = SolverSession::new(solver, reading, interrupt);
    let posed = SolverProblem::all(problem, choice)?;
    let solved = Threads::new(solver.jobs).map(posed, |posed| {
        let step = posed.step;
        let solved = started.step(posed, |source| {
            let mut rows = Vec::new();
            while let Some(sample) = source.next_row()? {
                let Some(omega) = sample.omega else {
                    return Err(ReadError::Content(HistoryError::no_rate()));
                };
                let att = sample.att;
                rows.push((sample.t, RotState { att, omega }));
            }
            let (lost, evaluations) = (source.quality().lost.clone(), source.evaluations());
            Ok((rows, evaluations, lost))
        })?;
        let (rows, evaluations, lost) = solved;
        match lost {
            None => Ok(StepSolution {
                step,
                rows,
                evaluations,
            }),
            Some(lost) => Err(StepFailure {
                step,
                kind: FailureKind::Rows,
                message: format!("line {}: {}", lost.line, lost.why),
                stderr: Vec::new(),
            }),
        }
    });
    if interrupt.load(Ordering::Relaxed) {
        return Err(SolveError::Interrupted);
    }
    Ok(solved)
}

/// Simulates a model on a problem at the steps of the case; none where it cannot be simulated on its body.
#[must_use]
pub fn solve_by_model(problem: &Problem, model: &Model) -> Option<Vec<StepSolution>> {
    let top = rotation(&problem.model)?;
    let body = Start::from(&RigidTop::new(top.inertia, top.torque, top.initial));
    let mut out: Vec<StepSolution> = Vec::new();
    for grid in &problem.grids {
        if out.iter().any(|s| s.step == grid.h) {
            continue;
        }
        let mut counts = vec![0];
        while let Some(&last) = counts.last()
            && last < grid.steps
        {
            counts.push(grid.next_sample(last));
        }
        let states = model.run(&body, (grid.start, grid.h), &counts);
        if states.is_empty() {
            return None;
        }
        let row = |(n, y): (&u64, State)| {
            let (att, omega) = (y.attitude(), y.omega);
            (grid.time(*n), RotState { att, omega })
        };
        out.push(StepSolution {
            step: grid.h,
            rows: counts.iter().zip(states).map(row).collect(),
            evaluations: None,
        });
    }
    Some(out)
}
