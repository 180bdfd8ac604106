//! The verdicts that a reader has to know, and the sum of a report in a line.

use super::two;
use crate::report::{Outcome, Report};
use crate::verdict::{Verdict, VerdictId};
use document::{Document, Text, bad, caution, good, marked};
use std::fmt;
use topsim_core::verdict::Status;
use topsim_relations::RelationsReport;

/// Whether a reader has to know of it.
pub(super) fn is_told(v: &Verdict) -> bool {
    match v.status {
        Status::Failed | Status::Undecided => true,
        // Steps that are too coarse to tell: the table of errors would puzzle.
        Status::Skipped => matches!(v.id, VerdictId::Baseline(_) | VerdictId::Convergence),
        Status::Passed => false,
    }
}

/// The mark of what fails.
pub(super) const FAILED: &str = "✗";
/// Mark of what is worth a look and fails nothing.
pub(super) const REMARK: &str = "!";
/// The mark of what fails and is accepted.
pub(super) const ACCEPTED: &str = "~";
/// The mark of what is undecided.
pub(super) const UNDECIDED: &str = "?";
/// The mark of what holds.
pub(super) const HOLDS: &str = "✓";

/// What fails, what is accepted, what is undecided, and what a list of accepted defects holds in vain; defects and
/// steps without a history have their own lines.
pub(super) fn told(report: &Report) -> Document {
    let elsewhere = |v: &Verdict| {
        matches!(
            v.id,
            VerdictId::Defect(_) | VerdictId::Step(_) | VerdictId::Relation(_)
        )
    };
    let told = report.verdicts.iter().filter(|v| is_told(v));
    let told = told.filter(|v| v.known_defect.is_some() || !elsewhere(v));
    let mut out = Document::default();
    out.items(told.map(line));
    out
}

/// One verdict on a line.
pub(super) fn line(v: &Verdict) -> Text {
    let mark = match (v.status, &v.known_defect) {
        (Status::Failed, None) => bad(FAILED),
        (Status::Failed, Some(_)) => caution(ACCEPTED),
        (Status::Undecided, _) => caution(UNDECIDED),
        (Status::Skipped | Status::Passed, _) => caution(REMARK),
    };
    let said = v.detail.as_deref().unwrap_or_default();
    let said = match &v.known_defect {
        Some(reason) => format!(" {}, accepted ({reason}): {said}", v.id),
        None => format!(" {}: {said}", v.id),
    };
    mark.strong().then(marked(&said))
}

/// An outcome in its colour.
pub(super) fn outcome_word(outcome: Outcome) -> Text {
    let word = outcome.to_string();
    let word = match outcome {
        Outcome::Passed | Outcome::NoDefect => good(&word),
        Outcome::Undecided | Outcome::NothingNew | Outcome::Skipped => caution(&word),
        Outcome::Failed | Outcome::Incomplete => bad(&word),
    };
    word.strong()
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "PASSED",
            Self::NoDefect => "NO DEFECT FOUND",
            Self::NothingNew => "NO NEW DEFECT FOUND",
            Self::Undecided => "UNDECIDED",
            Self::Failed => "FAILED",
            Self::Incomplete => "INCOMPLETE",
            Self::Skipped => "SKIPPED",
        })
    }
}

impl Report {
    /// The sum of it in one line: what failed or is undecided, the order, what is accepted, steps without a history.
    pub fn summary(&self) -> String {
        let count = self.files.len();
        if self.skipped() {
            return self.failed[0].message.clone();
        }
        let of = |status| self.verdicts.iter().filter(move |v| v.status == status);
        let (accepted, failed): (Vec<_>, Vec<_>) =
            of(Status::Failed).partition(|v| v.known_defect.is_some());
        let undecided: Vec<_> = of(Status::Undecided).collect();
        let ids = |all: &[&Verdict]| {
            let ids = all.iter().map(|v| v.id.to_string());
            ids.collect::<Vec<_>>().join(", ")
        };
        let mut said: Vec<String> = Vec::new();
        let related = self.relations.as_ref().is_some_and(RelationsReport::judged);
        if count == 0 && !related {
            said.push("no step has a history".into());
        } else if !failed.is_empty() {
            said.push(ids(&failed));
        }
        if !undecided.is_empty() {
            said.push(format!("undecided: {}", ids(&undecided)));
        }
        let claimed = match self.claims.is_empty() {
            true => String::new(),
            false => format!(", {} claimed", self.claims),
        };
        let slope = self.tolerances.as_ref().and_then(|l| l.slope);
        if let Some(p) = slope {
            said.push(format!("errors fall as tolerance^{}{claimed}", two(p)));
        }
        match (self.order(), self.claims.is_empty()) {
            _ if slope.is_some() => {}
            (Some(p), _) => said.push(format!("order {} measured{claimed}", two(p))),
            (None, true) if count == 0 && related && failed.is_empty() => {
                said.push("judged by relations alone".into());
            }
            (None, true) if count > 0 => said.push("no order measured".into()),
            (None, true) => {}
            (None, false) => said.push(format!("no order measured{claimed}")),
        }
        if !accepted.is_empty() {
            said.push(format!("accepted: {}", ids(&accepted)));
        }
        if count > 0 && !self.failed.is_empty() {
            let of = count + self.failed.len();
            said.push(format!(
                "{} of {of} steps without a history",
                self.failed.len()
            ));
        }
        let mut said = said.join("; ");
        let good = matches!(self.outcome(), Outcome::NoDefect | Outcome::NothingNew);
        let claimed = self.claims.order.or(self.claims.tolerance);
        if good && claimed.is_none() && count > 0 {
            said.push_str(match self.tolerances {
                Some(_) => ". Claim the slope to have it judged: `tolerance=1`",
                None => ". Claim an order to have it judged",
            });
        }
        said
    }
}
