//! Many problems that a solver advances together: one JSON object of arrays, whose first axis is the world.

use super::SolverProblem;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Version of the protocol in which a start is given batches, one a line, and answers each with an array of NumPy.
pub const BATCH: u32 = 3;
/// Most worlds of one batch.
pub const MOST_WORLDS: usize = 4096;
/// Most rows of a batch, all worlds together: 28 MB in double precision.
const MOST_ROWS: usize = 1 << 19;

/// A batch of problems for a solver: worlds with the same start, step, number of steps, rows and model of the torque.
///
/// The solver answers with one array in NumPy's format `.npy`, of the shape (worlds, rows, 7) and of float64 or float32: the
/// attitude as a quaternion (w, x, y, z), body → space, and the angular velocity in the body frame, rad/s.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Batch")]
#[non_exhaustive]
pub struct ProblemBatch {
    /// Version of the protocol.
    pub protocol: u32,
    /// Version of topsim.
    pub topsim: String,
    /// Number of worlds: the length of every array in `body`, `torque` and `initial`.
    pub worlds: usize,
    /// The rigid bodies.
    pub body: BatchBodies,
    /// Torques about the points they turn about, N m: `model` and `formula` are texts, and each number of the model is an
    /// array with the values of all worlds.
    pub torque: Map<String, Value>,
    /// The states at `start`.
    pub initial: BatchStarts,
    /// Equations of the rotation.
    pub equations: &'static str,
    /// Time of the initial states, s.
    pub start: f64,
    /// Step, s: t_n = start + n step.
    pub step: f64,
    /// Number of steps.
    pub steps: u64,
    /// Tolerance, where a solver is judged at several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Times of the rows wanted, s; the first is `start`.
    pub times: Vec<f64>,
    /// Numbers of steps after which these rows are wanted.
    pub rows: Vec<u64>,
}

/// Bodies of a batch, an entry for each world.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct BatchBodies {
    /// Inertia in the body frame, kg m².
    pub inertia: Vec<[[f64; 3]; 3]>,
    /// Its principal moments, kg m².
    pub moments: Vec<[f64; 3]>,
    /// Attitude of the principal axes in the body, as a quaternion with its scalar part first.
    pub principal: Vec<[f64; 4]>,
}

/// Initial states of a batch, an entry for each world.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct BatchStarts {
    /// Attitude, body → space, as a quaternion with its scalar part first.
    pub quaternion: Vec<[f64; 4]>,
    /// Angular velocity in the body frame, rad/s.
    pub angular_velocity_body: Vec<[f64; 3]>,
}

impl ProblemBatch {
    /// Makes the batch of problems that go together; those without a body or a torque are no worlds.
    pub(crate) fn new(problems: &[&SolverProblem]) -> Self {
        let first = problems.first().expect("a batch has a world");
        let bodies = || problems.iter().filter_map(|p| p.body.as_ref());
        let torques: Vec<Value> = problems.iter().map(|p| torque(p)).collect();
        let torque = match together(&torques) {
            Value::Object(torque) => torque,
            _ => Map::new(),
        };
        Self {
            protocol: BATCH,
            topsim: first.topsim.clone(),
            worlds: problems.len(),
            body: BatchBodies {
                inertia: bodies().map(|b| b.inertia).collect(),
                moments: bodies().map(|b| b.principal.moments).collect(),
                principal: bodies().map(|b| b.principal.quaternion).collect(),
            },
            torque,
            initial: BatchStarts {
                quaternion: problems.iter().map(|p| p.initial.quaternion).collect(),
                angular_velocity_body: problems
                    .iter()
                    .map(|p| p.initial.angular_velocity_body)
                    .collect(),
            },
            equations: first.equations,
            start: first.start,
            step: first.step,
            steps: first.steps,
            tolerance: first.tolerance,
            times: first.times.clone(),
            rows: first
                .times
                .iter()
                .map(|t| ((t - first.start) / first.step).round() as u64)
                .collect(),
        }
    }

    /// Returns the batch as a solver gets it, on one line.
    pub(crate) fn line(&self) -> String {
        serde_json::to_string(self).expect("plain data always serialises") + "\n"
    }

    /// Returns the places of problems that go together, for each batch, in the order of their first problems.
    pub(crate) fn places(problems: &[SolverProblem]) -> Vec<Vec<usize>> {
        let mut out: Vec<Vec<usize>> = Vec::new();
        let mut last = BTreeMap::new();
        for (place, problem) in problems.iter().enumerate() {
            let batch = last.entry(kind(problem)).or_insert(usize::MAX);
            let most = (MOST_ROWS / problem.times.len().max(1)).clamp(1, MOST_WORLDS);
            if out.get(*batch).is_none_or(|batch| batch.len() >= most) {
                *batch = out.len();
                out.push(Vec::new());
            }
            out[*batch].push(place);
        }
        out
    }
}

/// What problems of one batch have in common: times, step, tolerance, and the torque without its numbers.
type BatchKind = (Vec<u64>, String);

fn kind(problem: &SolverProblem) -> BatchKind {
    let tolerance = problem.tolerance.unwrap_or_default();
    let numbers = [problem.step, tolerance].into_iter();
    let numbers = numbers.chain(problem.times.iter().copied());
    let mut of = String::new();
    form(&torque(problem), &mut of);
    (numbers.map(f64::to_bits).collect(), of)
}

fn torque(problem: &SolverProblem) -> Value {
    serde_json::to_value(&problem.torque).expect("plain data always serialises")
}

/// Writes a value without its numbers: the form that is the same in all worlds of a batch.
fn form(value: &Value, out: &mut String) {
    match value {
        Value::Number(_) => out.push('0'),
        Value::Array(all) => {
            out.push('[');
            all.iter().for_each(|value| form(value, out));
            out.push(']');
        }
        Value::Object(table) => table.iter().for_each(|(key, value)| {
            out.push_str(key);
            out.push(':');
            form(value, out);
        }),
        text => out.push_str(&text.to_string()),
    }
}

/// Returns one value of those of the worlds: a number or an array becomes an array, what is the same in all stays.
fn together(values: &[Value]) -> Value {
    match &values[0] {
        Value::Object(table) => {
            let each = table.keys().map(|key| {
                let inner: Vec<Value> = values.iter().map(|value| value[key].clone()).collect();
                (key.clone(), together(&inner))
            });
            Value::Object(each.collect())
        }
        Value::Number(_) | Value::Array(_) => Value::Array(values.to_vec()),
        same => same.clone(),
    }
}
