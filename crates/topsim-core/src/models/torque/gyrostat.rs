//! Rotor in the body: its momentum h rotates with the body, and an internal motor may change it.
//!
//! `J Ẇ = (J W + h) × W − ḣ + gravity`. Without gravity, R (J W + h) is conserved.

use super::gravity::up;
use super::series::VectorSeries;
use super::{
    BodyMotion, Formula, Gravity, GravityParameters, KeptMomentum, Torque, TorqueError,
    TorqueParameters,
};
use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Rotor whose momentum about its own axis is given in time by powers of t and sines, body frame, with uniform
/// gravity on the whole body.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GyrostatParameters {
    /// Coefficients of 1, t, t², … of the rotor's momentum, kg m²/s, body frame; a constant momentum is one row.
    #[serde(default)]
    pub polynomial: Vec<[f64; 3]>,
    /// Amplitudes of sines, kg m²/s.
    #[serde(default)]
    pub amplitudes: Vec<[f64; 3]>,
    /// Angular frequencies of the sines, rad/s.
    #[serde(default)]
    pub rates: Vec<f64>,
    /// Phases of the sines, rad; 0 if left out.
    #[serde(default)]
    pub phases: Vec<f64>,
    /// Mass times gravity, N; 0 without gravity.
    #[serde(default)]
    pub weight: f64,
    /// Vector from the fixed point to the centre of mass, m, body frame.
    #[serde(default)]
    pub lever: [f64; 3],
    /// Unit vector against gravity, space frame.
    #[serde(default = "up")]
    pub up: [f64; 3],
}

/// Torque on a body with a rotor.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(into = "GyrostatNumbers")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(with = "GyrostatNumbers")
)]
pub struct Gyrostat {
    pub(crate) rotor: VectorSeries,
    pub(crate) gravity: Option<Box<Gravity>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GyrostatNumbers {
    #[serde(flatten)]
    rotor: VectorSeries,
    /// Mass times gravity, N; 0 without gravity.
    weight: f64,
    /// Vector from the fixed point to the centre of mass, m, body frame.
    lever: [f64; 3],
    /// Unit vector against gravity, space frame.
    up: [f64; 3],
}

impl From<Gyrostat> for GyrostatNumbers {
    fn from(Gyrostat { rotor, gravity }: Gyrostat) -> Self {
        let gravity = gravity.as_deref();
        Self {
            rotor,
            weight: gravity.map_or(0.0, Gravity::weight),
            lever: gravity.map_or([0.0; 3], |g| (*g.lever()).into()),
            up: gravity.map_or([0.0, 0.0, 1.0], |g| (*g.up()).into()),
        }
    }
}

impl Gyrostat {
    /// Returns the rotor and gravity with which a body moves alike, `factor` times as fast.
    #[must_use]
    pub fn faster(&self, factor: f64) -> Self {
        let faster = |g: &Gravity| Gravity::new(g.weight() * factor * factor, *g.lever(), *g.up());
        Self {
            // The momentum of the rotor grows as its rate, the torque as its square.
            rotor: self.rotor.faster(factor, factor),
            gravity: self.gravity.as_deref().map(|g| Box::new(faster(g))),
        }
    }
}

impl Torque for Gyrostat {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        let gravity = self.gravity.as_deref();
        gravity.map_or_else(Vec3::zeros, |g| g.body(t, att)) - self.rotor.slope(t)
    }
    fn depends_on_rate(&self) -> bool {
        true
    }
    fn moving(&self, t: f64, att: &Mat3, turning: &BodyMotion) -> Vec3 {
        self.rotor.at(t).cross(&turning.omega) + self.body(t, att)
    }
    fn potential(&self, att: &Mat3) -> f64 {
        self.gravity.as_deref().map_or(0.0, |g| g.potential(att))
    }
    /// The motor does no work if its momentum is constant.
    fn is_conservative(&self) -> bool {
        self.rotor.amplitudes.is_empty() && self.rotor.polynomial.len() <= 1
    }
    fn lever(&self) -> Option<&Vec3> {
        self.gravity.as_deref().map(Gravity::lever)
    }
    fn whole_momentum(&self, t: f64, momentum: Vec3) -> Vec3 {
        momentum + self.rotor.at(t)
    }
    fn kept_momentum(&self) -> KeptMomentum {
        let gravity = self.gravity.as_deref();
        gravity.map_or(KeptMomentum::Whole, Gravity::kept_momentum)
    }
}

impl Formula for Gyrostat {
    const FORMULA: &'static str = "h = sum of polynomial[k] t^k + sum of amplitudes[k] sin(rates[k] t + phases[k]), k from 0; \
         tau_body = cross(h, w_body) - dh/dt + transpose(R) cross(R lever, -weight * up)";
}

impl TorqueParameters for GyrostatParameters {
    type Torque = Gyrostat;
    #[cfg(test)]
    const EXAMPLE: &'static str =
        r#"{"polynomial": [[0.1, 0.2, 3.0]], "weight": 3.0, "lever": [0.1, -0.3, 1.0]}"#;
    fn torque(&self) -> Result<Gyrostat, TorqueError> {
        let (weight, lever, up) = (self.weight, self.lever, self.up);
        let turns_nothing = |key, what, beside: &str| {
            let found = format!("{what}, which turns nothing");
            Err(TorqueError::new(
                key,
                found,
                format!("`{beside}` beside it"),
            ))
        };
        match (weight != 0.0, lever != [0.0; 3]) {
            (true, false) => return turns_nothing("weight", "a weight without a lever", "lever"),
            (false, true) => return turns_nothing("lever", "a lever without a weight", "weight"),
            _ => {}
        }
        let gravity = GravityParameters { weight, lever, up }.torque()?;
        let clocks = [&self.rates[..], &self.phases];
        Ok(Gyrostat {
            rotor: VectorSeries::new(&self.polynomial, &self.amplitudes, clocks)?,
            gravity: (weight != 0.0).then(|| Box::new(gravity)),
        })
    }
}
