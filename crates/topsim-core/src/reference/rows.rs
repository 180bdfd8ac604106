//! References in the columns of histories, so that the analysis does not depend on the family of the problem.

use super::{RefError, Solution};
use crate::models::{Columns, Measured, Quantity, RigidTop, RotState, Torque};

/// Reference that fills the same row as the runs that are compared with it.
pub trait RowReference: Send + Sync {
    /// Describes the source of the numbers for reports.
    fn provenance(&self) -> String;
    /// Fills the row at time `t`.
    fn row(&self, t: f64, row: &mut [f64]);
    /// Returns the columns of the row.
    fn columns(&self) -> &Columns;
    /// Returns the bound on the error at time `t` of the quantity in a column, or in a group of columns of one body;
    /// infinite if no bound is known.
    fn error_of(&self, t: f64, quantity: Quantity) -> f64;
    /// Returns the bound on the error of several columns of one quantity taken together, of one body or of several
    /// bodies.
    fn group_error(&self, t: f64, quantity: Quantity, _columns: usize) -> f64 {
        self.error_of(t, quantity)
    }
    /// Returns the error that rounding the start to doubles alone causes in any solver at time `t`: smaller errors cannot
    /// be told from it. It is not an error of the reference. `None` if it is not known.
    fn start_floor(&self, _t: f64, _quantity: Quantity) -> Option<f64> {
        None
    }
    /// Allows the error until time `end` to be measured against a computed solution, where that is quick.
    fn certify(&mut self, _end: f64) {}
    /// Returns [`RowReference::group_error`] of a column or group given by name; infinite for any other name.
    fn error(&self, t: f64, name: &str) -> f64 {
        let columns = self.columns();
        let width = columns.group(name).map_or(1, |g| g.channels.len());
        let quantity = columns.quantity(name);
        quantity.map_or(f64::INFINITY, |q| self.group_error(t, q, width))
    }
}

/// Solution in the columns of a rotating body.
pub(super) struct RotationReference<T, S> {
    top: RigidTop<T>,
    columns: Columns,
    pub(super) solution: S,
}

impl<T: Torque, S: Solution> RotationReference<T, S> {
    pub(super) fn new(top: RigidTop<T>, solution: S) -> Self {
        Self {
            columns: top.columns(),
            top,
            solution,
        }
    }

    /// Converts errors of attitude and rate to the error of a quantity, to first order.
    pub(super) fn convert_error(&self, t: f64, quantity: Quantity, error: RefError) -> f64 {
        let RefError { attitude, rate } = error;
        let largest = || self.top.inertia().moments().z;
        let speed = || self.solution.at(t).1.norm();
        match quantity {
            // A rotation by δ moves a unit vector by at most δ.
            Quantity::Attitude | Quantity::Axis => attitude,
            Quantity::BodyRate | Quantity::RateNorm => rate,
            // π = Λ J W rotates with the attitude and scales with the rate.
            Quantity::SpatialMomentum => largest() * (rate + speed() * attitude),
            Quantity::SpatialRate => rate + speed() * attitude,
            Quantity::Energy | Quantity::EnergyDrift => {
                let (att, omega) = self.solution.at(t);
                let torque = self.top.torque_body(t, &att).norm();
                largest() * omega.norm() * rate + torque * attitude
            }
            _ => f64::INFINITY,
        }
    }
}

/// Binds a solution to the body whose columns it fills.
pub fn bind<T: Torque>(
    top: RigidTop<T>,
    solution: impl Solution + 'static,
) -> Box<dyn RowReference> {
    Box::new(RotationReference::new(top, solution))
}

impl<T: Torque, S: Solution> RowReference for RotationReference<T, S> {
    fn provenance(&self) -> String {
        self.solution.provenance()
    }
    fn row(&self, t: f64, row: &mut [f64]) {
        let (att, omega) = self.solution.at(t);
        self.top.measure(t, &RotState { att, omega }, row);
    }
    fn columns(&self) -> &Columns {
        &self.columns
    }
    fn error_of(&self, t: f64, quantity: Quantity) -> f64 {
        self.convert_error(t, quantity, self.solution.error(t))
    }
    fn start_floor(&self, t: f64, quantity: Quantity) -> Option<f64> {
        Some(self.convert_error(t, quantity, self.solution.start_floor(t)?))
    }
    fn certify(&mut self, end: f64) {
        self.solution.certify(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::models::{Gravity, Inertia};

    /// Solution at rest with given errors.
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

    /// First-order errors by hand: I₃ = 2, |W| = 5, |T| = 10 · 3.
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
            (&["attitude", "axis3", "R12"][..], 0.1),
            (&["W", "W1", "W2", "W3", "W_norm"], 0.01),
            (&["pi", "pi_x", "pi_y", "pi_z"], 2.0 * (0.01 + 5.0 * 0.1)),
            (&["omega", "omega_x", "omega_z"], 0.01 + 5.0 * 0.1),
            (&["H", "drift"], 2.0 * 5.0 * 0.01 + 30.0 * 0.1),
            (&["orth", "R", "else"], f64::INFINITY),
        ] {
            for name in names {
                assert_eq!(bound.error(0.0, name), exact, "{name}");
            }
        }
        assert_eq!(bound.provenance(), "here");
    }
}
