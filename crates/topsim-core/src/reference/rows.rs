//! References in the columns of histories, so that analysis knows no family.

use super::{RefError, Solution};
use crate::models::{Columns, Measured, Quantity, RigidTop, RotState, Torque};

/// A reference that fills the same row as the runs it is compared with.
pub trait RowReference: Send + Sync {
    /// Where the numbers come from, for people.
    fn provenance(&self) -> String;
    /// Fills the row of time `t`.
    fn row(&self, t: f64, row: &mut [f64]);
    /// The columns that it fills.
    fn columns(&self) -> &Columns;
    /// Bound of the error at time `t` of what a column, or a group of one body, measures; infinite
    /// where nothing is known.
    fn error_of(&self, t: f64, quantity: Quantity) -> f64;
    /// Bound of the error of so many columns together that measure a quantity: of one body, or of several.
    fn group_error(&self, t: f64, quantity: Quantity, _columns: usize) -> f64 {
        self.error_of(t, quantity)
    }
    /// What rounding the start to doubles alone costs any solver at time `t`: errors below it cannot be told
    /// from it, and it is no error of the reference. `None` where it is not known.
    fn start_floor(&self, _t: f64, _quantity: Quantity) -> Option<f64> {
        None
    }
    /// Lets the error until time `end` be measured against a computed solution, where that is quick.
    fn certify(&mut self, _end: f64) {}
    /// [`RowReference::group_error`] of a column or group, by its name; infinite for any other name.
    fn error(&self, t: f64, name: &str) -> f64 {
        let columns = self.columns();
        let width = columns.group(name).map_or(1, |g| g.channels.len());
        let quantity = columns.quantity(name);
        quantity.map_or(f64::INFINITY, |q| self.group_error(t, q, width))
    }
}

/// A solution in the columns of a body that turns.
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

    /// What errors of attitude and rate are in a quantity, in the first order.
    pub(super) fn of(&self, t: f64, quantity: Quantity, error: RefError) -> f64 {
        let RefError { attitude, rate } = error;
        let moments = self.top.inertia().moments();
        let speed = || self.solution.at(t).1.norm();
        match quantity {
            // A turn by δ moves a unit vector by at most δ.
            Quantity::Attitude | Quantity::Axis => attitude,
            Quantity::BodyRate | Quantity::RateNorm => rate,
            // π = Λ J W turns with the attitude and scales with the rate.
            Quantity::SpatialMomentum => moments.z * (rate + speed() * attitude),
            Quantity::SpatialRate => rate + speed() * attitude,
            Quantity::Energy | Quantity::EnergyDrift => {
                let (att, omega) = self.solution.at(t);
                let torque = self.top.torque_body(t, &att).norm();
                moments.z * omega.norm() * rate + torque * attitude
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
        self.of(t, quantity, self.solution.error(t))
    }
    fn start_floor(&self, t: f64, quantity: Quantity) -> Option<f64> {
        Some(self.of(t, quantity, self.solution.start_floor(t)?))
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
