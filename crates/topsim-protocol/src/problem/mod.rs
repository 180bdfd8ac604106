//! A case as it is posed to a solver that knows nothing of topsim: protocol 1 of `judge --solver`, one JSON object with
//! the body, its torque as a formula with numbers, the start, the step and the rows wanted.
//!
//! SI units. A vector in the body frame turns with the body; `v_space = R v_body`.

mod batch;
mod body;
mod choice;
mod form;
mod pace;
mod probe;
mod rate;
mod start;

pub use batch::{BATCH, BatchBodies, BatchStarts, MOST_WORLDS, ProblemBatch};
pub use body::{Joint, JointKind, PrincipalInertia, ProblemBody, ReferencePoint, Translation};
pub use choice::{InvalidChoice, ProblemChoice, RelationsChoice};
pub use form::{InvalidForm, ProblemForm};
pub use pace::{InvalidOnlyStep, OnlyStep, Pace, Paced};
pub use probe::{case_probe, span};
pub use rate::{ProblemRate, SAMPLES};
pub use start::ProblemStart;

use schemars::JsonSchema;
use serde::Serialize;
use topsim_case::Problem;
use topsim_core::integration::Grid;
use topsim_core::math::Mat3;
use topsim_core::models::{AnyTop, GivenRate, Model, RateModel, TorqueModel};

/// Version of the protocol: what is sent, and what is read back.
pub const PROTOCOL: u32 = 1;
/// The version in which one start is given several problems, one a line, and answers with a table each, an empty line
/// between. topsim tries it once, and goes on with version 1 where it gets no two tables.
pub const SEVERAL: u32 = 2;

/// The equations that are posed.
const EQUATIONS: &str = "R' = R hat(w_body);  J w_body' = cross(J w_body, w_body) + tau_body";
/// Those of a given rate.
const KINEMATICS: &str = "R' = R hat(W(t)), W the body rate";

/// Intervals between the rows of a solver with a tolerance: many of these end a step at each row, and rows that are near to each
/// other would choose the steps.
const FEW_ROWS: f64 = 4.0;

/// Most rows one run is asked for; cases keep to it, other steps need not.
const MOST_ROWS: u64 = 2_000_000;
/// Most phase of a given rate in a problem, rad: its increments take some seconds then.
const MOST_PHASE: f64 = 4e6;

/// A problem for a solver: one JSON object on its standard input.
///
/// The solver prints CSV on standard output: a line with the names of the columns (`t`, an attitude such as
/// `qw,qx,qy,qz`, optionally `W1,W2,W3` or `omega_x,omega_y,omega_z`, `x,y,z`, `H`) and one row for each of
/// `times`, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Posed")]
pub struct SolverProblem {
    /// Version of the protocol.
    pub protocol: u32,
    /// Version of topsim.
    pub topsim: String,
    /// Name of the case.
    pub case: String,
    /// Its title.
    pub title: String,
    /// The rigid body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<ProblemBody>,
    /// Torque about the point it turns about, N m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torque: Option<TorqueModel>,
    /// The body rate, where it is given and only the attitude is asked for: instead of a body and its torque.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<ProblemRate>,
    /// Motion of the centre of mass of a body that flies.
    pub translation: Option<Translation>,
    /// What holds the body, where the case has its centre of mass as a coordinate.
    pub joint: Option<Joint>,
    /// The state at `start`.
    pub initial: ProblemStart,
    /// Equations of the rotation.
    pub equations: &'static str,
    /// Time of the initial state, s.
    pub start: f64,
    /// End that is asked for, s; the last step may lie beyond it.
    pub end: f64,
    /// Step, s: t_n = start + n step.
    pub step: f64,
    /// Number of steps: the least with which `end` is reached.
    pub steps: u64,
    /// Tolerance, where a solver is judged at several: rows are wanted at all `times`, by steps of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Times of the rows wanted, s: each start + n step; the first is `start`, the last start + steps step.
    pub times: Vec<f64>,
}

