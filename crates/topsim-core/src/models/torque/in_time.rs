//! Torque given by a formula in time, such as those that move a body along a prescribed motion.

use super::series::VectorSeries;
use super::{Formula, Frame, Torque, TorqueError, TorqueParameters};
use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Torque as powers of the time and sines, each with a vector, in one frame.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeTorqueParameters {
    /// Coefficients of 1, t, t², …, N m.
    #[serde(default)]
    pub polynomial: Vec<[f64; 3]>,
    /// Amplitudes of sines, N m.
    #[serde(default)]
    pub amplitudes: Vec<[f64; 3]>,
    /// Angular frequencies of the sines, rad/s.
    #[serde(default)]
    pub rates: Vec<f64>,
    /// Phases of the sines, rad; 0 if left out.
    #[serde(default)]
    pub phases: Vec<f64>,
    /// Frame of the components.
    #[serde(default)]
    pub frame: Frame,
}

/// Torque that depends on the time alone, in one frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeTorque {
    #[serde(flatten)]
    pub(crate) series: VectorSeries,
    /// Frame of the components.
    pub(crate) frame: Frame,
}

impl TimeTorque {
    /// Returns the torque under which a body moves alike, `factor` times as fast.
    #[must_use]
    pub fn faster(&self, factor: f64) -> Self {
        Self {
            series: self.series.faster(factor, factor * factor),
            frame: self.frame,
        }
    }
}

impl Torque for TimeTorque {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.frame.to_body(&self.series.at(t), att)
    }
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        self.frame.derivative(&self.body(t, att), omega)
    }
}

impl Formula for TimeTorque {
    const FORMULA: &'static str = "c = sum of polynomial[k] t^k + sum of amplitudes[k] sin(rates[k] t + phases[k]), k from 0; \
         frame body: tau_body = c; frame space: tau_body = transpose(R) c";
}

impl TorqueParameters for TimeTorqueParameters {
    type Torque = TimeTorque;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"polynomial": [[1.0, 2.0, -3.0], [0.5, 0.0, 0.1]], "amplitudes": [[0.0, 1.0, 0.3]], "rates": [2.0], "frame": "space"}"#;
    fn torque(&self) -> Result<TimeTorque, TorqueError> {
        let clocks = [&self.rates[..], &self.phases];
        Ok(TimeTorque {
            series: VectorSeries::new(&self.polynomial, &self.amplitudes, clocks)?,
            frame: self.frame,
        })
    }
}
