//! The measurements of a scheme beside its claims.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::schemes::{Energy, Evaluations, Momentum, SchemeInfo, StatementKind};
use topsim_relations::Relation;

/// Behaviour of the energy of a free body, as measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "class")]
pub enum EnergyBehaviour {
    /// The energy is kept to round-off.
    Exact,
    /// The energy oscillates without trend.
    Bounded,
    /// The energy grows like this power of h.
    Gains {
        /// Power of h, from two steps.
        power: f64,
    },
    /// The energy falls like this power of h.
    Loses {
        /// Power of h, from two steps.
        power: f64,
    },
    /// The energy tends from either side to that of a spin about the intermediate axis.
    ToIntermediateAxis,
    /// The energy could not be measured: a run failed or gave no numbers.
    Unknown,
}

/// The reason for which a longer step does not serve on the heavy top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The top leaves its cone.
    Cone,
    /// The step's equation is not solved.
    Solver,
}

/// All measurements of one scheme.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measurements {
    /// Order in the attitude, body a, t = 2: slope of the finest pair above the round-off floor.
    pub order: Option<f64>,
    /// Order in the attitude, body f, t = 10; absent where the free motion is exact.
    pub free_order: Option<f64>,
    /// Error in the attitude of body f at t = 10 with h = 0.1, rad.
    pub free_error: Option<f64>,
    /// Attitude after 20 steps of 0.05 on body a and 20 back, rad.
    pub irreversibility: Option<f64>,
    /// Symplectic defect of a step of 0.2 on body a.
    pub symplectic_defect: Option<f64>,
    /// Energy of body f.
    pub energy: EnergyBehaviour,
    /// Change of the spatial momentum of body f over 100 steps of 0.1, kg m²/s.
    pub momentum: Option<f64>,
    /// Change of the vertical momentum of body a over 100 steps of 0.1, kg m²/s.
    pub vertical_momentum: Option<f64>,
    /// Power of n with which round-off of the momentum of body f grows over n = 10² to 10⁴ steps of 0.1 from 16 starts, and
    /// its standard error; absent where the momentum is not kept.
    pub momentum_growth: Option<[f64; 2]>,
    /// Angle by which the spin of the heavy top is off at t = 1 with h = 0.003, rad.
    pub spin_phase: Option<f64>,
    /// Mean number of torque evaluations in a step on body a at h = 0.1.
    pub torque_evaluations: Option<f64>,
    /// Mean number of solver iterations in a step.
    pub iterations: Option<f64>,
    /// Largest step with which, as with all shorter ones tried, the heavy top stays within twice its
    /// cone for 10 s, s.
    pub largest_step: Option<f64>,
    /// The reason for which a longer step fails; absent where the end of the ladder was reached.
    pub limit: Option<Limit>,
    /// Time of a bare step on the heavy top on this machine, ns.
    pub nanoseconds: Option<f64>,
    /// The relations that apply to the cases of the card, and how each holds.
    pub relations: Vec<RelationResult>,
}

/// A relation and the exactness with which it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelationResult {
    /// The relation.
    pub relation: Relation,
    /// The exactness with which it holds.
    pub held: Exactness,
}

/// The exactness with which a relation holds in the worst of the cases.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Exactness {
    /// It holds to rounding at every step.
    Exactly,
    /// It holds in the limit of small steps.
    InTheLimit,
    /// It was not shown to hold.
    NotShown,
}

/// Error after 40 steps there and back, in rad, below which a map counts as reversible to round-off.
const REVERSIBLE: f64 = 1e-11;
/// Symplectic defect below which a map counts as symplectic: the noise of the finite differences.
const SYMPLECTIC: f64 = 1e-11;
/// Change in 100 steps below which a momentum counts as kept to round-off.
pub const ROUND_OFF: f64 = 1e-12;
/// Largest distance of a measured order from the claimed one: the finest pair of steps is that near to its limit.
const ORDER: f64 = 0.05;

/// The measurements of a scheme beside its claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Card {
    /// Scheme with its claims; files name it.
    #[serde(rename = "scheme", with = "scheme_name")]
    #[schemars(with = "String")]
    pub info: SchemeInfo,
    /// Measurements of the scheme.
    pub measured: Measurements,
}

