//! Choices of the person who judges: steps, tolerances, an end, and relations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Other steps and another end than the case's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProblemChoice {
    /// Steps, s; those of the case if there are none.
    pub steps: Vec<f64>,
    /// Tolerances of an adaptive solver: histories differ in these, and not in their steps.
    pub tolerances: Vec<f64>,
    /// End, s; the case's if there is none.
    pub end: Option<f64>,
    /// Choice of judging by relations, for which images of the problem are posed.
    pub relations: RelationsChoice,
}

/// Choice of judging a solver by relations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RelationsChoice {
    /// No relations.
    #[default]
    No,
    /// Relations beside the reference.
    Beside,
    /// Relations alone, which need no reference.
    Only,
}

/// A text that is no choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("allowed: beside, only or no")]
pub struct InvalidChoice;

impl FromStr for RelationsChoice {
    type Err = InvalidChoice;
    fn from_str(text: &str) -> Result<Self, InvalidChoice> {
        match text {
            "beside" => Ok(Self::Beside),
            "only" => Ok(Self::Only),
            "no" => Ok(Self::No),
            _ => Err(InvalidChoice),
        }
    }
}
