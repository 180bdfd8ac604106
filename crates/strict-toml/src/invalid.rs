//! Files with faults, and their message in plain lines.

use std::fmt::{self, Write as _};

use crate::excerpt::{clip, harmless, line_column};
use crate::fault::{Fault, FaultKind};

/// Number of faults shown of one file; the others are counted.
pub const SHOWN: usize = 50;

/// A file with faults, sorted by their position. It keeps the text, so that a message can quote it; see
/// [`Excerpt`](crate::Excerpt).
///
/// It displays as a line for each fault, `file:line:column: key: what was found; allowed: what is allowed`; faults beyond the
/// first [`SHOWN`] are counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InvalidFile {
    name: String,
    text: String,
    faults: Vec<Fault>,
}

impl InvalidFile {
    /// Makes the error of the file `name` with the contents `text`, from faults in any order.
    pub fn new(name: &str, text: &str, mut faults: Vec<Fault>) -> Self {
        faults.sort_by_cached_key(|f| (f.start(), f.key.clone(), f.message.clone()));
        faults.dedup();
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            faults,
        }
    }

    /// Makes the error of a file that cannot be used as a whole, with the reason in words.
    pub fn plain(name: &str, why: &str) -> Self {
        let fault = Fault::new(FaultKind::File, "", None, why, "");
        Self::new(name, "", vec![fault])
    }

    /// Returns the name of the file as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the contents of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns all faults, by position.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Returns line and column of a fault, both from 1; 1 and 1 if it has no place.
    pub fn position(&self, fault: &Fault) -> (usize, usize) {
        line_column(&self.text, fault.start())
    }

    /// Writes a fault in one line that is safe to print: `file:line:column: key: what was found`.
    pub fn headline(&self, fault: &Fault) -> String {
        let (line, column) = self.position(fault);
        let mut out = format!("{}:{line}:{column}: ", clip(&self.name, 1000));
        if !fault.key.is_empty() {
            let _ = write!(out, "{}: ", clip(&fault.key, 120));
        }
        out.push_str(&clip(&fault.message, 1000));
        out
    }

    /// Counts the faults: "3 problems in case.toml", and how many are shown if there are more than [`SHOWN`].
    pub fn summary(&self) -> String {
        let n = self.faults.len();
        let s = if n == 1 { "" } else { "s" };
        let mut out = format!("{n} problem{s} in {}", self.name);
        if n > SHOWN {
            let _ = write!(out, " (the first {SHOWN} are shown)");
        }
        out
    }
}

impl fmt::Display for InvalidFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |fault: &Fault| {
            let allowed = fault.allowed.iter().flat_map(|a| a.chars()).map(harmless);
            let allowed: String = allowed.collect();
            let separator = if allowed.is_empty() {
                ""
            } else {
                "; allowed: "
            };
            format!("{}{separator}{allowed}", self.headline(fault))
        };
        let mut lines: Vec<String> = self.faults.iter().take(SHOWN).map(line).collect();
        if self.faults.len() > SHOWN || self.faults.is_empty() {
            lines.push(self.summary());
        }
        f.write_str(&lines.join("\n"))
    }
}
