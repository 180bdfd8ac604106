//! Models that explain rows, and the search for them.

use crate::equations::Equations;
use crate::evidence::{EXPLAINED, Evidence};
use crate::model::Model;
use crate::observed::{Interval, Observed};
use crate::report::Report;
use crate::stepping::{Rule, SEMI_IMPLICIT, Stepping, TurnMap};
use core::cell::RefCell;

/// A model that explains rows.
#[derive(Clone)]
pub struct Found {
    /// The model.
    pub model: Model,
    /// Number of its numbers that were fitted.
    pub numbers: usize,
    /// Its agreement with the rows.
    pub evidence: Evidence,
    /// Bits to say the model and what it leaves.
    pub bits: f64,
}

/// Bits to say that a report is another one, that a step is cut, that an angle is capped, that a law is wrong, and a number.
mod price {
    pub const REPORT: f64 = 8.0;
    pub const SUBSTEPS: f64 = 4.0;
    pub const CAP: f64 = 3.0;
    pub const LAW: f64 = 6.0;
    pub const NUMBER: f64 = 25.0;
}

/// A miss beyond this is that of another motion, relative.
const OTHER_MOTION: f64 = 1e-2;
/// A right model that is this much farther from a row than rounding takes another rule is not that rule: the rounding of two
/// rules differs by less.
const FAR: f64 = 1e4;

/// Returns the bits to say a model.
fn bits(model: &Model, numbers: usize) -> f64 {
    let Stepping { rule, substeps } = model.stepping;
    let capped = matches!(
        rule,
        Rule::Euler {
            map: TurnMap::Capped,
            ..
        }
    );
    let wrong = !model.law.is_empty() || !model.habit.is_none();
    let parts = [
        (substeps > 1, price::SUBSTEPS),
        (capped, price::CAP),
        (wrong, price::LAW),
    ];
    let parts = parts.iter().filter(|p| p.0).map(|p| p.1);
    let counted =
        f64::from(model.report.changes()) * price::REPORT + numbers as f64 * price::NUMBER;
    counted + parts.sum::<f64>()
}

/// Rounding of intervals, rad and rad/s; none where no step is made.
type Roundings = Vec<Option<[f64; 2]>>;

/// A search for models of some rows.
pub(crate) struct Search<'a> {
    pub observed: &'a Observed,
    pub wanted: &'a dyn Fn() -> bool,
    /// Intervals that a model must pass before it is held against all.
    few: Vec<Interval>,
    /// Rounding of each of them by a report, rad and rad/s: that of the simplest rule.
    rounding: RefCell<Vec<(Report, Roundings)>>,
}

impl<'a> Search<'a> {
    pub fn new(observed: &'a Observed, wanted: &'a dyn Fn() -> bool) -> Self {
        Self {
            observed,
            wanted,
            few: observed.few(2),
            rounding: RefCell::default(),
        }
    }

    /// Returns true if there are whole steps between rows: otherwise the solver makes steps of its own, and only the motion
    /// can be held against them.
    pub fn has_steps(&self) -> bool {
        self.few.len() > 1
    }

    /// Returns the intervals that a model must pass before it is held against all.
    pub fn few(&self) -> &[Interval] {
        &self.few
    }

    /// Returns what rounding can do to the few intervals.
    fn rounding(&self, report: Report) -> Roundings {
        let mut all = self.rounding.borrow_mut();
        if let Some((_, known)) = all.iter().find(|(r, _)| *r == report) {
            return known.clone();
        }
        let model = Model::right(SEMI_IMPLICIT.once()).reported(report);
        let right = Equations::right(&self.observed.body);
        let of = |i| self.observed.residual(&model, &right, i);
        let known: Roundings = self.few.iter().map(|i| of(i).rounding).collect();
        all.push((report, known.clone()));
        known
    }

    /// Returns true if the model comes near to some rows.
    fn survives(&self, model: &Model, equations: &Equations) -> bool {
        let rounding = self.rounding(model.report);
        let near = |(i, rounding): &(&Interval, Option<[f64; 2]>)| {
            let missed = self.observed.miss(model, equations, i);
            missed.is_some_and(|r| {
                let near = |[turn, rate]: [f64; 2]| {
                    r.off.turn.norm() <= FAR * turn && r.off.rate.norm() <= FAR * rate
                };
                r.size <= OTHER_MOTION && rounding.is_none_or(near)
            })
        };
        let few = self.few.iter().zip(rounding);
        if few.filter(|i| !near(i)).nth(1).is_some() {
            return false;
        }
        let (mut bad, mut told) = (0, 0);
        for i in &self.few {
            let r = self.observed.residual(model, equations, i);
            if r.informative {
                told += 1;
                bad += usize::from(!(r.score <= EXPLAINED));
            }
            if bad > 1 && 3 * bad > self.few.len() {
                return false;
            }
        }
        told > 0 && 3 * bad <= told
    }

    /// Returns the model if it explains the rows.
    pub fn accepted(&self, model: Model, equations: &Equations, numbers: usize) -> Option<Found> {
        if !(self.wanted)() || !self.survives(&model, equations) {
            return None;
        }
        let all = &self.observed.intervals;
        let evidence = self.observed.evidence(&model, equations, all);
        Found::asserted(model, evidence, numbers)
    }
}

impl Found {
    pub(crate) fn asserted(model: Model, evidence: Evidence, numbers: usize) -> Option<Self> {
        evidence.asserted.then(|| Self {
            bits: evidence.bits + bits(&model, numbers),
            model,
            numbers,
            evidence,
        })
    }
}
