//! Histories computed elsewhere, compared with the motion of a case: errors, drift and order.

mod claimed_order;
mod comparison;
mod convergence;
mod dynamics;
mod file_report;
mod kinematics;
mod start;
mod text;
mod tolerances;
mod trace;

pub use comparison::{Deviation, ErrorPair, NotCompared, ReferenceErrors, Worst};
pub use convergence::{Convergence, Ladder, Rung, convergence};
pub use dynamics::{Body, Drift, Momentum, MomentumDrift};
pub use file_report::{Criteria, FileReport, HistoryEnd};
pub use kinematics::{Hypothesis, Kinematics};
pub use start::{Convention, Start, StartAgainst};
pub use tolerances::{ToleranceLadder, ToleranceRung};
pub use trace::Trace;

pub(crate) use claimed_order::ClaimedOrder;
pub(crate) use comparison::displayed;
pub(crate) use tolerances::Tolerated;
