//! What is said to be wrong with a solver, and the bodies on which it acts.

use super::coefficient::Coefficient;
use super::experiment::{Load, Start};
use super::law::{Law, Place};
use super::symptom::Certainty;
use crate::defect::Defect;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::Random;
use topsim_core::models::Frame;

/// Something that is wrong with a solver.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Claim {
    /// The defect.
    #[schemars(with = "String")]
    pub id: Defect,
    /// How sure it is.
    pub certainty: Certainty,
    /// Its name, with the numbers that were measured.
    pub name: String,
    /// What was measured, and what it leaves unexplained.
    pub evidence: String,
    /// What it means, and where to look in the solver.
    pub advice: String,
    /// The numbers of the equations of motion that are other ones, where a law was fitted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coefficients: Vec<Coefficient>,
    /// The bodies on which it acts.
    #[serde(skip)]
    pub(crate) scope: ClaimScope,
}

/// The bodies on which a defect acts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum ClaimScope {
    /// All.
    #[default]
    All,
    /// Those with a torque.
    WithTorque,
    /// Those on which the law differs from the right one.
    OfLaw(Box<Law>),
}

/// Smallest part of an acceleration that a law changes where it acts.
const ACTS: f64 = 1e-9;

impl ClaimScope {
    /// Returns true if the defect acts on a body.
    pub(crate) fn has(&self, body: &Start) -> bool {
        match self {
            Self::All => true,
            Self::WithTorque => body.load != Load::None,
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
                    (rate - turn).norm() > ACTS * speed
                        || (acceleration - right).norm() > ACTS * (right.norm() + speed * speed)
                };
                (0..STATES).any(acts)
            }
        }
    }
}

/// States of a body at which a law is compared.
const STATES: usize = 4;

impl Claim {
    /// One that explains what was measured, with the words of its row.
    pub(crate) fn is(id: impl Into<Defect>, evidence: String) -> Self {
        let id = id.into();
        Self {
            id,
            certainty: Certainty::Is,
            name: id.name(),
            evidence,
            advice: id.advice().into(),
            coefficients: Vec::new(),
            scope: ClaimScope::All,
        }
    }
    /// The same by a name that says more.
    #[must_use]
    pub(crate) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}
