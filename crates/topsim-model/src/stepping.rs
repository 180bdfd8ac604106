//! Rules that make a step of a law: families of rules as data, and the catalogue's own steps.

use crate::equations::Equations;
use crate::first_order;
pub use crate::first_order::{Kick, TurnRate};
use crate::habit::Habit;
pub use crate::half_steps::HalfSteps;
pub use crate::iterated::{Iterated, IteratedRule};
use crate::remembering::Remembering;
pub use crate::runge_kutta::{Carrier, FrozenTerm, KeptNumber, RATE, RungeKutta};
use crate::state::State;
use crate::tableau::{self, Tableau};
pub use crate::turn_map::TurnMap;
use crate::turn_slip::TurnSlip;
pub use crate::words::{Word, WordKick, WordTurn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::integration::registry::SchemeRow;
use topsim_core::integration::{Experiment, Parameters};
use topsim_core::math::{Mat3, Quat, Random, Vec3};
use topsim_core::models::{AnyTop, Model as Body};
use topsim_core::schemes::Energy;

/// A rule of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// A rule of first order: a kick of the rate and a turn.
    Euler {
        /// Change of the rate.
        kick: Kick,
        /// Rate that turns the attitude.
        rate: TurnRate,
        /// Map that turns the attitude.
        map: TurnMap,
    },
    /// A rule of first order whose turn is made by a formula with a slip.
    Slipped {
        /// Change of the rate.
        kick: Kick,
        /// Rate that turns the attitude.
        rate: TurnRate,
        /// Formula of the turn.
        slip: TurnSlip,
    },
    /// A rule of kicks and turns that is implicit or cut in halves.
    HalfSteps(HalfSteps),
    /// A Runge–Kutta rule.
    RungeKutta(RungeKutta),
    /// A word of kicks and turns, which no file names.
    #[serde(skip)]
    Word(Word),
    /// An implicit rule whose iteration ends early, which no file names.
    #[serde(skip)]
    Iterated(Iterated),
    /// A rule with a memory.
    Remembering(Remembering),
    /// A scheme of the catalogue, by name.
    #[serde(with = "named_scheme")]
    #[schemars(with = "String")]
    Catalogue(&'static SchemeRow),
    /// The motion itself, as if steps were exact.
    Flow,
}

/// The rule that most engines have.
pub const SEMI_IMPLICIT: Rule = Rule::Euler {
    kick: Kick::Explicit,
    rate: TurnRate::New,
    map: TurnMap::Exponential,
};

/// A rule, and into how many steps of its own it cuts a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stepping {
    /// The rule.
    pub rule: Rule,
    /// Number of its steps in a step.
    #[schemars(range(min = 1))]
    pub substeps: u32,
}

impl Rule {
    /// Returns a Runge–Kutta rule that holds no term.
    #[must_use]
    pub const fn runge_kutta(tableau: Tableau, carrier: Carrier) -> Self {
        Self::RungeKutta(RungeKutta::plain(tableau, carrier))
    }

    /// Returns the rule with one step of its own a step.
    #[must_use]
    pub const fn once(self) -> Stepping {
        Stepping {
            rule: self,
            substeps: 1,
        }
    }
}

/// Steps that are made: from time `from`, of length `step`.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// Time at which they begin, s.
    pub from: f64,
    /// Length of one, s.
    pub step: f64,
    /// Number of them.
    pub steps: u32,
}

/// Random disturbances of a simulation, relative: what rounding may do.
pub struct Disturbance<'a> {
    /// Source of numbers.
    pub random: &'a mut Random,
    /// Relative size.
    pub size: f64,
}

impl Disturbance<'_> {
    fn apply(&mut self, y: &mut State, factor: f64) {
        let mut next = || (2.0 * self.random.uniform() - 1.0) * self.size * factor;
        let length = y.quat.iter().map(|x| x * x).sum::<f64>().sqrt();
        y.quat.iter_mut().for_each(|x| *x += length * next());
        let w = y.omega.norm();
        y.omega.iter_mut().for_each(|x| *x += w * next());
    }
}

