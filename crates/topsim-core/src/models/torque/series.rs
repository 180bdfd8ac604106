//! Vectors given by a formula in time: polynomials and sines, with derivative and integrals.

use super::row::TorqueError;
use super::vectors;
use crate::math::{Vec3, scalar};
use serde::Serialize;

/// Vector as a formula in time: Σ polynomial\[k\] tᵏ + Σ amplitudes\[k\] sin(rates\[k\] t + phases\[k\]).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct VectorSeries {
    /// Coefficients of 1, t, t², …
    #[serde(serialize_with = "vectors")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<[f64; 3]>"))]
    pub(crate) polynomial: Vec<Vec3>,
    /// Amplitudes of the sines.
    #[serde(serialize_with = "vectors")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<[f64; 3]>"))]
    pub(crate) amplitudes: Vec<Vec3>,
    /// Angular frequencies of the sines, rad/s.
    pub(crate) rates: Vec<f64>,
    /// Phases of the sines, rad.
    pub(crate) phases: Vec<f64>,
}

impl VectorSeries {
    /// Builds the series from files, in which phases may be left out. Sines of rate zero are refused, because
    /// they are constants.
    pub(super) fn new(
        polynomial: &[[f64; 3]],
        amplitudes: &[[f64; 3]],
        [rates, phases]: [&[f64]; 2],
    ) -> Result<Self, TorqueError> {
        let sines = amplitudes.len();
        for (key, count) in [("rates", rates.len()), ("phases", phases.len())] {
            if count != sines && !(key == "phases" && count == 0) {
                let found = format!("{count} {key} for {sines} amplitudes");
                return Err(TorqueError::new(key, found, "one for each amplitude"));
            }
        }
        if let Some(k) = rates.iter().position(|rate| *rate == 0.0) {
            let found = format!("the sine {} has the rate 0", k + 1);
            let allowed = "rates other than 0; a constant is the first row of `polynomial`";
            return Err(TorqueError::new("rates", found, allowed));
        }
        if polynomial.is_empty() && amplitudes.is_empty() {
            let allowed = "a row of `polynomial`, or an amplitude with its rate";
            return Err(TorqueError::new("polynomial", "no term", allowed));
        }
        let vectors = |rows: &[[f64; 3]]| rows.iter().copied().map(Vec3::from).collect();
        Ok(Self {
            polynomial: vectors(polynomial),
            amplitudes: vectors(amplitudes),
            rates: rates.to_vec(),
            phases: if phases.is_empty() {
                vec![0.0; sines]
            } else {
                phases.to_vec()
            },
        })
    }

    /// Returns the series that runs `factor` times as fast, of vectors that are `size` times as large.
    pub(crate) fn faster(&self, factor: f64, size: f64) -> Self {
        let powers = self.polynomial.iter().zip(0..);
        Self {
            polynomial: powers.map(|(c, k)| c * (size * factor.powi(k))).collect(),
            amplitudes: self.amplitudes.iter().map(|c| c * size).collect(),
            rates: self.rates.iter().map(|rate| rate * factor).collect(),
            phases: self.phases.clone(),
        }
    }

    fn sines(&self) -> impl Iterator<Item = (&Vec3, f64, f64)> {
        let clocks = self.rates.iter().copied().zip(self.phases.iter().copied());
        let all = self.amplitudes.iter().zip(clocks);
        all.map(|(amplitude, (rate, phase))| (amplitude, rate, phase))
    }

    /// Returns the value at `t`.
    pub(crate) fn at(&self, t: f64) -> Vec3 {
        let powers = self.polynomial.iter().rev();
        let mut sum = powers.fold(Vec3::zeros(), |sum, c| sum * t + c);
        for (amplitude, rate, phase) in self.sines() {
            sum += amplitude * scalar::sin(rate * t + phase);
        }
        sum
    }

