//! Damping of each axis of the body in a medium, with coefficients that may vary in time: `T = −c(t) ∘ (W − Rᵀ Ω)` with the
//! rate Ω of the medium. The aerodynamic derivatives of flight simulators give c, `L = ¼ ρ V S b² C_lp p`, and
//! the drag of a fluid on a particle does, with half the vorticity as Ω.

use super::series::VectorSeries;
use super::{BodyMotion, Formula, Torque, TorqueError, TorqueParameters, vector};
use crate::math::{Mat3, Vec3, so3};
use serde::{Deserialize, Serialize};

/// Damping of each axis in a medium: tau_body = −c ∘ (W − Rᵀ medium), with c(t) given by powers of the time and sines.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AxisDampingParameters {
    /// Coefficients of 1, t, t², … of the damping of each axis, N m s; a constant damping is one row.
    #[serde(default)]
    pub polynomial: Vec<[f64; 3]>,
    /// Amplitudes of sines, N m s.
    #[serde(default)]
    pub amplitudes: Vec<[f64; 3]>,
    /// Angular frequencies of the sines, rad/s.
    #[serde(default)]
    pub rates: Vec<f64>,
    /// Phases of the sines, rad; 0 if left out.
    #[serde(default)]
    pub phases: Vec<f64>,
    /// Angular velocity of the medium, rad/s, space frame; zero if left out.
    #[serde(default)]
    pub medium: [f64; 3],
}

/// Damping of each axis in a medium, in time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AxisDamping {
    #[serde(flatten)]
    coefficients: VectorSeries,
    /// Angular velocity of the medium, rad/s, space frame.
    #[serde(with = "vector")]
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    medium: Vec3,
}

impl AxisDamping {
    /// Returns the damping under which a body moves alike, `factor` times as fast.
    #[must_use]
    pub fn faster(&self, factor: f64) -> Self {
        Self {
            coefficients: self.coefficients.faster(factor, factor),
            medium: self.medium * factor,
        }
    }
}

impl Torque for AxisDamping {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        let medium = so3::to_body(att, &self.medium);
        self.coefficients.at(t).component_mul(&medium)
    }
    fn depends_on_rate(&self) -> bool {
        true
    }
    fn moving(&self, t: f64, att: &Mat3, turning: &BodyMotion) -> Vec3 {
        let relative = so3::to_body(att, &self.medium) - turning.omega;
        self.coefficients.at(t).component_mul(&relative)
    }
}

impl Formula for AxisDamping {
    const FORMULA: &'static str = "c = sum of polynomial[k] t^k + sum of amplitudes[k] sin(rates[k] t + phases[k]), k from 0; \
         tau_body[i] = -c[i] (w_body - transpose(R) medium)[i]";
}

impl TorqueParameters for AxisDampingParameters {
    type Torque = AxisDamping;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"polynomial": [[0.1, 0.3, 0.2], [0.05, 0.0, 0.1]], "amplitudes": [[0.05, 0.1, 0.0]], "rates": [2.0], "medium": [0.1, -0.2, 0.3]}"#;
    fn torque(&self) -> Result<AxisDamping, TorqueError> {
        let clocks = [&self.rates[..], &self.phases];
        Ok(AxisDamping {
            coefficients: VectorSeries::new(&self.polynomial, &self.amplitudes, clocks)?,
            medium: Vec3::from(self.medium),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_axis_has_a_damping_of_its_own_which_varies() {
        let parameters = AxisDampingParameters {
            polynomial: vec![[1.0, 2.0, 0.0], [0.0, 1.0, 0.5]],
            amplitudes: vec![],
            rates: vec![],
            phases: vec![],
            medium: [0.0, 0.0, 1.0],
        };
        let turning = BodyMotion {
            omega: Vec3::new(2.0, -1.0, 4.0),
            momentum: Vec3::new(9.0, 9.0, 9.0),
        };
        let damping = parameters.torque().unwrap();
        // The medium turns about the third axis of space, which is the first of the body.
        let att = Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0);
        let torque = damping.moving(2.0, &att, &turning);
        assert_eq!(torque, Vec3::new(-1.0, 4.0, -4.0));
        let twice = BodyMotion {
            omega: turning.omega * 2.0,
            ..turning
        };
        let faster = damping.faster(2.0).moving(1.0, &att, &twice);
        assert_eq!(faster, torque * 4.0);
    }
}