/// Why a case cannot be posed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotPosed {
    /// No attitude.
    #[error(
        "the case `{0}` has no body with an attitude and a run; allowed: cases of a rotating body"
    )]
    NoBody(String),
    /// A step or an end out of range.
    #[error("{what}: found {found}; allowed: {allowed}")]
    Range {
        /// Which.
        what: &'static str,
        /// Its value.
        found: String,
        /// What would do.
        allowed: String,
    },
}

impl SolverProblem {
    /// Returns the problem with another number of steps, of which only the first and the last state are wanted.
    pub(crate) fn of_steps(&self, steps: u64) -> Self {
        let end = self.start + steps as f64 * self.step;
        Self {
            end,
            steps,
            times: vec![self.start, end],
            ..self.clone()
        }
    }

    /// The problems of a case, one for each step, in the order of the steps; those of the case coarse to fine.
    ///
    /// # Errors
    /// [`NotPosed`].
    pub fn all(problem: &Problem, choice: &ProblemChoice) -> Result<Vec<Self>, NotPosed> {
        let no_body = || NotPosed::NoBody(problem.name.clone());
        let (Some(first), Some(case_end)) = (problem.grids.first(), problem.end) else {
            return Err(no_body());
        };
        let Grid { start, sample, .. } = *first;
        let end = choice.end.unwrap_or(case_end);
        if !(end > start && end <= case_end) {
            return Err(NotPosed::Range {
                what: "--end",
                found: format!("{end} s"),
                allowed: format!(
                    "for `{}` a time after {start} and not after {case_end} s",
                    problem.name
                ),
            });
        }
        let steps = if choice.steps.is_empty() {
            let mut own: Vec<f64> = problem.grids.iter().map(|g| g.h).collect();
            own.sort_by(|a, b| b.total_cmp(a));
            own.dedup();
            own.retain(|h| *h <= end - start);
            if own.is_empty() {
                return Err(NotPosed::Range {
                    what: "--end",
                    found: format!("{end} s, before the first step of `{}`", problem.name),
                    allowed: "a later end, or shorter `--steps`".into(),
                });
            }
            own
        } else {
            choice.steps.clone()
        };
        for (i, h) in steps.iter().enumerate() {
            // Nearer than this no order could be told.
            if steps[..i].iter().any(|g| (g / h - 1.0).abs() < 0.01) {
                return Err(NotPosed::Range {
                    what: "--steps",
                    found: format!("{h} s twice, or nearly so"),
                    allowed: "steps that differ, such as 0.01,0.005,0.0025".into(),
                });
            }
        }
        let pose = |h: f64| Self::new(problem, (start, end), h, sample);
        if choice.tolerances.is_empty() {
            return steps.into_iter().map(pose).collect();
        }
        if choice.steps.len() > 1 {
            return Err(NotPosed::Range {
                what: "--steps",
                found: format!("{} steps beside `--tolerances`", steps.len()),
                allowed: "one step, which spaces the rows, or none".into(),
            });
        }
        for (i, tolerance) in choice.tolerances.iter().enumerate() {
            if choice.tolerances[..i].contains(tolerance) {
                return Err(NotPosed::Range {
                    what: "--tolerances",
                    found: format!("{tolerance:e} twice"),
                    allowed: "tolerances that differ, such as 1e-4,1e-6,1e-8".into(),
                });
            }
        }
        let apart = choice.steps.first().copied();
        let posed = pose(apart.unwrap_or((end - start) / FEW_ROWS))?;
        let of = |tolerance: &f64| Self {
            tolerance: Some(*tolerance),
            ..posed.clone()
        };
        Ok(choice.tolerances.iter().map(of).collect())
    }

