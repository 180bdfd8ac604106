//! Memory and disk that runs need at most, known before the first step.

use topsim_case::{Job, Problem};
use topsim_core::integration::MOST_EVENTS;
use topsim_levitron::space::RequiredSpace;

/// Bytes of a number in a history: 17 digits, sign, point, exponent, comma.
const IN_CSV: u64 = 21;
/// Bytes of a number of an event in `results.json`: its name, its digits, its indentation.
const IN_JSON: u64 = 48;

/// What the runs of a case need together: all histories are in memory until they are judged, and
/// `results.json` is made in memory.
pub fn need(problem: &Problem) -> RequiredSpace {
    let mut all = RequiredSpace::default();
    for job in &problem.jobs {
        let width = width(job);
        let events = match problem.events.len() {
            0 => 0,
            // There may be one a step; but cases sample what turns, and an event is rarer than its samples.
            _ => rows(job).min(MOST_EVENTS as u64) * width,
        };
        let memory = rows(job).saturating_mul(8 * width);
        let json = events * IN_JSON;
        all.memory = (all.memory.saturating_add(memory)).saturating_add(8 * events + json);
        all.disk = all.disk.saturating_add(history(job)).saturating_add(json);
    }
    all
}

/// What the history of a run takes on the disk.
pub fn history(job: &Job) -> u64 {
    rows(job).saturating_mul(IN_CSV * width(job))
}

fn rows(job: &Job) -> u64 {
    job.grid.samples()
}

/// Numbers of a row, its time among them.
fn width(job: &Job) -> u64 {
    1 + job.experiment.columns().width() as u64
}
