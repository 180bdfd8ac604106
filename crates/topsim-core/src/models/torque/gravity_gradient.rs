//! Gravity gradient on a circular orbit: `T = 3 n² r̂ × J r̂`, with r̂ the unit vector from the planet to the
//! body.

use super::{Formula, Torque, TorqueError, TorqueParameters, vector};
use crate::math::{Mat3, Vec3, scalar};
use crate::models::{Inertia, Integral, Start};
use serde::{Deserialize, Serialize};

/// Gravity gradient on a circular orbit: r̂ = cos(n t) radial + sin(n t) normal × radial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Orbit {
    /// Orbital rate n, rad/s.
    pub rate: f64,
    /// Unit vector from the planet to the body at t = 0, space frame.
    #[serde(default = "Vec3::x", with = "vector")]
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    pub radial: Vec3,
    /// Unit vector along the orbital angular momentum, space frame.
    #[serde(default = "Vec3::z", with = "vector")]
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    pub normal: Vec3,
}

/// Torque of the gravity gradient on a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GravityGradient {
    #[serde(flatten)]
    orbit: Orbit,
    /// Inertia J of the body.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    tensor: Box<Mat3>,
}

impl GravityGradient {
    /// Returns the unit vectors from the planet to the body and along the orbit's normal, body frame.
    pub(crate) fn axes(&self, t: f64, att: &Mat3) -> [Vec3; 2] {
        let Orbit {
            rate,
            radial,
            normal,
        } = &self.orbit;
        let (s, c) = (scalar::sin(rate * t), scalar::cos(rate * t));
        let place = radial * c + normal.cross(radial) * s;
        [att.tr_mul(&place), att.tr_mul(normal)]
    }
    /// Returns the orbital rate n, rad/s.
    pub(crate) fn rate(&self) -> f64 {
        self.orbit.rate
    }
    /// Returns the orbit on which a body moves alike, `factor` times as fast: the torque grows as the square of its rate.
    #[must_use]
    pub fn faster(mut self, factor: f64) -> Self {
        self.orbit.rate *= factor;
        self
    }
    /// Returns the same orbit in the opposite direction.
    #[cfg(test)]
    pub(crate) fn reversed(mut self) -> Self {
        self.orbit.rate = -self.orbit.rate;
        self
    }
}

impl Torque for GravityGradient {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        let [r, _] = self.axes(t, att);
        r.cross(&(*self.tensor * r)) * (3.0 * self.orbit.rate * self.orbit.rate)
    }
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        let [r, _] = self.axes(t, att);
        let change = r.cross(omega);
        let sum = change.cross(&(*self.tensor * r)) + r.cross(&(*self.tensor * change));
        sum * (3.0 * self.orbit.rate * self.orbit.rate)
    }
    fn on_body(self, inertia: &Inertia) -> Self {
        let tensor = Box::new(*inertia.tensor());
        Self { tensor, ..self }
    }
    fn integral(&self, _: &Inertia, _: &Start) -> Option<Integral> {
        Some(Integral::Orbital(self.clone()))
    }
}

impl Formula for GravityGradient {
    const FORMULA: &'static str = "r = transpose(R) (cos(rate t) radial + sin(rate t) cross(normal, radial)); \
         tau_body = 3 rate^2 cross(r, J r)";
}

impl TorqueParameters for Orbit {
    type Torque = GravityGradient;
    #[cfg(test)]
    const EXAMPLE: &'static str = r#"{"rate": 0.7}"#;
    fn torque(&self) -> Result<GravityGradient, TorqueError> {
        let (radial, normal) = (self.radial.normalize(), self.normal.normalize());
        for (key, v) in [("radial", &radial), ("normal", &normal)] {
            if !(v.norm() > 0.5) {
                return Err(TorqueError::new(
                    key,
                    "a vector of no length",
                    "a direction",
                ));
            }
        }
        if !(radial.dot(&normal).abs() < 1e-12) {
            let found = "the orbit's normal is not at right angles to `radial`";
            return Err(TorqueError::new(
                "normal",
                found,
                "a vector at right angles to it",
            ));
        }
        let rate = self.rate;
        if rate == 0.0 {
            let allowed = "the rate of an orbit, rad/s; a body without torque has model none";
            return Err(TorqueError::new(
                "rate",
                "an orbit that stands still",
                allowed,
            ));
        }
        Ok(GravityGradient {
            orbit: Self {
                rate,
                radial,
                normal,
            },
            tensor: Box::new(Mat3::zeros()),
        })
    }
}
