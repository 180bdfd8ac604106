//! Reports in words: a case in a screen, several in one, numbers for people.

mod case;
mod diagnosis;
mod history;
mod numbers;
mod relations;
mod several;
mod table;
mod verdicts;
mod words;
mod wrap;

pub(crate) use words::two;
pub use words::{brief, count, number};

use crate::report::Report;
use std::fmt;

/// How a text is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// With colours.
    pub color: bool,
    /// Columns of the terminal; lines are as long as they are without it.
    pub width: Option<u16>,
    /// With all that was found.
    pub verbose: bool,
}

impl Style {
    fn paint(&self, text: &str, code: &str) -> String {
        if self.color {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.into()
        }
    }
}

/// A case: the verdict, what is wrong, the errors, the scheme, what is conserved; at most 25 lines. With `verbose`,
/// each history and all numbers too.
pub fn text(report: &Report, style: &Style) -> String {
    case::text(report, style)
}

/// Several cases of one solver: the sum of it, what is wrong once for all, and a line a case. `solver` is its command.
/// With `verbose` the texts of the cases follow.
pub fn several(solver: &str, reports: &[&Report], style: &Style) -> String {
    let mut out = several::text(solver, reports, style);
    if style.verbose {
        for report in reports {
            out.push('\n');
            out.push_str(&text(report, style));
        }
    }
    out
}

/// The [`text`], without colours.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self, &Style::default()))
    }
}
