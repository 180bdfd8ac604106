//! Time of a step of a solver, without that of its start.

use super::{Solver, SolverSession, StepFailure};
use crate::history::Reading;
use crate::problem::SolverProblem;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Number of runs of one step, the shortest of which is taken for the start of the program.
const STARTS: u32 = 3;
/// Number of steps of the first longer run.
const FIRST: u64 = 1000;
/// Time of a run's steps that suffices, s: hundred times as long as the time of a start scatters.
const ENOUGH: f64 = 0.3;
/// Largest number of steps of a run: with it, steps of 20 ns last longer than [`ENOUGH`].
const MOST: u64 = 20_000_000;

/// Measures the time of a step of a solver, s: the time of a run of many steps without rows between, less that of a run of one step.
///
/// # Errors
/// The failure of the solver on such a run.
pub fn time_of_step(
    problem: &SolverProblem,
    solver: &Solver,
    reading: &Reading,
    interrupt: &AtomicBool,
) -> Result<f64, StepFailure> {
    let session = SolverSession::new(solver, reading, interrupt);
    let timed = |steps: u64| {
        let started = Instant::now();
        session.step(problem.of_steps(steps), |rows| {
            while rows.next_row()?.is_some() {}
            Ok(())
        })?;
        Ok(started.elapsed().as_secs_f64())
    };
    let mut start = f64::INFINITY;
    for _ in 0..STARTS {
        start = start.min(timed(1)?);
    }
    let mut steps = FIRST;
    loop {
        let time = (timed(steps)? - start).max(0.0);
        if time >= ENOUGH || steps == MOST {
            return Ok(time / steps as f64);
        }
        // The next run should last long enough by a margin; a short run says little of the time.
        let longer = (2.0 * ENOUGH / time).clamp(2.0, 100.0);
        steps = ((steps as f64 * longer) as u64).min(MOST);
    }
}
