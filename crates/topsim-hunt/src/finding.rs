//! What was found: the simplest problem on which a claim fails, and by what it is known again.

use crate::claim::{HuntClaim, Margin, MarginQuantity};
use crate::corner::Corner;
use crate::ladder::oracle;
use crate::point::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::models::RotState;

/// A problem on which a claim fails, in `finding.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Its name: the claim, and the class.
    pub id: String,
    /// The claim that fails.
    pub claim: HuntClaim,
    /// In what the problem has to be out of the ordinary for it to fail.
    pub class: Vec<Corner>,
    /// What the two numbers are of; null in older files.
    #[serde(default)]
    pub quantity: Option<MarginQuantity>,
    /// What was measured there; null where a number is not finite.
    pub measured: Option<f64>,
    /// What is allowed.
    pub allowed: f64,
    /// What the solver said, where it gave no rows.
    #[serde(default)]
    pub said: Option<String>,
    /// The problem.
    pub problem: Point,
    /// Seed of the hunt.
    pub seed: u64,
    /// The number of the problem that led to it.
    pub number: u64,
    /// The solver.
    pub solver: String,
    /// Version of topsim.
    pub topsim: String,
    /// Why it is accepted: such a finding does not fail a run.
    #[serde(default)]
    pub accepted: Option<String>,
}

impl Finding {
    /// Whether somebody says why it is accepted.
    pub fn is_accepted(&self) -> bool {
        let why = self.accepted.as_deref();
        why.is_some_and(|why| !why.trim().is_empty())
    }
    /// The name of a finding beside others.
    pub(crate) fn name(claim: HuntClaim, class: &[Corner], taken: &[&String]) -> String {
        let parts = class.iter().map(|p| p.id());
        let name = std::iter::once(claim.id())
            .chain(parts)
            .collect::<Vec<_>>()
            .join("-");
        let same = |n: &String| taken.contains(&n);
        let numbered = (2..).map(|n| format!("{name}-{n}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|n| !same(n)).unwrap_or(name)
    }
    pub(crate) fn set(&mut self, margin: &Margin) {
        self.measured = Some(margin.measured).filter(|x| x.is_finite());
        self.quantity = Some(margin.quantity);
        self.allowed = margin.allowed;
    }
}

impl Point {
    /// The exact state at its end, where it has a closed form.
    pub fn exact(&self) -> Option<RotState> {
        let reference = oracle(self, true)?;
        let mut row = vec![0.0; reference.columns().width()];
        reference.row(self.step * f64::from(self.steps), &mut row);
        reference.columns().state(&row)
    }
}
