//! Schemes of the catalogue as solvers of motions.

use crate::motion::{Motion, MotionRows};
use topsim_core::integration::registry::SchemeRow;
use topsim_core::integration::{End, Grid, Parameters};
use topsim_core::models::{AnyTop, Model};
use topsim_model::probe::{Answer, Probe, Row, Target};

/// Right schemes of four kinds: explicit, implicit, with the exact free motion, and by series.
pub const RIGHT_SCHEMES: [&str; 4] = ["quat_rk4", "liemid_imp", "exact_strang", "taylor16"];

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

/// A scheme of the catalogue, as one that is asked.
pub struct Catalogued(pub &'static SchemeRow);

impl Target for Catalogued {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |p: &Probe| {
            let states = run_scheme(self.0, &Motion::from(p.clone()))?;
            let rows = states.iter().enumerate();
            Ok(rows.map(|(k, y)| Row::of(p.time(k), y)).collect())
        };
        probes.iter().map(run).collect()
    }
}
