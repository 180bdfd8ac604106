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
    /// The size of the change of the rate is cut off at a limit, rad/s.
    ChangeCutOff(f64),
    /// Components of the rate below a limit are set to zero, rad/s.
    ComponentsLost(f64),
    /// The state is rounded to so many significant digits.
    Rounded(u8),
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
    /// The rate is scaled so that the size of the momentum stays.
    MomentumStays,
    /// The rate is scaled so that the kinetic energy stays.
    EnergyStays,
    /// The rate is scaled so that the size of the momentum is that of the start.
    MomentumOfStart,
    /// The rate is scaled so that the kinetic energy is that of the start.
    EnergyOfStart,
}

/// Significant digits to which a state that is written and read again may be rounded.
const DIGITS: core::ops::RangeInclusive<u8> = 4..=9;

impl Action {
    /// Returns the number of a one-number action.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::RateTimes(x)
            | Self::RateCutOff(x)
            | Self::ComponentsCutOff(x)
            | Self::ChangeCutOff(x)
            | Self::TurnCutOff(x) => Some(*x),
            Self::Law(changes) => match &changes[..] {
                [Change { added, .. }] if added.len() == 1 => Some(added[0]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns true if it cuts a quantity off at a limit of its own.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        match self {
            Self::RateCutOff(_)
            | Self::ComponentsCutOff(_)
            | Self::ChangeCutOff(_)
            | Self::TurnCutOff(_) => true,
            Self::Law(changes) => matches!(&changes[..], [change] if change.term.row().is_limit()),
            _ => false,
        }
    }

    /// Returns the same with another number.
    pub(super) fn with(&self, x: f64) -> Self {
        match self {
            Self::RateTimes(_) => Self::RateTimes(x),
            Self::RateCutOff(_) => Self::RateCutOff(x),
            Self::ComponentsCutOff(_) => Self::ComponentsCutOff(x),
            Self::ChangeCutOff(_) => Self::ChangeCutOff(x),
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
            (Self::MomentumStays, false),
            (Self::EnergyStays, false),
            (Self::MomentumOfStart, false),
            (Self::EnergyOfStart, false),
            (Self::ComponentsLost(limit), false),
        ];
        out.extend(DIGITS.map(|digits| (Self::Rounded(digits), false)));
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
            (Self::ChangeCutOff(limit), true),
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
    let momentum = |w: &Vec3| body.inertia.times(w).norm();
    let energy = |w: &Vec3| w.dot(&body.inertia.times(w));
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
        Action::ChangeCutOff(most) => {
            let change = w - before.omega;
            State {
                omega: before.omega + change * (most / change.norm()).min(1.0),
                ..next
            }
        }
        Action::ComponentsLost(least) => State {
            omega: w.map(|x| if x.abs() < least { 0.0 } else { x }),
            ..next
        },
        Action::Rounded(digits) => State {
            quat: next.quat.map(|x| rounded(x, digits)),
            omega: w.map(|x| rounded(x, digits)),
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
        Action::MomentumStays => scaled(momentum(&before.omega) / momentum(&w)),
        Action::EnergyStays => scaled((energy(&before.omega) / energy(&w)).sqrt()),
        Action::MomentumOfStart => scaled(momentum(&body.omega) / momentum(&w)),
        Action::EnergyOfStart => scaled((energy(&body.omega) / energy(&w)).sqrt()),
    }
}

/// Returns a number rounded to so many significant digits.
fn rounded(x: f64, digits: u8) -> f64 {
    let unit = 10_f64.powi(x.abs().log10().floor() as i32 + 1 - i32::from(digits));
    if x == 0.0 {
        0.0
    } else {
        (x / unit).round() * unit
    }
}
