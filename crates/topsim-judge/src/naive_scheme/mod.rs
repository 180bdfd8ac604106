//! What solvers do in practice and by mistake, to be recognised in histories: not in the catalogue,
//! for nobody should choose them.
//!
//! Letters: Λ attitude (body → space), W body rate, a = Ẇ, T body torque, index −1 the step before.
//! They step any [`SolverModel`], the right one among them.

mod name;
mod step;

pub use name::{NaiveRule, NaiveSchemeName};

use crate::defect::SchemeDefect;
use crate::model::SolverModel;
use topsim_core::math::Vec3;
use topsim_core::models::RotState;
use topsim_core::schemes::{Effort, Scheme, StepFail};

/// How the attitude is advanced by a turn hu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TurnMap {
    /// Λ exp(hu).
    Exponential,
    /// q ⊗ (1, hu/2), normalised: it turns by 2 atan(h|u|/2).
    Linear,
    /// Λ (1 + hû), not made orthogonal.
    Matrix,
    /// Λ (1 + hû), made orthogonal by Gram and Schmidt, column by column.
    GramSchmidt,
}

/// Which rate turns the attitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TurnRate {
    /// W.
    Old,
    /// W'.
    New,
    /// (W + W')/2.
    Mean,
    /// (W + W₋₁)/2.
    PastMean,
    /// (3W − W₋₁)/2.
    Extrapolated,
}

/// How the rate is advanced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateRule {
    /// W' = W + h a.
    Euler,
    /// W' = W + h (a + a₋₁)/2.
    PastMean,
    /// W' = W + h (3a − a₋₁)/2.
    Extrapolated,
    /// W' = W + h a, a at the new attitude and the old rate.
    AtNewAttitude,
    /// One Newton step of the implicit gyroscopic term (`catto`).
    OneNewton,
    /// The momentum rescaled after the gyroscopic term (`jolt`).
    Rescaled,
    /// π' = π + h t, W' = J⁻¹ Λ'ᵀ π'.
    Momentum,
}

/// Explicit Runge–Kutta rules on quaternion and rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Heun's, of order 2.
    Heun,
    /// The explicit midpoint rule, of order 2.
    Midpoint,
    /// The classical one, of order 4.
    Classical,
}

/// How a rule begins that carries an acceleration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begin {
    /// With a of the initial state.
    Consistent,
    /// With a = 0.
    AtRest,
}

/// The kind of step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Rate and attitude one after the other.
    OneByOne {
        /// The rate.
        push: RateRule,
        /// The attitude.
        turn: TurnRate,
        /// Its map.
        map: TurnMap,
    },
    /// A Runge–Kutta rule; the quaternion is normalised after each step.
    RungeKutta {
        /// The rule.
        rule: Rule,
    },
    /// W½ = W + h a/2, Λ' = Λ exp(hW½), W' = W½ + h a(Λ', W½)/2.
    Verlet {
        /// Map of the turn.
        map: TurnMap,
    },
    /// W½ = W₋½ + h a(Λ, W*), Λ' = Λ exp(hW½), W½ reported as W'.
    Leapfrog {
        /// Whether W½ of the first step is W + h a/2, or W + h a.
        half_start: bool,
        /// Whether W* is (W₋½ + W½)/2, or W₋½.
        centred: bool,
    },
    /// Λ' = Λ exp(hW + h²a/2), a' = a(Λ', W + h a), W' = W + h (a + a')/2.
    VelocityVerlet {
        /// Its start.
        begin: Begin,
    },
    /// As it, a' at W' itself (implicit).
    Newmark {
        /// Its start.
        begin: Begin,
    },
}

/// Where in time the torque is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TorqueAt {
    /// Where the rule asks for it.
    Rule,
    /// At the start of the step, throughout.
    Held,
    /// One step earlier than the rule asks.
    Lagged,
}

/// A naive scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NaiveScheme {
    /// Its step.
    pub kind: Kind,
    /// Its torque.
    pub torque: TorqueAt,
}

/// What a naive scheme amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    /// As good as its order says.
    Sound,
    /// Consistent, of first order only.
    FirstOrder,
    /// It is not what its author can have meant.
    Defect,
}

/// What a step needs of the steps before.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Memory {
    /// W₋₁ and a₋₁; none before the first step.
    past: Option<(Vec3, Vec3)>,
    /// The torque of the step before.
    torque: Option<Vec3>,
    /// a of the start of the step, or W₋½.
    carried: Option<Vec3>,
}

impl Scheme<SolverModel> for NaiveScheme {
    type Memory = Memory;
    fn start(&self, p: &SolverModel, t: f64, _: f64, y: &mut RotState) -> Result<Memory, StepFail> {
        let begin = match self.kind {
            Kind::VelocityVerlet { begin } | Kind::Newmark { begin } => Some(begin),
            _ => None,
        };
        Ok(Memory {
            carried: begin.map(|b| match b {
                Begin::Consistent => p.acceleration(t, &y.att, &y.omega),
                Begin::AtRest => Vec3::zeros(),
            }),
            ..Memory::default()
        })
    }
    #[inline]
    fn step(
        &self,
        p: &SolverModel,
        t: f64,
        h: f64,
        y: &mut RotState,
        m: &mut Memory,
    ) -> Result<Effort, StepFail> {
        self.advance(p, t, h, y, m);
        Ok(Effort {
            torque: 1,
            iterations: 0,
        })
    }
}

