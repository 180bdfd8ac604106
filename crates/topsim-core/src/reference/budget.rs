//! The error budget of a closed form: a floor, a part growing with the phase, and the sensitivity
//! to the inputs' own rounding near a separatrix.

use crate::math::scalar;

/// Bound on the error of a reference value at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RefError {
    /// Geodesic angle between computed and true attitude, rad.
    pub attitude: f64,
    /// Norm of the error of the body rate, rad/s.
    pub rate: f64,
}

impl RefError {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self {
        attitude: f64::INFINITY,
        rate: f64::INFINITY,
    };
}

/// Coefficients of the bound; times in seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Attitude at t = 0 (rad) and its growth (rad/s).
    pub attitude: [f64; 2],
    /// Body rate at t = 0 (rad/s) and its growth (rad/s²).
    pub rate: [f64; 2],
    /// Nothing can be further off than this (rad/s).
    pub rate_limit: f64,
    /// Sensitivity at a separatrix.
    pub saddle: Saddle,
}

/// How an uncertain separatrix distance moves the motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saddle {
    /// Elliptic argument `u = frequency t`, 1/s.
    pub frequency: f64,
    /// Uncertainty of m1: relative (when below 0.1), else absolute.
    pub relative: f64,
    pub absolute: f64,
    /// Relative uncertainty of the start. What it becomes grows no faster than eᵘ.
    pub state: f64,
    /// Quarter period K.
    pub quarter: f64,
    /// Change of attitude (rad) and of rate (rad/s) for one unit of u.
    pub attitude: f64,
    pub rate: f64,
}

impl Saddle {
    /// No separatrix.
    pub(super) const NONE: Self = Self {
        frequency: 0.0,
        relative: 0.0,
        absolute: 0.0,
        state: 0.0,
        quarter: 1.0,
        attitude: 0.0,
        rate: 0.0,
    };

    /// Uncertainty of u at time t.
    fn shift(&self, t: f64) -> f64 {
        let u = (self.frequency * t).abs();
        let grown = scalar::exp(u.min(300.0));
        let shift = if self.relative <= 0.1 {
            // δK = −½ δm1/m1; one such shift a quarter turn.
            0.5 * self.relative * (1.0 + u / self.quarter)
        } else {
            self.absolute.sqrt() * grown
        };
        // The variational equation, which is of the first order in the start: until u is near K it knows
        // better than the separatrix.
        shift.min(4.0 * self.state * grown)
    }
}

impl Budget {
    /// The bound at time t.
    pub(super) fn at(&self, t: f64) -> RefError {
        let shift = self.saddle.shift(t);
        let t = t.abs();
        RefError {
            attitude: (self.attitude[0] + self.attitude[1] * t + self.saddle.attitude * shift)
                .min(core::f64::consts::PI),
            rate: (self.rate[0] + self.rate[1] * t + self.saddle.rate * shift).min(self.rate_limit),
        }
    }
}
