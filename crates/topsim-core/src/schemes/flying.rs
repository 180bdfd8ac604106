//! A rotation scheme on a body that flies: the centre of mass moves beside it.
//!
//! `x' = x + h ẋ + ½ h² g`, `ẋ' = ẋ + h g`: kick – drift – kick with a constant force, exact up to
//! rounding for every h, so that what is judged is the rotation.

use super::coverage::NotCovered;
use super::scheme::{Effort, RotationScheme, Scheme, StepFail};
use crate::models::{FlightState, Flying};

impl<S: RotationScheme> Scheme<Flying> for S {
    type Memory = S::Memory;

    fn covers(&self, p: &Flying, h: f64) -> Result<(), NotCovered> {
        Scheme::covers(self, p.body(), h)
    }

    fn start(
        &self,
        p: &Flying,
        t: f64,
        h: f64,
        y: &mut FlightState,
    ) -> Result<Self::Memory, StepFail> {
        RotationScheme::start(self, p.body(), t, h, &mut y.rotation)
    }

    #[inline]
    fn step(
        &self,
        p: &Flying,
        t: f64,
        h: f64,
        y: &mut FlightState,
        m: &mut Self::Memory,
    ) -> Result<Effort, StepFail> {
        let effort = RotationScheme::step(self, p.body(), t, h, &mut y.rotation, m)?;
        let kick = p.flight().gravity * h;
        y.position += (y.velocity + kick * 0.5) * h;
        y.velocity += kick;
        Ok(effort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::models::{Flight, Inertia, Problem, RotState};
    use crate::schemes::{RigNeg, probe};

    #[test]
    fn the_centre_of_mass_stays_on_its_parabola_and_the_rotation_is_that_of_the_free_body() {
        let flight = Flight {
            mass: 0.7,
            position: Vec3::new(0.0, 1.0, 2.0),
            velocity: Vec3::new(1.0, -2.0, 5.0),
            gravity: Vec3::new(0.0, 0.5, -9.81),
        };
        let rotation = RotState {
            att: Mat3::identity(),
            omega: Vec3::new(0.1, 20.0, 0.1),
        };
        let inertia = Inertia::diagonal(Vec3::new(1.9, 3.7, 5.5)).unwrap();
        let flying = Flying::new(inertia, rotation, flight);
        let (mut y, mut z) = (flying.initial(), rotation);
        // The step is no part of the law of the centre of mass: one far too long serves as well.
        probe::advance(&RigNeg {}, &flying, (0.0, 0.25, 8), &mut y, &|| true).unwrap();
        probe::advance(&RigNeg {}, flying.body(), (0.0, 0.25, 8), &mut z, &|| true).unwrap();
        assert_eq!(y.rotation, z);
        let t = 2.0;
        let x = flight.position + flight.velocity * t + flight.gravity * (0.5 * t * t);
        let v = flight.velocity + flight.gravity * t;
        // n ε |x|
        assert!((y.position - x).norm() < 8.0 * f64::EPSILON * 20.0);
        assert!((y.velocity - v).norm() < 8.0 * f64::EPSILON * 20.0);
    }
}
