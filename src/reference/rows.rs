//! References in the columns of histories, so that analysis knows no family.

use super::{RefError, Solution};
use crate::models::{Measured, RigidTop, RotState, Torque};

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
