//! Texts of verdicts and numbers that all renderers share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::models::{Columns, Quantity};
use topsim_core::verdict::{Status, Verdict};

pub use topsim_protocol::numbers::{brief, count, number};

/// Returns a text up to the first full stop that a capital or nothing follows.
pub fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let ends_here = |at: &usize| text[*at..].trim_start().starts_with(char::is_uppercase);
    ends.into_iter()
        .find(ends_here)
        .map_or(text, |at| &text[..at])
}

/// Returns the check and the run, such as `H(0) as printed [rig_pos h=0.009]`.
pub fn title(v: &Verdict) -> String {
    match run(v).as_str() {
        "" => v.id.clone(),
        run => format!("{} [{run}]", v.id),
    }
}

/// Returns the run alone, such as `rig_pos h=0.009`.
pub fn run(v: &Verdict) -> String {
    match (v.subject.name.as_str(), &v.subject.fineness) {
        ("", _) => String::new(),
        (s, None) => s.into(),
        (s, Some(fineness)) => format!("{s} {fineness}"),
    }
}

/// Returns the measured number with its unit and with the digits that its tolerance resolves.
pub fn measured(v: &Verdict) -> String {
    let Some(m) = v.measured.as_ref().filter(|m| m.value.is_finite()) else {
        return "—".into();
    };
    let text = match v.allowed.and_then(|a| a.tolerance) {
        Some(tolerance) => resolved(m.value, tolerance),
        None => number(m.value),
    };
    if m.unit.is_empty() {
        text
    } else {
        format!("{text} {}", m.unit)
    }
}

/// Formats a number to a tenth of its tolerance.
fn resolved(x: f64, tolerance: f64) -> String {
    let size = x.abs();
    if !(tolerance > 0.0) || !(size > tolerance) {
        return number(x);
    }
    let places = |ratio: f64| (libm::ceil(libm::log10(ratio)) as usize).clamp(1, 16);
    if (1e-3..1e5).contains(&size) {
        format!("{x:.*}", places(10.0 / tolerance), x = x)
    } else {
        format!("{x:.*e}", places(10.0 * size / tolerance), x = x)
    }
}

/// Returns the digits of room as a text.
pub fn digits(v: &Verdict) -> String {
    match v.digits {
        None => String::new(),
        Some(d) if d >= 17.0 => "exact".into(),
        Some(d) => format!("{d:.1}"),
    }
}

/// Returns the status of a verdict in a word or two.
pub fn status(v: &Verdict) -> &'static str {
    of_status(v.status, v.known_defect.is_some())
}

/// Returns the word for a status with or without a known defect.
pub fn of_status(status: Status, known: bool) -> &'static str {
    match (status, known) {
        (Status::Passed, false) => "pass",
        (Status::Passed, true) => "UNEXPECTED PASS",
        (Status::Failed, true) => "known defect",
        (Status::Failed, false) => "FAIL",
        (Status::Undecided, _) => "UNDECIDED",
        (Status::Skipped, _) => "skipped",
    }
}

/// Returns the finding of a verdict in one sentence.
pub fn sentence(v: &Verdict) -> String {
    if v.metric.is_empty() {
        return v.detail.clone().unwrap_or_default();
    }
    let mut out = format!("measured {}, allowed {}", measured(v), v.allowed_text);
    if let Some(m) = &v.measured {
        if let Some(t) = m.time {
            out.push_str(&format!(", at t = {}", number(t)));
        }
        if let Some(c) = &m.component {
            out.push_str(&format!(", {c}"));
        }
    }
    if let Some(d) = v.known_defect.as_ref().or(v.detail.as_ref()) {
        out.push_str(&format!(": {d}"));
    }
    out
}

/// Returns the noun for a column or group: "attitude", "angular velocity W2".
pub fn quantity(columns: &Columns, name: &str) -> String {
    let Some(quantity) = columns.quantity(name) else {
        return name.into();
    };
    let noun = match quantity {
        Quantity::Attitude => "attitude",
        Quantity::Axis => "axis",
        Quantity::BodyRate => "angular velocity",
        Quantity::RateNorm => "length of the angular velocity",
        Quantity::SpatialRate => "angular velocity in space",
        Quantity::Energy => "energy",
        Quantity::EnergyDrift => "drift of the energy",
        Quantity::SpatialMomentum => "angular momentum",
        Quantity::Orthogonality => "orthogonality defect",
        Quantity::Position => "position",
        Quantity::Velocity => "velocity",
        Quantity::JointDistance => "distance from the joint",
        Quantity::JointSpeed => "speed off the joint",
        Quantity::JointForce => "force of the joint",
        Quantity::Multiplier => "multiplier",
        Quantity::Iterations => "iterations",
        Quantity::AxisLength => "square of the axis",
        Quantity::SpinMomentum => "angular momentum of the spin",
        Quantity::TotalAngularMomentum => "total angular momentum",
        Quantity::TotalMomentum => "total momentum",
        _ => return name.into(),
    };
    // A column of several of its kind needs its own name too.
    let of_kind = columns.channels.iter().filter(|c| c.quantity == quantity);
    match columns.group(name) {
        None if of_kind.count() > 1 => format!("{noun} {name}"),
        _ => noun.into(),
    }
}

/// Returns "yes" or "no".
pub fn yes(b: bool) -> &'static str {
    if b { "yes" } else { "no" }
}

/// Returns a count with its noun.
pub fn many(n: usize, thing: &str) -> String {
    match (n, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "study") => format!("{n} studies"),
        _ => format!("{n} {thing}s"),
    }
}

/// Returns the CSV text of records of equal length.
pub(crate) fn csv_text(write: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    write(&mut out).expect("records of equal length always serialise into memory");
    let bytes = out.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("names and numbers are UTF-8")
}

/// A column of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// Name, for people and as CSV header.
    pub name: String,
    /// Unit, empty where it has none.
    pub unit: String,
}

impl Column {
    /// Makes a column from its name and unit.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
        }
    }
    /// Returns the name with its unit.
    pub fn label(&self) -> String {
        match self.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        }
    }
    /// Returns the label with a capital, for an axis.
    pub(crate) fn capital(&self) -> String {
        let mut label = self.label();
        if let Some(head) = label.get_mut(..1) {
            head.make_ascii_uppercase();
        }
        label
    }
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn sentences_end_where_another_begins() {
        for (text, first) in [
            ("One of 1.5 m. Two.", "One of 1.5 m."),
            ("One, e.g. two, three.", "One, e.g. two, three."),
            ("One", "One"),
        ] {
            assert_eq!(first_sentence(text), first);
        }
    }
}
