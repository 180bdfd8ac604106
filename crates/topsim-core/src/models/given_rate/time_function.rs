//! Number given by a formula in time: a polynomial and sines.

use crate::math::scalar;
use serde::{Deserialize, Serialize};

/// Number as a formula in time: Σ polynomial\[k\] tᵏ + Σ amplitude sin(rate t + phase).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeFunction {
    /// Coefficients of 1, t, t², …
    #[serde(default)]
    pub polynomial: Vec<f64>,
    /// Sine terms.
    #[serde(default)]
    pub sines: Vec<Sine>,
}

/// Sine term: amplitude · sin(rate · t + phase).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sine {
    /// Amplitude, in the unit of the number.
    pub amplitude: f64,
    /// Angular frequency, rad/s.
    pub rate: f64,
    /// Phase, rad (default 0).
    #[serde(default)]
    pub phase: f64,
}

impl TimeFunction {
    /// Returns the value at `t`.
    pub fn at(&self, t: f64) -> f64 {
        let powers = self.polynomial.iter().rev().fold(0.0, |sum, c| sum * t + c);
        let sine = |s: &Sine| s.amplitude * scalar::sin(s.rate * t + s.phase);
        powers + self.sines.iter().map(sine).sum::<f64>()
    }

    /// Returns the derivative at `t`.
    pub fn slope(&self, t: f64) -> f64 {
        let powers = self.polynomial.iter().enumerate().skip(1).rev();
        let powers = powers.fold(0.0, |sum, (k, c)| sum * t + c * k as f64);
        let cosine = |s: &Sine| s.amplitude * s.rate * scalar::cos(s.rate * t + s.phase);
        powers + self.sines.iter().map(cosine).sum::<f64>()
    }

    /// Returns the angular frequency of the fastest variation near `t`, rad/s, for a value that is an angle: its slope or
    /// the rate of a sine.
    pub(super) fn frequency(&self, t: f64) -> f64 {
        let rates = self.sines.iter().map(|s| s.rate.abs());
        let swings = self.sines.iter().map(|s| (s.amplitude * s.rate).abs());
        self.slope(t).abs() + rates.fold(0.0, f64::max) + swings.sum::<f64>()
    }

    /// Returns the bound on [`TimeFunction::frequency`] at all times up to `most` from 0, s.
    pub(super) fn frequency_bound(&self, most: f64) -> f64 {
        let rates = self.sines.iter().map(|s| s.rate.abs());
        let swings = self.sines.iter().map(|s| (s.amplitude * s.rate).abs());
        let powers = self.polynomial.iter().enumerate().skip(1).rev();
        let slope = powers.fold(0.0, |sum, (k, c)| sum * most + (c * k as f64).abs());
        slope + rates.fold(0.0, f64::max) + 2.0 * swings.sum::<f64>()
    }

    /// Returns true if the value is 0 at all times.
    pub(super) fn is_zero(&self) -> bool {
        self.polynomial.iter().all(|c| *c == 0.0) && self.sines.iter().all(|s| s.amplitude == 0.0)
    }

    /// Returns true if the value is the same at all times.
    pub(super) fn is_constant(&self) -> bool {
        self.polynomial.iter().skip(1).all(|c| *c == 0.0)
            && self.sines.iter().all(|s| s.amplitude * s.rate == 0.0)
    }

    /// Returns the bound on the rounding error of the value at `t`.
    pub(super) fn rounding(&self, t: f64) -> f64 {
        let t = t.abs();
        let powers = self.polynomial.iter().rev();
        let powers = powers.fold(0.0, |sum, c| sum * t + c.abs());
        let sine = |s: &Sine| s.amplitude.abs() * (2.0 + (s.rate * t).abs() + s.phase.abs());
        let terms = (self.polynomial.len() + self.sines.len()) as f64;
        f64::EPSILON * (terms * powers + self.sines.iter().map(sine).sum::<f64>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_belongs_to_the_value() {
        let f = TimeFunction {
            polynomial: vec![0.3, -0.1, 2.0, 0.5],
            sines: vec![Sine {
                amplitude: 1.5,
                rate: 1.7,
                phase: 0.4,
            }],
        };
        let (t, d) = (1.3, 1e-4);
        assert!(((f.at(t + d) - f.at(t - d)) / (2.0 * d) - f.slope(t)).abs() < 1e-7);
        // 0.3 − 0.13 + 3.38 + 1.0985 + 1.5 sin(2.61)
        assert!((f.at(t) - (4.6485 + 1.5 * libm::sin(2.61))).abs() < 1e-14);
        assert_eq!(TimeFunction::default().at(2.0), 0.0);
        assert!(f.frequency(t) >= f.slope(t).abs() && f.rounding(t) < 1e-14);
        // The slope of 1e8 (t⁴/4 − t³/2 + t²/4) is 0 at 0, 1/2 and 1; the bound covers the times between them.
        let between = TimeFunction {
            polynomial: vec![0.0, 0.0, 0.25e8, -0.5e8, 0.25e8],
            sines: Vec::new(),
        };
        assert!([0.0, 0.5, 1.0].iter().all(|t| between.frequency(*t) < 1e-6));
        assert!(
            between.frequency_bound(1.0) >= between.frequency(0.2) && between.frequency(0.2) > 1e6
        );
        assert!(
            f.frequency_bound(2.0) >= f.frequency_bound(t)
                && f.frequency_bound(t) >= f.frequency(-t)
        );
        assert!(!f.is_constant() && TimeFunction::default().is_constant());
    }
}
