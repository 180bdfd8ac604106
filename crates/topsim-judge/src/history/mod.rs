//! Histories computed elsewhere: read row by row, and judged against a case.

mod claimed_order;
mod comparison;
mod convergence;
mod dynamics;
mod finding;
mod header;
mod kinematics;
mod limit;
mod reading;
mod rows;
mod schedule;
mod source;
mod start;
mod statement;
mod tolerances;
mod trace;
mod units;

pub use comparison::{Deviation, ErrorPair, NotCompared, ReferenceErrors, Worst, state};
pub use convergence::{Convergence, LEAST_ORDER, Ladder, Rung, convergence};
pub use dynamics::{Body, Drift, Momentum, MomentumDrift};
pub use finding::{Criteria, Finding, HistoryEnd};
pub use kinematics::{CONSISTENT, Hypothesis, Kinematics};
pub use reading::{AttitudeKind, EulerAngles, InvalidReading, RateFrame, RateUnit, Reading};
pub use rows::{HistoryError, MotionLoss, Peak, Quality, ReadError, Rows, Sample};
pub use schedule::Schedule;
pub use source::{Source, States, StepError};
pub use start::{Convention, Start, StartAgainst};
pub use tolerances::{ToleranceLadder, ToleranceRung};
pub use trace::Trace;

pub(crate) use claimed_order::ClaimedOrder;
pub(crate) use comparison::displayed;
pub(crate) use tolerances::Tolerated;
pub(crate) use topsim_model::probe::nearest_rotation;
pub use topsim_model::report::{InvalidQuaternionOrder, QuaternionOrder};
