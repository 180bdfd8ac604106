//! The verdict type shared by everything that judges: what was judged, its status, the measured and allowed
//! numbers, and the source of the allowed number.

use serde::{Deserialize, Deserializer, Serialize};

/// Status of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The measurement is within the allowed bounds.
    Passed,
    /// The measurement is outside the bounds or was not possible.
    Failed,
    /// The reference is not accurate enough for a decision.
    Undecided,
    /// The item is reported and not judged.
    Skipped,
}

impl Status {
    /// All statuses, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Passed, Self::Failed, Self::Undecided, Self::Skipped];

    /// Returns true if a suite may pass with this status: a known failure is accepted, and a known defect that
    /// no longer shows is not.
    pub fn is_good(self, known_defect: bool) -> bool {
        match self {
            Self::Passed => !known_defect,
            Self::Failed => known_defect,
            Self::Undecided => false,
            Self::Skipped => true,
        }
    }

    /// Returns the name of the status in reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Undecided => "undecided",
            Self::Skipped => "skipped",
        }
    }
}

/// Kind of source of an allowed number; kinds are never mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// Number printed or computed by other authors.
    Published,
    /// A closed form, a theorem, or the problem's own solution to many digits.
    Exact,
    /// Number that another program gives for a scheme or a map, also one written for this suite.
    Computed,
    /// Number from topsim's own past results.
    Regression,
    /// Number that the author of the check chose, such as a budget of errors.
    Chosen,
}

impl SourceKind {
    /// Returns the name of the kind in files and reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Exact => "exact",
            Self::Computed => "computed",
            Self::Regression => "regression",
            Self::Chosen => "chosen",
        }
    }
}

/// Source of an allowed number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Provenance {
    /// Kind of source.
    pub kind: SourceKind,
    /// Document, derivation or program.
    pub source: Option<String>,
}

impl Provenance {
    /// Builds a provenance of this kind.
    pub fn new(kind: SourceKind, source: Option<String>) -> Self {
        Self { kind, source }
    }
}

/// Measured number, with the place at which it was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Measurement {
    /// Measured number.
    #[serde(deserialize_with = "number_or_nan")]
    pub value: f64,
    /// Unit, empty for a number without one.
    pub unit: String,
    /// Time of the worst value, s.
    pub time: Option<f64>,
    /// Component of the worst value.
    pub component: Option<String>,
    /// Error of the reference that the number was measured against.
    #[serde(deserialize_with = "number_or_nan")]
    pub uncertainty: f64,
    /// Error that rounding the start to doubles alone causes in any solver, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_floor: Option<f64>,
}

/// Reads a number; JSON represents a number that is not finite by `null`.
pub fn number_or_nan<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

impl Measurement {
    /// Builds a measurement from a number and its unit.
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
    /// Sets the time at which the value was found, s.
    #[must_use]
    pub fn at(mut self, t: f64) -> Self {
        self.time = Some(t);
        self
    }
    /// Sets the component in which the value was found.
    #[must_use]
    pub fn in_component(mut self, name: &str) -> Self {
        self.component = Some(name.into());
        self
    }
}

/// Interval of allowed numbers; each end may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Bounds {
    /// Smallest allowed number.
    pub min: Option<f64>,
    /// Largest allowed number.
    pub max: Option<f64>,
    /// Allowed distance from the number in the middle, if one is given.
    pub tolerance: Option<f64>,
}

impl Bounds {
    /// Builds bounds from the smallest and the largest number.
    pub fn new(min: Option<f64>, max: Option<f64>) -> Self {
        Self {
            min,
            max,
            tolerance: None,
        }
    }
    /// Builds bounds at a distance around a number.
    pub fn around(value: f64, tolerance: f64) -> Self {
        Self {
            min: Some(value - tolerance),
            max: Some(value + tolerance),
            tolerance: Some(tolerance),
        }
    }
    /// Builds bounds without a lower end.
    pub fn at_most(max: f64) -> Self {
        Self::new(None, Some(max))
    }
}

/// Fineness of a run: its step, or the tolerance that its inner steps keep. It is displayed as `h=0.01` or `tol=1e-6`;
/// files have a step as it is, and a tolerance so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(with = "String")
)]
#[serde(from = "String", into = "String")]
pub enum Fineness {
    /// Step as the case writes it, s.
    Step(String),
    /// Tolerance.
    Tolerance(f64),
}

