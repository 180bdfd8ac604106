//! Which model explains the rows of a solver. Reports, schemes and laws are proposed; a model is believed when it is
//! simulated from row to row and leaves no more than rounding.
//!
//! Reports are settled first by the motion itself: a wrong report misses by the size of the state, a scheme by a power of
//! its step. So the search is a sum of reports, schemes and laws, and not a product.

use crate::equations::Equations;
use crate::fit::{Fitting, Weights};
use crate::model::Model;
use crate::observed::{EXPLAINED, Evidence, Interval, Observed};
use crate::report::{Latent, Report};
use crate::stepping::{Kick, Rule, Stepping, TurnMap, TurnRate, bound};
use crate::suspects::{Suspect, suspects};
use std::sync::Arc;
use topsim_core::integration::registry::{SCHEMES, SchemeFamily, SchemeRow};

/// A model that explains rows.
#[derive(Clone)]
pub struct Found {
    /// The model.
    pub model: Model,
    /// How well it explains them.
    pub evidence: Evidence,
    /// Bits to say the model and what it leaves.
    pub bits: f64,
    /// Name of a scheme with its parameters, where it was bound to the problem.
    pub name: Option<String>,
}

/// What explains the rows of a solver.
#[derive(Clone, Default)]
pub struct Explanation {
    /// Models that explain them, the best first; the others explain as much.
    pub found: Vec<Found>,
    /// The motion of a wrong law that comes much nearer to the rows than the right one, where no scheme explains them.
    pub by_motion: Option<Found>,
    /// What the right motion misses of the rows, relative: root mean square.
    pub right: f64,
    /// Models that come nearest, with what they leave, relative, where none explains the rows.
    pub nearest: Vec<(Model, f64)>,
    /// Reports that the motion itself allows, with what it misses with each, relative.
    pub reports: Vec<(Report, f64)>,
}

/// What may be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// Wrong laws and habits, too.
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
/// Models within so many bits of the best, and this part of its own, are named with it.
const RIVALS: (f64, f64) = (10.0, 0.1);
/// Laws that are tried with each rule.
const LAWS: usize = 12;
/// Rules that are tried with a law: those that come nearest with the numbers that the motion alone gives.
const RULES: usize = 160;
/// What the right motion misses of a row is no sign of a wrong law below this, relative.
const SEEN: f64 = 1e-7;
/// Rows hold no part of another time where the motion misses them by less, relative.
const HIDDEN: f64 = 1e-5;
/// A fit that leaves more than this with a rule is not that of the rule, relative: of full numbers, and of rounded ones.
const FITS: (f64, f64) = (1e-6, 1e-2);
/// A number nearer to the right one than this is a constant that was rounded in a source.
const ROUNDED: f64 = 1e-8;
/// Nearest models that are told.
const NEAREST: usize = 5;

