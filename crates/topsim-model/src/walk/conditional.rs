//! Simulation of a rule in some of whose steps something else is done, and the search for what that is.

use super::action::{Action, changed};
use super::condition::Condition;
use super::followed::Followed;
use super::quantity::At;
use crate::equations::Equations;
use crate::model::Model;
use crate::probe::Start;
use crate::state::State;
use crate::stepping::Span;

/// Intervals to which a number is fitted.
const FITTED: usize = 6;
/// Iterations of a fit.
const ITERATIONS: usize = 8;
/// Change of a number for a difference.
const CHANGE: f64 = 1e-6;
/// Fewest intervals of those that are fitted which an action must give.
const GIVEN: usize = 2;

/// Steps of a rule, some of which are other ones.
#[derive(Clone)]
pub(super) struct Conditional<'a> {
    pub model: &'a Model,
    pub right: &'a Equations,
    pub body: &'a Start,
    pub condition: Condition,
    /// True if the condition is that of the end of a step.
    pub after: bool,
    /// Place of a limit between the numbers between which it is: 0 the lower, 1 the upper.
    pub place: f64,
}

impl<'a> Conditional<'a> {
    /// Returns the equations of an action, if it is another law.
    fn other(&self, action: &Action) -> Option<(Equations, Model)> {
        let Action::Law(law) = action else {
            return None;
        };
        let model = Model {
            law: law.clone(),
            ..self.model.clone()
        };
        Some((model.equations(self.body), model))
    }

    /// Returns true if the condition holds of a step.
    fn holds(&self, from: &At, to: &At) -> bool {
        let at = if self.after { to } else { from };
        self.condition.holds((from, to), at, self.place, self.body)
    }

    /// Returns where the steps of an interval end.
    fn end(
        &self,
        action: &Action,
        other: Option<&(Equations, Model)>,
        f: &Followed,
    ) -> Option<State> {
        let mut y = f.states[0];
        for k in 0..f.steps() as usize {
            let span = Span {
                from: f.t + f.h * k as f64,
                step: f.h,
                steps: 1,
            };
            let next = self.model.advance(self.right, span, &y, None)?;
            let (from, to) = (f.at(k, &y), f.at(k + 1, &next));
            y = if !self.holds(&from, &to) {
                next
            } else if let Some((equations, model)) = other {
                model.advance(equations, span, &y, None)?
            } else {
                changed(action, &y, next, self.body)
            };
        }
        y.is_finite().then_some(y)
    }

    /// Returns the intervals that are given with an action, in their order.
    pub fn given<'b>(
        &self,
        action: &Action,
        all: impl Iterator<Item = &'b Followed>,
    ) -> impl Iterator<Item = (&'b Followed, bool)> {
        let other = self.other(action);
        all.map(move |f| {
            let end = self.end(action, other.as_ref(), f);
            (f, end.is_some_and(|end| f.is_given_by(&end)))
        })
    }

    /// Returns the action that gives the most of some intervals that the rule does not, if it gives several of them.
    pub fn action(&self, bad: &[&'a Followed]) -> Option<Action> {
        let n = bad.len().min(FITTED);
        let few: Vec<&Followed> = (0..n).map(|k| bad[k * bad.len() / n]).collect();
        let least = GIVEN.min(n).max(n / 2);
        for (action, is_fitted) in Action::possible(&self.condition, self.body) {
            // A law acts from the start of a step.
            if self.after && matches!(action, Action::Law(_)) {
                continue;
            }
            let fitted = if is_fitted {
                self.fit(action, &few)
            } else {
                Some(action)
            };
            let Some(action) = fitted else { continue };
            let given = self.given(&action, few.iter().copied());
            // As many may fail as leave enough.
            let failed = given.filter(|g| !g.1).take(n - least + 1).count();
            if failed <= n - least {
                return Some(action);
            }
        }
        None
    }

    /// Fits the number of an action to some intervals.
    fn fit(&self, action: Action, few: &[&Followed]) -> Option<Action> {
        let residuals = |x: f64| -> Option<Vec<f64>> {
            let mut out = Vec::new();
            let action = action.with(x);
            let other = self.other(&action);
            for f in few {
                let end = self.end(&action, other.as_ref(), f)?;
                let off = end.difference(&f.seen);
                // Scaled like the rows, so that those with much rounding do not count less than those with little.
                let speed = f.seen.omega.norm().max(f.states[0].omega.norm());
                out.extend(off.turn.iter());
                out.extend(off.rate.iter().map(|x| x / speed));
            }
            Some(out)
        };
        let mut x = action.number()?;
        let mut now = residuals(x)?;
        let norm = |r: &[f64]| r.iter().map(|x| x * x).sum::<f64>();
        for _ in 0..ITERATIONS {
            let by = CHANGE * x.abs().max(0.1);
            let moved = residuals(x + by)?;
            let slope: Vec<f64> = moved.iter().zip(&now).map(|(a, b)| (a - b) / by).collect();
            let size = norm(&slope);
            if !(size > 0.0) {
                return None;
            }
            let next = x - slope.iter().zip(&now).map(|(s, r)| s * r).sum::<f64>() / size;
            let left = residuals(next)?;
            if !(norm(&left) < norm(&now)) {
                break;
            }
            (x, now) = (next, left);
        }
        Some(action.with(x))
    }
}
