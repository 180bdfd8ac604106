//! Schemes of the catalogue as solvers of motions.

use crate::motion::{Motion, MotionRows};
use topsim_core::integration::registry::SchemeRow;
use topsim_core::integration::{End, Grid, Parameters};
use topsim_core::models::{AnyTop, Model};

/// The states that a scheme of the catalogue gives a motion, with its parameters' defaults.
///
/// # Errors
/// Where the scheme does not serve the body, or cannot make a step.
pub fn run_scheme(row: &SchemeRow, motion: &Motion) -> MotionRows {
    let (start, h, steps) = (motion.start(), motion.step(), motion.steps());
    let model = Model::Top(AnyTop::from(motion.top()));
    let experiment = (row.bind)(&model, &Parameters::default()).map_err(|e| e.to_string())?;
    experiment.covers(h).map_err(|e| e.to_string())?;
    // Samples half a step apart keep every step.
    let grid = Grid::new(start, start + steps as f64 * h, h, 0.5 * h);
    let run = experiment.run(&grid, &[], &|_| None);
    if run.end != End::Reached {
        return Err(format!("it ended after {} rows", run.times.len()));
    }
    let states = (0..run.times.len()).map(|k| run.columns.state(run.row(k)));
    let none = || String::from("a body without an attitude");
    states.collect::<Option<_>>().ok_or_else(none)
}