/// Serialises a scheme of the catalogue as its name.
mod scheme_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use topsim_core::integration::registry;
    use topsim_core::schemes::SchemeInfo;

    pub(super) fn serialize<S: Serializer>(info: &SchemeInfo, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(info.name)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SchemeInfo, D::Error> {
        let name = String::deserialize(from)?;
        let row = registry::find(&name);
        row.map(|row| row.info)
            .ok_or_else(|| D::Error::custom(format!("no scheme is called `{name}`")))
    }
}

impl Measurements {
    /// Tests whether the map is reversible.
    pub fn reversible(&self) -> Option<bool> {
        self.irreversibility.map(|x| x < REVERSIBLE)
    }
    /// Tests whether the map is symplectic.
    pub fn symplectic(&self) -> Option<bool> {
        self.symplectic_defect.map(|x| x < SYMPLECTIC)
    }
    /// Tests whether the free motion is exact.
    pub fn free_motion_exact(&self) -> bool {
        self.free_error.is_some_and(|e| e < EXACT)
    }
    /// Tests whether spatial momentum is kept: that of the free body, and that of the torqued body about the vertical.
    pub fn keeps_momentum(&self) -> Option<bool> {
        Some(self.momentum? < ROUND_OFF && self.vertical_momentum? < ROUND_OFF)
    }
}

/// Error after 100 steps, in rad, below which a free motion counts as exact.
const EXACT: f64 = 1e-12;
/// Largest distance of a free order from the stated one; high orders show late above round-off.
const FREE_ORDER: f64 = 0.5;

impl Card {
    /// Tests whether the measurements confirm a statement of the literature.
    pub fn holds(&self, saying: StatementKind) -> bool {
        let m = &self.measured;
        match saying {
            StatementKind::FreeOrder(n) => {
                let near = |o: f64| (o - f64::from(n)).abs() < FREE_ORDER;
                m.free_order.is_some_and(near)
            }
            StatementKind::FreeMotionExact => m.free_motion_exact(),
            StatementKind::KeepsEnergy => {
                matches!(m.energy, EnergyBehaviour::Exact | EnergyBehaviour::Bounded)
            }
        }
    }

    /// Tests whether every relation holds.
    fn relations_hold(&self) -> bool {
        let mut relations = self.measured.relations.iter();
        relations.all(|r| r.held != Exactness::NotShown)
    }

    /// Returns the claims with which the measurements disagree. A number that could not be measured disagrees with its claim.
    pub fn disagreements(&self) -> Vec<&'static str> {
        let (m, c) = (&self.measured, &self.info.claims);
        let effort = match (m.torque_evaluations, m.iterations, c.torque_evaluations) {
            (Some(torque), _, Evaluations::Exactly(n)) => torque == f64::from(n),
            (Some(torque), Some(iterations), Evaluations::EachIteration(n)) => {
                (torque - f64::from(n) * (iterations + 1.0)).abs() < 1e-9
            }
            (Some(torque), Some(iterations), Evaluations::OneEachIteration) => {
                (torque - iterations).abs() < 1e-9
            }
            _ => false,
        };
        let energy = match (m.energy, c.energy) {
            (EnergyBehaviour::Exact, Energy::Exact)
            | (EnergyBehaviour::Bounded, Energy::Bounded)
            | (EnergyBehaviour::ToIntermediateAxis, Energy::ToIntermediateAxis) => true,
            (EnergyBehaviour::Gains { power }, Energy::Gains(p))
            | (EnergyBehaviour::Loses { power }, Energy::Loses(p)) => {
                (power - f64::from(p)).abs() < c.judging().power
            }
            _ => false,
        };
        let order = m.order.is_some_and(|o| self.info.shows_order(o, ORDER));
        let momentum = m.keeps_momentum() == Some(c.momentum == Momentum::Exact);
        let all = [
            (order, "order"),
            (m.reversible() == Some(c.reversible), "reversible"),
            (m.symplectic() == Some(c.symplectic), "symplectic"),
            (energy, "energy"),
            (momentum, "momentum"),
            (effort, "torque evaluations"),
            (self.relations_hold(), "relations"),
        ];
        let disagrees = |(agrees, what): (bool, _)| (!agrees).then_some(what);
        all.into_iter().filter_map(disagrees).collect()
    }
}

#[cfg(test)]
mod tests;
