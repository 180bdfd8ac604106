//! Verdicts on the histories of a case: one flat list, from which passing, exit status, JUnit and baselines follow.

use crate::thresholds::SCIENTIFIC;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use topsim_core::verdict::{Bounds, Measurement, Status};
use topsim_model::defect::Defect;
use topsim_protocol::ClaimKind;
use topsim_relations::Relation;

/// One thing that was judged: the verdict of the suite, named by what a judge knows. What was found stands in its
/// `detail`, the reason why a failure is accepted in `known_defect`; what is told and not judged is skipped.
pub type Verdict = topsim_core::verdict::Verdict<VerdictId>;

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
    /// Fall of the errors with the tolerance.
    Tolerance,
    /// The order with which they do; told, and judged where it is claimed.
    Order,
    /// What its author claims of the solver.
    Claim(ClaimKind),
    /// Whether the histories show the case's motion.
    Motion,
    /// That they show another motion, and no known defect explains it.
    NoneFits,
    /// A defect that was found.
    Defect(Defect),
    /// A relation between a motion and its image.
    Relation(Relation),
    /// A step of a solver, s.
    Step(f64),
    /// Any step of a solver, in lists of accepted defects.
    AnyStep,
    /// An accepted verdict that no longer shows.
    Baseline(Box<VerdictId>),
}

impl VerdictId {
    const FIXED: [Self; 7] = [
        Self::Row0,
        Self::Kinematics,
        Self::Finite,
        Self::Convergence,
        Self::Tolerance,
        Self::Order,
        Self::NoneFits,
    ];

    /// All that a failing verdict can have, but for the steps of solvers.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::FIXED
            .into_iter()
            .chain(ClaimKind::ALL.map(Self::Claim))
            .chain(Defect::all().map(Self::Defect))
            .chain(Relation::ALL.iter().copied().map(Self::Relation))
    }
    /// When a verdict of this name fails, in a sentence without its subject; none of a defect, which has a page of its own.
    pub fn fails_where(&self) -> Option<&'static str> {
        Some(match self {
            Self::Row0 => {
                "row 0 of a history is not where it should be: more than 1e-5 rad or 1e-5 of the rate away"
            }
            Self::Kinematics => {
                "rate and attitude contradict each other in a way that another frame or unit explains"
            }
            Self::Finite => {
                "a history ends early: from a row on, a number is not finite or the attitude is no rotation"
            }
            Self::Convergence => {
                "the errors of several steps do not fall with the step while they are above 1e-7 rad"
            }
            Self::Tolerance => {
                "the tolerance has no effect and the motion is lost, or the histories agree with each other on another motion"
            }
            Self::Order => "the measured order is below the one that is claimed",
            Self::Claim(_) => "what is claimed of the solver by `--claim` does not hold",
            Self::NoneFits => {
                "the histories are those of another motion, and no known defect explains it"
            }
            Self::Relation(_) => {
                "the motion of the image is not the image of the motion; docs/relations.md describes each relation"
            }
            Self::Step(_) | Self::AnyStep => "the solver gave no complete output for a step",
            Self::Motion | Self::Defect(_) | Self::Baseline(_) => return None,
        })
    }
    /// Whether a failing verdict can have it.
    pub fn can_fail(&self) -> bool {
        !matches!(self, Self::Motion | Self::Baseline(_))
    }
    /// Whether it is about a step of a solver.
    pub fn is_about_step(&self) -> bool {
        matches!(self, Self::Step(_) | Self::AnyStep)
    }
    /// Whether an entry about this is about that verdict too: any step stands for each, and the order for what is
    /// claimed of it.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::AnyStep, Self::Step(_)) | (Self::Order, Self::Claim(ClaimKind::Order)) => true,
            (a, b) => a == b,
        }
    }
}

impl fmt::Display for VerdictId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row0 => f.write_str("row0"),
            Self::Kinematics => f.write_str("kinematics"),
            Self::Finite => f.write_str("finite"),
            Self::Convergence => f.write_str("convergence"),
            Self::Tolerance => f.write_str("tolerance"),
            Self::Order => f.write_str("order"),
            Self::Claim(kind) => write!(f, "claim/{}", kind.id()),
            Self::Motion => f.write_str("motion"),
            Self::NoneFits => f.write_str("motion/none_fits"),
            Self::Defect(defect) => defect.fmt(f),
            Self::Relation(relation) => write!(f, "relation/{relation}"),
            Self::AnyStep => write!(f, "{STEP}*"),
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
        if text.strip_prefix(STEP) == Some("*") {
            return Ok(Self::AnyStep);
        }
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

/// A verdict without numbers; `said` is one sentence, with units.
pub(crate) fn verdict(id: VerdictId, status: Status, said: impl Into<String>) -> Verdict {
    let mut verdict = Verdict::new(id, status);
    verdict.detail = Some(said.into());
    verdict
}

/// Passed or failed.
pub(crate) fn status(good: bool) -> Status {
    if good { Status::Passed } else { Status::Failed }
}

/// Adds what was measured and what is allowed.
pub(crate) trait Numbers {
    /// A number with its unit.
    #[must_use]
    fn measuring(self, value: f64, unit: &str) -> Self;
    /// At most this, in the unit of what was measured.
    #[must_use]
    fn at_most(self, most: f64) -> Self;
    /// At least this, in the unit of what was measured.
    #[must_use]
    fn at_least(self, least: f64) -> Self;
}

impl Numbers for Verdict {
    fn measuring(mut self, value: f64, unit: &str) -> Self {
        self.measured = Some(Measurement::new(value, unit));
        self
    }
    fn at_most(mut self, most: f64) -> Self {
        self.allowed = Some(Bounds::at_most(most));
        self.allowed_text = format!("≤ {}", plain(most));
        self
    }
    fn at_least(mut self, least: f64) -> Self {
        self.allowed = Some(Bounds::new(Some(least), None));
        self.allowed_text = format!("≥ {}", plain(least));
        self
    }
}

/// Shortest digits that read back, scientific where zeros would pile up.
fn plain(x: f64) -> String {
    if x.abs() < SCIENTIFIC {
        format!("{x:e}")
    } else {
        x.to_string()
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
            "solver/step *",
            "claim/order",
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

    /// Ids stand in the lists that projects keep: none may go.
    #[test]
    fn no_id_is_lost() {
        let all: Vec<String> = VerdictId::all().map(|id| id.to_string()).collect();
        for stored in include_str!("../tests/data/verdict_ids.txt").lines() {
            assert!(all.iter().any(|id| id == stored), "{stored}");
        }
    }
}
