//! Which model explains the rows of a solver. Reports, schemes and laws are proposed; a model is believed when it is
//! simulated from row to row and leaves no more than rounding.
//!
//! The motion itself settles the reports first: a wrong report misses by the size of the state, a scheme by a power of
//! its step. So the search is a sum of reports, schemes and laws, and not a product.

use crate::equations::Equations;
use crate::evidence::{EXPLAINED, Evidence};
use crate::model::Model;
use crate::observed::{Interval, Observed};
use crate::report::{Latent, Report};
use crate::state::State;
use crate::stepping::{Rule, SEMI_IMPLICIT, Stepping, TurnMap, bound};
use core::cell::RefCell;
use topsim_core::integration::registry::{SCHEMES, SchemeFamily, SchemeRow};

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

/// The models that explain the rows of a solver.
#[derive(Clone, Default)]
pub struct Explanation {
    /// Models that explain them, the best first; the others explain as much.
    pub found: Vec<Found>,
    /// Right models that come much nearer to the rows than all others, where none explains them to rounding.
    pub nearest: Vec<Found>,
    /// The motion of a wrong law that comes much nearer to the rows than the right one, where no scheme explains them.
    pub by_motion: Option<Found>,
    /// Reports that the motion itself allows, with its miss of the rows by each, relative.
    pub reports: Vec<(Report, f64)>,
}

/// Kinds of models that are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// True if wrong laws and habits are tried, too.
    pub laws: bool,
}

/// Bits to say that a report is another one, that a step is cut, that an angle is capped, that a law is wrong, and a number.
mod price {
    pub const REPORT: f64 = 8.0;
    pub const SUBSTEPS: f64 = 4.0;
    pub const CAP: f64 = 3.0;
    pub const LAW: f64 = 6.0;
    pub const NUMBER: f64 = 25.0;
}

/// Reports kept, and how much worse than the best they may be.
const REPORTS: (usize, f64) = (5, 30.0);
/// A miss beyond this is that of another motion, relative.
const OTHER_MOTION: f64 = 1e-2;
/// Miss of a row that no model reaches, relative: opposite states are 2 apart in each of two parts.
const OPPOSITE: f64 = 4.0;
/// Models within so many bits of the best, and this part of its own, are named with it.
const RIVALS: (f64, f64) = (10.0, 0.1);
/// A right model that is this much farther from a row than rounding takes another rule is not that rule: the rounding of two
/// rules differs by less.
const FAR: f64 = 1e4;
/// Rows hold no part of another time where the motion misses them by less, relative.
const HIDDEN: f64 = 1e-5;
/// Least miss of the right motion, relative, that may be the sign of a wrong law.
const SEEN: f64 = 1e-7;

/// Explains rows, as long as it is `wanted`.
#[must_use]
pub fn explain(observed: &Observed, scope: Scope, wanted: &dyn Fn() -> bool) -> Explanation {
    let right = Equations::right(&observed.body);
    let mut out = Explanation {
        reports: reports(observed, &right),
        ..Explanation::default()
    };
    let search = Search {
        observed,
        wanted,
        few: observed.few(2),
        rounding: RefCell::default(),
    };
    // Otherwise the solver makes steps of its own, and only the motion can be held against its rows.
    if search.few.len() > 1 {
        let mut rules: Vec<Stepping> = rules(&right, observed).collect();
        let motion = search.motion(&out.reports, &right);
        if motion.is_some() {
            // Steps that leave no more than rounding are not told from shorter ones.
            rules.retain(|s| s.substeps == 1);
        }
        out.found = search.right(&out.reports, &rules, &right);
        let seen = out.reports.iter().all(|r| r.1 > SEEN);
        if out.found.is_empty() && scope.laws && seen {
            out.found = search.laws(&out.reports, &rules);
        }
        if out.found.is_empty() {
            out.nearest = search.nearest(&out.reports, &rules, &right);
        }
    }
    if out.found.is_empty() && out.nearest.is_empty() && scope.laws {
        out.by_motion = search.by_motion(&out.reports);
    }
    out.found.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    let is_motion = |f: &Found| matches!(f.model.stepping.rule, Rule::Flow);
    if let Some(best) = out.found.first() {
        let most = best.bits + RIVALS.0 + RIVALS.1 * best.evidence.bits;
        out.found.retain(|f| f.bits <= most || is_motion(f));
    }
    // Rules that leave no more than rounding of a step are the motion itself.
    out.found.sort_by_key(|f| !is_motion(f));
    out
}

