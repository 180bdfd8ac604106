//! Tests of rotation code, tested: right and wrong solvers, the history of each on a problem, and what a test should say of it.
//!
//! ```
//! let solvers = topsim_gate::solvers();
//! assert_eq!(solvers.iter().filter(|s| s.is_right).count(), 10);
//! assert_eq!(solvers.iter().filter(|s| !s.is_right).count(), 40);
//! ```

mod score;

pub use score::{GateAnswer, GateScore, GateVerdict};

use serde::Deserialize;
use topsim_case::Problem;
use topsim_core::math::so3;
use topsim_model::habit::Habit;
use topsim_model::{Change, Model, Report, Stepping};
use topsim_protocol::solver::{StepSolution, solve_by_model};

/// The solvers: `right` and `wrong`, each with what differs from classical Runge–Kutta on the quaternion and the body rate.
const SOLVERS: &str = include_str!("solvers.toml");

/// A solver that a test should accept or reject.
#[derive(Debug, Clone, PartialEq)]
pub struct GateSolver {
    /// Description of the rule, the law or the form of rows that is right or wrong.
    pub name: String,
    /// True if a test should accept it.
    pub is_right: bool,
    /// Solver as data.
    pub model: Model,
}

/// The file of the solvers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SolverFile {
    right: Vec<SolverRow>,
    wrong: Vec<SolverRow>,
}

/// A row of the file: what is left out is that of the usual solver.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SolverRow {
    name: String,
    #[serde(default)]
    law: Vec<Change>,
    rule: Option<Stepping>,
    #[serde(default)]
    habit: Habit,
    #[serde(default)]
    report: Report,
}

/// Returns all solvers, the right ones first.
///
/// # Panics
/// Panics if the file of the solvers is not valid, which a test excludes.
pub fn solvers() -> Vec<GateSolver> {
    let file: SolverFile = toml::from_str(SOLVERS).expect("a test reads the solvers");
    let usual = file.right[0].rule.expect("the first solver has a rule");
    let solver = |is_right: bool, row: SolverRow| GateSolver {
        name: row.name,
        is_right,
        model: Model {
            law: row.law,
            stepping: row.rule.unwrap_or(usual),
            habit: row.habit,
            report: row.report,
        },
    };
    let right = file.right.into_iter().map(|row| solver(true, row));
    let wrong = file.wrong.into_iter().map(|row| solver(false, row));
    right.chain(wrong).collect()
}

/// Histories of a solver on a problem, one for each step of the problem, from the longest.
#[derive(Debug, Clone, PartialEq)]
pub struct GateHistories {
    /// Solver.
    pub solver: GateSolver,
    /// Its rows.
    pub steps: Vec<StepSolution>,
}

/// Reason why a problem has no histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the case has no body whose motion a model can follow; allowed: a case of a body that turns freely or about a point"
)]
pub struct NotSimulated;

/// Part of the turn by which rows of a wrong solver must differ from those of the right one to be wrong on a problem, rad.
const DIFFERENT: f64 = 1e-6;

/// Simulates the solvers on a problem. A wrong solver whose rows are those of the right one is left out: on this problem nothing is wrong
/// with it.
///
/// # Errors
/// [`NotSimulated`].
pub fn histories(problem: &Problem) -> Result<Vec<GateHistories>, NotSimulated> {
    let mut out: Vec<GateHistories> = Vec::new();
    for solver in solvers() {
        let mut steps = solve_by_model(problem, &solver.model).ok_or(NotSimulated)?;
        steps.sort_by(|a, b| b.step.total_cmp(&a.step));
        let is_wrong = || out.first().is_none_or(|usual| differ(&usual.steps, &steps));
        if solver.is_right || is_wrong() {
            out.push(GateHistories { solver, steps });
        }
    }
    Ok(out)
}

/// Tests whether rows differ by more than right solvers do.
fn differ(usual: &[StepSolution], other: &[StepSolution]) -> bool {
    let (Some(usual), Some(other)) = (usual.last(), other.last()) else {
        return true;
    };
    let mut pairs = usual.rows.iter().zip(&other.rows);
    pairs.any(|((_, a), (_, b))| {
        let turn = so3::angle_between(&a.att, &b.att);
        let rate = (a.omega - b.omega).norm() / a.omega.norm().max(1.0);
        !(turn.max(rate) < DIFFERENT)
    })
}

/// Writes the rows of a history as CSV: the time (s), the quaternion (scalar first, body to space) and the body rate (rad/s).
pub fn csv(solution: &StepSolution) -> String {
    let mut out = String::from("t,qw,qx,qy,qz,W1,W2,W3\n");
    let mut before = [1.0, 0.0, 0.0, 0.0];
    for (t, state) in &solution.rows {
        let (mut q, w) = (so3::quat_from_matrix(&state.att), state.omega);
        // A quaternion keeps its sign from row to row, as solvers write it.
        if q.iter().zip(&before).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
            q = q.map(|x| -x);
        }
        before = q;
        let numbers = [*t, q[0], q[1], q[2], q[3], w.x, w.y, w.z];
        let words: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
        out += &(words.join(",") + "\n");
    }
    out
}

#[cfg(test)]
mod tests;
