//! Torque pulse in time. Hairer, Nørsett & Wanner, problem EULR, has ω = 1 on [3π, 4π].

use super::row::short;
use super::{Drive, Formula, Frame, Piece, Torque, TorqueError, TorqueParameters, vector, within};
use crate::math::{Mat3, Vec3, scalar};
use serde::{Deserialize, Serialize};

/// Torque pulse: amplitude · sin²(rate · t) for from ≤ t ≤ until, zero otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sin2Pulse {
    /// Amplitude, N m.
    #[serde(with = "vector")]
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    pub amplitude: Vec3,
    /// Frame of the amplitude.
    #[serde(default)]
    pub frame: Frame,
    /// Angular frequency, rad/s.
    pub rate: f64,
    /// First instant of the pulse, s.
    pub from: f64,
    /// Last instant of the pulse, s.
    pub until: f64,
}

impl Sin2Pulse {
    fn components(&self, t: f64) -> Vec3 {
        if t < self.from || t > self.until {
            return Vec3::zeros();
        }
        let s = scalar::sin(self.rate * t);
        self.amplitude * (s * s)
    }
}

impl Torque for Sin2Pulse {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.frame.to_body(&self.components(t), att)
    }
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        self.frame.derivative(&self.body(t, att), omega)
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        within([self.from, self.until], from, to)
    }
    fn piece(&self, t: f64) -> Option<Piece> {
        let (amplitude, rate) = (self.amplitude, self.rate);
        let on = self.from <= t && t <= self.until;
        Some(Piece {
            drive: on.then_some((self.frame, Drive::Sin2 { amplitude, rate })),
            ..Piece::default()
        })
    }
}

impl Formula for Sin2Pulse {
    const FORMULA: &'static str = "c = amplitude * sin(rate * t)^2 while from <= t <= until, else 0; \
         frame body: tau_body = c; frame space: tau_body = transpose(R) c";
}

impl TorqueParameters for Sin2Pulse {
    type Torque = Self;
    #[cfg(test)]
    const EXAMPLE: &'static str =
        r#"{"amplitude": [0.1, 0.2, 0.3], "rate": 2.0, "from": 0.0, "until": 3.0}"#;
    fn torque(&self) -> Result<Self, TorqueError> {
        if !(self.until > self.from) {
            let [from, until] = [self.from, self.until].map(short);
            return Err(TorqueError::new(
                "until",
                format!("the pulse ends at {until}, not after its start at {from}"),
                format!("a time after {from}"),
            ));
        }
        Ok(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;

    #[test]
    fn the_pulse_is_on_between_its_ends_only() {
        let p = Sin2Pulse {
            amplitude: Vec3::new(0.0, 0.0, 0.25),
            frame: Frame::Body,
            rate: 1.0,
            from: 3.0 * PI,
            until: 4.0 * PI,
        };
        let id = Mat3::identity();
        assert_eq!(p.body(3.0 * PI - 1e-9, &id), Vec3::zeros());
        assert!((p.body(3.5 * PI, &id).z - 0.25).abs() < 1e-15);
        assert_eq!(p.body(4.0 * PI + 1e-9, &id), Vec3::zeros());
        assert_eq!(p.switches(0.0, 20.0).len(), 2);
        let refused = Sin2Pulse { until: 1e-7, ..p }.torque().unwrap_err();
        assert!(refused.key == "until" && refused.found.contains("at 1e-7, not"));
    }
}
