//! Problems as solvers receive them, their torque, their exact motion, and schemes of the catalogue applied to
//! them.

use super::watch::{room, watched};
use super::{bytes, floats, invalid, state};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::Path;
use std::sync::atomic::Ordering;
use topsim_case::{CaseSource, Problem};
use topsim_core::integration::{Parameters, Stops, alias, registry};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{
    BodyMotion, Inertia, LoadedGravity, Torque as _, TorqueModel, TorqueTable,
};
use topsim_protocol::problem::{ProblemChoice, SolverProblem};

/// Loads a built-in case by its name, or a case file by its path.
pub fn load(case: &str) -> PyResult<Problem> {
    if let Some(problem) = topsim_case::builtin::find(case).and_then(|_| Problem::builtin(case)) {
        return Ok(problem);
    }
    let path = Path::new(case);
    if path.extension().is_none_or(|e| e != "toml") {
        let names: Vec<&str> = topsim_case::builtin::BUILTIN
            .iter()
            .map(|b| b.name)
            .collect();
        let meant = strict_toml::meant(strict_toml::nearest(case, &names));
        return Err(invalid(format!(
            "no case is called `{case}`{meant}; allowed: a name of `topsim.cases`, or the path of a .toml file"
        )));
    }
    let text = std::fs::read_to_string(path)?;
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
    let source = CaseSource {
        name: stem.unwrap_or_default(),
        path: case.into(),
        text,
    };
    Problem::read(&source).map_err(invalid)
}

/// Returns the problems of a case, one for each step, as lines of JSON.
#[pyfunction]
pub fn problems(case: &str, steps: Vec<f64>, end: Option<f64>) -> PyResult<Vec<String>> {
    let problem = load(case)?;
    let choice = ProblemChoice {
        steps,
        end,
        ..ProblemChoice::default()
    };
    let posed = SolverProblem::all(&problem, &choice).map_err(invalid)?;
    let json = |p| serde_json::to_string(&p).map_err(invalid);
    posed.into_iter().map(json).collect()
}

/// Torque of a problem.
#[pyclass(frozen, name = "Torque")]
pub struct PyTorque {
    model: TorqueModel,
    inertia: Inertia,
}

#[pymethods]
impl PyTorque {
    /// Reads the key `torque` of a problem, as JSON, and its inertia, row by row.
    #[new]
    fn new(json: &str, inertia: [f64; 9]) -> PyResult<Self> {
        let inertia = Inertia::new(Mat3::from_row_slice(&inertia)).map_err(invalid)?;
        let model = torque(json)?.on_body(&inertia);
        Ok(Self { model, inertia })
    }
    /// Returns the torque in the body frame, N m; the attitude is given row by row, the angular velocity in the
    /// body frame.
    fn body(&self, t: f64, attitude: [f64; 9], omega: [f64; 3]) -> [f64; 3] {
        let omega = Vec3::from(omega);
        let momentum = self.inertia.times(&omega);
        let att = Mat3::from_row_slice(&attitude);
        let torque = self.model.moving(t, &att, &BodyMotion { omega, momentum });
        torque.into()
    }
}

fn torque(json: &str) -> PyResult<TorqueModel> {
    let mut table: serde_json::Value = serde_json::from_str(json).map_err(invalid)?;
    let keys = table.as_object_mut().ok_or_else(|| invalid("no table"))?;
    keys.remove("formula");
    let read = |table: serde_json::Value| -> PyResult<TorqueModel> {
        let table: TorqueTable = serde_json::from_value(table).map_err(invalid)?;
        table.torque().map_err(|e| invalid(e.found))
    };
    if table["model"] != "loaded_gravity" {
        return read(table);
    }
    let mut part = |model: &str, names: &[&str]| {
        let mut of = serde_json::Map::from_iter([("model".into(), model.into())]);
        of.extend(names.iter().map(|n| ((*n).into(), table[n].take())));
        read(of.into())
    };
    let gravity = part("gravity", &["weight", "lever", "up"])?;
    let torque = part("constant", &["torque", "frame"])?;
    match (gravity, torque) {
        (TorqueModel::Gravity(gravity), TorqueModel::Constant(torque)) => {
            Ok(LoadedGravity { gravity, torque }.into())
        }
        _ => Err(invalid("no gravity with a constant torque")),
    }
}

