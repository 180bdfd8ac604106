//! The parts of a solver, and a defect of any of them.

use super::{ModelDefect, ReportingDefect, SchemeDefect};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt;

/// What part of a solver is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The motion may be right; what is written of it is not what the columns say.
    Reporting,
    /// The equations of motion.
    Model,
    /// How they are stepped.
    Scheme,
}

impl Part {
    /// A name that does not change; it begins the ids of its defects.
    pub fn id(self) -> &'static str {
        match self {
            Self::Reporting => "reporting",
            Self::Model => "model",
            Self::Scheme => "scheme",
        }
    }
}

/// A defect of a solver. It is shown, and written in files, as its id: `model/gyroscopic_missing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Defect {
    /// In what is written of the motion.
    Reporting(ReportingDefect),
    /// In the equations of motion.
    Model(ModelDefect),
    /// In how they are stepped.
    Scheme(SchemeDefect),
}

impl Defect {
    /// All defects, by part.
    pub fn all() -> impl Iterator<Item = Self> {
        ReportingDefect::all()
            .map(Self::Reporting)
            .chain(ModelDefect::all().map(Self::Model))
            .chain(SchemeDefect::all().map(Self::Scheme))
    }
    /// What part of a solver is wrong.
    pub fn part(self) -> Part {
        match self {
            Self::Reporting(_) => Part::Reporting,
            Self::Model(_) => Part::Model,
            Self::Scheme(_) => Part::Scheme,
        }
    }
    /// What it means, and where to look in the solver.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Reporting(d) => d.advice(),
            Self::Model(d) => d.advice(),
            Self::Scheme(d) => d.advice(),
        }
    }
    /// Its name, for people.
    pub fn name(self) -> String {
        match self {
            Self::Reporting(d) => d.name().into(),
            Self::Model(d) => d.name().into(),
            Self::Scheme(d) => d.name().into(),
        }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/", self.part().id())?;
        match self {
            Self::Reporting(d) => f.write_str(d.id()),
            Self::Model(d) => f.write_str(d.id()),
            Self::Scheme(d) => f.write_str(d.id()),
        }
    }
}

impl Serialize for Defect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<ReportingDefect> for Defect {
    fn from(d: ReportingDefect) -> Self {
        Self::Reporting(d)
    }
}
impl From<ModelDefect> for Defect {
    fn from(d: ModelDefect) -> Self {
        Self::Model(d)
    }
}
impl From<SchemeDefect> for Defect {
    fn from(d: SchemeDefect) -> Self {
        Self::Scheme(d)
    }
}
