//! Columns of a held body, and its phase space: that of the body that turns about its joint.

use super::{Held, HeldState};
use crate::math::{Vec3, so3};
use crate::models::columns::{self, HELD_TRACKED};
use crate::models::{Columns, Measured, PhaseSpace};
use nalgebra::DMatrix;

impl Held {
    /// `x − R x_r`, m, and `ẋ − R (W × x_r)`, m/s: what the joint forbids.
    #[inline]
    pub fn constraint(&self, y: &HeldState) -> (Vec3, Vec3) {
        match self.lever() {
            Some(x) => (
                y.position - y.rotation.att * x,
                y.velocity - y.rotation.att * y.rotation.omega.cross(x),
            ),
            None => (Vec3::zeros(), Vec3::zeros()),
        }
    }
}

impl Measured for Held {
    fn columns(&self) -> Columns {
        columns::held()
    }

    fn measure(&self, t: f64, y: &HeldState, row: &mut [f64]) {
        let att = &y.rotation.att;
        for i in 0..3 {
            for j in 0..3 {
                row[3 * i + j] = att[(i, j)];
            }
        }
        self.track(t, y, &mut row[HELD_TRACKED]);
        let omega = att * y.rotation.omega;
        let rest = &mut row[HELD_TRACKED.end..];
        let vectors = [omega, y.position, y.velocity, y.joint_force];
        for (k, v) in vectors.iter().enumerate() {
            rest[3 * k..3 * k + 3].copy_from_slice(v.as_slice());
        }
        rest[12..18].copy_from_slice(&y.multipliers);
    }

    #[inline]
    fn track(&self, _: f64, y: &HeldState, out: &mut [f64]) {
        let w = &y.rotation.omega;
        let h = self.energy(y);
        let pi = self.momentum_space(y);
        let (phi, phi_dot) = self.constraint(y);
        out[0..3].copy_from_slice(w.as_slice());
        out[3] = h;
        out[4..7].copy_from_slice(pi.as_slice());
        out[7] = h - self.initial_energy;
        out[8] = w.norm();
        out[9] = so3::orthogonality_defect(&y.rotation.att);
        out[10] = phi.norm();
        out[11] = phi_dot.norm();
        out[12] = f64::from(y.iterations);
    }

    fn switches(&self, _: f64, _: f64) -> Vec<f64> {
        Vec::new()
    }
}

/// The rotation's phase space; displaced states satisfy the constraint.
impl PhaseSpace for Held {
    fn scales(&self, y: &HeldState) -> Vec<f64> {
        self.top().scales(&y.rotation)
    }
    fn displaced(&self, y: &HeldState, d: &[f64]) -> HeldState {
        let rotation = self.top().displaced(&y.rotation, d);
        self.placed(rotation, y.position, y.velocity)
    }
    fn displacement(&self, from: &HeldState, to: &HeldState) -> Vec<f64> {
        self.top().displacement(&from.rotation, &to.rotation)
    }
    fn symplectic_form(&self, y: &HeldState) -> DMatrix<f64> {
        self.top().symplectic_form(&y.rotation)
    }
}

#[cfg(test)]
mod tests;