/// Returns the exact motion of a case: states, error bounds (attitude, rate), and the source of the numbers.
#[pyfunction]
pub fn exact_motion<'py>(
    py: Python<'py>,
    case: &str,
    times: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, String)> {
    let (problem, times) = (load(case)?, floats(times)?);
    let start = problem.plans.first().map_or(0.0, |p| p.grid.start);
    if let Some(t) = times.iter().find(|t| !(**t >= start && t.is_finite())) {
        return Err(invalid(format!(
            "t: found {t} s; allowed: times from {start} s, the start, on"
        )));
    }
    // The room for all that is made of a time, given back at once: what follows is then unlikely to find none.
    drop(room::<[f64; MADE_OF_A_TIME]>(times.len())?);
    let made = watched(py, |stop| {
        topsim_judge::exact_motion(&problem, &times, stop)
    })?;
    let motion = made.map_err(invalid)?.map_err(invalid)?;
    let mut rows: Vec<f64> = room(12 * times.len())?;
    for (_, s) in &motion.states {
        rows.extend(state(&s.att, &s.omega));
    }
    let errors = motion.errors.as_flattened();
    Ok((bytes(py, &rows)?, bytes(py, errors)?, motion.provenance))
}

/// Numbers that are in memory for each time of an exact motion: a state and its time, two bounds, the state as a row and as bytes, and
/// the bounds as bytes.
const MADE_OF_A_TIME: usize = 13 + 2 + 12 + 12 + 2;

/// Applies a scheme of the catalogue to a case; returns the names of the columns, and the rows after the step
/// counts `counts`, whole numbers as doubles, which must ascend.
#[pyfunction]
pub fn integrate<'py>(
    py: Python<'py>,
    case: &str,
    scheme: &str,
    step: f64,
    counts: &[u8],
) -> PyResult<(Vec<String>, Bound<'py, PyBytes>)> {
    let problem = load(case)?;
    let row = registry::find(scheme).ok_or_else(|| {
        let names: Vec<&str> = registry::names().collect();
        let near = alias(scheme).map(|a| a.scheme);
        let meant = strict_toml::meant(near.or_else(|| strict_toml::nearest(scheme, &names)));
        invalid(format!(
            "no scheme is called `{scheme}`{meant}; allowed: those of `topsim.schemes`"
        ))
    })?;
    let experiment = (row.bind)(&problem.model, &Parameters::default()).map_err(invalid)?;
    experiment.covers(step).map_err(invalid)?;
    let start = problem.plans.first().map_or(0.0, |p| p.grid.start);
    let steps = floats(counts)?;
    let mut counts: Vec<u64> = room(steps.len())?;
    counts.extend(steps.iter().map(|n| *n as u64));
    let mut rows: Vec<f64> = Vec::new();
    let mut full = false;
    let whole = watched(py, |stop| {
        let stops = Stops {
            start,
            step,
            counts: &counts,
            displacement: &[],
            wanted: &|| !stop.load(Ordering::Relaxed),
        };
        experiment.follow(&stops, &mut |_, row| {
            full = rows.try_reserve(row.len()).is_err();
            if !full {
                rows.extend_from_slice(row);
            }
            !full
        })
    })?;
    if full {
        return Err(PyMemoryError::new_err("the rows of the scheme"));
    }
    if !whole {
        return Err(invalid(format!(
            "a step of `{scheme}` failed at h = {step} s"
        )));
    }
    let names = experiment.columns().names().map(Into::into).collect();
    Ok((names, bytes(py, &rows)?))
}