/// Explains rows, as long as it is `wanted`.
#[must_use]
pub fn explain(observed: &Observed, scope: Scope, wanted: &dyn Fn() -> bool) -> Explanation {
    let mut out = Explanation::default();
    let few = observed.few(2);
    let right = Equations::right(&observed.body);
    if few.len() < 2 {
        // Steps of the solver's own: only the motion can be held against its rows.
        out.reports = reports(observed, &right);
        let search = Search {
            observed,
            wanted,
            few,
        };
        search.by_motion(&mut out, scope);
        return out;
    }
    out.reports = reports(observed, &right);
    let rules: Vec<Stepping> = rules(&right, observed).collect();
    let search = Search {
        observed,
        wanted,
        few,
    };
    for latent in [
        Latent::None,
        Latent::MeanRate,
        Latent::RateBefore,
        Latent::SpaceRateBefore,
        Latent::AttitudeBefore,
    ] {
        for (report, missed) in &out.reports {
            // A part of another time misses by the change of a step.
            if latent != Latent::None && *missed < HIDDEN {
                continue;
            }
            let report = Report { latent, ..*report };
            for stepping in &rules {
                // The state that is not written is solved for at each row: engines of first order write so.
                if latent != Latent::None && !matches!(stepping.rule, Rule::Euler { .. }) {
                    continue;
                }
                let model = Model {
                    report,
                    ..Model::right(*stepping)
                };
                out.found.extend(search.accepted(model, &right));
            }
        }
        if latent == Latent::None && out.found.is_empty() {
            out.found = search.runs(&out.reports, &rules, &right);
        }
        if !out.found.is_empty() || !wanted() {
            break;
        }
    }
    if out.found.is_empty() && scope.laws && out.reports.iter().all(|r| r.1 > SEEN) {
        out.found = search.laws(&out.reports, &rules);
    }
    if out.found.is_empty() {
        search.by_motion(&mut out, scope);
        out.nearest = search.nearest(&rules, &right, out.reports.first().map(|r| r.0));
    }
    out.found.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    if let Some(best) = out.found.first() {
        let without = Model {
            law: Vec::new(),
            ..best.model.clone()
        };
        let few = search.few.iter();
        let sizes = few.filter_map(|i| Some(observed.miss(&without, &right, i)?.size));
        out.right = sizes.fold(0.0, f64::max);
        let most = best.bits + RIVALS.0 + RIVALS.1 * best.evidence.bits;
        out.found.retain(|f| f.bits <= most);
    }
    out
}

/// The rules that serve the body.
fn rules<'a>(
    equations: &'a Equations,
    observed: &'a Observed,
) -> impl Iterator<Item = Stepping> + 'a {
    let serves = move |row: &&'static SchemeRow| {
        let rotates = matches!(row.family, SchemeFamily::Rotation | SchemeFamily::Splitting);
        let first = observed.histories.first().and_then(|h| h.rows.first());
        let state = first.map(|row| Report::default().read(row));
        rotates && state.is_some_and(|y| bound(row, equations, &y).is_some())
    };
    let catalogue = SCHEMES.iter().filter(serves).map(|row| Stepping {
        rule: Rule::Catalogue(row),
        substeps: 1,
    });
    catalogue.chain(Stepping::families()).chain([FLOW])
}

/// The reports with which the motion itself comes nearest to the rows.
fn reports(observed: &Observed, right: &Equations) -> Vec<(Report, f64)> {
    let finest: Vec<Interval> = {
        let of = observed.gaps.iter().filter(|i| i.history == 0);
        let of: Vec<Interval> = of.copied().collect();
        let n = of.len();
        let mut at = vec![1, n / 16 + 2, n / 8 + 3, n / 5 + 4];
        at.retain(|i| *i < n);
        at.into_iter().map(|i| of[i]).collect()
    };
    let mut all: Vec<(Report, f64)> = Report::of_one_row()
        .map(|report| {
            let model = Model {
                report,
                ..Model::right(FLOW)
            };
            let sizes = finest.iter().map(|i| {
                let missed = observed.miss(&model, right, i);
                missed.map_or(4.0, |r| r.size.min(4.0))
            });
            let mut sizes: Vec<f64> = sizes.collect();
            sizes.sort_by(f64::total_cmp);
            let median = sizes.get(sizes.len() / 2).copied().unwrap_or(4.0);
            (report, median + 1e-13)
        })
        .collect();
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

/// Bits to say a model.
fn bits(model: &Model, numbers: usize) -> f64 {
    let capped = matches!(
        model.stepping.rule,
        Rule::Euler {
            map: TurnMap::Capped,
            ..
        }
    );
    let wrong = !model.law.is_empty() || !model.habit.is_none();
    f64::from(model.report.changes()) * price::REPORT
        + if model.stepping.substeps > 1 {
            price::SUBSTEPS
        } else {
            0.0
        }
        + if capped { price::CAP } else { 0.0 }
        + if wrong { price::LAW } else { 0.0 }
        + numbers as f64 * price::NUMBER
}

struct Search<'a> {
    observed: &'a Observed,
    wanted: &'a dyn Fn() -> bool,
    few: Vec<Interval>,
}

