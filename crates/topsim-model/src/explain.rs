//! Which model explains the rows of a solver. Reports, schemes and laws are proposed; a model is believed when it is
//! simulated from row to row and leaves no more than rounding.
//!
//! The motion itself settles the reports first: a wrong report misses by the size of the state, a scheme by a power of
//! its step. So the search is a sum of reports, schemes and laws, and not a product.

use crate::equations::Equations;
use crate::found::{Found, Search};
use crate::ladder::Motion;
use crate::model::Model;
use crate::observed::{Interval, Observed};
use crate::remembering::Remembering;
use crate::report::{Latent, RateUnit, Report};
use crate::state::State;
use crate::stepping::{Rule, Stepping, bound};
use crate::walk::Walk;
use topsim_core::integration::registry::{SCHEMES, SchemeFamily, SchemeRow};

/// The models that explain the rows of a solver.
#[derive(Clone, Default)]
pub struct Explanation {
    /// Models that explain them, the best first; the others explain as much.
    pub found: Vec<Found>,
    /// Right models that come much nearer to the rows than all others, where none explains them to rounding.
    pub nearest: Vec<Found>,
    /// Fact that the motion itself shows by a report, where no scheme with the right law explains the rows.
    pub motion: Option<(Report, Motion)>,
    /// Condition that separates the rows that a right rule gives from the others, if there is one.
    pub walk: Option<Walk>,
    /// Reports that the motion itself allows, with its miss of the rows by each, relative.
    pub reports: Vec<(Report, f64)>,
}

/// Kinds of models that are tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scope {
    /// True if wrong laws and habits are tried, too.
    pub laws: bool,
    /// Another unit in which rates may be written.
    pub unit: Option<RateUnit>,
}

/// Reports kept, and how much worse than the best they may be.
const REPORTS: (usize, f64) = (5, 30.0);
/// Miss of a row that no model reaches, relative: opposite states are 2 apart in each of two parts.
const OPPOSITE: f64 = 4.0;
/// Models within so many bits of the best, and this part of its own, are named with it.
const RIVALS: (f64, f64) = (10.0, 0.1);
/// Rows hold no part of another time where the motion misses them by less, relative.
const HIDDEN: f64 = 1e-5;
/// Reports with which wrong laws are tried: the simplest of those that come nearest.
const LAW_REPORTS: usize = 2;

/// Returns right models whose states are written, as long as these are `wanted`; where they give a part of the rows, also the
/// condition that separates these from the others.
#[must_use]
pub fn follow(
    observed: &Observed,
    unit: Option<RateUnit>,
    wanted: &dyn Fn() -> bool,
) -> Explanation {
    let right = Equations::right(&observed.body);
    begin(&Search::new(observed, wanted), unit, &right).0
}

/// Returns rules that hold a term of the law between evaluations and explain whole runs.
#[must_use]
pub fn held(observed: &Observed, report: &Report, wanted: &dyn Fn() -> bool) -> Vec<Found> {
    let right = Equations::right(&observed.body);
    Search::new(observed, wanted).held(report, &right)
}

/// Explains rows by states that are written, and returns the rules that were tried.
fn begin(
    search: &Search,
    unit: Option<RateUnit>,
    right: &Equations,
) -> (Explanation, Vec<Stepping>) {
    let mut out = Explanation {
        reports: reports(search.observed, right, unit),
        ..Explanation::default()
    };
    let mut rules: Vec<Stepping> = rules(right, search.observed).collect();
    if search.has_steps() {
        // Steps that leave no more than rounding are not told from shorter ones.
        if search.exact(&out.reports, right).is_some() {
            rules.retain(|s| s.substeps == 1);
        }
        let all = |f: &Found| f.evidence.exceptions.iter().all(|i| i.row == 0);
        let (whole, cut): (Vec<Stepping>, Vec<_>) = rules.iter().partition(|s| s.substeps == 1);
        out.found = search.right(&out.reports, &whole, right, Latent::None);
        if !out.found.iter().any(all) {
            let found = search.right(&out.reports, &cut, right, Latent::None);
            out.found.extend(found);
        }
        if !out.found.iter().any(all) {
            out.walk = search.walk(&out.reports, &rules, right, &out.found);
        }
    }
    (out, rules)
}

