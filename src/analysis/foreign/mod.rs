//! Histories computed elsewhere: read, and judged against a case. Tested in `tests/judge.rs`.

mod comparison;
mod convergence;
pub mod diagnosis;
mod dynamics;
mod findings;
mod header;
mod kinematics;
mod limit;
mod reading;
mod rows;
mod schedule;
mod start;
mod trace;
mod units;

pub use comparison::{Compared, ErrorPair, Worst};
pub use convergence::{Convergence, Ladder, Rung, convergence};
pub use dynamics::{Body, Drift, Momentum, MomentumDrift};
pub use findings::{Ended, Finding, Judge};
pub use kinematics::{Hypothesis, Kinematics};
pub use reading::{AttitudeKind, EulerAngles, QuaternionOrder, RateFrame, RateUnit, Reading};
pub use rows::{HistoryError, Lost, Peak, Quality, ReadError, Rows, Sample};
pub use schedule::Schedule;
pub use start::{Convention, Start, StartAgainst};
pub use trace::{Point, Trace};
