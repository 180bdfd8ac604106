//! Free body in uniform gravity: the centre of mass follows ẍ = g, independent of the rotation.

use super::{JointedBody, JointedParts, Support};
use crate::math::Vec3;
use crate::models::{Inertia, NoTorque, RigidTop, Start};

/// Start and gravity of a flying centre of mass. Vectors are in the space frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    /// Mass, kg.
    pub mass: f64,
    /// Position at the start, m.
    pub position: Vec3,
    /// Velocity at the start, m/s.
    pub velocity: Vec3,
    /// Gravitational acceleration g, m/s².
    pub gravity: Vec3,
}

impl JointedBody {
    /// Builds a body without a joint from its inertia J about the centre of mass (body frame). Its histories
    /// contain neither constraint nor multipliers. The numbers are not checked.
    pub fn flight(inertia: Inertia, rotation: impl Into<Start>, flight: Flight) -> Self {
        let support = Support::None {
            position: flight.position,
            velocity: flight.velocity,
        };
        let rotation = rotation.into();
        let top = RigidTop::new(inertia.clone(), NoTorque.into(), rotation.clone());
        Self::with_top(
            JointedParts {
                multipliers: false,
                ..JointedParts::new(flight.mass, inertia, support, flight.gravity, rotation)
            },
            top,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::models::{InitialValueProblem, Measured, RotState};

    #[test]
    fn energy_counts_both_motions() {
        let flight = JointedBody::flight(
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
        let mut y = flight.initial();
        flight.measure(0.0, &y, &mut row);
        // The energy is ½·1·4 + ½·3·5 + 3·10·1.
        assert_eq!((row[12], row[16]), (39.5, 0.0));
        assert_eq!(flight.energy(&y), 39.5);
        assert_eq!(row[22..28], [0.0, 0.0, 1.0, 1.0, 0.0, 2.0]);
        y.position.z = 2.0;
        flight.measure(0.0, &y, &mut row);
        assert_eq!((row[12], row[16]), (69.5, 30.0));
    }
}