impl NaiveScheme {
    /// All of them.
    pub fn all() -> Vec<Self> {
        use RateRule as P;
        use TurnRate as T;
        let maps = [
            TurnMap::Exponential,
            TurnMap::Linear,
            TurnMap::Matrix,
            TurnMap::GramSchmidt,
        ];
        let mut out = Vec::new();
        let mut add = |kind, torque| out.push(Self { kind, torque });
        for push in [
            P::Euler,
            P::AtNewAttitude,
            P::OneNewton,
            P::Rescaled,
            P::Momentum,
            P::PastMean,
            P::Extrapolated,
        ] {
            for turn in [T::Old, T::New, T::Mean, T::PastMean, T::Extrapolated] {
                if push == P::AtNewAttitude && matches!(turn, T::New | T::Mean) {
                    continue;
                }
                for map in maps {
                    if (push, map) == (P::Momentum, TurnMap::Matrix) {
                        // Runs away: the rate grows with the matrix.
                        continue;
                    }
                    let kind = Kind::OneByOne { push, turn, map };
                    add(kind, TorqueAt::Rule);
                    // With an old torque the new attitude does not matter.
                    if push != P::AtNewAttitude {
                        add(kind, TorqueAt::Lagged);
                    }
                }
            }
        }
        for rule in [Rule::Heun, Rule::Midpoint, Rule::Classical] {
            for torque in [TorqueAt::Rule, TorqueAt::Held, TorqueAt::Lagged] {
                add(Kind::RungeKutta { rule }, torque);
            }
        }
        for torque in [TorqueAt::Rule, TorqueAt::Lagged] {
            for map in maps {
                add(Kind::Verlet { map }, torque);
            }
            // Begun with a whole step and not centred, it is the semi-implicit Euler rule.
            for (half_start, centred) in [(true, true), (true, false), (false, true)] {
                let kind = Kind::Leapfrog {
                    half_start,
                    centred,
                };
                add(kind, torque);
            }
            for begin in [Begin::Consistent, Begin::AtRest] {
                add(Kind::VelocityVerlet { begin }, torque);
                add(Kind::Newmark { begin }, torque);
            }
        }
        out
    }

    /// Whether it does something of its own with the gyroscopic term.
    pub fn treats_gyroscopic_term(&self) -> bool {
        let of = |push| matches!(push, RateRule::OneNewton | RateRule::Rescaled);
        matches!(self.kind, Kind::OneByOne { push, .. } if of(push))
    }

    /// What it amounts to.
    pub fn nature(&self) -> Nature {
        if self.torque != TorqueAt::Rule {
            return Nature::Defect;
        }
        match self.kind {
            Kind::OneByOne { push, turn, map } => match (push, turn, map) {
                (_, _, TurnMap::Matrix)
                | (RateRule::Rescaled | RateRule::PastMean, ..)
                | (_, TurnRate::PastMean, _) => Nature::Defect,
                (RateRule::Extrapolated, TurnRate::Extrapolated | TurnRate::Mean, m)
                    if m != TurnMap::GramSchmidt =>
                {
                    Nature::Sound
                }
                // One half of it is of second order, the other of first.
                (RateRule::Extrapolated, ..) | (_, TurnRate::Mean | TurnRate::Extrapolated, _) => {
                    Nature::Defect
                }
                _ => Nature::FirstOrder,
            },
            Kind::RungeKutta { .. } => Nature::Sound,
            Kind::Verlet { .. } => Nature::Defect,
            Kind::Leapfrog { .. } => Nature::Defect,
            Kind::VelocityVerlet { begin } | Kind::Newmark { begin } => match begin {
                Begin::Consistent => Nature::Sound,
                Begin::AtRest => Nature::Defect,
            },
        }
    }

    /// Its name; schemes of one name differ in details such as the map.
    pub fn name(&self) -> NaiveSchemeName {
        use NaiveRule as R;
        let rule = match self.kind {
            Kind::OneByOne { push, turn, .. } => one_by_one(push, turn),
            Kind::RungeKutta { rule } => match rule {
                Rule::Heun => R::Heun,
                Rule::Midpoint => R::Midpoint,
                Rule::Classical => R::Classical,
            },
            Kind::Verlet { .. } => R::Verlet,
            Kind::Leapfrog {
                half_start: true, ..
            } => R::HalfStepRate,
            Kind::Leapfrog {
                half_start: false, ..
            } => R::WholeStepStart,
            Kind::VelocityVerlet { begin } => match begin {
                Begin::Consistent => R::VelocityVerlet,
                Begin::AtRest => R::VelocityVerletAtRest,
            },
            Kind::Newmark { begin } => match begin {
                Begin::Consistent => R::Newmark,
                Begin::AtRest => R::NewmarkAtRest,
            },
        };
        NaiveSchemeName {
            rule,
            torque: self.torque,
        }
    }

