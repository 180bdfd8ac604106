//! Verdicts on the histories of a case: one flat list, from which passing, exit status, JUnit and baselines follow.

use crate::models::FLAWS;
use crate::schemes::naive::{Naive, Nature};
use serde::Serialize;

/// How a verdict stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// As it should be.
    Passed,
    /// Not so.
    Failed,
    /// Not so, and a baseline says why that is accepted.
    Accepted,
    /// Told, and not judged.
    Note,
}

/// One thing that was judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// A name that does not change: `row0`, `model/gyroscopic_missing`, …
    pub id: String,
    /// How it stands.
    pub status: Standing,
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

/// What begins the id of a step of a solver that has no history.
pub const STEP: &str = "solver/step ";

impl Verdict {
    /// Without numbers.
    pub fn new(id: impl Into<String>, status: Standing, sentence: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            status,
            measured: None,
            allowed: None,
            sentence: sentence.into(),
            reason: None,
        }
    }
    /// With what was measured and what is allowed.
    #[must_use]
    pub fn with(mut self, measured: f64, allowed: f64) -> Self {
        (self.measured, self.allowed) = (Some(measured), Some(allowed));
        self
    }
    /// Whether it speaks against what was judged.
    pub fn failed(&self) -> bool {
        self.status == Standing::Failed
    }
    /// Whether it is about a step that has no history.
    pub fn about_step(&self) -> bool {
        self.id.starts_with(STEP)
    }
}

/// What is judged of every case.
const FIXED: [&str; 6] = [
    "row0",
    "kinematics",
    "finite",
    "convergence",
    "order",
    "motion/none_fits",
];
/// Causes in the reporting. A debug assertion of the runner and `tests/verdicts.rs` hold these lists against what is found.
const REPORTING: [&str; 13] = [
    "transposed",
    "quaternion_order",
    "quaternion_order_transposed",
    "euler_unit",
    "euler_unit_transposed",
    "rate_frame",
    "rate_degrees",
    "rate_degrees_frame",
    "rate_sign",
    "rate_sign_frame",
    "rate_half_step",
    "rate_whole_step",
    "time_stamps",
];

/// Models that are fitted.
const FITTED: [&str; 5] = [
    "another_start",
    "torque_factor",
    "gyroscopic_factor",
    "damping",
    "excitation",
];

/// All ids that a failing verdict can have, but for the steps of solvers.
pub fn verdict_ids() -> Vec<String> {
    let mut out: Vec<String> = FIXED.map(Into::into).into();
    out.extend(REPORTING.map(|id| format!("reporting/{id}")));
    out.extend(FITTED.map(|id| format!("model/{id}")));
    for flaw in FLAWS {
        let name = serde_json::to_value(flaw).ok();
        let name = name.as_ref().and_then(|v| v.as_str());
        out.extend(name.map(|n| format!("model/{n}")));
    }
    let defects = Naive::all()
        .into_iter()
        .filter(|n| n.nature() == Nature::Defect);
    let mut schemes: Vec<String> = defects
        .map(|n| format!("scheme/{}", slug(&n.name())))
        .collect();
    schemes.extend(["momentum_clamp", "normalisation_missing"].map(|n| format!("scheme/{n}")));
    schemes.sort();
    schemes.dedup();
    out.extend(schemes);
    out
}

/// Whether a failing verdict can have this id.
pub fn is_verdict_id(id: &str) -> bool {
    match id.strip_prefix(STEP) {
        Some(step) => {
            let h = step.parse::<f64>();
            h.is_ok_and(|h| h > 0.0 && h.to_string() == step)
        }
        None => verdict_ids().iter().any(|known| known == id),
    }
}

/// As the diagnosis makes ids of names.
fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            _ if !out.ends_with('_') => out.push('_'),
            _ => {}
        }
    }
    out.trim_matches('_').to_string()
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
            assert!(is_verdict_id(id), "{id}");
        }
        for id in [
            "",
            "row1",
            "model/",
            "model/gyro",
            "solver/step ",
            "solver/step -1",
            "solver/step x",
            "solver/step 0.010",
            "*",
        ] {
            assert!(!is_verdict_id(id), "{id}");
        }
        let all = verdict_ids();
        let mut once = all.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), all.len());
    }
}
