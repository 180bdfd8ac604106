//! Judges any rigid-body rotation solver: by the histories it has written, as a program that is given problems, or
//! as a function of one step. A report tells the errors, the order, what is conserved, and what is wrong.
//!
//! ```
//! use topsim_core::math::so3;
//! use topsim_judge::{Claims, JudgeError, RotState, RotationProblem, Trial};
//!
//! /// One step of `h` from `t`, of order 1: the torque turns the rate, the rate the attitude.
//! fn step(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
//!     y.omega += p.acceleration(t, &y.att, &y.omega) * h;
//!     y.att *= so3::exp(&(y.omega * h));
//! }
//!
//! # fn main() -> Result<(), JudgeError> {
//! let trial = Trial::case("judge_top")?.steps(&[1e-3, 5e-4, 2.5e-4]).until(0.5);
//! let mut report = trial.stepper(step)?;
//! assert!(report.passed() && (report.order().unwrap() - 1.0).abs() < 0.1, "{report}");
//! report.claim(&Claims::order(2.0));
//! assert!(!report.passed());
//! # Ok(())
//! # }
//! ```
//!
//! The attitude takes components in the body to components in space, `v_space = R v_body`; rates and torques are in
//! the body frame; SI units. `docs/judging.md` of the repository says what is judged, `docs/judging-problems.md` on
//! which problems.
//!
//! | To judge | start at |
//! |---|---|
//! | a function or a scheme, in Rust | [`Trial`] |
//! | a program that reads a problem and prints rows | [`judge_solver`], [`topsim_protocol`] |
//! | histories in files | [`judge_histories`] |
//!
//! All give a [`Report`] a case: [`Verdict`]s, from which [`Report::passed`] follows, the numbers of each
//! [`history`], and the [`diagnosis`] that names each [`defect`](Defect). Failures that a project knows are accepted
//! by a list, [`AcceptedDefects`].

mod accepted_defects;
mod conclusions;
mod counterpart;
pub mod diagnosis;
mod error;
mod given_rate;
pub mod history;
mod identification;
mod judging;
mod reference;
mod report;
mod reversal;
mod same_steps;
pub mod show;
mod thresholds;
mod verdict;

pub use accepted_defects::{AcceptedDefect, AcceptedDefects, AcceptedFile, CaseSelection};
pub use counterpart::{Counterpart, beside};
pub use error::{JudgeError, JudgeErrorKind};
pub use history::FileReport;
pub use identification::{
    Certainty, Claim, Coefficient, Identification, IdentifiedRule, MeasuredPrecision, SinglePart,
};
pub use judging::{
    HistoryFile, RotationProblem, SolverReport, Trial, Watch, identify_model, judge_histories,
    judge_solver, judging_set,
};
pub use reference::{ExactMotion, exact_motion};
pub use report::{Outcome, Report};
pub use reversal::Reversal;
pub use same_steps::SameSteps;
pub use verdict::{UnknownVerdict, Verdict, VerdictId};

pub use topsim_case::{self, Problem};
pub use topsim_core::math::{Mat3, Vec3};
pub use topsim_core::models::RotState;
pub use topsim_core::verdict::Status;
pub use topsim_core::{self};
pub use topsim_model::defect::{Defect, ModelDefect, Part, ReportingDefect, SchemeDefect};
pub use topsim_model::law::equations;
pub use topsim_model::{InvalidModel, Model};
pub use topsim_protocol::history::Reading;
pub use topsim_protocol::solver::{
    FunctionAnswer, FunctionFailure, Solver, SolverCommand, SolverFunction, SolverProgram,
};
pub use topsim_protocol::{
    self, ClaimKind, Claims, EnergyClaim, InvalidClaim, PrecisionClaim, SchemeName,
};
pub use topsim_relations;
