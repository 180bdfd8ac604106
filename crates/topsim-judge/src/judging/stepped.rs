//! Steps of an integrator in Rust: asked for short problems, and through the times of a case.

use super::rotation_problem::RotationProblem;
use crate::history::{Criteria, FileReport};
use std::cell::RefCell;
use topsim_core::models::{RigidTop, RotState, TorqueModel};
use topsim_core::schemes::StepFail;
use topsim_model::probe::{Stepper, Target};
use topsim_protocol::history::{HistoryError, ReadError, States, StepError};
use topsim_protocol::problem::{OnlyStep, Paced, SolverProblem};

/// Has a function of one step asked short problems, whose case is `probe`.
pub(super) fn asked<T>(
    step: &mut impl FnMut(&RotationProblem, f64, f64, &mut RotState),
    ask: impl FnOnce(&dyn Target) -> T,
) -> T {
    let step = RefCell::new(step);
    let target = Stepper(|top: &RigidTop<TorqueModel>, from: f64, h: f64| {
        let problem = RotationProblem {
            case: "probe".into(),
            start: from,
            top: top.clone(),
        };
        let step = &step;
        Ok(move |t: f64, y: &mut RotState| {
            (step.borrow_mut())(&problem, t, h, y);
            Ok(())
        })
    });
    ask(&target)
}

/// Has a solver asked, at the pace of its only step if it has one.
pub(super) fn paced<T>(
    only: Option<OnlyStep>,
    target: &dyn Target,
    ask: impl FnOnce(&dyn Target) -> T,
) -> T {
    match only {
        Some(only) => ask(&Paced {
            target,
            pace: |h| only.pace(h),
        }),
        None => ask(target),
    }
}

/// Reason why a step size has no history.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoHistory {
    #[error("{0}")]
    NotPosed(&'static str),
    #[error("{0}")]
    NotCovered(topsim_core::schemes::NotCovered),
    #[error("{0}")]
    NotStarted(StepFail),
    #[error("{}", described(.0))]
    Rows(ReadError),
}

/// As of a state, not of a line in a file.
fn described(e: &ReadError) -> String {
    match e {
        ReadError::Content(HistoryError {
            column: Some(column),
            found,
            allowed,
            ..
        }) => format!("`{column}`: found {found}; allowed: {allowed}"),
        ReadError::Content(e) => e.found.clone(),
        other => other.to_string(),
    }
}

/// Steps through the times wanted and has the states judged.
pub(super) fn rows(
    judge: &Criteria,
    posed: &SolverProblem,
    y: RotState,
    step: impl FnMut(f64, &mut RotState) -> Result<(), StepError>,
) -> Result<FileReport, NoHistory> {
    states(judge, posed, stepped(posed, y, 1.0, step))
}

/// Steps through the times wanted of a body that turns `pace` times as fast, and returns the states.
pub(super) fn stepped<'a>(
    posed: &'a SolverProblem,
    mut y: RotState,
    pace: f64,
    mut step: impl FnMut(f64, &mut RotState) -> Result<(), StepError> + 'a,
) -> impl Iterator<Item = Result<RotState, StepError>> + 'a {
    let (start, h) = (posed.start, posed.step);
    let mut n = 0.0;
    posed.times.iter().map(move |&wanted| {
        // Every time wanted is start + n h. A lost state is not stepped further.
        while start + (n + 0.5) * h < wanted && y.is_finite() {
            step(start + n * h, &mut y)?;
            n += 1.0;
        }
        let RotState { att, omega } = y;
        Ok(RotState {
            att,
            omega: omega / pace,
        })
    })
}

/// Has the states at the times wanted judged.
pub(super) fn states(
    judge: &Criteria,
    posed: &SolverProblem,
    all: impl Iterator<Item = Result<RotState, StepError>>,
) -> Result<FileReport, NoHistory> {
    let h = posed.step;
    let timed = posed.times.iter().zip(all);
    let timed = timed.map(|(t, y)| y.map(|y| (*t, y)));
    let judged = judge.judge(States::new(timed)).map_err(NoHistory::Rows)?;
    Ok(judged.of_step(h, None))
}
