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
mod source;
mod start;
mod trace;
mod units;
mod verdict;

pub use comparison::{Compared, ErrorPair, Worst};
pub use convergence::{Convergence, LEAST_ORDER, Ladder, Rung, convergence};
pub use dynamics::{Body, Drift, Momentum, MomentumDrift};
pub use findings::{Ended, Finding, Judge};
pub use kinematics::{CONSISTENT, Hypothesis, Kinematics};
pub use reading::{AttitudeKind, EulerAngles, QuaternionOrder, RateFrame, RateUnit, Reading};
pub use rows::{HistoryError, Lost, Peak, Quality, ReadError, Rows, Sample};
pub use schedule::Schedule;
pub use source::{Source, States};
pub use start::{Convention, Start, StartAgainst};
pub use trace::{Point, Trace};
pub use verdict::{STEP, Standing, Verdict, is_verdict_id, verdict_ids};