    /// Returns the derivative at `t`.
    pub(crate) fn slope(&self, t: f64) -> Vec3 {
        let powers = self.polynomial.iter().enumerate().skip(1).rev();
        let mut sum = powers.fold(Vec3::zeros(), |sum, (k, c)| sum * t + c * k as f64);
        for (amplitude, rate, phase) in self.sines() {
            sum += amplitude * (rate * scalar::cos(rate * t + phase));
        }
        sum
    }

    /// Returns the integral from 0 to `t`, and the integral of that integral.
    pub(crate) fn integrals(&self, t: f64) -> [Vec3; 2] {
        let mut sums = [Vec3::zeros(); 2];
        for (k, c) in self.polynomial.iter().enumerate().rev() {
            let k = k as f64;
            sums[0] = sums[0] * t + c / (k + 1.0);
            sums[1] = sums[1] * t + c / ((k + 1.0) * (k + 2.0));
        }
        sums = [sums[0] * t, sums[1] * (t * t)];
        for (amplitude, rate, phase) in self.sines() {
            // cos φ − cos(φ + 2x) = 2 sin x sin(φ + x), which keeps its digits for small x.
            let x = 0.5 * rate * t;
            let half = scalar::sin(x);
            sums[0] += amplitude * (2.0 * half * scalar::sin(phase + x) / rate);
            let second =
                scalar::cos(phase) * without_sine(2.0 * x) + 2.0 * scalar::sin(phase) * half * half;
            sums[1] += amplitude * (second / (rate * rate));
        }
        sums
    }

    /// Returns all vectors of the series.
    pub(crate) fn vectors(&self) -> impl Iterator<Item = &Vec3> {
        self.polynomial.iter().chain(&self.amplitudes)
    }
}

/// Returns y − sin y without cancellation.
fn without_sine(y: f64) -> f64 {
    if y.abs() > 1.0 {
        return y - scalar::sin(y);
    }
    let mut term = y * y * y / 6.0;
    let mut sum = term;
    for n in 2..10 {
        let n = f64::from(n);
        term *= -y * y / ((2.0 * n) * (2.0 * n + 1.0));
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> VectorSeries {
        let polynomial = [[0.3, -0.1, 2.0], [1.0, 0.5, -0.2], [0.1, 0.0, 0.3]];
        VectorSeries::new(&polynomial, &[[1.0, -2.0, 0.5]], [&[1.7], &[0.4]]).unwrap()
    }

    #[test]
    fn slope_and_integrals_belong_to_the_values() {
        let s = example();
        let (t, d) = (1.3, 1e-4);
        let central = |f: &dyn Fn(f64) -> Vec3| (f(t + d) - f(t - d)) / (2.0 * d);
        assert!((central(&|t| s.at(t)) - s.slope(t)).norm() < 1e-7);
        assert!((central(&|t| s.integrals(t)[0]) - s.at(t)).norm() < 1e-7);
        assert!((central(&|t| s.integrals(t)[1]) - s.integrals(t)[0]).norm() < 1e-7);
        assert_eq!(s.integrals(0.0), [Vec3::zeros(); 2]);
        assert!((without_sine(1.0) - (1.0 - scalar::sin(1.0))).abs() < 1e-16);
        assert!((without_sine(1e-3) / 1.666_666_583_333_335_3e-10 - 1.0).abs() < 1e-15);
    }

    #[test]
    fn sines_without_a_rate_are_refused() {
        let refused = |rates: &[f64], phases: &[f64]| {
            let made = VectorSeries::new(&[], &[[1.0, 0.0, 0.0]], [rates, phases]);
            made.unwrap_err().found
        };
        assert_eq!(refused(&[], &[]), "0 rates for 1 amplitudes");
        assert_eq!(refused(&[1.0], &[1.0, 2.0]), "2 phases for 1 amplitudes");
        assert_eq!(refused(&[0.0], &[]), "the sine 1 has the rate 0");
    }
}
