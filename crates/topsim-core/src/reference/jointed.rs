//! References of jointed bodies: the rotation about the joint is solved, and the other columns are functions of
//! it.

use super::rows::RotationReference;
use super::{RefError, RowReference, Solution};
use crate::math::so3;
use crate::models::{
    Columns, InitialValueProblem, JointedBody, Measured, Quantity, RotState, TorqueModel,
};

struct JointedReference<S> {
    jointed: JointedBody,
    columns: Columns,
    start: f64,
    /// Solution in the columns of a rotating body.
    rotation: RotationReference<TorqueModel, S>,
}

/// Binds a solution of the rotation about the joint to the jointed body: position, velocity and joint force
/// follow from attitude and rate. Without a joint the centre of mass follows its parabola, which starts at time
/// `start`.
///
/// Multipliers and iteration counts belong to schemes; the reference does not define them.
pub fn bind_jointed(
    jointed: &JointedBody,
    start: f64,
    solution: impl Solution + 'static,
) -> Box<dyn RowReference> {
    Box::new(JointedReference {
        jointed: jointed.clone(),
        columns: jointed.columns(),
        start,
        rotation: RotationReference::new(jointed.top().clone(), solution),
    })
}

impl<S: Solution> JointedReference<S> {
    /// Returns the acceleration of a body without a joint, m/s².
    fn free_acceleration(&self) -> f64 {
        let jointed = &self.jointed;
        if jointed.multipliers() {
            jointed.load().norm() / jointed.mass()
        } else {
            jointed.gravity().norm()
        }
    }
    /// Bound on the error of the translational energy (J) of a body without a joint, from the errors of its
    /// position (m) and velocity (m/s).
    fn translation_error(&self, t: f64, [position, velocity]: [f64; 2]) -> f64 {
        let jointed = &self.jointed;
        let start = jointed.initial();
        let s = (t - self.start).abs();
        let speed = start.velocity.norm() + self.free_acceleration() * s;
        if jointed.multipliers() {
            return jointed.mass() * speed * velocity + jointed.load().norm() * position;
        }
        let length = start.position.norm() + speed * s;
        let energy = 0.5 * speed * speed + jointed.gravity().norm() * length;
        8.0 * f64::EPSILON * jointed.mass() * energy
    }
    /// Errors of position (m), velocity (m/s) and force (N): to first order in the errors of attitude and rate,
    /// plus a few roundings of each term.
    fn errors(&self, t: f64, RefError { attitude, rate }: RefError) -> [f64; 3] {
        let jointed = &self.jointed;
        let eps = 4.0 * f64::EPSILON;
        let Some(lever) = jointed.lever() else {
            let y = jointed.initial();
            let s = (t - self.start).abs();
            let push = self.free_acceleration();
            let speed = y.velocity.norm() + push * s;
            return [eps * (y.position.norm() + speed * s), eps * speed, 0.0];
        };
        let (att, omega) = self.rotation.solution.at(t);
        let (r, w) = (lever.norm(), omega.norm());
        let rates = jointed.rates(&RotState { att, omega });
        let inertia = jointed.top().inertia();
        let torque = jointed.top().torque_body(t, &att).norm();
        // First-order errors: J̄ Ẇ = J̄W × W + T varies with W, and Ẇ × x + W × (W × x) with W and Ẇ.
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
            jointed.mass() * (push + eps * size) + eps * jointed.load().norm(),
        ]
    }
}

impl<S: Solution> JointedReference<S> {
    /// Converts errors of attitude and rate to the error of a quantity.
    fn convert_error(&self, t: f64, quantity: Quantity, error: RefError) -> f64 {
        let [position, velocity, force] = self.errors(t, error);
        match quantity {
            Quantity::Position => position,
            Quantity::Velocity => velocity,
            Quantity::JointForce => force,
            // The exact motion satisfies both constraints.
            Quantity::JointDistance | Quantity::JointSpeed => 0.0,
            Quantity::Energy | Quantity::EnergyDrift => {
                let moving = match self.jointed.lever() {
                    Some(_) => 0.0,
                    None => self.translation_error(t, [position, velocity]),
                };
                self.rotation.convert_error(t, quantity, error) + moving
            }
            other => self.rotation.convert_error(t, other, error),
        }
    }
}

impl<S: Solution> RowReference for JointedReference<S> {
    fn provenance(&self) -> String {
        let rest = match self.jointed.lever() {
            Some(_) => "centre of mass and force of the joint as functions of it",
            None => "parabola of the centre of mass",
        };
        format!("{}; {rest}", self.rotation.provenance())
    }
    fn row(&self, t: f64, row: &mut [f64]) {
        let (att, omega) = self.rotation.solution.at(t);
        let y = self.jointed.initial();
        let s = t - self.start;
        let push = self.jointed.free_acceleration();
        let state = self.jointed.place(
            RotState { att, omega },
            y.position + y.velocity * s + push * (0.5 * s * s),
            y.velocity + push * s,
        );
        self.jointed.measure(t, &state, row);
        // Columns that belong to a scheme have no reference.
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
        self.convert_error(t, quantity, self.rotation.solution.error(t))
    }
    fn start_floor(&self, t: f64, quantity: Quantity) -> Option<f64> {
        Some(self.convert_error(t, quantity, self.rotation.solution.start_floor(t)?))
    }
    fn certify(&mut self, end: f64) {
        self.rotation.certify(end);
    }
}

#[cfg(test)]
mod tests;
