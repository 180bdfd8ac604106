//! Other people's solvers of rigid-body rotation: how a problem is posed to them, how they are asked, and how their rows are
//! read.
//!
//! | to | start at |
//! |---|---|
//! | pose a problem, as JSON or text | [`problem::SolverProblem`] |
//! | run a program or a function on it | [`solver::Solver`], [`solver::solve`] |
//! | ask a solver many short problems | [`solver::Solver::asked`] |
//! | read rows of any columns, conventions and units | [`history::Rows`] |
//! | say what is claimed of a solver | [`Claims`] |
//!
//! The attitude takes components in the body to components in space, `v_space = R v_body`; SI units. `docs/protocol.md` of
//! the repository is the protocol as those who write solvers need it.

mod claims;
pub mod history;
pub mod numbers;
pub mod parallel;
pub mod problem;
mod scheme_name;
pub mod solver;

pub use claims::{ClaimKind, Claims, EnergyClaim, InvalidClaim, PrecisionClaim};
pub use scheme_name::{NamedRule, RULES, SchemeName};
