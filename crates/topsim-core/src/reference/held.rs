//! References of held bodies: the rotation about the joint is solved, the rest are functions of it.

use super::rows::Bound;
use super::{RefError, RowReference, Solution};
use crate::math::so3;
use crate::models::{Columns, Held, Measured, Problem, Quantity, RotState, TorqueModel};

struct BoundHeld<S> {
    held: Held,
    columns: Columns,
    start: f64,
    /// The solution in the columns of a body that turns.
    rotation: Bound<TorqueModel, S>,
}

/// Binds a solution of the rotation about the joint to the held body: position, velocity and the
/// force of the joint follow from attitude and rate. Without a joint the centre of mass moves on its
/// parabola, which starts at time `start`.
///
/// Multipliers and iterations belong to schemes; they are unknown here.
pub fn bind_held(
    held: &Held,
    start: f64,
    solution: impl Solution + 'static,
) -> Box<dyn RowReference> {
    Box::new(BoundHeld {
        held: held.clone(),
        columns: held.columns(),
        start,
        rotation: Bound::new(held.top().clone(), solution),
    })
}

impl<S: Solution> BoundHeld<S> {
    /// Bounds of the errors of position (m), velocity (m/s) and force (N), first order in those of
    /// attitude and rate, and a few roundings of each term.
    fn errors(&self, t: f64) -> [f64; 3] {
        let held = &self.held;
        let eps = 4.0 * f64::EPSILON;
        let Some(lever) = held.lever() else {
            let y = held.initial();
            let s = (t - self.start).abs();
            let push = held.load().norm() / held.mass();
            let speed = y.velocity.norm() + push * s;
            return [eps * (y.position.norm() + speed * s), eps * speed, 0.0];
        };
        let RefError { attitude, rate } = self.rotation.solution.error(t);
        let (att, omega) = self.rotation.solution.at(t);
        let (r, w) = (lever.norm(), omega.norm());
        let rates = held.rates(&RotState { att, omega });
        let inertia = held.top().inertia();
        let torque = held.top().torque_body(t, &att).norm();
        // First order: of J̄ Ẇ = J̄W × W + T by W, and of Ẇ × x + W × (W × x) by both.
        let by_rate = inertia.inverse()
            * (so3::hat(&inertia.times(&omega)) - so3::hat(&omega) * inertia.tensor());
        let (arm, cross) = (so3::hat(lever), so3::hat(&omega));
        let push_by_rate = arm * by_rate + so3::hat(&omega.cross(lever)) + cross * arm;
        let push_by_torque = (arm * inertia.inverse()).norm();
        let push = push_by_rate.norm() * rate
            + push_by_torque * torque * attitude
            + rates.acceleration.norm() * attitude;
        let size = rates.acceleration.norm() + r * (rates.spin.norm() + w * w);
        [
            r * (attitude + eps),
            r * (rate + w * (attitude + eps)),
            held.mass() * (push + eps * size) + eps * held.load().norm(),
        ]
    }
}

impl<S: Solution> RowReference for BoundHeld<S> {
    fn provenance(&self) -> String {
        let rest = match self.held.lever() {
            Some(_) => "centre of mass and force of the joint as functions of it",
            None => "parabola of the centre of mass",
        };
        format!("{}; {rest}", self.rotation.provenance())
    }
    fn row(&self, t: f64, row: &mut [f64]) {
        let (att, omega) = self.rotation.solution.at(t);
        let y = self.held.initial();
        let s = t - self.start;
        let push = self.held.load() / self.held.mass();
        let state = self.held.placed(
            RotState { att, omega },
            y.position + y.velocity * s + push * (0.5 * s * s),
            y.velocity + push * s,
        );
        self.held.measure(t, &state, row);
        // What belongs to a scheme has no reference.
        for (value, column) in row.iter_mut().zip(&self.columns.channels) {
            if column.quantity.belongs_to_scheme() {
                *value = f64::NAN;
            }
        }
    }
    fn columns(&self) -> &Columns {
        &self.columns
    }
    fn error_of(&self, t: f64, quantity: Quantity) -> f64 {
        let [position, velocity, force] = self.errors(t);
        match quantity {
            Quantity::Position => position,
            Quantity::Velocity => velocity,
            Quantity::JointForce => force,
            // The exact motion satisfies both.
            Quantity::JointDistance | Quantity::JointSpeed => 0.0,
            Quantity::Energy | Quantity::EnergyDrift => {
                let flight = match self.held.lever() {
                    Some(_) => 0.0,
                    None => {
                        let y = self.held.initial();
                        let speed = y.velocity.norm()
                            + self.held.load().norm() / self.held.mass() * (t - self.start).abs();
                        self.held.mass() * speed * velocity + self.held.load().norm() * position
                    }
                };
                self.rotation.error_of(t, quantity) + flight
            }
            other => self.rotation.error_of(t, other),
        }
    }
}

#[cfg(test)]
mod tests;
