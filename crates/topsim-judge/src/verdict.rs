//! Verdicts on the histories of a case: one flat list, from which passing, exit status, JUnit and baselines follow.

use crate::defect::Defect;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// How a verdict stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictStatus {
    /// As it should be.
    Passed,
    /// Not so.
    Failed,
    /// Not so, and a baseline says why that is accepted.
    Accepted,
    /// Told, and not judged.
    Note,
}

impl VerdictStatus {
    pub(crate) fn of(good: bool) -> Self {
        if good { Self::Passed } else { Self::Failed }
    }
}

/// What was judged. It is shown, and written in files, as a name that does not change: `row0`,
/// `model/gyroscopic_missing`, `solver/step 0.01`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum VerdictId {
    /// Row 0 against the case's initial state.
    Row0,
    /// Attitude against rate.
    Kinematics,
    /// Whether all rows are states of a body.
    Finite,
    /// Whether the errors fall with the step.
    Convergence,
    /// The order with which they do.
    Order,
    /// Whether the histories show the case's motion.
    Motion,
    /// That they show another motion, and no known defect explains it.
    NoneFits,
    /// A defect that was found.
    Defect(Defect),
    /// A step of a solver, s.
    Step(f64),
    /// An accepted verdict that no longer shows.
    Baseline(Box<VerdictId>),
}

impl VerdictId {
    const FIXED: [Self; 6] = [
        Self::Row0,
        Self::Kinematics,
        Self::Finite,
        Self::Convergence,
        Self::Order,
        Self::NoneFits,
    ];

    /// All that a failing verdict can have, but for the steps of solvers.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::FIXED
            .into_iter()
            .chain(Defect::all().map(Self::Defect))
    }
    /// Whether a failing verdict can have it.
    pub fn can_fail(&self) -> bool {
        !matches!(self, Self::Motion | Self::Baseline(_))
    }
}

impl fmt::Display for VerdictId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row0 => f.write_str("row0"),
            Self::Kinematics => f.write_str("kinematics"),
            Self::Finite => f.write_str("finite"),
            Self::Convergence => f.write_str("convergence"),
            Self::Order => f.write_str("order"),
            Self::Motion => f.write_str("motion"),
            Self::NoneFits => f.write_str("motion/none_fits"),
            Self::Defect(defect) => defect.fmt(f),
            Self::Step(h) => write!(f, "{STEP}{h}"),
            Self::Baseline(id) => write!(f, "baseline/{id}"),
        }
    }
}

/// What the id of a solver's step is written with.
const STEP: &str = "solver/step ";

/// No failing verdict has this id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no verdict is called `{0}`")]
pub struct UnknownVerdict(pub String);

/// Reads the id of a verdict that can fail, as it is shown.
impl FromStr for VerdictId {
    type Err = UnknownVerdict;
    fn from_str(text: &str) -> Result<Self, UnknownVerdict> {
        let step = || {
            let h: f64 = text.strip_prefix(STEP)?.parse().ok()?;
            let id = Self::Step(h);
            (h > 0.0 && id.to_string() == text).then_some(id)
        };
        let known = || Self::all().find(|id| id.to_string() == text);
        let found = step().or_else(known);
        found.ok_or_else(|| UnknownVerdict(text.into()))
    }
}

impl Serialize for VerdictId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One thing that was judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// What was judged.
    pub id: VerdictId,
    /// How it stands.
    pub status: VerdictStatus,
    /// What was measured, where it is a number.
    pub measured: Option<f64>,
    /// What is allowed, in the unit of what was measured.
    pub allowed: Option<f64>,
    /// One sentence, with units.
    pub sentence: String,
    /// Why a failure is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Verdict {
    /// Without numbers.
    pub(crate) fn new(id: VerdictId, status: VerdictStatus, sentence: impl Into<String>) -> Self {
        Self {
            id,
            status,
            measured: None,
            allowed: None,
            sentence: sentence.into(),
            reason: None,
        }
    }
    /// With what was measured and what is allowed.
    #[must_use]
    pub(crate) fn with(mut self, measured: f64, allowed: f64) -> Self {
        (self.measured, self.allowed) = (Some(measured), Some(allowed));
        self
    }
    /// Whether it speaks against what was judged.
    pub fn failed(&self) -> bool {
        self.status == VerdictStatus::Failed
    }
    /// Whether it is about a step of a solver.
    pub fn is_about_step(&self) -> bool {
        matches!(self.id, VerdictId::Step(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_known_and_others_are_not() {
        for id in [
            "row0",
            "model/gyroscopic_missing",
            "reporting/transposed",
            "scheme/momentum_clamp",
            "solver/step 0.01",
            "motion/none_fits",
        ] {
            let read: VerdictId = id.parse().expect(id);
            assert!(read.can_fail() && read.to_string() == id, "{id}");
        }
        for id in [
            "",
            "row1",
            "motion",
            "baseline/row0",
            "model/",
            "model/gyro",
            "solver/step ",
            "solver/step -1",
            "solver/step x",
            "solver/step inf0",
            "solver/step 0.010",
            "*",
        ] {
            assert!(id.parse::<VerdictId>().is_err(), "{id}");
        }
    }

    #[test]
    fn ids_differ_and_are_read_back() {
        let all: Vec<VerdictId> = VerdictId::all().collect();
        for (i, id) in all.iter().enumerate() {
            assert!(id.can_fail());
            assert_eq!(id.to_string().parse().as_ref(), Ok(id));
            assert!(!all[..i].iter().any(|b| b.to_string() == id.to_string()));
        }
    }

    /// Ids stand in the baselines of projects: none may change.
    #[test]
    fn ids_are_those_of_the_first_release() {
        let stored = include_str!("../tests/data/verdict_ids.txt");
        let all: Vec<String> = VerdictId::all().map(|id| id.to_string()).collect();
        assert_eq!(all, stored.lines().collect::<Vec<_>>());
    }
}
