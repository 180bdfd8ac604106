//! Body with a breathing inertia and no torque: J(t) = λ(t) J, λ = 1 + amplitude sin(rate t + phase).
//!
//! `λ J Ẇ = λ J W × W − λ̇ J W` is written with the constant J, and the term of λ̇ becomes a torque.

use super::{BodyMotion, Formula, KeptMomentum, Torque, TorqueError, TorqueParameters};
use crate::math::{Mat3, Vec3, scalar};
use serde::{Deserialize, Serialize};

/// Inertia that is λ(t) times that of the body, λ = 1 + amplitude · sin(rate · t + phase).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BreathingInertia {
    /// Amplitude, between −1 and 1.
    pub amplitude: f64,
    /// Angular frequency, rad/s.
    pub rate: f64,
    /// Phase, rad.
    #[serde(default)]
    pub phase: f64,
}

impl BreathingInertia {
    /// Returns the factor λ at `t`.
    pub(crate) fn factor(&self, t: f64) -> f64 {
        1.0 + self.amplitude * scalar::sin(self.rate * t + self.phase)
    }
}

impl Torque for BreathingInertia {
    fn body(&self, _: f64, _: &Mat3) -> Vec3 {
        Vec3::zeros()
    }
    fn depends_on_rate(&self) -> bool {
        true
    }
    fn moving(&self, t: f64, _: &Mat3, turning: &BodyMotion) -> Vec3 {
        let slope = self.amplitude * self.rate * scalar::cos(self.rate * t + self.phase);
        turning.momentum * (-slope / self.factor(t))
    }
    fn inertia_factor(&self, t: f64) -> f64 {
        self.factor(t)
    }
    fn whole_momentum(&self, t: f64, momentum: Vec3) -> Vec3 {
        momentum * self.factor(t)
    }
    fn kept_momentum(&self) -> KeptMomentum {
        KeptMomentum::Whole
    }
}

impl Formula for BreathingInertia {
    const FORMULA: &'static str = "s = 1 + amplitude sin(rate t + phase), the true inertia is s J; tau_body = -(ds/dt / s) J w_body";
}

impl TorqueParameters for BreathingInertia {
    type Torque = Self;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"amplitude": 0.3, "rate": 2.0, "phase": 0.4}"#;
    fn torque(&self) -> Result<Self, TorqueError> {
        if !(self.amplitude.abs() < 1.0) {
            let found = format!("found {}, which makes the inertia vanish", self.amplitude);
            return Err(TorqueError::new(
                "amplitude",
                found,
                "a number between -1 and 1",
            ));
        }
        for (key, value) in [("rate", self.rate), ("amplitude", self.amplitude)] {
            if value == 0.0 {
                let allowed = "a number other than 0, or another `inertia` of the body";
                return Err(TorqueError::new(
                    key,
                    "an inertia that does not change",
                    allowed,
                ));
            }
        }
        Ok(self.clone())
    }
}
