//! Solvers of attitudes with a given rate, measured on short problems of our choice.
//!
//! | problem | tells |
//! |---|---|
//! | a constant rate about an oblique axis | frame, sign and size of the turn; Euler angles; whether a constant rate is exact |
//! | a rate along one axis that grows | the time at which the rate is taken |
//! | the same with a square of the time | whether increments are taken, or values by a rule |
//! | two axes, one of them growing | the coning term |
//! | three turns that swing | the scheme of the catalogue whose rows these are |
//! | cones that close | the drift about the axis of the cone |
//!
//! Each relation is exact but for rounding, or for a power of the step that is known. The first step is not looked at: what a rule
//! remembers is not there yet. What falls with the step is an error of truncation and no other equation.

mod catalogue;
mod coning;
mod lag;
mod questions;
mod rotation_vector;
mod turns;

#[cfg(test)]
mod tests;

use crate::identification::{Claim, Identification};
use questions::Answers;
use topsim_model::defect::SchemeDefect;
use topsim_model::probe::RateProbe;

/// The attitudes of all rows of a question, from its start on, or why there are none.
pub(crate) type Answer = Result<Vec<topsim_core::math::Mat3>, String>;

/// Returns all questions that a solver of given rates is asked.
pub(crate) fn questions() -> Vec<RateProbe> {
    Answers::questions()
}

/// Asks a solver all questions and says what is wrong with it, or what it does.
pub(crate) fn identify(answers: &dyn Fn(Vec<RateProbe>) -> Vec<Answer>) -> Identification {
    let questions = questions();
    let runs = questions.len();
    let asked = match Answers::of(answers(questions)) {
        Ok(asked) => asked,
        Err(why) => return Identification::impossible(why),
    };
    let (claims, scheme) = found(&asked);
    Identification {
        claims,
        scheme,
        runs,
        ..Identification::default()
    }
}

/// Defects, or the rule of a solver without any.
fn found(asked: &Answers) -> (Vec<Claim>, Vec<String>) {
    let constant = match turns::constant(asked) {
        Ok(constant) => constant,
        Err(claim) => return (vec![claim], Vec::new()),
    };
    let known = catalogue::rule(asked);
    let known_samples = known.as_ref().map(|(_, samples)| *samples);
    let lags = lag::lags(asked, &constant.maps);
    let update = lags.and_then(|(update, _)| update);
    // A rate of another time makes order 1, whatever the update is.
    let late = lags.and_then(|(_, lag)| {
        let samples = update.map(|(_, samples)| samples);
        let samples = known_samples
            .or(samples)
            .or_else(|| coning::of_lag(asked, lag));
        lag::late(lag, samples)
    });
    let mut claims: Vec<Claim> = late.into_iter().chain(constant.claim).collect();
    let mut rule = constant.rule;
    let mut samples = known_samples;
    if claims.is_empty() {
        let told = coning::coning(asked, update);
        claims.extend(told.claim);
        // A fitted rule is exact for a constant rate.
        match told.samples {
            Some(_) if !told.rule.is_empty() && update.is_none() => rule = told.rule,
            _ => rule.extend(told.rule),
        }
        samples = samples.or(told.samples);
    }
    // The scheme of the catalogue says more than what is known of its parts.
    if let Some((said, _)) = known {
        rule = vec![said];
    }
    if claims
        .iter()
        .all(|c| c.id == SchemeDefect::ConingTerm.into())
    {
        rule.extend(catalogue::drift(asked, samples));
    }
    (claims, rule)
}
