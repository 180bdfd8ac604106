//! What the relations of a case show, as data and as verdicts.

use crate::cause::CauseClass;
use crate::holding::{Holding, StepDependence};
use crate::motion::Motion;
use crate::not_applicable::NotApplicable;
use crate::pattern::{excluded, pattern};
use crate::residual::Residual;
use crate::table::Relation;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_model::defect::Defect;

/// A relation of a case.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RelationReport {
    /// Which.
    pub relation: Relation,
    /// Whether it holds.
    #[serde(flatten)]
    pub holding: Holding,
    /// Its residuals, coarse to fine; none where it is not applicable.
    pub residuals: Vec<Residual>,
}

impl RelationReport {
    pub(crate) fn new(
        relation: Relation,
        residuals: Result<Vec<Residual>, NotApplicable>,
        own: &StepDependence,
    ) -> Self {
        let (holding, residuals) = match residuals {
            Ok(residuals) => (Holding::of(&residuals, own), residuals),
            Err(NotApplicable::NotPosed(why)) => {
                (Holding::NotApplicable { why: why.into() }, Vec::new())
            }
            Err(NotApplicable::NotSolved(why)) => (Holding::NotRun { why }, Vec::new()),
            Err(e @ NotApplicable::Refused(_)) => {
                (Holding::NotApplicable { why: e.to_string() }, Vec::new())
            }
        };
        Self {
            relation,
            holding,
            residuals,
        }
    }
}

/// The relations of a case.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RelationsReport {
    /// Each relation once.
    pub relations: Vec<RelationReport>,
    /// Coarsest step, s; the others are halves of it, quarters and eighths.
    pub step: Option<f64>,
    /// From the start to the last row of a motion, s.
    pub span: Option<f64>,
    /// Order with which the rows themselves converge, whatever they converge to.
    pub own_order: Option<f64>,
    /// Runs of the solver.
    pub runs: usize,
    /// Why the solver did not run the motion itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
    /// Whether it says that it cannot.
    #[serde(skip)]
    pub refused: bool,
    /// Classes of the causes of what fails.
    pub causes: Vec<CauseClass>,
    /// Defects named by the diagnosis that are of these classes.
    #[schemars(with = "Vec<String>")]
    pub confirmed: Vec<Defect>,
    /// Defects named by the diagnosis that a relation which holds speaks against.
    #[schemars(with = "Vec<String>")]
    pub contradicted: Vec<Defect>,
}

impl RelationsReport {
    pub(crate) fn new(
        relations: Vec<RelationReport>,
        coarsest: &Motion,
        own_order: Option<f64>,
        runs: usize,
    ) -> Self {
        let failing: Vec<Relation> = with(&relations, |h| *h == Holding::Fails).collect();
        Self {
            causes: pattern(&failing),
            relations,
            step: Some(coarsest.step()),
            span: Some(coarsest.step() * coarsest.steps() as f64),
            own_order,
            runs,
            not_run: None,
            refused: false,
            confirmed: Vec::new(),
            contradicted: Vec::new(),
        }
    }

    /// Leaves out the images that turn faster, where problems are posed with one step: they are the same problems.
    pub fn with_one_step(mut self) -> Self {
        let mut all = self.relations.iter_mut();
        if let Some(found) = all.find(|r| r.relation == Relation::TimeScale) {
            found.holding = Holding::NotApplicable {
                why: "with the solver's only step, the image is posed as the same problem".into(),
            };
            found.residuals.clear();
        }
        self
    }

    /// Where the motion itself was not run.
    pub(crate) fn not_run(why: &NotApplicable, step: Option<f64>) -> Self {
        let relations = Relation::ALL.iter().map(|&relation| RelationReport {
            relation,
            holding: Holding::NotApplicable {
                why: why.to_string(),
            },
            residuals: Vec::new(),
        });
        Self {
            relations: relations.collect(),
            step,
            span: None,
            own_order: None,
            runs: 0,
            not_run: Some(why.to_string()),
            refused: matches!(why, NotApplicable::Refused(_)),
            causes: Vec::new(),
            confirmed: Vec::new(),
            contradicted: Vec::new(),
        }
    }

    /// The relations that fail.
    pub fn failing(&self) -> impl Iterator<Item = Relation> {
        with(&self.relations, |h| *h == Holding::Fails)
    }

    /// How many hold, of how many that the problem admits.
    pub fn held(&self) -> [usize; 2] {
        let posed = |h: &Holding| !matches!(h, Holding::NotApplicable { .. });
        [
            with(&self.relations, Holding::holds).count(),
            with(&self.relations, posed).count(),
        ]
    }

    /// Whether anything was judged.
    pub fn judged(&self) -> bool {
        let judged =
            |h: &Holding| !matches!(h, Holding::NotApplicable { .. } | Holding::NotRun { .. });
        with(&self.relations, judged).next().is_some()
    }

    /// Holds the defects that the diagnosis names against what the relations show.
    pub fn against(&mut self, named: &[Defect]) {
        let held: Vec<Relation> = with(&self.relations, Holding::holds).collect();
        let excluded = excluded(&held);
        let named = || named.iter().copied();
        let of = |classes: &[CauseClass], d: Defect| classes.iter().any(|c| c.has(d));
        self.confirmed = named().filter(|d| of(&self.causes, *d)).collect();
        let against = named().filter(|d| of(&excluded, *d) && !self.confirmed.contains(d));
        self.contradicted = against.collect();
    }
}

fn with(
    relations: &[RelationReport],
    is: impl Fn(&Holding) -> bool,
) -> impl Iterator<Item = Relation> {
    let those = relations.iter().filter(move |r| is(&r.holding));
    those.map(|r| r.relation)
}
