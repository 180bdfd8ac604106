//! Rules without a memory, beside which others keep something from step to step.

use crate::equations::Equations;
use crate::first_order::{self, Kick, TurnRate};
use crate::habit::Habit;
use crate::half_steps::HalfSteps;
use crate::runge_kutta::{Carrier, RungeKutta};
use crate::state::State;
use crate::tableau;
use crate::turn_map::TurnMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::schemes::tableaus::{HEUN2, MIDPOINT, RK4};

/// A rule without a memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "a tableau has 63 numbers; rules are copied once a candidate, not once a step"
)]
pub enum Base {
    /// A rule of first order with an explicit kick.
    Euler(TurnRate, TurnMap),
    /// A rule of kicks and turns.
    HalfSteps(HalfSteps),
    /// A Runge–Kutta rule.
    RungeKutta(RungeKutta),
}

impl Base {
    /// Returns the rules beside which a memory is looked for.
    pub(crate) fn families() -> impl Iterator<Item = Self> {
        let rates = TurnRate::VARIANTS.iter().copied();
        let euler = rates.flat_map(|rate| {
            [TurnMap::Exponential, TurnMap::Sum].map(|map| Self::Euler(rate, map))
        });
        let halves = HalfSteps::VARIANTS.iter().copied().map(Self::HalfSteps);
        euler.chain(halves).chain(explicit().map(Self::RungeKutta))
    }

    /// Returns all rules that solvers may have beside a memory.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let charts = [TurnMap::Angles, TurnMap::StartAngles];
        let euler = TurnRate::VARIANTS.iter().flat_map(move |&rate| {
            let maps = TurnMap::VARIANTS.iter();
            maps.filter(move |map| !charts.contains(map))
                .map(move |&map| Self::Euler(rate, map))
        });
        let halves = HalfSteps::VARIANTS.iter().copied().map(Self::HalfSteps);
        let explicit = tableau::named().into_iter().filter(|t| t.order > 1);
        let explicit = explicit.flat_map(|tableau| {
            let carriers = Carrier::VARIANTS.iter().filter(|c| !c.is_seldom());
            carriers.map(move |&carrier| Self::RungeKutta(RungeKutta::plain(tableau, carrier)))
        });
        euler.chain(halves).chain(explicit)
    }

    /// Returns the rules that most solvers have.
    pub(crate) fn usual() -> impl Iterator<Item = Self> {
        let usual = |rule: &Self| match rule {
            Self::Euler(rate, _) => matches!(rate, TurnRate::New | TurnRate::Old),
            Self::HalfSteps(rule) => matches!(rule, HalfSteps::Verlet | HalfSteps::TurnKickTurn),
            Self::RungeKutta(rule) => {
                let carriers = [Carrier::Quaternion, Carrier::QuaternionOneMinus];
                USUAL.contains(&rule.tableau.name) && carriers.contains(&rule.carrier)
            }
        };
        Self::families().filter(usual)
    }

    /// Returns the state after a step.
    pub(crate) fn step(&self, equations: &Equations, th: (f64, f64), from: &State) -> State {
        let mut y = *from;
        match self {
            Self::Euler(rate, map) => {
                let rule = (Kick::Explicit, *rate, *map);
                first_order::step(rule, equations, &Habit::default(), th, &mut y);
            }
            Self::HalfSteps(rule) => rule.step(equations, th, &mut y),
            Self::RungeKutta(rule) => y = rule.step(equations, th, from),
        }
        y
    }
}

/// Names of the explicit rules that most solvers have.
const USUAL: [&str; 3] = [MIDPOINT.name, HEUN2.name, RK4.name];

/// Returns explicit Runge–Kutta rules of order two and more in the variables that most authors take.
pub(crate) fn explicit() -> impl Iterator<Item = RungeKutta> {
    let named = tableau::named().into_iter().filter(|t| t.order > 1);
    named.flat_map(|tableau| {
        let carriers = Carrier::VARIANTS.iter().filter(|c| c.is_usual());
        carriers.map(move |&carrier| RungeKutta::plain(tableau, carrier))
    })
}
