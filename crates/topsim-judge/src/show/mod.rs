//! Reports as documents: a case in a screen, several in one; numbers for people.

mod case;
mod diagnosis;
mod history;
mod numbers;
mod relations;
mod several;
mod verdicts;

pub use crate::numbers::{brief, count, number};
pub use case::case;
pub use several::several;

use crate::numbers::two;
use crate::report::Report;
use document::{Console, Markup};
use std::fmt;

/// The [`case()`], without colours.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Console::default().render(&case(self, false)))
    }
}
