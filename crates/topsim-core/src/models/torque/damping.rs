//! Damping along the angular momentum P = J W: `T = −(linear + quadratic |P|) P`.
//!
//! It shortens the momentum and keeps its direction in space. The first term is what most engines approximate:
//! W ← W (1 − c h) in each step has the limit Ẇ = −c W + …, which is T = −c J W.

use super::{BodyMotion, Formula, InLanes, Torque, TorqueError, TorqueParameters};
use crate::math::{Mat3, Vec3, lane_numbers, scalar};
use serde::{Deserialize, Serialize};

/// Damping along the angular momentum: tau_body = −(linear + quadratic |J W|) J W.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Damping {
    /// Relative decay rate of the momentum, 1/s.
    #[serde(default)]
    pub linear: f64,
    /// Relative decay rate per unit of momentum, 1/(kg m²).
    #[serde(default)]
    pub quadratic: f64,
}

impl Damping {
    /// Returns the clock of the free motion from the same start, `t` after it: its time s, and the fraction m
    /// of the momentum that remains. With E = (1 − e^(−ct))/c and κ = k |L|, |L| the momentum at the start, s =
    /// ln(1 + κE)/κ and m = e^(−ct)/(1 + κE).
    pub fn clock(&self, momentum: f64, t: f64) -> [f64; 2] {
        let kappa = self.quadratic * momentum;
        let e = match self.linear {
            0.0 => t,
            c => -scalar::exp_m1(-c * t) / c,
        };
        let s = match kappa {
            0.0 => e,
            k => scalar::ln_1p(k * e) / k,
        };
        [s, scalar::exp(-self.linear * t) / (1.0 + kappa * e)]
    }
}

lane_numbers! { Damping { linear, quadratic } }

impl InLanes for Damping {
    type Lane = Self;
    fn lane(&self) -> Self {
        *self
    }
}

impl Torque for Damping {
    fn body(&self, _: f64, _: &Mat3) -> Vec3 {
        Vec3::zeros()
    }
    fn depends_on_rate(&self) -> bool {
        true
    }
    fn moving(&self, _: f64, _: &Mat3, turning: &BodyMotion) -> Vec3 {
        let p = turning.momentum;
        p * -(self.linear + self.quadratic * p.norm())
    }
}

impl Formula for Damping {
    const FORMULA: &'static str = "tau_body = -(linear + quadratic |J w_body|) J w_body";
}

impl TorqueParameters for Damping {
    type Torque = Self;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"linear": 0.3, "quadratic": 0.2}"#;
    fn torque(&self) -> Result<Self, TorqueError> {
        for (key, value) in [("linear", self.linear), ("quadratic", self.quadratic)] {
            if !(value >= 0.0) {
                let found = format!("found {value}, which drives the body");
                return Err(TorqueError::new(key, found, "0 or more"));
            }
        }
        Ok(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_drives_a_body_is_no_damping() {
        let refused = |linear, quadratic| Damping { linear, quadratic }.torque().unwrap_err().key;
        assert_eq!(
            (refused(-0.1, 0.0), refused(0.1, -0.1)),
            ("linear", "quadratic")
        );
    }

    #[test]
    fn the_torque_is_along_the_momentum_not_the_rate() {
        let damping = Damping {
            linear: 0.5,
            quadratic: 0.25,
        };
        let turning = BodyMotion {
            omega: Vec3::new(9.0, 9.0, 9.0),
            momentum: Vec3::new(0.0, 3.0, -4.0),
        };
        let torque = damping.moving(0.0, &Mat3::identity(), &turning);
        assert_eq!(torque, Vec3::new(0.0, -5.25, 7.0));
    }
}
