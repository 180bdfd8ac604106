//! Upper bounds on the memory and the disk that runs need, computed before the first step.

use tiles::space::RequiredSpace;
use topsim_case::{Problem, RunPlan};
use topsim_core::integration::MOST_EVENTS;

/// Largest size of a number in a history, in bytes: 17 digits, sign, point, exponent, comma.
const IN_CSV: u64 = 21;
/// Largest size of a number of an event in `results.json`, in bytes: its name, its digits, its indentation.
const IN_JSON: u64 = 48;

/// Returns the space that the runs of a case need together. All histories are in memory until they are judged, and
/// `results.json` is made in memory.
pub fn need(problem: &Problem) -> RequiredSpace {
    let mut all = RequiredSpace::default();
    for plan in &problem.plans {
        let width = width(plan);
        let events = match problem.events.len() {
            0 => 0,
            // Each step could have an event, but cases sample each rotation, and events are rarer than those samples.
            _ => rows(plan).min(MOST_EVENTS as u64) * width,
        };
        let memory = rows(plan).saturating_mul(8 * width);
        let json = events * IN_JSON;
        all.memory = (all.memory.saturating_add(memory)).saturating_add(8 * events + json);
        all.disk = all.disk.saturating_add(history(plan)).saturating_add(json);
    }
    all
}

/// Returns the size of the history of a run on the disk, in bytes.
pub fn history(plan: &RunPlan) -> u64 {
    rows(plan).saturating_mul(IN_CSV * width(plan))
}

fn rows(plan: &RunPlan) -> u64 {
    plan.grid.samples()
}

/// Returns how many numbers a row has, with its time.
fn width(plan: &RunPlan) -> u64 {
    1 + plan.experiment.columns().width() as u64
}
