//! Actions of a solver in the steps that do not follow its rule.

use super::condition::Condition;
use crate::law::{Change, LawTerm, TERMS};
use crate::probe::Start;
use crate::state::State;
use crate::suspects::{Suspect, known_laws};
use topsim_core::math::{Mat3, Vec3, quaternion, so3};

/// Action of a solver in the steps that do not follow its rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// They follow another law.
    Law(Vec<Change>),
    /// The rate is multiplied by a number at their end; 0 stops the body.
    RateTimes(f64),
    /// The size of the rate is cut off at a limit, rad/s.
    RateCutOff(f64),
    /// The size of each component of the rate is cut off at a limit, rad/s.
    ComponentsCutOff(f64),
    /// The angle by which they turn is cut off at a limit, rad.
    TurnCutOff(f64),
    /// The attitude is set to that of the start.
    AttitudeOfStart,
    /// The attitude is set to the axes of space.
    AxesOfSpace,
    /// The rate is set to that of the start.
    RateOfStart,
    /// Attitude and rate are set to those of the start.
    Restart,
    /// The attitude stays.
    AttitudeStays,
    /// No step is made.
    NoStep,
    /// The rate is scaled so that the size of the momentum is that of the start.
    MomentumOfStart,
    /// The rate is scaled so that the kinetic energy is that of the start.
    EnergyOfStart,
}

impl Action {
    /// Returns the number of a one-number action.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::RateTimes(x)
            | Self::RateCutOff(x)
            | Self::ComponentsCutOff(x)
            | Self::TurnCutOff(x) => Some(*x),
            Self::Law(changes) => match &changes[..] {
                [Change { added, .. }] if added.len() == 1 => Some(added[0]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the same with another number.
    pub(super) fn with(&self, x: f64) -> Self {
        match self {
            Self::RateTimes(_) => Self::RateTimes(x),
            Self::RateCutOff(_) => Self::RateCutOff(x),
            Self::ComponentsCutOff(_) => Self::ComponentsCutOff(x),
            Self::TurnCutOff(_) => Self::TurnCutOff(x),
            Self::Law(changes) => Self::Law(vec![Change::new(changes[0].term, vec![x])]),
            other => other.clone(),
        }
    }

    /// Returns the actions that may be, the simplest first; true beside those whose number is fitted.
    pub(super) fn possible(condition: &Condition, body: &Start) -> Vec<(Self, bool)> {
        let limit = match condition {
            Condition::Beyond { between, .. } => 0.5 * (between[0] + between[1]),
            _ => 1.0,
        };
        let mut out = vec![
            (Self::RateTimes(0.0), false),
            (Self::NoStep, false),
            (Self::AttitudeStays, false),
            (Self::Restart, false),
            (Self::AttitudeOfStart, false),
            (Self::AxesOfSpace, false),
            (Self::MomentumOfStart, false),
            (Self::EnergyOfStart, false),
        ];
        let laws = known_laws(body).filter_map(|suspect| match suspect {
            Suspect::Law { given, .. } => Some((Self::Law(given), false)),
            Suspect::Factor(..) | Suspect::Entry(_) => None,
        });
        out.extend(laws);
        out.extend([
            (Self::RateOfStart, false),
            (Self::RateTimes(1.0), true),
            (Self::RateCutOff(limit), true),
            (Self::ComponentsCutOff(limit), true),
            (Self::TurnCutOff(limit), true),
        ]);
        let one = TERMS
            .iter()
            .filter(|row| row.len() == 1 && !row.is_exponent() && row.term != LawTerm::Clock);
        out.extend(one.map(|row| {
            let begins = if row.is_limit() { 1.0 / limit } else { 0.0 };
            let change = Change::new(row.term, vec![begins]);
            (Self::Law(vec![change]), true)
        }));
        out
    }
}

/// Returns the state after a step that something is done in.
pub(super) fn changed(action: &Action, before: &State, next: State, body: &Start) -> State {
    let start = || State::new(&body.att, body.omega);
    let w = next.omega;
    let scaled = |by: f64| State {
        omega: if by.is_finite() { w * by } else { w },
        ..next
    };
    match *action {
        Action::Law(_) => next,
        Action::RateTimes(by) => scaled(by),
        Action::RateCutOff(most) => scaled((most / w.norm()).min(1.0)),
        Action::ComponentsCutOff(most) => State {
            omega: w.map(|x| x.clamp(-most.abs(), most.abs())),
            ..next
        },
        Action::TurnCutOff(most) => {
            let turn = before.difference(&next).turn;
            let kept = turn * (most / turn.norm()).min(1.0);
            State {
                quat: quaternion::product(&before.quat, &quaternion::exp(&kept)),
                ..next
            }
        }
        Action::AttitudeOfStart => State {
            quat: start().quat,
            ..next
        },
        Action::AxesOfSpace => State {
            quat: so3::quat_from_matrix(&Mat3::identity()),
            ..next
        },
        Action::RateOfStart => State {
            omega: body.omega,
            ..next
        },
        Action::Restart => start(),
        Action::AttitudeStays => State {
            quat: before.quat,
            ..next
        },
        Action::NoStep => *before,
        Action::MomentumOfStart => {
            let size = |w| body.inertia.times(w).norm();
            scaled(size(&body.omega) / size(&w))
        }
        Action::EnergyOfStart => {
            let size = |w: &Vec3| w.dot(&body.inertia.times(w)).sqrt();
            scaled(size(&body.omega) / size(&w))
        }
    }
}
