//! References in the columns of histories, so that analysis knows no family.

use super::{RefError, Solution};
use crate::models::{FlightState, Flying, Free, Measured, RigidTop, RotState, Torque};

/// A reference that fills the same row as the runs it is compared with.
pub trait RowReference: Send + Sync {
    /// Where the numbers come from, for people.
    fn provenance(&self) -> String;
    /// Fills the row of time `t`.
    fn row(&self, t: f64, row: &mut [f64]);
    /// Bound of the error of a quantity (a group or column name) at time `t`; infinite where
    /// nothing is known.
    fn error(&self, t: f64, quantity: &str) -> f64;
}

struct Bound<T, S> {
    top: RigidTop<T>,
    solution: S,
}

/// Binds a solution to the body whose columns it fills.
pub fn bind<T: Torque>(
    top: RigidTop<T>,
    solution: impl Solution + 'static,
) -> Box<dyn RowReference> {
    Box::new(Bound { top, solution })
}

impl<T: Torque, S: Solution> RowReference for Bound<T, S> {
    fn provenance(&self) -> String {
        self.solution.provenance()
    }
    fn row(&self, t: f64, row: &mut [f64]) {
        let (att, omega) = self.solution.at(t);
        self.top.measure(t, &RotState { att, omega }, row);
    }
    fn error(&self, t: f64, quantity: &str) -> f64 {
        let RefError { attitude, rate } = self.solution.error(t);
        let moments = self.top.inertia().moments();
        match quantity {
            "attitude" => attitude,
            "W" | "W1" | "W2" | "W3" | "W_norm" => rate,
            // π = Λ J W turns with the attitude and scales with the rate.
            "pi" | "pi_x" | "pi_y" | "pi_z" => {
                let (_, omega) = self.solution.at(t);
                moments.z * (rate + omega.norm() * attitude)
            }
            // A turn by δ moves a unit vector by at most δ.
            "axis3" => attitude,
            "omega" | "omega_x" | "omega_y" | "omega_z" => {
                let (_, omega) = self.solution.at(t);
                rate + omega.norm() * attitude
            }
            name if name.starts_with('R') => attitude,
            "H" | "drift" => {
                let (att, omega) = self.solution.at(t);
                let torque = self.top.torque_body(t, &att).norm();
                moments.z * omega.norm() * rate + torque * attitude
            }
            _ => f64::INFINITY,
        }
    }
}

struct BoundFlight<S> {
    flying: Flying,
    start: f64,
    rotation: Bound<Free, S>,
}

/// Binds a solution of the rotation to the body that flies; the parabola of its centre of mass,
/// which starts at time `start`, is exact.
pub fn bind_flight(
    flying: &Flying,
    start: f64,
    solution: impl Solution + 'static,
) -> Box<dyn RowReference> {
    Box::new(BoundFlight {
        flying: flying.clone(),
        start,
        rotation: Bound {
            top: flying.body().clone(),
            solution,
        },
    })
}

impl<S: Solution> RowReference for BoundFlight<S> {
    fn provenance(&self) -> String {
        format!(
            "{}; parabola of the centre of mass",
            self.rotation.provenance()
        )
    }
    fn row(&self, t: f64, row: &mut [f64]) {
        let (att, omega) = self.rotation.solution.at(t);
        let f = self.flying.flight();
        let s = t - self.start;
        let state = FlightState {
            rotation: RotState { att, omega },
            position: f.position + f.velocity * s + f.gravity * (0.5 * s * s),
            velocity: f.velocity + f.gravity * s,
        };
        self.flying.measure(t, &state, row);
    }
    fn error(&self, t: f64, quantity: &str) -> f64 {
        let f = self.flying.flight();
        let s = (t - self.start).abs();
        // A few roundings of each term.
        let speed = f.velocity.norm() + f.gravity.norm() * s;
        let length = f.position.norm() + speed * s;
        match quantity {
            "position" | "x" | "y" | "z" => 4.0 * f64::EPSILON * length,
            "velocity" | "vx" | "vy" | "vz" => 4.0 * f64::EPSILON * speed,
            "H" | "drift" => {
                let energy = 0.5 * speed * speed + f.gravity.norm() * length;
                self.rotation.error(t, quantity) + 8.0 * f64::EPSILON * f.mass * energy
            }
            other => self.rotation.error(t, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::models::{Gravity, Inertia};

    /// A motion that does not move, with a given error.
    struct Still;

    impl Solution for Still {
        fn at(&self, _: f64) -> (Mat3, Vec3) {
            (Mat3::identity(), Vec3::new(0.0, 3.0, 4.0))
        }
        fn error(&self, _: f64) -> RefError {
            RefError {
                attitude: 0.1,
                rate: 0.01,
            }
        }
        fn provenance(&self) -> String {
            "here".into()
        }
    }

    /// First order in the two errors, by hand: I₃ = 2, |W| = 5, |T| = 10 · 3.
    #[test]
    fn errors_of_columns_follow_from_those_of_the_motion() {
        let (att, omega) = Still.at(0.0);
        let top = RigidTop::new(
            Inertia::diagonal(Vec3::new(1.0, 1.5, 2.0)).unwrap(),
            Gravity::new(10.0, Vec3::new(3.0, 0.0, 0.0), Vec3::z()),
            RotState { att, omega },
        );
        let bound = bind(top, Still);
        for (names, exact) in [
            (&["attitude", "axis3", "R", "R12"][..], 0.1),
            (&["W", "W1", "W2", "W3", "W_norm"], 0.01),
            (&["pi", "pi_x", "pi_y", "pi_z"], 2.0 * (0.01 + 5.0 * 0.1)),
            (&["omega", "omega_x", "omega_z"], 0.01 + 5.0 * 0.1),
            (&["H", "drift"], 2.0 * 5.0 * 0.01 + 30.0 * 0.1),
            (&["else"], f64::INFINITY),
        ] {
            for name in names {
                assert_eq!(bound.error(0.0, name), exact, "{name}");
            }
        }
        assert_eq!(bound.provenance(), "here");
    }
}
