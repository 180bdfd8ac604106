//! The conditions that part the intervals that a rule gives from the others, with what is done there.

use super::Walk;
use super::action::Action;
use super::condition::Condition;
use super::conditional::Conditional;
use super::followed::Followed;
use crate::equations::Equations;
use crate::model::Model;
use crate::observed::Observed;

/// Conditions with which actions are searched for, at most.
const SEARCHED: usize = 4;
/// Fewest intervals that surely are beyond a limit, from which what is done there is told.
const CLEAR: usize = 3;
/// Places that are tried for a limit that is known to lie between two numbers: 0 is the lower one, 1 the upper one.
const PLACES: [f64; 5] = [0.5, 0.02, 0.98, 0.25, 0.75];
/// Part of the intervals that do not straddle a limit which a rule with an action must give, of all and of those that it does
/// not give without it.
const EXPLAINED: (f64, f64) = (0.95, 0.9);
/// Least part that an action must give of the intervals that are not given without it, however many straddle a limit.
const LEAST_EXPLAINED: f64 = 0.2;
/// Steps are other ones, and not those of another right rule, if their rows are so many times farther from the motion than a
/// rule of first order.
const OVER_FIRST_ORDER: f64 = 5.0;
/// Smaller misses are those of a tolerance or of an iteration that ends early, relative.
const SMALL: f64 = 1e-7;
/// Digits from which an action that gives the rows to rounding is proven by that.
const FULL_DIGITS: i32 = 12;
/// Conditions with which an action gives so many intervals fewer are rivals: those on whose limit it depends.
const RIVAL: usize = 1;

/// Intervals that a rule gives, and others.
pub(super) struct Parted<'a> {
    observed: &'a Observed,
    model: &'a Model,
    right: &'a Equations,
    followed: &'a [Followed],
    bad: Vec<&'a Followed>,
    /// Median miss of the bad ones, relative.
    missed: f64,
}

/// A condition, with an action and how many intervals the rule gives with it; none that gives nearly all.
type Explained = (Condition, Option<(Action, usize)>);

impl<'a> Parted<'a> {
    /// Separates the intervals that the rule gives; returns none if it gives all, or misses the others by no more than a tolerance.
    pub fn new(
        observed: &'a Observed,
        model: &'a Model,
        followed: &'a [Followed],
        right: &'a Equations,
    ) -> Option<Self> {
        let bad: Vec<&Followed> = followed.iter().filter(|f| f.bad).collect();
        let mut misses: Vec<f64> = bad.iter().map(|f| f.missed).collect();
        misses.sort_by(f64::total_cmp);
        let missed = *misses.get(misses.len() / 2)?;
        (missed >= SMALL).then_some(Self {
            observed,
            model,
            right,
            followed,
            bad,
            missed,
        })
    }

    /// Returns the conditions that part them, and what is done, if they are no steps of another right rule.
    pub fn walk(&self) -> Option<Walk> {
        let mut known: Option<Action> = None;
        let mut all: Vec<Explained> = Vec::new();
        let conditions = Condition::all(self.followed, &self.observed.body);
        for (k, condition) in conditions.into_iter().enumerate() {
            let explained = self.explained(condition, known.as_ref(), k < SEARCHED);
            // What one condition shows is tried with the others alone.
            known = known.or_else(|| Some(explained.as_ref()?.0.clone()));
            all.push((condition, explained));
        }
        let given = |e: &Explained| e.1.as_ref().map_or(0, |a| a.1);
        let most = all.iter().map(given).max()?;
        if most == 0 && !self.is_far() || most > 0 && !self.is_far() && !self.is_written_in_full() {
            return None;
        }
        // An action that is proven with one condition refutes those with which it gives fewer rows.
        all.retain(|e| given(e) + RIVAL >= most && (given(e) > 0) == (most > 0));
        // One step needs a reason.
        all.retain(|e| most > 0 || !matches!(e.0, Condition::Once(_)));
        // Runs that begin anew come to the same states: a limit of these is no cause.
        let again =
            |e: &Explained| matches!(e, (Condition::EachSteps { .. }, Some((Action::Restart, _))));
        if all.iter().any(again) {
            all.retain(again);
        }
        let action = all.first()?.1.as_ref().map(|a| a.0.clone());
        let of = |bad: bool| {
            let own = self.followed.iter().filter(move |f| f.bad == bad);
            own.map(|f| f.interval).collect()
        };
        Some(Walk {
            model: self.model.clone(),
            conditions: all.into_iter().map(|e| e.0).collect(),
            action,
            given: of(false),
            others: of(true),
            explained: most,
            missed: self.missed,
            new_starts: 0,
        })
    }

