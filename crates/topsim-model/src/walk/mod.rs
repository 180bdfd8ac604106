//! Rows of which a right rule gives a part: the condition that separates the steps that follow it from the others, and the action
//! in these.
//!
//! The rule is known from the steps that it gives to rounding. A condition (a limit of a quantity, a number of steps, a time)
//! must part all intervals, and with what is done there the same rule is simulated from row to row again. A right solver with a
//! rule that is not known may be near to another one in a part of its motion: so steps tell something only where rules
//! differ, and a condition alone is believed only where the steps are off by more than a rule of first order would be.

mod action;
mod condition;
mod conditional;
mod followed;
mod new_starts;
mod parted;
mod quantity;

pub use action::Action;
pub use condition::Condition;
pub use quantity::Quantity;

use crate::equations::Equations;
use crate::found::{Found, Search};
use crate::model::Model;
use crate::observed::Interval;
use crate::report::{Latent, Report};
use crate::stepping::{Rule, SEMI_IMPLICIT, Stepping};
use followed::Followed;
use parted::Parted;

/// Rule that gives a part of the rows, with the conditions that separate them from the others.
#[derive(Debug, Clone)]
pub struct Walk {
    /// The rule, with the form of the rows.
    pub model: Model,
    /// Conditions that part the intervals equally well; the simplest first.
    pub conditions: Vec<Condition>,
    /// Action in the other steps, if one that is known gives them.
    pub action: Option<Action>,
    /// Intervals that the rule gives.
    pub given: Vec<Interval>,
    /// Intervals that it does not give.
    pub others: Vec<Interval>,
    /// Number of intervals that it gives with what is done.
    pub explained: usize,
    /// Median miss of the others, relative.
    pub missed: f64,
    /// New starts of the solver from its own rows that decided between conditions.
    pub new_starts: usize,
}

/// Intervals of each history, and histories, by which rules are chosen.
const CHOSEN: (usize, usize) = (12, 3);
/// Least number, and least part, of these intervals that a rule must give to be followed.
const GIVES: (usize, f64) = (3, 0.15);
/// Largest miss of an interval that a rule may give, over the rounding of the simplest rule.
const NEAR: f64 = 50.0;
/// Rules that are followed over all intervals, at most.
const FOLLOWED: usize = 4;

impl Search<'_> {
    /// Returns what parts the rows that a right rule gives from those that it does not; none where there is no such rule, or
    /// where it gives all.
    pub(crate) fn walk(
        &self,
        reports: &[(Report, f64)],
        rules: &[Stepping],
        right: &Equations,
        found: &[Found],
    ) -> Option<Walk> {
        let own = found.iter().find(|f| !is_of_catalogue(&f.model));
        let models = match own.or(found.first()) {
            Some(found) if found.model.report.latent != Latent::None => return None,
            Some(found) => vec![found.model.clone()],
            None => self.partial(reports, rules, right),
        };
        let intervals = &self.observed.intervals;
        let follow = |model: Model| {
            let followed = Followed::all(self.observed, &model, right, intervals);
            (model, followed)
        };
        let given = |a: &(Model, Vec<Followed>)| a.1.iter().filter(|f| !f.bad).count();
        let all = models.into_iter().map(follow);
        let mut best: Option<(Model, Vec<Followed>)> = None;
        for a in all {
            if best.as_ref().is_none_or(|b| given(&a) > given(b)) {
                best = Some(a);
            }
        }
        let (model, followed) = best?;
        Parted::new(self.observed, &model, &followed, right)?.walk()
    }

    /// Returns right models that give some intervals, those that give most first.
    fn partial(
        &self,
        reports: &[(Report, f64)],
        rules: &[Stepping],
        right: &Equations,
    ) -> Vec<Model> {
        let observed = self.observed;
        let mut reports: Vec<Report> = reports.iter().map(|r| r.0).take(1).collect();
        if !reports.contains(&Report::default()) {
            reports.push(Report::default());
        }
        let chosen = self.chosen();
        let mut all: Vec<(usize, Model)> = Vec::new();
        for report in reports {
            let simple = Model::right(SEMI_IMPLICIT.once()).reported(report);
            let known = chosen.iter().filter_map(|i| {
                let r = observed.residual(&simple, right, i);
                Some((i, r.rounding.filter(|_| r.informative)?))
            });
            let known: Vec<_> = known.collect();
            let least = GIVES.0.max((GIVES.1 * known.len() as f64).ceil() as usize);
            for stepping in rules {
                if !(self.wanted)() {
                    return Vec::new();
                }
                let model = Model::right(*stepping).reported(report);
                let gives = |(i, rounding): &(&Interval, [f64; 2])| {
                    observed.miss(&model, right, i).is_some_and(|r| {
                        r.off.turn.norm() <= NEAR * rounding[0]
                            && r.off.rate.norm() <= NEAR * rounding[1]
                    })
                };
                let mut count = 0;
                for (k, i) in known.iter().enumerate() {
                    count += usize::from(gives(i));
                    if count + known.len() - k <= least {
                        break;
                    }
                }
                if count >= least {
                    all.push((count, model));
                }
            }
        }
        // The catalogue steps right laws alone.
        all.sort_by_key(|a| (core::cmp::Reverse(a.0), is_of_catalogue(&a.1)));
        let models = all.into_iter().map(|a| a.1);
        models.take(FOLLOWED).collect()
    }

    /// Returns intervals of the histories, evenly spread.
    fn chosen(&self) -> Vec<Interval> {
        let histories = self.observed.histories.len();
        let of = |history: usize| {
            let all = self.observed.intervals.iter();
            let all: Vec<_> = all
                .filter(|i| i.history == history && i.row > 0)
                .copied()
                .collect();
            let n = all.len().min(CHOSEN.0);
            (0..n)
                .map(move |k| all[k * all.len() / n])
                .collect::<Vec<_>>()
        };
        let few = histories.min(CHOSEN.1);
        let mut all: Vec<Interval> = (0..few).flat_map(of).collect();
        // Few steps take little time, and most rules are given up before the last intervals.
        all.sort_by_key(|i| i.steps);
        all
    }
}

fn is_of_catalogue(model: &Model) -> bool {
    matches!(model.stepping.rule, Rule::Catalogue(_))
}
