//! Reports as documents: a case in a screen, several in one; numbers for people.

mod case;
mod diagnosis;
mod history;
mod numbers;
mod relations;
mod several;
mod verdicts;

pub use case::case;
pub use several::several;
use topsim_protocol::numbers::{brief, count, number};

use crate::report::Report;
use document::{Console, Markup};
use std::fmt;
use topsim_protocol::numbers::two;

/// The [`case()`], without colours.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Console::default().render(&case(self, false)))
    }
}

/// Says that the numbers of a solver are of single precision, where that was measured.
fn single_precision(report: &Report) -> Option<String> {
    let precision = report.precision?;
    let what = precision.single?.scatters();
    let size = brief(precision.rounding);
    Some(format!(
        "Its numbers are of single precision: {what} by {size}, and smaller errors are not told."
    ))
}
