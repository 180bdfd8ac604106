//! Reports as documents: a case in a screen, several in one; numbers for people.

mod case;
mod diagnosis;
mod history;
mod numbers;
mod relations;
mod several;
mod verdicts;
mod words;

pub use case::case;
pub use several::several;
pub(crate) use words::two;
pub use words::{brief, count, number};

use crate::report::Report;
use document::{Console, Markup};
use std::fmt;

/// The [`case()`], without colours.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Console::default().render(&case(self, false)))
    }
}
