//! A report in short, for people: the verdicts, what explains them, and where to look.

use crate::report::{Outcome, Report};
use crate::verdict::{VerdictId, VerdictStatus};
use serde::Serializer;
use std::fmt;

/// Serialises an error as what it says.
pub(crate) fn displayed<T: fmt::Display, S: Serializer>(
    value: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
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
        let ids = |status: VerdictStatus| {
            let of = self.verdicts.iter().filter(|v| v.status == status);
            of.map(|v| v.id.to_string()).collect::<Vec<_>>()
        };
        let (failed, accepted) = (ids(VerdictStatus::Failed), ids(VerdictStatus::Accepted));
        let mut said = match (failed.is_empty(), count) {
            (_, 0) => "no step has a history".into(),
            (false, _) => failed.join(", "),
            (true, _) if !accepted.is_empty() => "nothing else contradicts the case".into(),
            (true, 1) => "nothing in the history contradicts the case".into(),
            (true, n) => format!("nothing in the {n} histories contradicts the case"),
        };
        if let Some(p) = self.order() {
            // No minus before zero.
            let p = if p.abs() < 0.005 { 0.0 } else { p };
            said += &format!("; order {p:.2}");
        }
        if !accepted.is_empty() {
            said += &format!("; accepted: {}", accepted.join(", "));
        }
        if count > 0 && !self.failed.is_empty() {
            said += &format!(
                "; {} of {} steps without a history",
                self.failed.len(),
                count + self.failed.len()
            );
        }
        said
    }
}

/// In short; `topsim judge` prints more.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} · {}", self.case, self.title)?;
        match (&self.reference, &self.no_reference) {
            (Some(reference), _) => writeln!(f, "  reference: {reference}")?,
            (None, Some(why)) => writeln!(f, "  no reference, so no errors and no order: {why}")?,
            (None, None) => {}
        }
        for failure in &self.failed {
            writeln!(f, "  ✗ {failure}")?;
        }
        for file in &self.files {
            if let Some(errors) = &file.finding.errors {
                let (worst, at) = (errors.attitude.size.worst, errors.attitude.size.worst_at);
                writeln!(
                    f,
                    "  {}: attitude error at most {worst:.2e} rad, at t = {at}",
                    file.file
                )?;
            }
        }
        for v in &self.verdicts {
            let mark = match v.status {
                VerdictStatus::Passed => "✓",
                VerdictStatus::Failed => "✗",
                VerdictStatus::Accepted => "~",
                VerdictStatus::Note => "!",
            };
            writeln!(f, "  {mark} {}: {}", v.id, v.sentence)?;
            let causes = self.diagnosis.iter().flat_map(|d| &d.causes);
            for cause in causes.filter(|c| v.id == VerdictId::Defect(c.id)) {
                writeln!(f, "      look: {}", cause.advice)?;
                for other in &cause.alike {
                    writeln!(f, "      or: {} [{}]", other.name, other.id)?;
                }
            }
        }
        writeln!(f, "{}  {}", self.outcome(), self.summary())
    }
}
