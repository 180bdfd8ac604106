//! The differences between two reports, verdict by verdict.

use crate::run::Report;
use crate::text;
use std::collections::BTreeMap;
use std::fmt::Write;
use strum::{Display, EnumIter, IntoEnumIterator};
use topsim_core::verdict::{Measurement, Status, Verdict};

/// The ways in which a verdict changes, from the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, EnumIter)]
#[strum(serialize_all = "lowercase")]
enum ChangeKind {
    Worse,
    #[strum(serialize = "no longer judged")]
    Gone,
    Better,
    New,
    #[strum(serialize = "other numbers")]
    Moved,
}

/// A verdict that changed.
struct Change {
    kind: ChangeKind,
    /// Size of the change of the measured number, as a fraction of the number's size.
    relative: f64,
    text: String,
}

/// The differences between two reports.
pub struct ReportDifference {
    changes: Vec<Change>,
    compared: usize,
}

impl ReportDifference {
    /// Compares two reports. A number that is measured in both has changed where it differs by more than `tolerance` of
    /// its size, and by more than the errors which the reports state of the reference and of the start's rounding.
    pub fn of(old: &Report, new: &Report, tolerance: f64) -> Self {
        let (old, new) = (verdicts_by_name(old), verdicts_by_name(new));
        let mut changes: Vec<Change> = Vec::new();
        for (key, was) in &old {
            let change = match new.get(key) {
                Some(is) => changed(key, was, is, tolerance),
                None => Some(one_sided(gone(was), key, was)),
            };
            changes.extend(change);
        }
        let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
        changes.extend(added.map(|(key, is)| one_sided(added_kind(is), key, is)));
        changes.sort_by(|a, b| (a.kind.cmp(&b.kind)).then(b.relative.total_cmp(&a.relative)));
        Self {
            changes,
            compared: old.keys().filter(|key| new.contains_key(*key)).count(),
        }
    }

    /// Tests whether a verdict changed between two reports, as [`Self::of`] tells it.
    pub(super) fn has_changed(was: &Verdict, is: &Verdict, tolerance: f64) -> bool {
        changed(&Default::default(), was, is, tolerance).is_some()
    }

    /// Tests whether a verdict got worse, or whether something that was judged is judged no longer.
    pub fn is_worse(&self) -> bool {
        let worse = |c: &Change| matches!(c.kind, ChangeKind::Worse | ChangeKind::Gone);
        self.changes.iter().any(worse)
    }

    /// Returns the changes as text, at most `most` of each kind.
    pub fn text(&self, most: usize) -> String {
        let mut out = String::new();
        let mut counts = Vec::new();
        for kind in ChangeKind::iter() {
            let all: Vec<&Change> = self.changes.iter().filter(|c| c.kind == kind).collect();
            if all.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{kind}:");
            for change in all.iter().take(most) {
                let _ = writeln!(out, "  {}", change.text);
            }
            if all.len() > most {
                let _ = writeln!(out, "  and {} more", all.len() - most);
            }
            counts.push(format!("{} {kind}", all.len()));
        }
        if counts.is_empty() {
            counts.push("nothing changed".into());
        }
        let verdicts = text::many(self.compared, "verdict");
        let _ = writeln!(out, "{verdicts} in both reports: {}", counts.join(", "));
        out
    }
}

/// Returns the verdicts by case, check and run, and by a count among those with equal names.
pub(super) fn verdicts_by_name(report: &Report) -> BTreeMap<(String, usize), &Verdict> {
    let mut out = BTreeMap::new();
    for case in &report.cases {
        for verdict in &case.verdicts {
            let title = format!("{}: {}", case.name, text::title(verdict));
            let mut n = 0;
            while out.contains_key(&(title.clone(), n)) {
                n += 1;
            }
            out.insert((title, n), verdict);
        }
    }
    out
}

