//! Torques that act late or coarsely, or depend on how a run began, made of the right ones of its rows.

use crate::equations::TorqueShape;
use crate::remembering::IN_TIME;
use topsim_core::math::Vec3;

/// The way in which a torque is made of the right ones and of the rows, by one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TorqueHabit {
    /// That of a time before.
    Delayed {
        /// True if none acts until then, and false if that of the start does.
        from_none: bool,
    },
    /// Follows by a filter of first order.
    Filtered {
        /// True if it begins with none, and false if with that of the start.
        from_none: bool,
    },
    /// Zero below a size.
    DeadBand {
        /// True if each component is, and false if the vector is.
        each: bool,
    },
    /// Components in whole numbers of a size.
    Rounded {
        /// True for the nearest, and false for those towards zero.
        nearest: bool,
    },
    /// That of the time that is a whole number of so many seconds.
    Held {
        /// True for the nearest one, and false for the one before.
        nearest: bool,
    },
    /// Components change by no more than so many N m in a second.
    Slewed,
    /// Acts on one side of a time after the start.
    Switched {
        /// True if it acts from then on, and false if until then.
        on: bool,
    },
    /// Grows from none in proportion to the time, until it is the right one.
    Ramp,
    /// A spring acts beside it, towards the attitude of the start, N m.
    Spring,
    /// The energy is driven to that of the start beside it, 1/s.
    EnergyDriven,
    /// The inertia that divides grows by a part in each second.
    InertiaGrows {
        /// True if that of the gyroscopic term grows with it.
        gyroscopic: bool,
    },
}

/// Rows of a run, as its torques depend on them.
#[derive(Debug, Clone)]
pub struct TorqueRun {
    /// Time from row to row, s.
    pub h: f64,
    /// Right torques at the rows, N m.
    pub right: Vec<Vec3>,
    /// Rates, rad/s.
    pub rates: Vec<Vec3>,
    /// Angular momenta in the body, kg m²/s.
    pub momenta: Vec<Vec3>,
    /// Rotation vectors from the start, rad.
    pub turned: Vec<Vec3>,
}

impl TorqueHabit {
    /// Returns all kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_two = [true, false].into_iter().flat_map(|yes| {
            [
                Self::Delayed { from_none: yes },
                Self::Filtered { from_none: yes },
                Self::DeadBand { each: yes },
                Self::Rounded { nearest: yes },
                Self::Held { nearest: yes },
                Self::Switched { on: yes },
                Self::InertiaGrows { gyroscopic: yes },
            ]
        });
        let alone = [Self::Slewed, Self::Ramp, Self::Spring, Self::EnergyDriven];
        of_two.chain(alone)
    }

    /// Detects a habit whose number is a time that may be one of steps.
    #[must_use]
    pub fn is_of_time(self) -> bool {
        matches!(
            self,
            Self::Delayed { .. }
                | Self::Filtered { .. }
                | Self::Held { .. }
                | Self::Switched { .. }
        )
    }

    /// Detects a habit of a torque that is there: without one it does nothing.
    #[must_use]
    pub fn needs_torque(self) -> bool {
        !matches!(
            self,
            Self::Spring | Self::EnergyDriven | Self::InertiaGrows { gyroscopic: false }
        )
    }

    /// Detects a habit of a solver whose torque acts, or does not, in the first steps of some problem.
    #[must_use]
    pub fn begins_so(self, acts: bool) -> bool {
        match self {
            Self::Switched { on } => acts != on,
            Self::DeadBand { .. } => acts,
            _ => true,
        }
    }

    /// Detects a habit that acts smoothly with its number, from zero on.
    #[must_use]
    pub fn is_smooth(self) -> bool {
        matches!(
            self,
            Self::Spring | Self::EnergyDriven | Self::InertiaGrows { .. }
        )
    }

    /// Returns the torques that act at the times of the rows, with the number `x`.
    #[must_use]
    pub fn apply(self, x: f64, run: &TorqueRun) -> Vec<Vec3> {
        let (h, right) = (run.h, &run.right);
        let mut acts = match self {
            Self::Filtered { from_none: true } => Vec3::zeros(),
            _ => right[0],
        };
        let each = |n: usize| -> Vec3 {
            let torque = right[n];
            let t = n as f64 * h;
            match self {
                Self::Delayed { from_none } => {
                    let at = n as f64 - x / h;
                    if at < 0.0 {
                        return if from_none { Vec3::zeros() } else { right[0] };
                    }
                    let [k, part] = [at.floor(), at.fract()];
                    let next = right[(k as usize + 1).min(right.len() - 1)];
                    right[k as usize] * (1.0 - part) + next * part
                }
                Self::Filtered { .. } => {
                    acts += (torque - acts) * (1.0 - (-h / x).exp());
                    acts
                }
                Self::DeadBand { each: true } => TorqueShape::DeadBandAxes(x).apply(torque),
                Self::DeadBand { each: false } => TorqueShape::DeadBand(x).apply(torque),
                Self::Rounded { nearest: true } => TorqueShape::Rounded(x).apply(torque),
                Self::Rounded { nearest: false } => TorqueShape::Truncated(x).apply(torque),
                Self::Held { nearest } => {
                    let before = if nearest { 0.5 } else { 0.0 };
                    // A time that is a whole number may be just below it.
                    let whole = (t / x + before + IN_TIME).floor();
                    let begins = (whole - before) * x / h;
                    right[((begins - IN_TIME).ceil().max(0.0) as usize).min(n)]
                }
                Self::Slewed => {
                    acts += (torque - acts).map(|c| c.clamp(-x * h, x * h));
                    acts
                }
                Self::Switched { on } if (t < x - IN_TIME * h) == on => Vec3::zeros(),
                Self::Switched { .. } => torque,
                Self::Ramp => torque * (t / x).min(1.0),
                Self::Spring => torque - run.turned[n] * x,
                Self::EnergyDriven => {
                    let energy = run.momenta[n].dot(&run.rates[n]);
                    let start = run.momenta[0].dot(&run.rates[0]);
                    torque + run.momenta[n] * (0.5 * x * (start / energy - 1.0))
                }
                Self::InertiaGrows { gyroscopic: true } => torque / (1.0 + x * t),
                Self::InertiaGrows { gyroscopic: false } => {
                    let gyroscopic = run.momenta[n].cross(&run.rates[n]);
                    (torque + gyroscopic) / (1.0 + x * t) - gyroscopic
                }
            }
        };
        (0..right.len()).map(each).collect()
    }
}