/// Explains rows, as long as it is `wanted`; `stepped_by` looks for the rule of steps by the right equations in rows read by a
/// report, and says whether it found one.
pub fn explain(
    observed: &Observed,
    scope: Scope,
    stepped_by: &mut dyn FnMut(&Report) -> bool,
    wanted: &dyn Fn() -> bool,
) -> Explanation {
    let right = Equations::right(&observed.body);
    let search = Search::new(observed, wanted);
    let stepped = search.has_steps();
    let (mut out, rules) = begin(&search, scope.unit, &right);
    // Steps that are cut off part by a limit of what they turn, too; the clock says more.
    if let Some(walk) = out
        .walk
        .as_ref()
        .filter(|w| w.action.is_none() && scope.laws)
    {
        let report = walk.model.report;
        let clock = search.clock(report);
        out.motion = clock.map(|times| (report, Motion::Clock(times)));
    }
    if stepped && out.found.is_empty() && out.walk.is_none() {
        out.found = search.unwritten(&out.reports, &rules, &right);
    }
    let held = search.held_where_open(&mut out, &right);
    if stepped && out.found.is_empty() && out.walk.is_none() && held.is_empty() {
        // Steps whose errors fall are those of the right equations.
        let mut right_by = out.reports.iter().map(|r| r.0);
        if let Some(report) = right_by.find(|r| search.falls(*r))
            && stepped_by(&report)
        {
            return out;
        }
        out.found = search.slips(&out.reports, &right);
    }
    if out.found.is_empty() && out.walk.is_none() && scope.laws {
        // The motion of the right law ranks reports wrongly where the law is wrong: the simplest report comes first, after
        // those by which it is right.
        let mut simple: Vec<Report> = out.reports.iter().map(|r| r.0).collect();
        simple.sort_by_key(|r| (!search.falls(*r), r.changes()));
        for report in simple.into_iter().take(LAW_REPORTS) {
            let motion = search.motion(report);
            if stepped && !matches!(motion, Motion::Right) {
                out.found = search.laws(report, &motion, &rules);
            }
            let told = !matches!(motion, Motion::Unknown(_));
            if told || out.motion.is_none() {
                out.motion = Some((report, motion));
            }
            if told || !out.found.is_empty() {
                break;
            }
        }
    }
    // A law that explains the rows, too, is simpler.
    if out.found.is_empty() {
        out.found = held;
    }
    let wrong = matches!(out.motion, Some((_, Motion::Wrong(_) | Motion::Clock(_))));
    if stepped && out.found.is_empty() && out.walk.is_none() && scope.laws && !wrong {
        let nearest = out.reports.first().map(|r| r.0);
        out.found = nearest.map_or(Vec::new(), |report| search.torques(&report, &right));
    }
    if stepped && out.found.is_empty() && out.walk.is_none() && !wrong {
        out.nearest = search.nearest(&out.reports, &rules, &right);
    }
    out.found.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    let is_motion = |f: &Found| matches!(f.model.stepping.rule, Rule::Flow);
    if let Some(best) = out.found.first() {
        let most = best.bits + RIVALS.0 + RIVALS.1 * best.evidence.bits;
        // A scheme of the catalogue that explains the rows is one that may be claimed, whatever another rule's digits say.
        let named = |f: &Found| matches!(f.model.stepping.rule, Rule::Catalogue(_));
        out.found
            .retain(|f| f.bits <= most || is_motion(f) || named(f));
    }
    // Of those that explain as much, the law with the fewest fitted numbers comes first, and the first in the table of terms.
    let terms = |f: &Found| f.model.law.iter().map(|c| c.term).collect::<Vec<_>>();
    out.found.sort_by_key(|f| (f.numbers, terms(f)));
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
fn reports(observed: &Observed, right: &Equations, unit: Option<RateUnit>) -> Vec<(Report, f64)> {
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
    // A unit that the first row tells is that of all.
    let told = |r: &Report| unit.is_none_or(|u| r.unit == u);
    let all = Report::of_one_row(unit).filter(told);
    let mut all: Vec<(Report, f64)> = all.map(miss).collect();
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

impl Search<'_> {
    /// Returns the motion itself if it explains the rows by one of the reports.
    fn exact(&self, reports: &[(Report, f64)], right: &Equations) -> Option<Found> {
        let model = |report| Model::right(Rule::Flow.once()).reported(report);
        let mut models = reports.iter().map(|(report, _)| model(*report));
        models.find_map(|model| self.accepted(model, right, 0))
    }

    /// Returns right models that explain the rows from row to row, where these hold parts of another time or none.
    pub(crate) fn right(
        &self,
        reports: &[(Report, f64)],
        rules: &[Stepping],
        right: &Equations,
        latent: Latent,
    ) -> Vec<Found> {
        let hidden = latent != Latent::None;
        let mut out = Vec::new();
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
        out
    }

    /// Returns rules that hold a term, where no rule explains all rows; a condition that parts the rows without an action is that of
    /// their period then.
    fn held_where_open(&self, out: &mut Explanation, right: &Equations) -> Vec<Found> {
        let open = match &out.walk {
            Some(walk) => walk.action.is_none(),
            None => out.found.is_empty(),
        };
        let report = out.reports.first().map(|r| r.0);
        let report = report.filter(|_| open && self.has_steps());
        let mut held = report.map_or(Vec::new(), |report| self.clocks(&report, right));
        if let Some(report) = report.filter(|_| held.is_empty()) {
            held = self.held(&report, right);
        }
        if !held.is_empty() {
            (out.walk, out.motion) = (None, None);
            out.found.clear();
        }
        held
    }

    /// Returns right models with states that are not written: over whole runs, and with parts of another time.
    fn unwritten(
        &self,
        reports: &[(Report, f64)],
        rules: &[Stepping],
        right: &Equations,
    ) -> Vec<Found> {
        let remembering = Remembering::families().map(|rule| Rule::Remembering(rule).once());
        let whole: Vec<Stepping> = rules.iter().copied().chain(remembering).collect();
        let mut out = self.runs(reports, &whole, right);
        if out.is_empty() {
            let renewed = Remembering::renewed().map(|rule| Rule::Remembering(rule).once());
            let renewed: Vec<Stepping> = renewed.collect();
            out = self.right(reports, &renewed, right, Latent::None);
        }
        let latents = [
            Latent::MeanRate,
            Latent::RateBefore,
            Latent::SpaceRateBefore,
            Latent::AttitudeBefore,
        ];
        for latent in latents {
            if !out.is_empty() || !(self.wanted)() {
                break;
            }
            out = self.right(reports, rules, right, latent);
        }
        out
    }

    /// Returns rules with a memory that explain whole runs from their first rows, schemes of the catalogue among them.
    fn runs(&self, reports: &[(Report, f64)], rules: &[Stepping], right: &Equations) -> Vec<Found> {
        let mut out = Vec::new();
        for (report, _) in reports {
            for stepping in rules {
                let catalogue = matches!(stepping.rule, Rule::Catalogue(_));
                if !(catalogue || matches!(stepping.rule, Rule::Remembering(_))) {
                    continue;
                }
                if !(self.wanted)() {
                    return out;
                }
                let evidence = self.observed.run_evidence(stepping.rule, report, right);
                let model = Model::right(*stepping).reported(*report);
                out.extend(Found::asserted(model, evidence, 0));
            }
        }
        out
    }
}
