//! Rules that evaluate a term of the law in some of their steps, and hold it in the steps between.

use crate::base::Base;
pub use crate::equations::HeldTerm;
use crate::equations::{Equations, Holding};
use crate::first_order::{self, Kick, TurnRate};
use crate::habit::Habit;
use crate::slope_sum::SlopeSum;
use crate::state::State;
use crate::turn_map::TurnMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::Vec3;

/// A rule with a term that is held.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TermHold {
    /// Term that is held.
    pub term: HeldTerm,
    /// Steps in which it is evaluated.
    pub renewed: Renewal,
    /// Evaluation that is held.
    pub reading: Reading,
    /// The rule.
    pub rule: HoldingRule,
}

/// Steps in which a term is evaluated; the first step of a run is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Renewal {
    /// Steps whose number, counted from 0, is a multiple of a number.
    Steps(u32),
    /// Steps before whose number, counted from 0, is a multiple of a number.
    StepsBefore(u32),
    /// The first step after each multiple of a time, s, or at it.
    Time(f64),
    /// The first step that begins so many seconds after the last evaluation.
    TimeSince(f64),
}

/// Evaluation of a term that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// That at the start of a step, which is held over this step, too.
    Start,
    /// The first one of a step that is made without holding the term.
    First,
    /// The last one of such a step.
    Last,
    /// That after the turn of a step of kicks and turns.
    AfterTurn,
}

/// Rule of the steps in which a term is held.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "rules are copied once a candidate, not once a step"
)]
pub enum HoldingRule {
    /// A rule without a memory.
    Plain(Base),
    /// A rule of first order with another kick than the explicit one.
    Kicked(Kick, TurnRate, TurnMap),
    /// A sum of slopes.
    Slopes(SlopeSum),
}

/// Memory of a rule with a term that is held.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeldMemory {
    /// Term that is held.
    value: Option<Vec3>,
    /// Time of its last evaluation, s.
    evaluated: f64,
    /// Steps that were made.
    made: u32,
    /// Slopes of earlier steps, the newest first.
    slopes: Vec<State>,
}

/// Part of a period by which a time may be off by rounding.
const ROUNDED: f64 = 1e-9;

impl Renewal {
    /// Returns true if the term is evaluated in a step that begins at `t`, after `made` steps.
    fn is_due(self, (t, h): (f64, f64), memory: &HeldMemory) -> bool {
        let multiples = |t: f64, period: f64| (t / period + ROUNDED).floor();
        match self {
            Self::Steps(period) => memory.made.is_multiple_of(period),
            Self::StepsBefore(period) => (memory.made + 1).is_multiple_of(period),
            Self::Time(period) => multiples(t, period) > multiples(t - h, period),
            Self::TimeSince(period) => t - memory.evaluated >= period * (1.0 - ROUNDED),
        }
    }

    /// Returns the same with another number of steps.
    pub(crate) fn in_steps(self, period: u32) -> Self {
        match self {
            Self::StepsBefore(_) => Self::StepsBefore(period),
            _ => Self::Steps(period),
        }
    }

    /// Returns the same with each step.
    pub(crate) fn each(self) -> Self {
        self.in_steps(1)
    }
}

impl TermHold {
    /// Returns all of them with one period, those that most solvers have first.
    pub fn families(with_torque: bool) -> impl Iterator<Item = Self> {
        let terms = HeldTerm::VARIANTS.iter().copied();
        let terms = terms.filter(move |term| with_torque || !term.is_torque());
        terms.flat_map(|term| {
            HoldingRule::families(term).flat_map(move |rule| {
                let renewals = [Renewal::Steps(2), Renewal::StepsBefore(2)];
                rule.readings().iter().flat_map(move |&reading| {
                    renewals.map(|renewed| Self {
                        term,
                        renewed,
                        reading,
                        rule,
                    })
                })
            })
        })
    }

    /// Returns the same rule with other steps in which the term is evaluated.
    pub(crate) fn renewed_by(self, renewed: Renewal) -> Self {
        Self { renewed, ..self }
    }

    /// Makes a step of `h` from `t`.
    pub(crate) fn step(
        &self,
        equations: &Equations,
        (t, h): (f64, f64),
        memory: &mut HeldMemory,
        y: &mut State,
    ) {
        let after_turn = self.reading == Reading::AfterTurn;
        let at = if after_turn { t + h } else { t };
        let before = memory.value;
        let due = self.renewed.is_due((at, h), memory) || before.is_none() && !after_turn;
        if due || before.is_none() {
            memory.evaluated = at;
        }
        memory.made += 1;
        let now = || equations.term(self.term, t, y);
        let (until, value) = match (self.reading, before) {
            (Reading::AfterTurn, _) if due => (t + 0.5 * h, before.unwrap_or_else(now)),
            (Reading::Start, _) if due => (f64::INFINITY, now()),
            (Reading::First | Reading::Last, _) if due => (f64::NEG_INFINITY, now()),
            _ => (f64::INFINITY, before.unwrap_or_else(now)),
        };
        let holding = Holding {
            term: self.term,
            value,
            until,
        };
        let mut next = *y;
        let last = equations.holding_until(holding, || {
            self.rule
                .step(equations, (t, h), &mut memory.slopes, &mut next);
        });
        let takes_last = matches!(self.reading, Reading::Last | Reading::AfterTurn);
        memory.value = Some(last.filter(|_| takes_last).unwrap_or(value));
        *y = next;
    }
}

impl HoldingRule {
    /// Returns the rules in which a term may be held.
    fn families(term: HeldTerm) -> impl Iterator<Item = Self> {
        let kicked = first_order::families().filter(move |(kick, _, map)| {
            let chart = matches!(map, TurnMap::Angles | TurnMap::StartAngles);
            !chart && *kick != Kick::Explicit && (*kick == Kick::SpaceRate || term.is_torque())
        });
        let kicked = kicked.map(|(kick, rate, map)| Self::Kicked(kick, rate, map));
        let sums = SlopeSum::families().map(Self::Slopes);
        Base::all().map(Self::Plain).chain(kicked).chain(sums)
    }

    /// Returns the evaluations that may be held, of which no two are one.
    fn readings(&self) -> &'static [Reading] {
        use Reading::{AfterTurn, First, Last, Start};
        match self {
            Self::Plain(Base::Euler(rate, _)) | Self::Kicked(_, rate, _) => match rate {
                TurnRate::First => &[Last],
                TurnRate::New | TurnRate::Old | TurnRate::Mean => &[Start],
            },
            Self::Plain(Base::HalfSteps(_)) => &[Start, First, Last, AfterTurn],
            Self::Plain(Base::RungeKutta(_)) => &[Start, First, Last],
            Self::Slopes(_) => &[Start],
        }
    }

    fn step(&self, equations: &Equations, th: (f64, f64), slopes: &mut Vec<State>, y: &mut State) {
        match self {
            Self::Plain(rule) => *y = rule.step(equations, th, y),
            Self::Kicked(kick, rate, map) => {
                let rule = (*kick, *rate, *map);
                first_order::step(rule, equations, &Habit::default(), th, y);
            }
            Self::Slopes(sum) => sum.step(equations, th, slopes, y),
        }
    }
}
