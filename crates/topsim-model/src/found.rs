//! Models that explain rows, and the search for them.

use crate::equations::Equations;
use crate::evidence::{EXPLAINED, Evidence};
use crate::model::Model;
use crate::observed::{Interval, Observed, Residual, Spread};
use crate::report::{Latent, Report};
use crate::state::Difference;
use crate::stepping::{Carrier, Rule, SEMI_IMPLICIT, Stepping, TurnMap};
use core::cell::RefCell;
use std::collections::HashMap;

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

/// Kind of right models whose rounding between two rows is the same, but for a part of h |W|: it is that of the rows' digits and
/// of the states after steps, which the motion carries on. A rule whose quaternion has another length carries it on otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RoundingKind {
    report: Report,
    substeps: u32,
    variables: RoundedVariables,
}

/// Variables in which a step is made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum RoundedVariables {
    Catalogue,
    Map(TurnMap),
    Carrier(Carrier),
}

/// Simulated rounding of intervals; none where a disturbed model makes no steps.
type Spreads = HashMap<Interval, Option<Spread>>;

impl RoundingKind {
    /// Returns the kind of a right model; none of one that rounding may move otherwise.
    fn of(model: &Model) -> Option<Self> {
        let right = model.law.is_empty() && model.habit.is_none();
        let variables = match model.stepping.rule {
            Rule::Catalogue(_) => RoundedVariables::Catalogue,
            Rule::Euler { map, .. } => RoundedVariables::Map(map),
            Rule::RungeKutta(rule) => RoundedVariables::Carrier(rule.carrier),
            _ => return None,
        };
        let kind = Self {
            report: model.report,
            substeps: model.stepping.substeps,
            variables,
        };
        (right && model.report.latent == Latent::None).then_some(kind)
    }
}

/// A search for models of some rows.
pub(crate) struct Search<'a> {
    pub observed: &'a Observed,
    pub wanted: &'a dyn Fn() -> bool,
    /// Intervals that a model must pass before it is held against all.
    few: Vec<Interval>,
    /// Rounding of each of them by a report, rad and rad/s: that of the simplest rule.
    rounding: RefCell<Vec<(Report, Roundings)>>,
    /// Simulated rounding of kinds of right models.
    spreads: RefCell<Vec<(RoundingKind, Spreads)>>,
}

impl<'a> Search<'a> {
    pub fn new(observed: &'a Observed, wanted: &'a dyn Fn() -> bool) -> Self {
        Self {
            observed,
            wanted,
            few: observed.few(2),
            rounding: RefCell::default(),
            spreads: RefCell::default(),
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

    /// Returns how far the model is from the second row of an interval, beside what rounding can do.
    fn residual(&self, model: &Model, equations: &Equations, i: &Interval) -> Residual {
        let simulated = |off: &Difference| self.observed.spread(model, equations, i, off);
        self.observed.residual_with(model, equations, i, |off| {
            let Some(kind) = RoundingKind::of(model) else {
                return simulated(off);
            };
            let mut all = self.spreads.borrow_mut();
            let at = all.iter().position(|(k, _)| *k == kind);
            let at = at.unwrap_or_else(|| {
                all.push((kind, Spreads::new()));
                all.len() - 1
            });
            *all[at].1.entry(*i).or_insert_with(|| simulated(off))
        })
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
            let r = self.residual(model, equations, i);
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
        let residual = |i: &Interval| self.residual(&model, equations, i);
        let evidence = self
            .observed
            .evidence_of(&self.observed.intervals, residual);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::standard_inertia;
    use crate::observed::{LEAST, StepHistory};
    use crate::print::Print;
    use crate::probe::{Load, Row, Start};
    use crate::state::State;
    use crate::tableau;
    use topsim_core::math::{Random, Vec3, so3};
    use topsim_core::models::RotState;

    /// Largest ratio of the rounding of two rules of one kind: right models leave 2.5 roundings at most, and 12 are allowed.
    const SHARED: f64 = 4.8;

    /// Returns rows of RK4 on a drawn top, up to an eighth of a radian a step.
    fn observed(random: &mut Random) -> Observed {
        let speed = 10_f64.powf(2.0 * random.uniform());
        let body = Start {
            att: so3::exp(&random.direction(2.0)),
            omega: random.direction(speed),
            inertia: standard_inertia(),
            load: Load::Gravity {
                weight: 5.0 * speed.powi(2),
                lever: random.direction(0.5),
                up: Vec3::z(),
            },
        };
        let equations = Equations::right(&body);
        let history = |step: f64| {
            let mut y = State::new(&body.att, body.omega);
            let of = |k: u32, y: &State| {
                let (att, omega) = (y.attitude(), y.omega);
                Row::of(step * f64::from(k), &RotState { att, omega })
            };
            let mut rows = vec![of(0, &y)];
            for k in 1..=80 {
                y = equations.flow(step * f64::from(k - 1), step, &y);
                if k % 8 == 0 {
                    rows.push(of(k, &y));
                }
            }
            StepHistory {
                step,
                print: Print::of(&rows),
                rows,
            }
        };
        let steps = [0.03 / speed, 0.125 / speed];
        Observed::new(&body, steps.map(history).into())
    }

    #[test]
    fn right_rules_of_a_kind_share_their_rounding() {
        let mut random = Random::new(1);
        let mut compared = 0;
        for _ in 0..8 {
            let observed = observed(&mut random);
            let equations = Equations::right(&observed.body);
            let mut first: Vec<(RoundingKind, Vec<Spread>)> = Vec::new();
            let explicit = tableau::named().into_iter().filter(|t| t.order > 1);
            let rules = explicit.flat_map(|tableau| {
                [
                    Carrier::Quaternion,
                    Carrier::RawQuaternion,
                    Carrier::RotationVector,
                    Carrier::Matrix,
                ]
                .map(|carrier| Rule::runge_kutta(tableau, carrier).once())
            });
            for stepping in rules {
                let model = Model::right(stepping);
                let kind = RoundingKind::of(&model).unwrap();
                let spreads = observed.few(4).into_iter().map(|i| {
                    let off = observed.miss(&model, &equations, &i).unwrap().off;
                    observed.spread(&model, &equations, &i, &off).unwrap()
                });
                let spreads: Vec<Spread> = spreads.collect();
                let Some((_, other)) = first.iter().find(|(k, _)| *k == kind) else {
                    first.push((kind, spreads));
                    continue;
                };
                let speed = observed.body.omega.norm();
                let least = [LEAST.0, LEAST.0 * speed, LEAST.1];
                for (a, b) in spreads.iter().zip(other) {
                    for k in 0..3 {
                        let ratio = (a[k] + least[k]) / (b[k] + least[k]);
                        assert!(
                            ratio < SHARED && ratio > 1.0 / SHARED,
                            "{stepping:?}: {a:?} {b:?}"
                        );
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 5000, "{compared}");
    }

    /// A rule of many parts in a step rounds more often: the limit tells it from one of whole steps.
    #[test]
    fn rules_of_many_parts_have_another_rounding() {
        let observed = observed(&mut Random::new(1));
        let equations = Equations::right(&observed.body);
        let turn = |substeps: u32| {
            let rule = Rule::runge_kutta(tableau::named()[0], Carrier::Quaternion);
            let model = Model::right(Stepping { rule, substeps });
            let i = observed.few(4)[0];
            let off = observed.miss(&model, &equations, &i).unwrap().off;
            observed.spread(&model, &equations, &i, &off).unwrap()[0] + LEAST.0
        };
        let ratio = turn(1000) / turn(1);
        assert!(ratio > SHARED, "{ratio}");
    }
}
