//! The numbers of a law of motion that a model of a solver has: in words, and as data.

use super::cadence::{Cadence, ClockPart};
use super::coefficient::{Coefficient, coefficients};
use super::experiment::Start;
use super::fit::FittedLaw;
use super::symptom::Symptom;
use super::text;
use super::{Certainty, Claim};
use topsim_model::Change;

/// Numbers of some terms, for the body on which they were found.
pub(crate) struct LawNumbers<'a> {
    fitted: Vec<FittedLaw>,
    base: &'a Start,
}

impl<'a> LawNumbers<'a> {
    /// Takes as many of the errors as the terms have numbers.
    pub fn new(changes: &[Change], errors: &mut &[f64], base: &'a Start) -> Self {
        let of = |c: &Change| {
            let (own, rest) = errors.split_at(c.added.len().min(errors.len()));
            *errors = rest;
            FittedLaw {
                term: c.term,
                values: c.values(),
                errors: own.to_vec(),
            }
        };
        Self {
            fitted: changes.iter().map(of).collect(),
            base,
        }
    }

    /// Returns what the numbers say.
    pub fn words(&self) -> String {
        text::law_numbers(&self.fitted, self.base)
    }

    /// Returns the numbers beside the right ones.
    pub fn coefficients(&self) -> Vec<Coefficient> {
        coefficients(&self.fitted, self.base)
    }
}

/// Returns the claim that is made of steps, coarse to fine, each with the time by which the solver advances, s; none where
/// these are no rule that is known.
pub(crate) fn clock_claim(times: &[[f64; 2]]) -> Option<Claim> {
    let cadence = Cadence::of(times)?;
    let claim = text::claim(&Symptom::Cadence(ClockPart::All, cadence));
    // Steps that are all longer than a limit show no more than a step that is always the same.
    match cadence {
        Cadence::Fixed(step) if times.iter().all(|[asked, _]| *asked > step) => Some(Claim {
            certainty: Certainty::LooksLike,
            evidence: format!("{}; or longer steps are cut off there", claim.evidence),
            ..claim
        }),
        _ => Some(claim),
    }
}