/// Returns the rules that serve the body.
fn rules<'a>(
    equations: &'a Equations,
    observed: &'a Observed,
) -> impl Iterator<Item = Stepping> + 'a {
    let body = &observed.body;
    let start = State::new(&body.att, body.omega);
    let serves = move |row: &&'static SchemeRow| {
        let rotates = matches!(row.family, SchemeFamily::Rotation | SchemeFamily::Splitting);
        rotates && bound(row, equations, &start).is_some()
    };
    let catalogue = SCHEMES.iter().filter(serves);
    let catalogue = catalogue.map(|row| Rule::Catalogue(row).once());
    catalogue
        .chain(Stepping::families())
        .chain([Rule::Flow.once()])
}

/// Returns the reports with which the motion itself comes nearest to the rows.
fn reports(observed: &Observed, right: &Equations) -> Vec<(Report, f64)> {
    let finest: Vec<&Interval> = observed.gaps.iter().filter(|i| i.history == 0).collect();
    let n = finest.len();
    let at = [1, n / 16 + 2, n / 8 + 3, n / 5 + 4];
    let miss = |report: Report| {
        let model = Model::right(Rule::Flow.once()).reported(report);
        let intervals = at.iter().filter_map(|i| finest.get(*i));
        let sizes = intervals.map(|i| {
            let missed = observed.miss(&model, right, i);
            missed.map_or(OPPOSITE, |r| r.size.min(OPPOSITE))
        });
        let mut sizes: Vec<f64> = sizes.collect();
        sizes.sort_by(f64::total_cmp);
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or(OPPOSITE);
        (report, median + 1e-13)
    };
    let mut all: Vec<(Report, f64)> = Report::of_one_row().map(miss).collect();
    let plain = all[0];
    let weighed = |r: &(Report, f64)| r.1 * (1.0 + 0.2 * f64::from(r.0.changes()));
    all.sort_by(|a, b| weighed(a).total_cmp(&weighed(b)));
    let best = all[0].1;
    all.retain(|r| r.1 <= REPORTS.1 * best + 1e-12);
    all.truncate(REPORTS.0);
    if all.iter().all(|r| r.0 != plain.0) && plain.1 < 1.0 {
        all.push(plain);
    }
    all
}

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
    pub few: Vec<Interval>,
    /// Rounding of each of them by a report, rad and rad/s: that of the simplest rule.
    rounding: RefCell<Vec<(Report, Roundings)>>,
}

impl Search<'_> {
    /// Returns the motion itself if it explains the rows by one of the reports.
    fn motion(&self, reports: &[(Report, f64)], right: &Equations) -> Option<Found> {
        let model = |report| Model::right(Rule::Flow.once()).reported(report);
        let mut models = reports.iter().map(|(report, _)| model(*report));
        models.find_map(|model| self.accepted(model, right, 0))
    }

    /// Returns right models that explain the rows: from row to row, over whole runs, and with states that are not written.
    fn right(
        &self,
        reports: &[(Report, f64)],
        rules: &[Stepping],
        right: &Equations,
    ) -> Vec<Found> {
        let mut out = Vec::new();
        let latents = [
            Latent::None,
            Latent::MeanRate,
            Latent::RateBefore,
            Latent::SpaceRateBefore,
            Latent::AttitudeBefore,
        ];
        for latent in latents {
            let hidden = latent != Latent::None;
            // A part of another time misses by the change of a step.
            let possible = reports.iter().filter(|r| !hidden || r.1 >= HIDDEN);
            for (report, _) in possible {
                // The state that is not written is solved for at each row: engines of first order write so.
                let tried = |s: &&Stepping| !hidden || matches!(s.rule, Rule::Euler { .. });
                for stepping in rules.iter().filter(tried) {
                    let report = Report { latent, ..*report };
                    let model = Model::right(*stepping).reported(report);
                    out.extend(self.accepted(model, right, 0));
                }
            }
            if !hidden && out.is_empty() {
                out = self.runs(reports, rules, right);
            }
            if !out.is_empty() || !(self.wanted)() {
                break;
            }
        }
        out
    }

    /// Returns schemes of the catalogue that explain whole runs from their first rows.
    fn runs(&self, reports: &[(Report, f64)], rules: &[Stepping], right: &Equations) -> Vec<Found> {
        let mut out = Vec::new();
        for (report, _) in reports {
            for stepping in rules {
                let (Rule::Catalogue(row), true) = (stepping.rule, (self.wanted)()) else {
                    continue;
                };
                let evidence = self.observed.run_evidence(row, report, right);
                let model = Model::right(*stepping).reported(*report);
                out.extend(Found::asserted(model, evidence, 0));
            }
        }
        out
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
    fn asserted(model: Model, evidence: Evidence, numbers: usize) -> Option<Self> {
        evidence.asserted.then(|| Self {
            bits: evidence.bits + bits(&model, numbers),
            model,
            numbers,
            evidence,
        })
    }
}