/// Text before a tolerance.
const TOLERANCE: &str = "tol=";

impl core::fmt::Display for Fineness {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Step(h) => write!(f, "h={h}"),
            Self::Tolerance(tolerance) => write!(f, "{TOLERANCE}{tolerance:e}"),
        }
    }
}

impl From<Fineness> for String {
    fn from(fineness: Fineness) -> Self {
        match fineness {
            Fineness::Step(h) => h,
            tolerance @ Fineness::Tolerance(_) => tolerance.to_string(),
        }
    }
}

impl From<String> for Fineness {
    fn from(text: String) -> Self {
        let tolerance = text.strip_prefix(TOLERANCE).and_then(|t| t.parse().ok());
        tolerance.map_or(Self::Step(text), Self::Tolerance)
    }
}

impl Fineness {
    /// Returns the part of file names that it is, such as `h0.01` or `tol1e-6`.
    pub fn stem(&self) -> String {
        self.to_string().replace('=', "")
    }

    /// Returns the words for figures, such as `h = 0.01 s` or `tolerance 1e-6`.
    pub fn words(&self) -> String {
        match self {
            Self::Step(h) => format!("h = {h} s"),
            Self::Tolerance(tolerance) => format!("tolerance {tolerance:e}"),
        }
    }

    /// Returns the number by which runs of a scheme are ordered and their errors fall: the tolerance, or the step `h`.
    pub fn number(&self, h: f64) -> f64 {
        match self {
            Self::Step(_) => h,
            Self::Tolerance(tolerance) => *tolerance,
        }
    }
}

/// Subject of a verdict: a step or tolerance of a scheme or solver, its whole ladder, or a study.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Subject {
    /// Label of the scheme, or name of the study; empty for the whole case.
    pub name: String,
    /// Step or tolerance; absent for a ladder.
    #[serde(rename = "step")]
    pub fineness: Option<Fineness>,
}

impl Subject {
    /// Builds the subject from a scheme and its step or tolerance, or from a scheme and its ladder.
    pub fn new(name: impl Into<String>, fineness: Option<&Fineness>) -> Self {
        Self {
            name: name.into(),
            fineness: fineness.cloned(),
        }
    }
}

/// Verdict on one item. `I` is the type of its name: a text, or an id known to a judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Verdict<I = String> {
    /// Stable name of the item: the name of a check, or an id such as `model/gyroscopic_missing`.
    pub id: I,
    /// Name of the metric; empty for an item without one.
    pub metric: String,
    /// Column, group or event that was measured.
    pub quantity: String,
    /// Run, ladder or study that was judged.
    pub subject: Subject,
    /// Status of the item.
    pub status: Status,
    /// Measurement; absent if none was possible.
    pub measured: Option<Measurement>,
    /// Allowed bounds, in the unit of the measurement.
    pub allowed: Option<Bounds>,
    /// Allowed bounds as the file or the judge states them.
    pub allowed_text: String,
    /// Decimal digits between the deviation and the allowed one; negative for a failure.
    pub digits: Option<f64>,
    /// Source of the allowed number.
    pub provenance: Option<Provenance>,
    /// Finding, or reason why the item could not be measured or trusted, in one sentence.
    pub detail: Option<String>,
    /// Reason why a failure is known and accepted.
    pub known_defect: Option<String>,
}

impl<I> Verdict<I> {
    /// Builds a verdict without numbers.
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

    /// Returns the same verdict with its id as text.
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

    /// Returns true if a suite may pass with this verdict.
    pub fn is_good(&self) -> bool {
        self.status.is_good(self.known_defect.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_and_a_tolerance_are_read_from_the_text_that_is_written() {
        for (fineness, written, stem) in [
            (Fineness::Step("1e-2".into()), "1e-2", "h1e-2"),
            (Fineness::Tolerance(1e-6), "tol=1e-6", "tol1e-6"),
            (Fineness::Tolerance(2.5e-10), "tol=2.5e-10", "tol2.5e-10"),
        ] {
            assert_eq!(String::from(fineness.clone()), written);
            assert_eq!(fineness.stem(), stem);
            assert_eq!(Fineness::from(written.to_string()), fineness);
        }
        assert_eq!(
            Fineness::from("tol=none".to_string()),
            Fineness::Step("tol=none".into())
        );
    }

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
