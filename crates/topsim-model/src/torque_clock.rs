//! Clocks by which torques of time are read, where they are not the time of the steps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A clock that is not the time of the steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TorqueClock {
    /// Shows whole numbers of a time.
    Whole {
        /// The time, s.
        of: f64,
        /// True for the nearest, and false for those before.
        nearest: bool,
        /// True if it is read at the start of each step, and false if in each reading.
        of_steps: bool,
    },
    /// Begins anew after a time, s.
    Anew(f64),
    /// Begins anew after a number of steps.
    AnewSteps(f64),
    /// Is behind by a time, s.
    Behind(f64),
    /// Begins at zero in each run.
    SinceStart,
    /// Keeps times in single precision.
    Single {
        /// Way in which the time of a step is made.
        made: SingleTime,
        /// True if times within a step are of single precision, too.
        within: bool,
    },
    /// Is a whole step behind in some steps.
    Slips,
}

/// Time of a step in single precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SingleTime {
    /// The right one, rounded.
    Rounded,
    /// The sum of the steps.
    Summed,
    /// The number of the step times its length.
    Product,
}

impl SingleTime {
    /// Returns all clocks of single precision.
    pub fn clocks() -> impl Iterator<Item = TorqueClock> {
        let all = Self::VARIANTS.iter();
        all.flat_map(|&made| [false, true].map(|within| TorqueClock::Single { made, within }))
    }

    /// Returns the time of step `n` of a run from a time, in steps of `h`.
    fn of(self, (from, h): (f64, f64), n: usize) -> f32 {
        match self {
            Self::Rounded => (from + n as f64 * h) as f32,
            Self::Summed => (0..n).fold(from as f32, |t, _| t + h as f32),
            Self::Product => from as f32 + n as f32 * h as f32,
        }
    }
}

/// A time that is a whole number may be just below it, s.
const BELOW_WHOLE: f64 = 1e-9;

impl TorqueClock {
    /// Returns the time that it shows at a part of step `n` of a run from a time, in steps of `h`.
    #[must_use]
    pub fn time(self, (from, h): (f64, f64), n: usize, part: f64) -> f64 {
        let within = part * h;
        let t = from + n as f64 * h;
        match self {
            Self::Whole {
                of,
                nearest,
                of_steps,
            } => {
                let before = if nearest { 0.5 } else { BELOW_WHOLE / of };
                let (shown, rest) = if of_steps {
                    (t, within)
                } else {
                    (t + within, 0.0)
                };
                (shown / of + before).floor() * of + rest
            }
            Self::Anew(after) => (t + within).rem_euclid(after),
            Self::AnewSteps(after) => from + (n as f64 % after) * h + within,
            Self::Behind(by) => t + within - by,
            Self::SinceStart => t + within - from,
            Self::Single {
                made,
                within: false,
            } => f64::from(made.of((from, h), n)) + within,
            Self::Single { made, within: true } => f64::from(made.of((from, h), n) + within as f32),
            Self::Slips => t + within - h,
        }
    }

    /// Returns its number, where it is a time that is fitted.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Whole { of: x, .. } | Self::Anew(x) | Self::Behind(x) => Some(x),
            _ => None,
        }
    }

    /// Returns the same with another number.
    #[must_use]
    pub fn with(self, x: f64) -> Self {
        match self {
            Self::Whole {
                nearest, of_steps, ..
            } => Self::Whole {
                of: x,
                nearest,
                of_steps,
            },
            Self::Anew(_) => Self::Anew(x),
            Self::Behind(_) => Self::Behind(x),
            other => other,
        }
    }
}
