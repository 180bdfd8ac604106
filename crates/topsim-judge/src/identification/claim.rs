//! Claims that a solver has a defect, and the bodies on which the defect acts.

use super::cadence::{Cadence, ClockPart};
use super::coefficient::{Coefficient, coefficients};
use super::experiment::{Load, Start};
use super::law::{Law, Place};
use super::symptom::{Certainty, Symptom};
use crate::thresholds::ROUNDING;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::Random;
use topsim_core::models::Frame;
use topsim_model::defect::Defect;

/// Something that is wrong with a solver, as data: its sentences are made where it is shown or written.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(into = "WrittenClaim")]
#[schemars(with = "WrittenClaim")]
#[non_exhaustive]
pub struct Claim {
    /// The defect.
    pub id: Defect,
    /// Certainty of the claim.
    pub certainty: Certainty,
    /// Symptom that was measured.
    pub(crate) symptom: Box<Symptom>,
    /// Steps of the case, s, where a clock of the solver's own may touch them.
    pub(crate) steps: Vec<f64>,
}

/// A claim as it is written in files.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Claim")]
struct WrittenClaim {
    /// The defect.
    #[schemars(with = "String")]
    id: Defect,
    /// Certainty of the claim.
    certainty: Certainty,
    /// Its name, with the numbers that were measured.
    name: String,
    /// Measurement, and the part that it leaves unexplained.
    evidence: String,
    /// Meaning of the defect, and where to look in the solver.
    advice: String,
    /// The numbers of the equations of motion that are other ones, where a law was fitted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coefficients: Vec<Coefficient>,
}

impl From<Claim> for WrittenClaim {
    fn from(claim: Claim) -> Self {
        Self {
            id: claim.id,
            certainty: claim.certainty,
            name: claim.name(),
            evidence: claim.evidence(),
            advice: claim.advice(),
            coefficients: claim.coefficients(),
        }
    }
}

/// The bodies on which a defect acts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum ClaimScope {
    /// All.
    #[default]
    All,
    /// Those with a torque.
    WithTorque,
    /// Those on which gravity acts.
    UnderGravity,
    /// Those on which the law differs from the right one.
    OfLaw(Box<Law>),
}

impl ClaimScope {
    /// Returns true if the defect acts on a body.
    pub(crate) fn has(&self, body: &Start) -> bool {
        match self {
            Self::All => true,
            Self::WithTorque => body.load != Load::None,
            Self::UnderGravity => matches!(body.load, Load::Gravity { .. }),
            Self::OfLaw(law) => {
                // States of the body with all that its law may depend on. A constant torque stands for one that may be zero at
                // some times.
                let mut random = Random::new(7);
                let speed = body.omega.norm().max(1.0);
                let frames = [Frame::Space, Frame::Body];
                let acts = |n: usize| {
                    let mut at = body.clone();
                    if let Load::Pulse(_) | Load::Other(_) = at.load {
                        at.load = Load::Constant {
                            torque: random.direction(1.0),
                            frame: frames[n % 2],
                        };
                    }
                    (at.att, at.omega) = (random.rotation(), random.direction(speed));
                    let [(rate, acceleration), (turn, right)] = [law, &Law::default()]
                        .map(|l| l.slopes(&Place::new(at.clone(), 0.0, true)));
                    (rate - turn).norm() > ROUNDING * speed
                        || (acceleration - right).norm() > ROUNDING * (right.norm() + speed * speed)
                };
                (0..STATES).any(acts)
            }
        }
    }
}

/// States of a body at which a law is compared.
const STATES: usize = 4;

impl From<Symptom> for Claim {
    fn from(symptom: Symptom) -> Self {
        Self {
            id: symptom.defect(),
            certainty: symptom.certainty(),
            symptom: Box::new(symptom),
            steps: Vec::new(),
        }
    }
}

impl Claim {
    /// Returns the claim that is made of steps, coarse to fine, each with the time by which the solver advances, s; none where
    /// these are no rule that is known.
    pub(crate) fn of_clock(times: &[[f64; 2]]) -> Option<Self> {
        let cadence = Cadence::of(times)?;
        let claim = Self::from(Symptom::Cadence(ClockPart::All, cadence));
        // Steps that are all longer than a limit show no more than a step that is always the same.
        match cadence {
            Cadence::Fixed(step) if times.iter().all(|[asked, _]| *asked > step) => {
                Some(claim.less_sure())
            }
            _ => Some(claim),
        }
    }
    /// Returns what a given rate shows.
    pub(crate) fn of_given_rate(defect: impl Into<Defect>, evidence: String) -> Self {
        let (defect, name) = (defect.into(), None);
        Symptom::GivenRate {
            defect,
            name,
            evidence,
        }
        .into()
    }
    /// Returns the same by a name that says more, of what a given rate shows.
    #[must_use]
    pub(crate) fn named(mut self, other: impl Into<String>) -> Self {
        if let Symptom::GivenRate { name, .. } = &mut *self.symptom {
            *name = Some(other.into());
        }
        self
    }
    /// Returns the same with less certainty.
    #[must_use]
    pub(crate) fn less_sure(self) -> Self {
        Self {
            certainty: Certainty::LooksLike,
            ..self
        }
    }
    /// Returns the numbers of the equations of motion that are other ones, where a law was fitted.
    pub fn coefficients(&self) -> Vec<Coefficient> {
        match &*self.symptom {
            Symptom::Law { fitted, base, .. } => coefficients(fitted, base),
            Symptom::LawOfRows(rows) => coefficients(&rows.law, &rows.body),
            Symptom::Factor(factor, _, body) => factor
                .law()
                .map_or(Vec::new(), |law| coefficients(&[law], body)),
            _ => Vec::new(),
        }
    }
    /// Returns the bodies on which it acts.
    pub(crate) fn scope(&self) -> ClaimScope {
        self.symptom.scope()
    }
}
