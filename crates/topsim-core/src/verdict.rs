//! The one verdict: what was judged, how it ended, what was measured and allowed, and where the
//! allowed number comes from.

use serde::{Deserialize, Deserializer, Serialize};

/// How a verdict ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Within what is allowed.
    Passed,
    /// Not within it, or not measurable.
    Failed,
    /// What it is measured against is not sure enough to say.
    Undecided,
    /// Told, and not judged.
    Skipped,
}

impl Status {
    /// All, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Passed, Self::Failed, Self::Undecided, Self::Skipped];

    /// Whether a suite may pass with it: a failure that is known may stay, and a known defect that is gone may not.
    pub fn is_good(self, known_defect: bool) -> bool {
        match self {
            Self::Passed => !known_defect,
            Self::Failed => known_defect,
            Self::Undecided => false,
            Self::Skipped => true,
        }
    }

    /// Its name in reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Undecided => "undecided",
            Self::Skipped => "skipped",
        }
    }
}

/// Kinds of source of an allowed number; they never mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// Printed or computed by someone else.
    Published,
    /// A closed form, a theorem, or the problem's own solution to many digits.
    Exact,
    /// What a program gives for a scheme or a map, by itself or written for this suite.
    Computed,
    /// Our own past.
    Regression,
}

impl SourceKind {
    /// Its name in files and reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Exact => "exact",
            Self::Computed => "computed",
            Self::Regression => "regression",
        }
    }
}

/// Where an allowed number comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Provenance {
    /// Kind of source.
    pub kind: SourceKind,
    /// The document, derivation or program.
    pub source: Option<String>,
}

impl Provenance {
    /// A source of this kind.
    pub fn new(kind: SourceKind, source: Option<String>) -> Self {
        Self { kind, source }
    }
}

/// A measured number, and where it was met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Measurement {
    /// The number.
    #[serde(deserialize_with = "number_or_nan")]
    pub value: f64,
    /// Its unit, empty where it has none.
    pub unit: String,
    /// Time of the worst value, s.
    pub time: Option<f64>,
    /// Component of the worst value.
    pub component: Option<String>,
    /// Own error of what it was measured against.
    #[serde(deserialize_with = "number_or_nan")]
    pub uncertainty: f64,
    /// What rounding the start to doubles alone costs any solver, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_floor: Option<f64>,
}

/// Reads a number; JSON has `null` for one that is not finite.
pub fn number_or_nan<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

impl Measurement {
    /// A number with its unit.
    pub fn new(value: f64, unit: impl Into<String>) -> Self {
        Self {
            value,
            unit: unit.into(),
            time: None,
            component: None,
            uncertainty: 0.0,
            start_floor: None,
        }
    }
    /// Met at this time, s.
    #[must_use]
    pub fn at(mut self, t: f64) -> Self {
        self.time = Some(t);
        self
    }
    /// Met in this component.
    #[must_use]
    pub fn in_component(mut self, name: &str) -> Self {
        self.component = Some(name.into());
        self
    }
}

/// What is allowed of a number: an interval, from which each end may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Bounds {
    /// The smallest.
    pub min: Option<f64>,
    /// The largest.
    pub max: Option<f64>,
    /// The distance allowed from a number in its middle, where one is given.
    pub tolerance: Option<f64>,
}

impl Bounds {
    /// From the smallest to the largest.
    pub fn new(min: Option<f64>, max: Option<f64>) -> Self {
        Self {
            min,
            max,
            tolerance: None,
        }
    }
    /// At most so far from a number.
    pub fn around(value: f64, tolerance: f64) -> Self {
        Self {
            min: Some(value - tolerance),
            max: Some(value + tolerance),
            tolerance: Some(tolerance),
        }
    }
    /// At most this.
    pub fn at_most(max: f64) -> Self {
        Self::new(None, Some(max))
    }
}

/// What a verdict is about: a step of a scheme or solver, its whole step ladder, or a study.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Subject {
    /// Label of the scheme, or name of the study; empty where it is the whole case.
    pub name: String,
    /// Step as the case writes it; absent for a ladder.
    pub step: Option<String>,
}

impl Subject {
    /// A scheme at a step, or its ladder.
    pub fn new(name: impl Into<String>, step: Option<&str>) -> Self {
        Self {
            name: name.into(),
            step: step.map(Into::into),
        }
    }
}

/// One thing that was judged. `I` is how it is named: in words, or by what a judge knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Verdict<I = String> {
    /// What was judged, by a name that does not change: the name of a check, or an id such as
    /// `model/gyroscopic_missing`.
    pub id: I,
    /// Name of the metric; empty where no metric was asked for.
    pub metric: String,
    /// Column, group or event looked at.
    pub quantity: String,
    /// Which run, ladder or study.
    pub subject: Subject,
    /// How it ended.
    pub status: Status,
    /// What was measured; absent where nothing could be.
    pub measured: Option<Measurement>,
    /// What is allowed, in the unit of what was measured.
    pub allowed: Option<Bounds>,
    /// What is allowed, as the file or the judge states it.
    pub allowed_text: String,
    /// Decimal digits between the deviation and what is allowed; negative for a failure.
    pub digits: Option<f64>,
    /// Where the allowed number comes from.
    pub provenance: Option<Provenance>,
    /// Why it could not be measured or trusted, or what was found, in a sentence.
    pub detail: Option<String>,
    /// The reason why a failure is known and accepted.
    pub known_defect: Option<String>,
}

impl<I> Verdict<I> {
    /// A verdict without numbers.
    pub fn new(id: impl Into<I>, status: Status) -> Self {
        Self {
            id: id.into(),
            metric: String::new(),
            quantity: String::new(),
            subject: Subject::default(),
            status,
            measured: None,
            allowed: None,
            allowed_text: String::new(),
            digits: None,
            provenance: None,
            detail: None,
            known_defect: None,
        }
    }

    /// The same verdict, named in words.
    pub fn named(&self) -> Verdict
    where
        I: std::fmt::Display,
    {
        Verdict {
            id: self.id.to_string(),
            metric: self.metric.clone(),
            quantity: self.quantity.clone(),
            subject: self.subject.clone(),
            status: self.status,
            measured: self.measured.clone(),
            allowed: self.allowed,
            allowed_text: self.allowed_text.clone(),
            digits: self.digits,
            provenance: self.provenance.clone(),
            detail: self.detail.clone(),
            known_defect: self.known_defect.clone(),
        }
    }

    /// Whether a suite may pass with it.
    pub fn is_good(&self) -> bool {
        self.status.is_good(self.known_defect.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_defect_must_show_itself() {
        for (status, known, good) in [
            (Status::Passed, false, true),
            (Status::Passed, true, false),
            (Status::Failed, false, false),
            (Status::Failed, true, true),
            (Status::Undecided, false, false),
            (Status::Undecided, true, false),
            (Status::Skipped, false, true),
        ] {
            let mut v: Verdict = Verdict::new("a", status);
            v.known_defect = known.then(|| "so it is published".into());
            assert_eq!(v.is_good(), good, "{status:?} {known}");
        }
    }
}
