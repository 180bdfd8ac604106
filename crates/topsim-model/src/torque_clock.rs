//! Clocks by which torques of time are read, where they are not the time of the steps.

/// A clock that is not the time of the steps.
#[derive(Debug, Clone, Copy, PartialEq)]
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
        /// True if steps are added up, and false if times are rounded.
        summed: bool,
    },
    /// Is a whole step behind in some steps.
    Slips,
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
            Self::Single { summed: false } => f64::from(t as f32) + within,
            Self::Single { summed: true } => {
                let add = |t: f32, _| t + h as f32;
                f64::from((0..n).fold(from as f32, add)) + within
            }
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
