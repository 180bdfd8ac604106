//! Histories computed elsewhere, read row by row: columns, conventions and units, and what was met on the way.

mod header;
mod limit;
mod reading;
mod rows;
mod schedule;
mod source;
mod statement;
mod units;

pub use header::RenamedColumn;
pub use reading::{AttitudeKind, EulerAngles, InvalidReading, RateFrame, RateUnit, Reading};
pub use rows::{HistoryError, MotionLoss, Peak, Quality, ReadError, Rows, Sample};
pub use schedule::Schedule;
pub use source::{Source, States, StepError};

use topsim_model::probe::nearest_rotation;
pub use topsim_model::report::{InvalidQuaternionOrder, QuaternionOrder};
