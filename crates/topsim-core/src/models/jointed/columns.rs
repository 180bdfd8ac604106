//! Columns of a jointed body, and its phase space, which is that of the equivalent rotating body.

use super::{JointedBody, JointedState};
use crate::math::{Vec3, so3};
use crate::models::row::headings;
use crate::models::{Measured, PhaseSpace, RotState, RowSink, Torque, columns};
use nalgebra::DMatrix;

headings! {
    JOINT_DISTANCE: 1 = JointDistance, ["phi"], "m",
        "distance of the body from its joint".tracked();
    JOINT_SPEED: 1 = JointSpeed, ["phi_dot"], "m/s",
        "velocity at which it leaves the joint".tracked();
    ITERATIONS: 1 = Iterations, ["iterations"], "",
        "Newton iterations of the step".tracked();
    JOINT_FORCE: 3 = JointForce, ["Fx", "Fy", "Fz"], "N",
        "force of the joint on the body, space frame".group("force");
    JOINT_MULTIPLIERS: 3 = Multiplier, ["lambda_1", "lambda_2", "lambda_3"], "N",
        "multiplier of the joint, in the formulation's own sense and frame".group("lambda");
    NODE_MULTIPLIERS: 3 = Multiplier, ["lambda_4", "lambda_5", "lambda_6"], "N",
        "multiplier of the joint's own node (inertial formulation)";
}

impl<T: Torque> JointedBody<T> {
    /// Violations of the joint's constraint: `x − R x_r`, m, and `ẋ − R (W × x_r)`, m/s.
    #[inline]
    pub fn constraint(&self, y: &JointedState) -> (Vec3, Vec3) {
        match self.lever() {
            Some(x) => (
                y.position - y.rotation.att * x,
                y.velocity - y.rotation.att * y.rotation.omega.cross(x),
            ),
            None => (Vec3::zeros(), Vec3::zeros()),
        }
    }
}

impl<T: Torque> Measured for JointedBody<T> {
    #[inline]
    fn row<R: RowSink>(&self, _: f64, y: &JointedState, out: &mut R) {
        let RotState { att, omega } = &y.rotation;
        let [energy, drift] = self.energy_and_drift(y);
        let multipliers = self.multipliers();
        out.put(&columns::ATTITUDE, || so3::rows(att));
        out.group(&columns::THIRD_AXIS);
        out.put(&columns::BODY_RATE, || (*omega).into());
        out.put(&columns::ENERGY, || [energy]);
        out.put(&columns::SPATIAL_MOMENTUM, || self.momentum_space(y).into());
        out.put(&columns::ENERGY_DRIFT, || [drift]);
        out.put(&columns::RATE_NORM, || [omega.norm()]);
        out.put(&columns::ORTHOGONALITY, || [so3::orthogonality_defect(att)]);
        if multipliers {
            let (phi, phi_dot) = self.constraint(y);
            out.put(&JOINT_DISTANCE, || [phi.norm()]);
            out.put(&JOINT_SPEED, || [phi_dot.norm()]);
            out.put(&ITERATIONS, || [f64::from(y.iterations)]);
        }
        out.put(&columns::SPATIAL_RATE, || (att * omega).into());
        out.put(&columns::POSITION, || y.position.into());
        out.put(&columns::VELOCITY, || y.velocity.into());
        if multipliers {
            out.put(&JOINT_FORCE, || y.joint_force.into());
            let [a, b, c, d, e, f] = y.multipliers;
            out.put(&JOINT_MULTIPLIERS, || [a, b, c]);
            out.put(&NODE_MULTIPLIERS, || [d, e, f]);
        }
    }

    fn switches(&self, _: f64, _: f64) -> Vec<f64> {
        Vec::new()
    }
}

/// The phase space is that of the rotation; displaced states satisfy the constraint.
impl<T: Torque> PhaseSpace for JointedBody<T> {
    fn scales(&self, y: &JointedState) -> Vec<f64> {
        self.top().scales(&y.rotation)
    }
    fn displaced(&self, y: &JointedState, d: &[f64]) -> JointedState {
        let rotation = self.top().displaced(&y.rotation, d);
        self.place(rotation, y.position, y.velocity)
    }
    fn displacement(&self, from: &JointedState, to: &JointedState) -> Vec<f64> {
        self.top().displacement(&from.rotation, &to.rotation)
    }
    fn symplectic_form(&self, y: &JointedState) -> DMatrix<f64> {
        self.top().symplectic_form(&y.rotation)
    }
}

#[cfg(test)]
mod tests;
