//! Studies a case can ask for: numbers over a step ladder, to look at rather than to judge. These
//! types are the file format: serde reads them and the JSON Schema is made from them.

use super::check::{At, Selection, at_end, attitude, matches};
use schemars::JsonSchema;
use serde::Deserialize;

/// What work is counted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Torque evaluations of the whole run: the same on every machine.
    #[default]
    TorqueEvaluations,
    /// Measured time of the bare steps: differs from machine to machine, and is kept apart.
    Time,
}

fn energy() -> String {
    "H".into()
}

/// A study: a table, a CSV file and a figure.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(extend("unevaluatedProperties" = false))]
pub struct Study {
    /// What is looked at.
    #[serde(flatten)]
    pub what: Topic,
    /// Which runs; all without it.
    #[serde(default)]
    pub runs: Selection,
    /// Labels of the schemes drawn, where a figure of all would be crowded; `*` stands for any
    /// characters. All without it.
    pub drawn: Option<Vec<String>>,
}

/// What a study looks at.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Topic {
    /// Distance from the reference against the step, with the orders.
    Convergence {
        /// Column or group (default `attitude`).
        #[serde(default = "attitude")]
        quantity: String,
        /// When (default end).
        #[serde(default = "at_end")]
        at: At,
        /// Divide by the size of the reference's value then (default no).
        #[serde(default)]
        relative: bool,
    },
    /// Distance from the reference against the work spent.
    WorkPrecision {
        /// Column or group (default `attitude`).
        #[serde(default = "attitude")]
        quantity: String,
        /// When (default end).
        #[serde(default = "at_end")]
        at: At,
        /// What work is counted in (default torque evaluations).
        #[serde(default)]
        against: Work,
    },
    /// Long-time drift of a quantity that should stay: its size, rate and kind.
    Drift {
        /// Tracked column (default `H`).
        #[serde(default = "energy")]
        quantity: String,
    },
    /// Distance from the start after all steps forward and as many back.
    Reversibility {
        /// Column or group (default `attitude`).
        #[serde(default = "attitude")]
        quantity: String,
    },
    /// Symplectic defect of one step from the start.
    SymplecticDefect {},
    /// Largest entry of |ΛᵀΛ − I| over the run.
    Orthogonality {},
}

impl Study {
    /// Name in case files.
    pub fn kind(&self) -> &'static str {
        match self.what {
            Topic::Convergence { .. } => "convergence",
            Topic::WorkPrecision { .. } => "work_precision",
            Topic::Drift { .. } => "drift",
            Topic::Reversibility { .. } => "reversibility",
            Topic::SymplecticDefect {} => "symplectic_defect",
            Topic::Orthogonality {} => "orthogonality",
        }
    }
    /// Stem of its files.
    pub fn stem(&self) -> String {
        let what = self
            .quantity()
            .map_or_else(String::new, |q| format!("_{q}"));
        let time = if self.is_timed() { "_time" } else { "" };
        format!("study_{}{what}{time}", self.kind())
    }
    /// The column or group it looks at.
    pub fn quantity(&self) -> Option<&str> {
        match &self.what {
            Topic::Convergence { quantity, .. }
            | Topic::WorkPrecision { quantity, .. }
            | Topic::Drift { quantity }
            | Topic::Reversibility { quantity } => Some(quantity),
            Topic::SymplecticDefect {} | Topic::Orthogonality {} => None,
        }
    }
    /// When it looks.
    pub fn at(&self) -> Option<At> {
        match &self.what {
            Topic::Convergence { at, .. } | Topic::WorkPrecision { at, .. } => Some(*at),
            _ => None,
        }
    }
    /// Whether its numbers are times of this machine.
    pub fn is_timed(&self) -> bool {
        matches!(
            self.what,
            Topic::WorkPrecision {
                against: Work::Time,
                ..
            }
        )
    }
    /// Whether it needs a reference.
    pub fn needs_reference(&self) -> bool {
        self.at().is_some()
    }
    /// Whether a scheme is drawn.
    pub fn draws(&self, scheme: &str) -> bool {
        let drawn = self.drawn.as_ref();
        drawn.is_none_or(|d| d.iter().any(|p| matches(p, scheme)))
    }
}
