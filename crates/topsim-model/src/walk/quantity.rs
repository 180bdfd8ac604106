//! Quantities that may part the steps that follow a rule from those that do not.

use crate::probe::{Load, Start};
use crate::state::State;
use topsim_core::math::so3;

/// A quantity of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Time, s.
    Time,
    /// Number of steps since the first row.
    Steps,
    /// Size of the body rate, rad/s.
    Rate,
    /// Size of the body rate times the step, rad.
    Turn,
    /// Size of the largest component of the body rate, rad/s.
    LargestComponent,
    /// Size of the smallest component of the body rate, rad/s.
    SmallestComponent,
    /// Size of a component of the body rate, rad/s.
    Component(usize),
    /// Angle of the attitude, rad.
    Angle,
    /// Elevation of an axis of the body, the second, above the plane that is normal to an axis of space, the first, without
    /// its sign, rad: Euler angles are singular at a right angle.
    Elevation(usize, usize),
    /// Height of the centre of mass over the point about which the body turns, m.
    Height,
    /// Size of the gyroscopic torque, N m.
    GyroscopicTorque,
    /// Kinetic energy, J.
    Energy,
    /// Size of the change of the kinetic energy in a step, over the energy.
    EnergyChange,
    /// Gain of kinetic energy in a step, over the energy.
    EnergyGain,
    /// Size of the change of the body rate in a step, rad/s.
    RateChange,
    /// Size of the derivative of the body rate, rad/s².
    Acceleration,
    /// Size of the angular momentum, kg m²/s.
    Momentum,
}

/// A state of a run, and where in it.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    /// Number of steps since the first row.
    pub steps: u64,
    /// Time, s.
    pub t: f64,
    /// Step, s.
    pub h: f64,
    pub state: &'a State,
}

impl Quantity {
    /// Returns all quantities, those that are simplest first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let simple = [
            Self::Time,
            Self::Steps,
            Self::Rate,
            Self::Turn,
            Self::EnergyChange,
            Self::EnergyGain,
            Self::RateChange,
            Self::LargestComponent,
            Self::SmallestComponent,
        ];
        let elevations = (0..9).map(|k| Self::Elevation(k / 3, k % 3));
        let rest = [
            Self::Acceleration,
            Self::GyroscopicTorque,
            Self::Angle,
            Self::Height,
            Self::Energy,
            Self::Momentum,
        ];
        let components = (0..3).map(Self::Component);
        simple
            .into_iter()
            .chain(components)
            .chain(rest)
            .chain(elevations)
    }

    /// Returns true if it is no quantity of the state.
    #[must_use]
    pub fn is_time(self) -> bool {
        matches!(self, Self::Time | Self::Steps)
    }

    /// Returns true if the motion of the body keeps it: what rows show of it then are errors.
    pub(super) fn is_kept(self, body: &Start) -> bool {
        let is_kept_by_free = matches!(
            self,
            Self::Energy | Self::EnergyChange | Self::EnergyGain | Self::Momentum
        );
        is_kept_by_free && body.load == Load::None
    }

    /// Returns true if it differs from another by a factor in histories of one step.
    pub(super) fn takes_several_steps(self) -> bool {
        let of_whole_step = matches!(
            self,
            Self::EnergyChange | Self::EnergyGain | Self::RateChange
        );
        of_whole_step || matches!(self, Self::Steps | Self::Turn)
    }

    /// Returns the value of a quantity of a whole step, which one end of it does not have.
    pub(super) fn of_step(self, [from, to]: [&State; 2], body: &Start) -> Option<f64> {
        let energy = |y: &State| y.omega.dot(&body.inertia.times(&y.omega));
        let gain = || energy(to) / energy(from) - 1.0;
        match self {
            Self::EnergyChange => Some(gain().abs()),
            Self::EnergyGain => Some(gain()),
            Self::RateChange => Some((to.omega - from.omega).norm()),
            _ => None,
        }
    }

    /// Returns its value; none where the body has no such quantity, or it is one of a whole step.
    pub(super) fn of(self, at: &At, body: &Start) -> Option<f64> {
        let w = at.state.omega;
        Some(match self {
            Self::Time => at.t,
            Self::Steps => at.steps as f64,
            Self::Rate => w.norm(),
            Self::Turn => w.norm() * at.h,
            Self::LargestComponent => w.amax(),
            Self::SmallestComponent => w.amin(),
            Self::Component(i) => w[i].abs(),
            Self::Angle => so3::log(&at.state.attitude()).norm(),
            Self::Elevation(space, of_body) => {
                at.state.attitude()[(space, of_body)].abs().min(1.0).asin()
            }
            Self::Height => match &body.load {
                Load::Gravity { lever, up, .. } => (at.state.attitude() * lever).dot(up),
                _ => return None,
            },
            Self::GyroscopicTorque => w.cross(&body.inertia.times(&w)).norm(),
            Self::EnergyChange | Self::EnergyGain | Self::RateChange => return None,
            Self::Acceleration => body.acceleration(at.t, &at.state.attitude(), &w).norm(),
            Self::Energy => 0.5 * w.dot(&body.inertia.times(&w)),
            Self::Momentum => body.inertia.times(&w).norm(),
        })
    }
}