    fn new(
        problem: &Problem,
        (start, end): (f64, f64),
        h: f64,
        sample: f64,
    ) -> Result<Self, NotPosed> {
        let out_of_range = |found: String, allowed: String| NotPosed::Range {
            what: "--steps",
            found,
            allowed,
        };
        let least = Grid::least_step(start, end);
        if !(h > least && h <= end - start) {
            return Err(out_of_range(
                format!("a step of {h} s"),
                format!(
                    "for `{}` steps from {least:.1e} to {} s, its span",
                    problem.name,
                    end - start
                ),
            ));
        }
        let grid = Grid::new(start, end, h, sample);
        if grid.samples() > MOST_ROWS {
            return Err(out_of_range(
                format!(
                    "a step of {h} s, which makes {} rows of `{}`",
                    grid.samples(),
                    problem.name
                ),
                format!("steps that make at most {MOST_ROWS} rows"),
            ));
        }
        if let Model::GivenRate(given) = &problem.model {
            let longest = problem.model.longest_step(start, end);
            if h > longest {
                return Err(out_of_range(
                    format!("a step of {h} s, for which the given rate varies too fast"),
                    format!("for `{}` steps of at most {longest:.2e} s", problem.name),
                ));
            }
            let phase = given.rate.phase_bound(start, end);
            if phase > MOST_PHASE {
                let until = start + 0.995 * (end - start) * MOST_PHASE / phase;
                return Err(NotPosed::Range {
                    what: "--end",
                    found: format!(
                        "an end at {end} s, up to which the given rate varies by {phase:.0e} rad"
                    ),
                    allowed: format!("for `{}` an end before {until:.2e} s", problem.name),
                });
            }
            if grid.steps > MOST_ROWS / u64::from(SAMPLES) {
                return Err(out_of_range(
                    format!(
                        "a step of {h} s, which makes {} samples of the rate",
                        grid.steps * u64::from(SAMPLES)
                    ),
                    format!("steps that make at most {MOST_ROWS} samples"),
                ));
            }
            let names = (problem.name.clone(), problem.title.clone());
            return Ok(Self {
                end,
                ..Self::turning(given, &grid, names)
            });
        }
        let Some(top) = rotation(&problem.model) else {
            return Err(NotPosed::NoBody(problem.name.clone()));
        };
        Ok(Self {
            protocol: PROTOCOL,
            topsim: env!("CARGO_PKG_VERSION").into(),
            case: problem.name.clone(),
            title: problem.title.clone(),
            body: Some(ProblemBody::of(&top, &problem.model)),
            torque: Some(top.torque.clone()),
            rate: None,
            translation: Translation::of(&problem.model),
            joint: Joint::of(&problem.model),
            initial: ProblemStart::of(&top, &problem.model),
            equations: EQUATIONS,
            start,
            end,
            step: h,
            steps: grid.steps,
            tolerance: None,
            times: times(&grid),
        })
    }

    /// A problem of a given rate.
    fn turning(given: &GivenRate<RateModel>, grid: &Grid, (case, title): (String, String)) -> Self {
        let times = times(grid);
        Self {
            protocol: PROTOCOL,
            topsim: env!("CARGO_PKG_VERSION").into(),
            case,
            title,
            body: None,
            torque: None,
            rate: Some(ProblemRate::of(&given.rate, grid)),
            translation: None,
            joint: None,
            initial: ProblemStart::turning(given, grid.start),
            equations: KINEMATICS,
            start: grid.start,
            end: grid.time(grid.steps),
            step: grid.h,
            steps: grid.steps,
            tolerance: None,
            times,
        }
    }

    /// From the first to the last row wanted, s.
    pub fn span(&self) -> [f64; 2] {
        [self.start, *self.times.last().unwrap_or(&self.start)]
    }
}

fn times(grid: &Grid) -> Vec<f64> {
    let mut out = vec![grid.time(0)];
    let mut n = 0;
    while n < grid.steps {
        n = grid.next_sample(n);
        out.push(grid.time(n));
    }
    out
}

/// The rotation of a model about the point it turns about, unless it has none.
pub fn rotation(model: &Model) -> Option<AnyTop> {
    match model {
        Model::Top(top) => Some(top.clone()),
        Model::Jointed(body) => Some(body.top().clone().into()),
        Model::Reduced(_) | Model::GivenRate(_) => None,
    }
}

/// Rows of a matrix.
fn rows(m: &Mat3) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| m[(i, j)]))
}