/// Schemes of the catalogue by name.
mod named_scheme {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use topsim_core::integration::registry::{self, SchemeRow};

    pub fn serialize<S: Serializer>(row: &SchemeRow, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(row.info.name)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static SchemeRow, D::Error> {
        let name = String::deserialize(from)?;
        registry::find(&name)
            .ok_or_else(|| D::Error::custom(format!("no scheme has the name `{name}`")))
    }
}

/// Rates beyond this are no motion, rad/s.
const RUNAWAY: f64 = 1e30;

impl Stepping {
    /// Returns all rules of the families, each with one step a step and, where engines do so, with more.
    pub fn families() -> impl Iterator<Item = Self> {
        let euler =
            first_order::families().map(|(kick, rate, map)| Rule::Euler { kick, rate, map });
        let explicit = tableau::named().into_iter().filter(|t| t.order > 1);
        let explicit = explicit.flat_map(|tableau| {
            let carriers = Carrier::VARIANTS.iter().filter(|c| !c.is_seldom());
            carriers.map(move |&carrier| Rule::runge_kutta(tableau, carrier))
        });
        let implicit = tableau::implicit().into_iter().flat_map(|tableau| {
            let carriers = [
                Carrier::Quaternion,
                Carrier::RawQuaternion,
                Carrier::RotationVector,
            ];
            carriers.map(|carrier| Rule::runge_kutta(tableau, carrier))
        });
        let halves = HalfSteps::VARIANTS.iter().copied().map(Rule::HalfSteps);
        let rules = euler.chain(halves).chain(explicit).chain(implicit);
        rules.flat_map(|rule| {
            let all: &[u32] = if rule.is_cut() {
                &[1, 2, 4, 8, 10]
            } else {
                &[1]
            };
            all.iter().map(move |&substeps| Self { rule, substeps })
        })
    }

    /// Returns the state after the steps; none where it is no state, or where the catalogue has no step for this law or habit.
    #[must_use]
    pub fn advance(
        &self,
        equations: &Equations,
        habit: &Habit,
        span: Span,
        from: &State,
        mut disturbance: Option<Disturbance>,
    ) -> Option<State> {
        let mut y = *from;
        if let Rule::Catalogue(_) | Rule::Flow | Rule::Remembering(_) = self.rule {
            if !habit.is_none() {
                return None;
            }
            // Their steps cannot be disturbed one by one.
            if let Some(d) = &mut disturbance {
                d.apply(&mut y, f64::from(span.steps).sqrt());
            }
            return match self.rule {
                Rule::Catalogue(row) => catalogue(row, equations, span, &y),
                Rule::Remembering(rule) => {
                    let grid = (span.from, span.step);
                    rule.steps(equations, grid, span.steps, &y).pop()
                }
                _ => Some(equations.flow(span.from, span.step * f64::from(span.steps), &y)),
            }
            .filter(State::is_finite);
        }
        let h = span.step / f64::from(self.substeps);
        for n in 0..span.steps * self.substeps {
            self.rule
                .step(equations, habit, span.from + h * f64::from(n), h, &mut y);
            if let Some(d) = &mut disturbance {
                d.apply(&mut y, 1.0);
            }
            if !(y.omega.norm_squared() < RUNAWAY) {
                return None;
            }
        }
        y.is_finite().then_some(y)
    }
}

/// Steps of a scheme of the catalogue from a state.
fn catalogue(row: &SchemeRow, equations: &Equations, span: Span, y: &State) -> Option<State> {
    let experiment = bound(row, equations, y)?;
    let steps = (span.from, span.step, u64::from(span.steps));
    let numbers = experiment.advance(steps, &|| true).ok()?;
    let columns = experiment.columns();
    let (r, w) = (columns.position("R11")?, columns.position("W1")?);
    let att = Mat3::from_row_slice(numbers.get(r..r + 9)?);
    Some(State::new(
        &att,
        Vec3::from_column_slice(numbers.get(w..w + 3)?),
    ))
}

/// A scheme of the catalogue on a body at a state, if it serves it.
#[must_use]
pub fn bound(row: &SchemeRow, equations: &Equations, at: &State) -> Option<Experiment> {
    let body = Body::from(AnyTop::from(equations.body(at)?));
    (row.bind)(&body, &Parameters::default()).ok()
}

impl Rule {
    /// Returns a bound of the rule's order from above; 1 where none is known, which excludes nothing.
    #[must_use]
    pub fn highest_order(&self) -> u8 {
        match self {
            Self::HalfSteps(HalfSteps::ImplicitEuler) => 1,
            Self::HalfSteps(_) => 2,
            Self::Word(word) => word.composition.order,
            Self::Euler { .. }
            | Self::Slipped { .. }
            | Self::Catalogue(_)
            | Self::Iterated(_)
            | Self::Remembering(_) => 1,
            Self::RungeKutta(rule) => rule.tableau.order.min(rule.carrier.highest_order()),
            Self::Flow => u8::MAX,
        }
    }

