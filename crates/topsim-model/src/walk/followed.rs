//! Intervals of rows that are followed by a rule, step by step.

use super::quantity::{At, Quantity};
use crate::equations::Equations;
use crate::evidence::EXPLAINED;
use crate::model::Model;
use crate::observed::{Interval, Observed};
use crate::probe::Start;
use crate::state::{Difference, State};
use crate::stepping::{Kick, Rule, SEMI_IMPLICIT, Span, TurnMap, TurnRate};

/// An interval that is followed by a rule.
#[derive(Clone)]
pub(super) struct Followed {
    pub interval: Interval,
    /// Number of the steps before it.
    pub number: u64,
    /// Time at which it begins, s.
    pub t: f64,
    /// Step, s.
    pub h: f64,
    /// States that the rule gives from its first row on, a step apart.
    pub states: Vec<State>,
    /// States that explicit Euler gives from each of these but the last: stages of a step may be beyond both of its ends.
    predicted: Vec<State>,
    /// State of its second row.
    pub seen: State,
    /// Largest effect of rounding on the turn, rad, and the rate, rad/s.
    pub rounding: [f64; 2],
    /// True if the rule does not give its second row.
    pub bad: bool,
    /// Distance of its second row from the motion, over that of a rule of first order.
    pub over_first_order: f64,
    /// Miss of its second row by the rule, relative.
    pub missed: f64,
}

/// Explicit Euler.
const EXPLICIT: Rule = Rule::Euler {
    kick: Kick::Explicit,
    rate: TurnRate::Old,
    map: TurnMap::Exponential,
};
/// Least miss of the motion by a rule of first order, over rounding, in an interval that tells one rule from another.
const TELLS: f64 = 100.0;

impl Followed {
    /// Follows intervals by a right model; those that tell nothing are left out.
    pub fn all(
        observed: &Observed,
        model: &Model,
        right: &Equations,
        intervals: &[Interval],
    ) -> Vec<Self> {
        let of = |i: &Interval| Self::new(observed, model, right, *i);
        // The start of a run may be another one.
        let later = |f: &Self| !(f.bad && f.interval.row == 0);
        intervals.iter().filter_map(of).filter(later).collect()
    }

    /// Follows an interval; none where it tells nothing.
    pub fn new(
        observed: &Observed,
        model: &Model,
        right: &Equations,
        interval: Interval,
    ) -> Option<Self> {
        let residual = observed.residual(model, right, &interval);
        let rounding = residual.rounding.filter(|_| residual.informative)?;
        let history = &observed.histories[interval.history];
        let [first, second] = [0, 1].map(|k| &history.rows[interval.row + k]);
        let (from, seen) = (model.report.read(first), model.report.read(second));
        let span = Span {
            from: first.t,
            step: history.step,
            steps: interval.steps,
        };
        let number = ((first.t - history.rows[0].t) / history.step).round();
        let score =
            |off: &Difference| (off.turn.norm() / rounding[0]).max(off.rate.norm() / rounding[1]);
        let bad = score(&residual.off) >= EXPLAINED;
        // A length that drifts is no other step.
        if !bad && residual.score >= EXPLAINED {
            return None;
        }
        let end = |rule: Rule| {
            Model::right(rule.once())
                .reported(model.report)
                .advance(right, span, &from, None)
        };
        let (exact, simple) = (end(Rule::Flow)?, end(SEMI_IMPLICIT)?);
        let of_first_order = simple.difference(&exact);
        if score(&of_first_order) < TELLS {
            return None;
        }
        let size = |off: &Difference| {
            let rate =
                off.rate.norm() / (seen.omega.norm().max(from.omega.norm()) + f64::MIN_POSITIVE);
            off.turn.norm().max(rate)
        };
        let mut states = vec![from];
        let mut predicted = Vec::new();
        let predictor = Model::right(EXPLICIT.once());
        for k in 0..interval.steps {
            let one = Span {
                from: first.t + history.step * f64::from(k),
                steps: 1,
                ..span
            };
            let y = states.last()?;
            predicted.push(predictor.advance(right, one, y, None)?);
            states.push(model.advance(right, one, y, None)?);
        }
        Some(Self {
            number: number as u64,
            t: first.t,
            h: history.step,
            rounding,
            bad,
            over_first_order: size(&seen.difference(&exact)) / size(&of_first_order),
            missed: size(&residual.off),
            states,
            predicted,
            seen,
            interval,
        })
    }

    /// Returns the number of its steps.
    pub fn steps(&self) -> u64 {
        u64::from(self.interval.steps)
    }

    /// Returns one of its states with the time, the step and the number of steps there.
    pub fn at<'a>(&self, k: usize, state: &'a State) -> At<'a> {
        At {
            steps: self.number + k as u64,
            t: self.t + self.h * k as f64,
            h: self.h,
            state,
        }
    }

    /// Returns the values of a quantity in each step, at its start, at its end and as predicted, times a sign.
    fn values(&self, quantity: Quantity, sign: f64, body: &Start) -> Option<Vec<[f64; 3]>> {
        let of = |k: usize, y: &State| Some(quantity.of(&self.at(k, y), body)? * sign);
        let steps = self.states.windows(2).zip(&self.predicted).enumerate();
        let values = |(k, (ends, predicted)): (usize, (&[State], &State))| {
            if let Some(value) = quantity.of_step([&ends[0], &ends[1]], body) {
                return Some([value * sign; 3]);
            }
            Some([
                of(k, &ends[0])?,
                of(k + 1, &ends[1])?,
                of(k + 1, predicted)?,
            ])
        };
        steps.map(values).collect()
    }

    /// Returns the largest value that a step does not fall below, and the largest of all, times a sign.
    pub fn surely_and_perhaps(
        &self,
        quantity: Quantity,
        sign: f64,
        body: &Start,
    ) -> Option<[f64; 2]> {
        let values = self.values(quantity, sign, body)?;
        let least = |step: &[f64; 3]| step.iter().copied().fold(f64::INFINITY, f64::min);
        let surely = values.iter().map(least).fold(f64::NEG_INFINITY, f64::max);
        let perhaps = values.iter().flatten().copied();
        Some([surely, perhaps.fold(f64::NEG_INFINITY, f64::max)])
    }

    /// Returns the least and the largest value of a quantity.
    pub fn extremes(&self, quantity: Quantity, body: &Start) -> Option<[f64; 2]> {
        let [_, most] = self.surely_and_perhaps(quantity, 1.0, body)?;
        let [_, least] = self.surely_and_perhaps(quantity, -1.0, body)?;
        Some([-least, most])
    }

    /// Returns true if a state is that of the second row, to rounding.
    pub fn is_given_by(&self, end: &State) -> bool {
        let off = end.difference(&self.seen);
        off.turn.norm() < EXPLAINED * self.rounding[0]
            && off.rate.norm() < EXPLAINED * self.rounding[1]
    }
}
