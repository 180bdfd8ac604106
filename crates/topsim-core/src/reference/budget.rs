//! Error budgets of the closed forms. A budget has a constant part, a part that grows with the phase, and, near
//! a separatrix, the sensitivity to the rounding of the inputs.

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
    /// Bound that claims nothing.
    pub(super) const UNKNOWN: Self = Self {
        attitude: f64::INFINITY,
        rate: f64::INFINITY,
    };
}

/// Coefficients of an error bound; times are in seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Attitude error at t = 0 (rad) and its growth rate (rad/s).
    pub attitude: [f64; 2],
    /// Body-rate error at t = 0 (rad/s) and its growth rate (rad/s²).
    pub rate: [f64; 2],
    /// Largest possible error of the body rate, whatever the time (rad/s).
    pub rate_limit: f64,
    /// Sensitivity near a separatrix.
    pub saddle: Saddle,
}

/// Sensitivity of the motion to an uncertain distance from the separatrix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saddle {
    /// Factor of time in the elliptic argument `u = frequency t`, 1/s.
    pub frequency: f64,
    /// Relative uncertainty of m1, which counts when it is at most 0.1, and the absolute one, which counts
    /// otherwise.
    pub relative: f64,
    pub absolute: f64,
    /// Relative uncertainty of the initial state. Its effect grows no faster than eᵘ.
    pub state: f64,
    /// Quarter period K, in units of u.
    pub quarter: f64,
    /// Changes of the attitude (rad) and of the body rate (rad/s) per unit of u.
    pub attitude: f64,
    pub rate: f64,
}

impl Saddle {
    /// Sensitivity of a motion without a separatrix.
    pub(super) const NONE: Self = Self {
        frequency: 0.0,
        relative: 0.0,
        absolute: 0.0,
        state: 0.0,
        quarter: 1.0,
        attitude: 0.0,
        rate: 0.0,
    };

    /// Returns the uncertainties of u at time t that the attitude has collected and that the body rate shows.
    pub(super) fn shifts(&self, t: f64) -> [f64; 2] {
        let u = (self.frequency * t).abs();
        let grown = scalar::exp(u.min(300.0));
        let shift = if self.relative <= 0.1 {
            // A change δm1 shifts the quarter period by δK = −½ δm1/m1; each quarter turn adds one such shift.
            0.5 * self.relative * (1.0 + u / self.quarter)
        } else {
            self.absolute.sqrt() * grown
        };
        // Bound by the variational equation, which is of the first order in the start: until u is near K it is
        // sharper than the bound by the distance from the separatrix. The attitude collects the error of the rate, ∫ eᵘ du.
        let collected = libm::expm1(u.min(300.0));
        [collected, grown].map(|factor| shift.min(4.0 * self.state * factor))
    }
}

impl Budget {
    /// Evaluates the bound at time t.
    pub(super) fn at(&self, t: f64) -> RefError {
        let [turned, shifted] = self.saddle.shifts(t);
        let t = t.abs();
        RefError {
            attitude: (self.attitude[0] + self.attitude[1] * t + self.saddle.attitude * turned)
                .min(core::f64::consts::PI),
            rate: (self.rate[0] + self.rate[1] * t + self.saddle.rate * shifted)
                .min(self.rate_limit),
        }
    }
}
