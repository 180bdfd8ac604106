//! What several problems say together of one solver.

use super::Diagnosis;
use crate::defect::{Defect, Part};
use crate::identification::Coefficient;
use schemars::JsonSchema;
use serde::Serialize;

/// A defect over several problems.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DefectEvidence {
    /// The defect.
    #[schemars(with = "String")]
    pub id: Defect,
    /// Its name, with its numbers.
    pub name: String,
    /// What part of the solver is wrong.
    pub part: Part,
    /// What was measured.
    pub evidence: String,
    /// What it means, and where to look.
    pub advice: String,
    /// The numbers of the equations of motion that are other ones, where a law was fitted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coefficients: Vec<Coefficient>,
    /// Problems on which it is named.
    pub named_on: Vec<String>,
    /// Problems on which it is not.
    pub not_on: Vec<String>,
}

/// Each defect once, what is named most often first.
pub fn evidence(all: &[(&str, &Diagnosis)]) -> Vec<DefectEvidence> {
    let mut out: Vec<DefectEvidence> = Vec::new();
    for (_, d) in all {
        for c in &d.causes {
            if out.iter().any(|known| known.id == c.id) {
                continue;
            }
            let named = |d: &Diagnosis| d.causes.iter().any(|other| other.id == c.id);
            let cases = |yes: bool| {
                let those = all.iter().filter(move |(_, d)| named(d) == yes);
                those.map(|(case, _)| (*case).to_string()).collect()
            };
            out.push(DefectEvidence {
                id: c.id,
                name: c.name.clone(),
                part: c.id.part(),
                evidence: c.evidence.clone(),
                advice: c.advice.clone(),
                coefficients: c.coefficients.clone(),
                named_on: cases(true),
                not_on: cases(false),
            });
        }
    }
    out.sort_by_key(|t| core::cmp::Reverse(t.named_on.len()));
    out
}
