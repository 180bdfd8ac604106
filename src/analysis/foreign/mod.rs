//! Histories computed elsewhere: read, and judged against a case. Tested in `tests/judge.rs`.

mod convergence;
mod dynamics;
mod findings;
mod header;
mod kinematics;
mod rows;
mod start;

pub use convergence::{Convergence, Ladder, Rung, convergence};
pub use dynamics::{Body, Drift, Momentum, MomentumDrift};
pub use findings::{Compared, Ended, ErrorPair, Finding, Judge, Worst};
pub use header::{AttitudeKind, EulerAngles, QuaternionOrder, RateFrame, Reading};
pub use kinematics::{Hypothesis, Kinematics};
pub use rows::{HistoryError, Peak, Quality, ReadError, Rows, Sample};
pub use start::{Start, StartAgainst};
