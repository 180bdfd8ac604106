//! What several problems say together of one solver.

use super::Diagnosis;
use crate::identification::Claim;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_model::defect::Part;

/// A defect over several problems.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DefectEvidence {
    /// The claim on the first problem that shows it.
    #[serde(flatten)]
    pub claim: Claim,
    /// What part of the solver is wrong.
    pub part: Part,
    /// Problems on which it is named.
    pub named_on: Vec<String>,
    /// Problems on which it is not.
    pub not_on: Vec<String>,
}

/// Each defect once, what is named most often first.
pub fn evidence(all: &[(&str, &Diagnosis)]) -> Vec<DefectEvidence> {
    let mut out: Vec<DefectEvidence> = Vec::new();
    for claim in all.iter().flat_map(|(_, d)| &d.causes) {
        if out.iter().any(|known| known.claim.id == claim.id) {
            continue;
        }
        let named = |d: &Diagnosis| d.causes.iter().any(|other| other.id == claim.id);
        let cases = |yes: bool| {
            let those = all.iter().filter(move |(_, d)| named(d) == yes);
            those.map(|(case, _)| (*case).to_string()).collect()
        };
        out.push(DefectEvidence {
            part: claim.id.part(),
            named_on: cases(true),
            not_on: cases(false),
            claim: claim.clone(),
        });
    }
    out.sort_by_key(|t| core::cmp::Reverse(t.named_on.len()));
    out
}