    /// Returns true if the rows that are not given are farther from the motion than those of any right rule.
    fn is_far(&self) -> bool {
        let mut over: Vec<f64> = self.bad.iter().map(|f| f.over_first_order).collect();
        over.sort_by(f64::total_cmp);
        over[over.len() / 4] >= OVER_FIRST_ORDER
    }

    /// Returns true if the rows have all digits.
    fn is_written_in_full(&self) -> bool {
        let mut prints = self.observed.histories.iter().map(|h| h.print);
        prints.all(|p| !p.single_attitude && !p.single_rate && p.digits >= FULL_DIGITS)
    }

    /// Returns what is done under a condition and how many intervals the rule gives with it, if it gives nearly all: a known
    /// action, or one that is searched for.
    fn explained(
        &self,
        condition: Condition,
        known: Option<&Action>,
        is_searched: bool,
    ) -> Option<(Action, usize)> {
        let of = |place: f64, after: bool| Conditional {
            model: self.model,
            right: self.right,
            body: &self.observed.body,
            condition,
            after,
            place,
        };
        let places = match condition {
            Condition::Beyond { .. } => &PLACES[..],
            _ => &PLACES[..1],
        };
        let mut best: Option<(Action, usize)> = None;
        let all = places.iter().flat_map(|p| [(*p, false), (*p, true)]);
        for (place, after) in all {
            if best.as_ref().is_some_and(|b| b.1 == self.followed.len()) {
                break;
            }
            let conditional = of(place, after);
            let own = best.as_ref().map(|b| b.0.clone());
            let action = known.cloned().or(own).or_else(|| {
                let searched = is_searched && place == PLACES[0];
                searched.then(|| conditional.action(&self.beyond(&condition)))?
            });
            let Some(action) = action else { continue };
            if let Some(n) = self.given(&conditional, &action)
                && best.as_ref().is_none_or(|b| n > b.1)
            {
                best = Some((action, n));
            }
        }
        best
    }

    /// Returns the bad intervals that are surely beyond a limit, or all where these are few: where a limit is passed within an
    /// interval, it matters at which part of a step a solver looks.
    fn beyond(&self, condition: &Condition) -> Vec<&'a Followed> {
        let body = &self.observed.body;
        let clear = self.bad.iter().filter(|f| !condition.straddles(f, body));
        let clear: Vec<&Followed> = clear.copied().collect();
        if clear.len() < CLEAR {
            self.bad.clone()
        } else {
            clear
        }
    }

    /// Returns how many intervals a rule with an action gives, if these are nearly all.
    fn given(&self, conditional: &Conditional, action: &Action) -> Option<usize> {
        let (mut all, mut given) = ([0_usize; 2], [0_usize; 2]);
        let (mut bad, mut bad_given) = (0, 0);
        for (f, gives) in conditional.given(action, self.followed.iter()) {
            bad += usize::from(f.bad);
            bad_given += usize::from(f.bad && gives);
            if gives || !conditional.condition.straddles(f, conditional.body) {
                all[usize::from(f.bad)] += 1;
                given[usize::from(f.bad)] += usize::from(gives);
            }
        }
        let part = |given: usize, all: usize, part: f64| given as f64 >= part * all as f64;
        let enough = part(given[0] + given[1], all[0] + all[1], EXPLAINED.0)
            && part(given[1], all[1], EXPLAINED.1)
            && part(bad_given, bad, LEAST_EXPLAINED);
        enough.then_some(given[0] + given[1])
    }
}