    /// Returns the order that the rule claims; 0 for the motion itself, and where it is not known.
    #[must_use]
    pub fn claimed_order(&self) -> u8 {
        match self {
            Self::Catalogue(row) => row.info.claims.order,
            Self::Remembering(Remembering::Slopes(sum)) => sum.order(),
            Self::Remembering(_) | Self::Flow => 0,
            _ => self.highest_order(),
        }
    }

    /// Returns true if the rule puts the length of the momentum back, and so drives free bodies to their intermediate axis.
    #[must_use]
    pub fn clamps_momentum(&self) -> bool {
        match self {
            Self::Euler { kick, .. } => *kick == Kick::MomentumKept,
            Self::Catalogue(row) => row.info.claims.energy == Energy::ToIntermediateAxis,
            _ => false,
        }
    }

    /// Returns true if there are engines that cut their steps and make each part by this rule.
    fn is_cut(&self) -> bool {
        match self {
            Self::Euler { rate, map, .. } => *rate != TurnRate::Mean && map.is_of_engines(),
            Self::RungeKutta(rule) => {
                let carriers = [Carrier::Quaternion, Carrier::RotationVector];
                carriers.contains(&rule.carrier) && !rule.tableau.is_implicit()
            }
            Self::Slipped { .. }
            | Self::HalfSteps(_)
            | Self::Word(_)
            | Self::Iterated(_)
            | Self::Catalogue(_)
            | Self::Remembering(_)
            | Self::Flow => false,
        }
    }

    /// Makes a step of `h`.
    fn step(&self, equations: &Equations, habit: &Habit, t: f64, h: f64, y: &mut State) {
        match self {
            &Self::Euler { kick, rate, map } => {
                first_order::step((kick, rate, map), equations, habit, (t, h), y);
            }
            &Self::Slipped { kick, rate, slip } => {
                let turn = |q: &mut Quat, w: &Vec3| *q = slip.turned(q, w, h);
                let rule = (kick, rate, turn);
                first_order::step_turned(rule, equations, habit, (t, h), y);
            }
            Self::HalfSteps(rule) => rule.step(equations, (t, h), y),
            Self::RungeKutta(rule) => *y = rule.step(equations, (t, h), y),
            Self::Word(word) => word.step(equations, (t, h), y),
            Self::Iterated(rule) => rule.step(equations, (t, h), y),
            Self::Catalogue(_) | Self::Flow | Self::Remembering(_) => {
                unreachable!("they advance by themselves")
            }
        }
        if !matches!(self, Self::Euler { .. } | Self::Slipped { .. }) {
            y.omega = habit.apply(y.omega, h);
        }
    }
}