impl Search<'_> {
    /// True if the model comes near to some rows.
    fn survives(&self, model: &Model, equations: &Equations) -> bool {
        let mut bad = 0;
        for i in &self.few {
            let near = self
                .observed
                .miss(model, equations, i)
                .is_some_and(|r| r.size <= OTHER_MOTION);
            bad += usize::from(!near);
            if bad > 1 {
                return false;
            }
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

    fn accepted(&self, model: Model, equations: &Equations) -> Option<Found> {
        self.accepted_with(model, equations, 0)
    }

    fn accepted_with(&self, model: Model, equations: &Equations, numbers: usize) -> Option<Found> {
        if !(self.wanted)() || !self.survives(&model, equations) {
            return None;
        }
        let all = &self.observed.intervals;
        let mut evidence = self.observed.evidence(&model, equations, all);
        evidence.numbers = numbers;
        evidence.asserted.then(|| Found {
            bits: evidence.bits + bits(&model, numbers),
            model,
            evidence,
            name: None,
        })
    }

    /// Schemes of the catalogue and of the problem that explain whole runs from their first rows.
    fn runs(&self, reports: &[(Report, f64)], rules: &[Stepping], right: &Equations) -> Vec<Found> {
        let mut out = Vec::new();
        for (report, _) in reports {
            let mut take = |rule, name, evidence: Evidence| {
                let model = Model {
                    report: *report,
                    ..Model::right(Stepping { rule, substeps: 1 })
                };
                out.extend(evidence.asserted.then(|| Found {
                    bits: evidence.bits + bits(&model, 0),
                    model,
                    evidence,
                    name,
                }));
            };
            for stepping in rules {
                if let (Rule::Catalogue(row), true) = (stepping.rule, (self.wanted)()) {
                    let bind = |y: &_| bound(row, right, y).map(Arc::new);
                    take(
                        stepping.rule,
                        None,
                        self.observed.run_evidence(report, &bind),
                    );
                }
            }
            for scheme in &self.observed.bound {
                let bind = |_: &_| Some(scheme.experiment.clone());
                let evidence = self.observed.run_evidence(report, &bind);
                take(
                    Rule::Catalogue(scheme.row),
                    Some(scheme.name.clone()),
                    evidence,
                );
            }
        }
        out
    }

    /// Models with a wrong law or habit that explain the rows.
    fn laws(&self, reports: &[(Report, f64)], rules: &[Stepping]) -> Vec<Found> {
        let mut out = Vec::new();
        let several = self.observed.histories.len() > 1;
        let few = self.observed.few(if several { 2 } else { 5 });
        let print = &self.observed.histories[0].print;
        let rough = print.single || print.digits < 12;
        for (report, _) in reports.iter().take(3) {
            let weights: Vec<Weights> = few.iter().map(|i| self.plain(report, i)).collect();
            let fit = |suspect: &Suspect,
                       stepping: Stepping,
                       intervals: &[Interval],
                       weights: &[Weights],
                       from: &[f64],
                       n| {
                let base = Model {
                    report: *report,
                    ..Model::right(stepping)
                };
                let fitting = Fitting {
                    observed: self.observed,
                    intervals,
                    weights,
                    suspect,
                    base: &base,
                };
                fitting.run(from, n)
            };
            let begun = |rule| Stepping { rule, substeps: 1 };
            let mut ranked: Vec<(Suspect, Vec<f64>, f64)> = suspects(&self.observed.body)
                .into_iter()
                .map(|suspect| {
                    let from = vec![0.0; suspect.numbers()];
                    let rule = if suspect.acts_in_steps() {
                        SEMI_IMPLICIT
                    } else {
                        Rule::Flow
                    };
                    match fit(&suspect, begun(rule), &few, &weights, &from, 8) {
                        Some(f) => (suspect, f.numbers, f.left),
                        None => (suspect, from, f64::INFINITY),
                    }
                })
                .collect();
            ranked.sort_by(|a, b| a.2.total_cmp(&b.2));
            // Many numbers take up what a rule of first order leaves; one number does not.
            let mut rank = 0;
            ranked.retain(|r| {
                rank += 1;
                rank <= LAWS || r.0.numbers() <= 1
            });
            ranked.sort_by_key(|r| r.0.numbers());
            let two = &few[..few.len().min(2)];
            for (suspect, from, _) in &ranked {
                // What more numbers explain as well is no rival of fewer.
                let fewer = |f: &Found| f.evidence.numbers < suspect.numbers();
                if out.iter().any(fewer) {
                    break;
                }
                for stepping in &self.nearest_rules(rules, report, suspect, from, two) {
                    if !(self.wanted)() {
                        return out;
                    }
                    let mut numbers = from.clone();
                    if !numbers.is_empty() {
                        let shortly = if numbers.len() > 3 { 3 } else { 2 };
                        let near = fit(suspect, *stepping, two, &weights, &numbers, shortly);
                        let Some(near) = near.filter(|f| f.left < 1e-4) else {
                            continue;
                        };
                        let all = fit(suspect, *stepping, &few, &weights, &near.numbers, 2);
                        let most = if rough { FITS.1 } else { FITS.0 };
                        let Some(all) = all.filter(|f| f.left < most) else {
                            continue;
                        };
                        numbers = all.numbers;
                        if let Some(weighed) =
                            self.weighed(suspect, *stepping, report, &few, &numbers)
                            && let Some(last) = fit(suspect, *stepping, &few, &weighed, &numbers, 8)
                        {
                            numbers = last.numbers;
                        }
                        if numbers.iter().all(|x| x.abs() < ROUNDED) {
                            continue;
                        }
                    }
                    let mut model = Model {
                        report: *report,
                        ..Model::right(*stepping)
                    };
                    suspect.apply(&numbers, &mut model);
                    let equations = model.equations(&self.observed.body);
                    out.extend(self.accepted_with(model, &equations, numbers.len()));
                }
            }
            if !out.is_empty() {
                break;
            }
        }
        out
    }

    /// Looks for a wrong law by the motion alone.
    fn by_motion(&self, out: &mut Explanation, scope: Scope) {
        let few = self.observed.few_of(&self.observed.gaps, MOTION_ROWS);
        let (Some((report, _)), true) = (out.reports.first(), scope.laws && few.len() > 6) else {
            return;
        };
        let model = Model {
            report: *report,
            ..Model::right(FLOW)
        };
        let weights: Vec<Weights> = few.iter().map(|i| self.plain(report, i)).collect();
        let fit = |suspect: &Suspect| {
            let fitting = Fitting {
                observed: self.observed,
                intervals: &few,
                weights: &weights,
                suspect,
                base: &model,
            };
            fitting.run(&vec![0.0; suspect.numbers()], 12)
        };
        out.right = fit(&Suspect::Named(Vec::new())).map_or(f64::INFINITY, |f| f.left);
        let all = suspects(&self.observed.body);
        let motions = all.iter().filter(|s| !s.acts_in_steps());
        let mut fits: Vec<_> = motions.filter_map(|s| Some((s, fit(s)?))).collect();
        // Of those that leave as little, the one with the fewest numbers.
        fits.sort_by(|a, b| a.1.left.total_cmp(&b.1.left));
        let Some(least) = fits.first().map(|f| f.1.left) else {
            return;
        };
        fits.retain(|f| f.1.left <= ALIKE * least);
        fits.sort_by_key(|f| f.0.numbers());
        let (suspect, best) = &fits[0];
        if !(best.left * BETTER <= out.right) {
            return;
        }
        let mut found = model;
        suspect.apply(&best.numbers, &mut found);
        let equations = found.equations(&self.observed.body);
        let mut evidence = self.observed.evidence(&found, &equations, &few);
        evidence.left = best.left;
        out.by_motion = Some(Found {
            bits: f64::INFINITY,
            model: found,
            evidence,
            name: None,
        });
    }

    /// The rules that come nearest to rows with the numbers that the motion gave.
    fn nearest_rules(
        &self,
        rules: &[Stepping],
        report: &Report,
        suspect: &Suspect,
        numbers: &[f64],
        intervals: &[Interval],
    ) -> Vec<Stepping> {
        let miss = |stepping: &Stepping| {
            let mut model = Model {
                report: *report,
                ..Model::right(*stepping)
            };
            suspect.apply(numbers, &mut model);
            let equations = model.equations(&self.observed.body);
            let of = |i| self.observed.miss(&model, &equations, i).map(|r| r.size);
            let sizes = intervals.iter().map(|i| of(i).unwrap_or(f64::INFINITY));
            sizes.fold(0.0, f64::max)
        };
        let mut all: Vec<(f64, Stepping)> = rules.iter().map(|s| (miss(s), *s)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(RULES);
        all.into_iter().map(|(_, s)| s).collect()
    }

    /// Weights of the sizes of a turn and a rate.
    fn plain(&self, report: &Report, i: &Interval) -> Weights {
        let row = &self.observed.histories[i.history].rows[i.row + 1];
        [1.0, 1.0 / (report.read(row).omega.norm() + 1e-9)]
    }

    /// Weights by the rounding of each row.
    fn weighed(
        &self,
        suspect: &Suspect,
        stepping: Stepping,
        report: &Report,
        few: &[Interval],
        numbers: &[f64],
    ) -> Option<Vec<Weights>> {
        let mut model = Model {
            report: *report,
            ..Model::right(stepping)
        };
        suspect.apply(numbers, &mut model);
        let equations = model.equations(&self.observed.body);
        few.iter()
            .map(|i| {
                let r = self.observed.residual(&model, &equations, i);
                if !r.informative {
                    return Some([0.0, 0.0]);
                }
                let [turn, rate] = r.rounding?;
                Some([1.0 / turn, 1.0 / rate])
            })
            .collect()
    }

    /// The models that come nearest, where none explains the rows.
    fn nearest(
        &self,
        rules: &[Stepping],
        right: &Equations,
        report: Option<Report>,
    ) -> Vec<(Model, f64)> {
        let few = self.observed.few(3);
        let of = |stepping: &Stepping| {
            let model = Model {
                report: report.unwrap_or_default(),
                ..Model::right(*stepping)
            };
            let sizes = few.iter().map(|i| {
                let missed = self.observed.miss(&model, right, i);
                missed.map_or(f64::INFINITY, |r| r.size)
            });
            let mut sizes: Vec<f64> = sizes.collect();
            sizes.sort_by(f64::total_cmp);
            (model, sizes[sizes.len() / 2])
        };
        let mut all: Vec<(Model, f64)> = rules.iter().map(of).collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all.truncate(NEAREST);
        all
    }
}

/// Intervals of each history that a motion is held against.
const MOTION_ROWS: usize = 12;
/// A law's motion must come nearer than the right one by this factor.
const BETTER: f64 = 1000.0;
/// Fits that leave up to so many times the least are alike.
const ALIKE: f64 = 2.0;
/// The motion itself.
const FLOW: Stepping = Stepping {
    rule: Rule::Flow,
    substeps: 1,
};
/// The rule with which habits are ranked.
const SEMI_IMPLICIT: Rule = Rule::Euler {
    kick: Kick::Explicit,
    rate: TurnRate::New,
    map: TurnMap::Exponential,
};