/// Returns the kind of a change by which a verdict is gone. A defect that the judge no longer names is mended; a check that is no longer
/// made is a loss, whatever it said.
fn gone(was: &Verdict) -> ChangeKind {
    match was.is_good() || !was.metric.is_empty() {
        true => ChangeKind::Gone,
        false => ChangeKind::Better,
    }
}

/// Returns the kind of a change by which a verdict is added.
fn added_kind(is: &Verdict) -> ChangeKind {
    match is.is_good() {
        true => ChangeKind::New,
        false => ChangeKind::Worse,
    }
}

fn one_sided(kind: ChangeKind, (title, _): &(String, usize), verdict: &Verdict) -> Change {
    Change {
        kind,
        relative: 0.0,
        text: match kind {
            ChangeKind::Better => format!("{title}: {} → no longer there", text::status(verdict)),
            ChangeKind::Worse => format!("{title}: new, {}", text::status(verdict)),
            _ => format!("{title}: {}", text::status(verdict)),
        },
    }
}

fn changed(
    (title, _): &(String, usize),
    was: &Verdict,
    is: &Verdict,
    tolerance: f64,
) -> Option<Change> {
    let numbers = match (&was.measured, &is.measured) {
        (Some(a), Some(b)) => Some((a, b)),
        _ => None,
    };
    let moved = numbers.and_then(|(a, b)| change(a, b, tolerance));
    let same = text::status(was) == text::status(is);
    let kind = match (was.is_good(), is.is_good()) {
        _ if same => moved.map(|_| ChangeKind::Moved)?,
        (_, true) if is.status == Status::Skipped => ChangeKind::Gone,
        (true, false) => ChangeKind::Worse,
        (true, true) if was.status != Status::Skipped => ChangeKind::Moved,
        (false, false) => ChangeKind::Moved,
        _ => ChangeKind::Better,
    };
    let mut text = format!("{title}: ");
    text += &if same {
        text::status(is).to_string()
    } else {
        format!("{} → {}", text::status(was), text::status(is))
    };
    if let Some((a, b)) = numbers {
        text += &format!(", {} → {}", number(a), number(b));
    }
    if let (Some((a, b)), Some(_)) = (numbers, moved.filter(|r| r.is_finite())) {
        text += &relation(a.value, b.value);
    }
    Some(Change {
        kind,
        relative: moved.map_or(0.0, f64::abs),
        text,
    })
}

/// Says what a number is of the one before: a multiple, or so much more or less.
fn relation(was: f64, is: f64) -> String {
    let (times, part) = (is / was, (is - was) / was.abs());
    if !times.is_finite() {
        String::new()
    } else if times >= 2.0 || (0.0..=0.5).contains(&times) {
        format!(" (× {})", text::brief(times))
    } else {
        let sign = if part < 0.0 { "−" } else { "+" };
        format!(" ({sign}{} of it)", text::brief(part.abs()))
    }
}

fn number(measured: &Measurement) -> String {
    let number = match measured.value.is_finite() {
        true => text::number(measured.value),
        false => "—".into(),
    };
    format!("{number} {}", measured.unit).trim_end().into()
}

/// Returns the change of a number as a fraction of its size, if it exceeds `tolerance` and the stated errors; infinity if
/// only one of the two numbers is finite.
fn change(from: &Measurement, to: &Measurement, tolerance: f64) -> Option<f64> {
    let (a, b) = (from.value, to.value);
    if !(a.is_finite() && b.is_finite()) {
        return (a.is_finite() != b.is_finite()).then_some(f64::INFINITY);
    }
    let stated = [from, to].map(|m| m.uncertainty.max(m.start_floor.unwrap_or(0.0)));
    let stated = stated[0].max(stated[1]).max(0.0);
    let (size, change) = (a.abs().max(b.abs()), b - a);
    (change.abs() > stated.max(tolerance * size)).then(|| change / size)
}

#[cfg(test)]
mod tests;
