//! The verdicts that a reader has to know, and the sum of a report in a line.

use super::Style;
use crate::report::{Outcome, Report};
use crate::verdict::{Verdict, VerdictId};
use std::fmt::{self, Write};
use topsim_core::verdict::Status;

/// What fails, what is accepted, and what a list of accepted defects holds in vain.
pub(super) fn text(out: &mut String, verdicts: &[Verdict], style: &Style) {
    let is_told = |v: &&Verdict| match v.status {
        Status::Failed | Status::Undecided => true,
        Status::Skipped => matches!(v.id, VerdictId::Baseline(_)),
        Status::Passed => false,
    };
    let told: Vec<&Verdict> = verdicts.iter().filter(is_told).collect();
    if !told.is_empty() {
        let _ = writeln!(out, "{}", style.paint("verdicts", "1"));
    }
    for v in told {
        let (mark, word) = match (v.status, &v.known_defect) {
            (Status::Failed, None) => (style.paint("✗", "1;31"), "failed"),
            (Status::Failed, Some(_)) => (style.paint("~", "1;33"), "accepted"),
            (Status::Undecided, _) => (style.paint("!", "1;33"), "undecided"),
            (Status::Skipped | Status::Passed, _) => (style.paint("!", "1;33"), "note"),
        };
        let why = v
            .known_defect
            .as_ref()
            .map_or(String::new(), |r| format!(" ({r})"));
        let said = v.detail.as_deref().unwrap_or_default();
        let _ = writeln!(out, "  {mark} {word} {}{why}: {said}", v.id);
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "PASSED",
            Self::Undecided => "UNDECIDED",
            Self::Failed => "FAILED",
            Self::Incomplete => "INCOMPLETE",
        })
    }
}

impl Report {
    /// The sum of it in one line: the ids of what failed, the order, what is accepted, steps without a history.
    pub fn summary(&self) -> String {
        let count = self.files.len();
        let failing = self.verdicts.iter().filter(|v| v.status == Status::Failed);
        let (accepted, failed): (Vec<_>, Vec<_>) = failing.partition(|v| v.known_defect.is_some());
        let ids = |all: &[&Verdict]| {
            let ids = all.iter().map(|v| v.id.to_string());
            ids.collect::<Vec<_>>().join(", ")
        };
        let mut said = match (failed.is_empty(), count) {
            (_, 0) => "no step has a history".into(),
            (false, _) => ids(&failed),
            (true, _) if !accepted.is_empty() => "nothing else contradicts the case".into(),
            (true, 1) => "nothing in the history contradicts the case".into(),
            (true, n) => format!("nothing in the {n} histories contradicts the case"),
        };
        if let Some(p) = self.order() {
            // No minus before zero.
            let p = if p.abs() < 0.005 { 0.0 } else { p };
            let _ = write!(said, "; order {p:.2}");
        }
        if !accepted.is_empty() {
            let _ = write!(said, "; accepted: {}", ids(&accepted));
        }
        if count > 0 && !self.failed.is_empty() {
            let _ = write!(
                said,
                "; {} of {} steps without a history",
                self.failed.len(),
                count + self.failed.len()
            );
        }
        said
    }
}
