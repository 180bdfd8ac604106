//! Solvers of rigid-body rotation that are wrong on purpose, and right ones, for the tests of those that judge them.
//!
//! A [`Solver`] is data: laws, a rule, a habit, a precision, a report and a print. It is written from scratch, and not by the families that
//! are fitted to it. [`draw`](draw()) draws one at random; [`Solver::ids`] has what names it rightly.

mod draw;
mod euler;
mod habit;
mod history;
mod law;
mod precision;
mod report;
mod rule;
mod solver;
mod sometimes;
mod wrong_turn;

pub use draw::{SolverKind, draw, draw_many};
pub use euler::{euler_angles, euler_matrix};
pub use habit::{Evaluated, Habit, HeldPart, RowsBetween, SingleClock};
pub use law::{Equations, NarrowLaw, OutsideLaw, WrongLaw};
pub use precision::Precision;
pub use report::{Print, Report};
pub use rule::adaptive;
pub use rule::{CONTROLLED, FIXED, Rule, RunningRule, Slopes, TURNS, Tableau, by_columns, rk4};
pub use solver::{Solver, SolverRun};
pub use sometimes::{Measure, Sometimes, What, When};
pub use wrong_turn::WrongTurn;