    /// How the attitude is turned, for people; empty where there is one way only.
    pub fn detail(&self) -> &'static str {
        match self.kind {
            Kind::OneByOne { map, .. } | Kind::Verlet { map } => match map {
                TurnMap::Exponential => "turned by the exponential",
                TurnMap::Linear => "quaternion advanced linearly and normalised",
                TurnMap::Matrix => "matrix advanced linearly, not made orthogonal",
                TurnMap::GramSchmidt => "matrix advanced linearly, made orthogonal by Gram–Schmidt",
            },
            _ => "",
        }
    }

    /// What it means and what to do.
    pub fn advice(&self) -> &'static str {
        match (self.torque, self.kind) {
            (TorqueAt::Lagged, _) => {
                "the torque of the step before acts in this one: the error is of first order \
                 whatever the rule; evaluate the torque after the attitude is advanced"
            }
            (TorqueAt::Held, _) => {
                "the torque is evaluated once a step, outside the stages: first order; evaluate \
                 it in each stage"
            }
            (_, Kind::OneByOne { push, turn, map }) => advice(push, turn, map),
            (_, Kind::Verlet { .. }) => {
                "Verlet's rule is of second order where forces do not depend on rates; \
                 W × J W does: take it at the new rate, implicitly"
            }
            (
                _,
                Kind::Leapfrog {
                    half_start: true, ..
                },
            ) => "the rate belongs to t − h/2: report the mean of the two half steps around t",
            (
                _,
                Kind::Leapfrog {
                    half_start: false, ..
                },
            ) => {
                "the first kick must be of half a step: as it is, all rates are h/2 ahead; then report \
                 the mean of the two around a row's time"
            }
            (
                _,
                Kind::VelocityVerlet {
                    begin: Begin::AtRest,
                }
                | Kind::Newmark {
                    begin: Begin::AtRest,
                },
            ) => {
                "solve J a = T − W × J W at the start: a wrong first acceleration leaves an error \
                 of first order for ever"
            }
            _ => "",
        }
    }
}

fn one_by_one(push: RateRule, turn: TurnRate) -> NaiveRule {
    use NaiveRule as R;
    use RateRule as P;
    use TurnRate as T;
    match (push, turn) {
        (P::Euler, T::Old) => R::ExplicitEuler,
        (P::Euler, T::New) => R::SemiImplicitEuler,
        (P::Euler, T::Mean) => R::TrapezoidalEuler,
        (P::AtNewAttitude, _) => R::AttitudeFirst,
        (P::OneNewton, T::Old) => R::ExplicitNewton,
        (P::OneNewton, T::Mean) => R::TrapezoidalNewton,
        (P::OneNewton, _) => R::SemiImplicitNewton,
        (P::Rescaled, _) => R::MomentumClamp,
        (P::Momentum, T::Old) => R::ExplicitMomentum,
        (P::Momentum, T::Mean) => R::TrapezoidalMomentum,
        (P::Momentum, T::New) => R::SemiImplicitMomentum,
        (P::PastMean, _) | (_, T::PastMean) => R::PastSlope,
        (P::Extrapolated, T::Extrapolated) => R::AdamsBashforth,
        (P::Extrapolated, T::Mean) => R::AdamsBashforthRate,
        (P::Extrapolated, _) | (_, T::Extrapolated) => R::AdamsBashforthHalf,
    }
}

fn advice(push: RateRule, turn: TurnRate, map: TurnMap) -> &'static str {
    use RateRule as P;
    use TurnRate as T;
    if map == TurnMap::Matrix {
        return "normalise the attitude after each step: it is no rotation any more";
    }
    if map == TurnMap::GramSchmidt && push == P::Extrapolated {
        return "Gram–Schmidt turns the columns by different errors of h²: first order; use the exponential";
    }
    match (push, turn) {
        (P::Euler, T::Old) => "first order; the energy grows without end, like h",
        (P::Euler | P::AtNewAttitude | P::Momentum, T::Old | T::New) => {
            "first order: ten times finer steps for one more digit"
        }
        (P::Rescaled, _) => SchemeDefect::CLAMPED,
        (P::OneNewton, T::Old | T::New) => {
            "first order; the gyroscopic term damps the motion, like h"
        }
        (P::PastMean, _) | (_, T::PastMean) => {
            "the mean of the slopes of this step's start and of the step before belongs to h/2 before \
             the step begins: first order, worse than Euler; the trapezoidal rule takes start and end \
             of this step"
        }
        (P::Extrapolated, T::Extrapolated | T::Mean) => "",
        (P::Extrapolated, _) | (_, T::Extrapolated) => {
            "one half of the step is of second order, the other of first: all is of first order"
        }
        (_, T::Mean) => {
            "the mean of the two rates does not help while the new rate comes from an Euler step: \
             first order"
        }
    }
}

#[cfg(test)]
mod tests;
