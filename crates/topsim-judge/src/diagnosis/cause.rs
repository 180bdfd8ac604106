//! What is said of a solver.

use crate::defect::{Defect, Part};
use crate::naive_scheme::NaiveSchemeName;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt;

/// A defect that explains what was found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Cause {
    /// The defect.
    #[schemars(with = "String")]
    pub id: Defect,
    /// What part is wrong.
    pub part: Part,
    /// Its name, for people, with the number that was fitted.
    pub name: String,
    /// Why it is believed, with numbers.
    pub evidence: String,
    /// What it means, and where to look.
    pub advice: String,
    /// Other defects that these data do not tell from it.
    pub alike: Vec<Alike>,
}

impl Cause {
    /// A defect by its name, with what speaks for it and what to do.
    pub(crate) fn new(
        defect: impl Into<Defect>,
        evidence: String,
        advice: impl Into<String>,
    ) -> Self {
        let id = defect.into();
        Self {
            id,
            part: id.part(),
            name: id.name(),
            evidence,
            advice: advice.into(),
            alike: Vec::new(),
        }
    }
    /// The same with a name that says more.
    #[must_use]
    pub(crate) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
    /// The same with others that look alike.
    #[must_use]
    pub(crate) fn beside(mut self, alike: Vec<Alike>) -> Self {
        self.alike = alike;
        self
    }
}

impl Alike {
    /// A defect by its name; no problem is known to tell it apart.
    pub(crate) fn new(defect: impl Into<Defect>) -> Self {
        let id = defect.into();
        Self {
            id,
            name: id.name(),
            told_by: None,
        }
    }
}

/// A defect that looks the same here.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Alike {
    /// The defect.
    #[schemars(with = "String")]
    pub id: Defect,
    /// Its name.
    pub name: String,
    /// A problem on which the two differ; none of the judging set does where absent.
    pub told_by: Option<String>,
}

/// A scheme whose steps these are.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct IdentifiedScheme {
    /// Which.
    #[schemars(with = "String")]
    pub id: SchemeId,
    /// Its name.
    pub name: String,
    /// Details, such as how the attitude is turned.
    pub detail: String,
    /// Largest angle between the histories and its own, rad.
    pub within: f64,
    /// Rows compared.
    pub rows: usize,
    /// Other schemes that make the same steps here.
    pub alike: Vec<String>,
    /// What follows from the scheme, where it is of first order.
    pub weakness: Option<String>,
}

/// Which scheme. It is shown as a name that does not change: `catalogue/lie_newmark`, `naive/explicit_euler`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemeId {
    /// One of the catalogue, or of the case.
    Catalogue(String),
    /// One that nobody should choose.
    Naive(NaiveSchemeName),
}

impl fmt::Display for SchemeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Catalogue(name) => write!(f, "catalogue/{name}"),
            Self::Naive(name) => write!(f, "naive/{}", name.id()),
        }
    }
}

impl Serialize for SchemeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The sum of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// The case's motion, as far as can be told.
    Right,
    /// Something is wrong, and it has a name.
    Named,
    /// The histories are those of another motion, and no known defect explains it.
    NoneFits,
    /// They do not tell.
    Unsettled,
}
