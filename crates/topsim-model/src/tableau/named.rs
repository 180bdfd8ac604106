//! Tableaus that have a name: those of the schemes' tables.

use super::{STAGES, Tableau};
use topsim_core::schemes::tableaus::{ButcherTableau, EXPLICIT, IMPLICIT};

/// Returns all explicit tableaus that have no more than [`STAGES`] stages.
#[must_use]
pub fn named() -> Vec<Tableau> {
    let short = EXPLICIT.iter().filter(|t| t.weights.len() <= STAGES);
    short.map(|rule| Tableau::from(*rule)).collect()
}

/// Returns all implicit tableaus.
#[must_use]
pub fn implicit() -> Vec<Tableau> {
    IMPLICIT.iter().map(|rule| Tableau::from(*rule)).collect()
}

/// Returns the tableau of a name.
#[must_use]
pub fn find(name: &str) -> Option<Tableau> {
    named()
        .into_iter()
        .chain(implicit())
        .find(|t| t.name == name)
}

impl From<&ButcherTableau> for Tableau {
    fn from(rule: &ButcherTableau) -> Self {
        let mut out = Self {
            name: rule.name,
            order: rule.order,
            stages: rule.weights.len(),
            a: [[0.0; STAGES]; STAGES],
            b: [0.0; STAGES],
        };
        for (to, row) in out.a.iter_mut().zip(rule.rows) {
            to[..row.len()].copy_from_slice(row);
        }
        out.b[..rule.weights.len()].copy_from_slice(rule.weights);
        out
    }
}
