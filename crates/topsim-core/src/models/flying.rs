//! A free rigid body whose centre of mass flies in uniform gravity: ẍ = g, beside its rotation.

use super::columns;
use super::problem::{Measured, PhaseSpace, Problem};
use super::{Free, Inertia, RigidTop, RotState, Row};
use crate::math::{Vec3, so3};
use nalgebra::DMatrix;

/// How the centre of mass starts, and what pulls it. Vectors in the space frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    /// Mass, kg.
    pub mass: f64,
    /// Position at the start, m.
    pub position: Vec3,
    /// Velocity at the start, m/s.
    pub velocity: Vec3,
    /// Acceleration of gravity g, m/s².
    pub gravity: Vec3,
}

/// Attitude, rate, and the centre of mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlightState {
    /// Λ and W.
    pub rotation: RotState,
    /// x, m, space frame.
    pub position: Vec3,
    /// ẋ, m/s, space frame.
    pub velocity: Vec3,
}

/// A free rigid body with its flight.
#[derive(Debug, Clone)]
pub struct Flying {
    body: RigidTop<Free>,
    flight: Flight,
    initial_energy: f64,
}

impl Flying {
    /// A body with inertia J about its centre of mass (body frame).
    pub fn new(inertia: Inertia, initial: RotState, flight: Flight) -> Self {
        let mut flying = Self {
            body: RigidTop::new(inertia, Free, initial),
            flight,
            initial_energy: 0.0,
        };
        flying.initial_energy = flying.translation_energy(&flying.initial());
        flying
    }
    /// The rotation alone: a free body.
    #[inline]
    pub fn body(&self) -> &RigidTop<Free> {
        &self.body
    }
    /// How the centre of mass moves.
    #[inline]
    pub fn flight(&self) -> &Flight {
        &self.flight
    }
    /// ½ m |ẋ|² − m g·x, J.
    fn translation_energy(&self, y: &FlightState) -> f64 {
        self.flight.mass * (0.5 * y.velocity.norm_squared() - self.flight.gravity.dot(&y.position))
    }
}

impl Problem for Flying {
    type State = FlightState;
    fn initial(&self) -> FlightState {
        FlightState {
            rotation: self.body.initial(),
            position: self.flight.position,
            velocity: self.flight.velocity,
        }
    }
}

impl Measured for Flying {
    /// As for the rotation alone; H and its drift are those of the whole motion.
    #[inline]
    fn row<R: Row>(&self, _: f64, y: &FlightState, out: &mut R) {
        let RotState { att, omega } = &y.rotation;
        let turning = self.body.energy(&y.rotation);
        let energy = self.translation_energy(y);
        out.put(&columns::ATTITUDE, || so3::rows(att));
        out.group(&columns::THIRD_AXIS);
        out.put(&columns::BODY_RATE, || (*omega).into());
        out.put(&columns::ENERGY, || [turning + energy]);
        out.put(&columns::SPATIAL_MOMENTUM, || {
            self.body.momentum_space(&y.rotation).into()
        });
        out.put(&columns::ENERGY_DRIFT, || {
            [turning - self.body.initial_energy() + (energy - self.initial_energy)]
        });
        out.put(&columns::RATE_NORM, || [omega.norm()]);
        out.put(&columns::ORTHOGONALITY, || [so3::orthogonality_defect(att)]);
        out.put(&columns::SPATIAL_RATE, || (att * omega).into());
        out.put(&columns::POSITION, || y.position.into());
        out.put(&columns::VELOCITY, || y.velocity.into());
    }
    fn switches(&self, _: f64, _: f64) -> Vec<f64> {
        Vec::new()
    }
}

/// The rotation's phase space; the centre of mass moves apart from it.
impl PhaseSpace for Flying {
    fn scales(&self, y: &FlightState) -> Vec<f64> {
        self.body.scales(&y.rotation)
    }
    fn displaced(&self, y: &FlightState, d: &[f64]) -> FlightState {
        FlightState {
            rotation: self.body.displaced(&y.rotation, d),
            ..*y
        }
    }
    fn displacement(&self, from: &FlightState, to: &FlightState) -> Vec<f64> {
        self.body.displacement(&from.rotation, &to.rotation)
    }
    fn symplectic_form(&self, y: &FlightState) -> DMatrix<f64> {
        self.body.symplectic_form(&y.rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;

    #[test]
    fn energy_counts_both_motions() {
        let flying = Flying::new(
            Inertia::diagonal(Vec3::new(1.0, 2.0, 2.5)).unwrap(),
            RotState {
                att: Mat3::identity(),
                omega: Vec3::new(2.0, 0.0, 0.0),
            },
            Flight {
                mass: 3.0,
                position: Vec3::new(0.0, 0.0, 1.0),
                velocity: Vec3::new(1.0, 0.0, 2.0),
                gravity: Vec3::new(0.0, 0.0, -10.0),
            },
        );
        let mut row = [0.0; 28];
        let mut y = flying.initial();
        flying.measure(0.0, &y, &mut row);
        // ½·1·4 + ½·3·5 + 3·10·1
        assert_eq!((row[12], row[16]), (39.5, 0.0));
        assert_eq!(row[22..28], [0.0, 0.0, 1.0, 1.0, 0.0, 2.0]);
        y.position.z = 2.0;
        flying.measure(0.0, &y, &mut row);
        assert_eq!((row[12], row[16]), (69.5, 30.0));
    }
}
