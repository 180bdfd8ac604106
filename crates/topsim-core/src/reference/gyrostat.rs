//! The gyrostat with a rotor along an axis of symmetry n of its body: the motion without the rotor, rotated
//! back about n.
//!
//! Let C be the moment about n, h(t) n the momentum of the rotor, and R_M, W_M the motion without rotor that
//! starts with the rate W₀ + (h₀/C) n. That is the motion of a free body, or of the Lagrange top if the lever
//! is along n. With ψ = ∫ h/C dt: R = R_M exp(−ψ n̂), W = exp(ψ n̂) W_M − (h/C) n. A sphere is symmetric about
//! any axis.

use super::closed_form::{ClosedForm, bind_form};
use super::{LagrangeTop, NoClosedForm, RefError, RowReference};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{
    Gravity, InitialValueProblem, Model, RigidTop, RotState, TorqueModel, VectorSeries,
};

/// Largest relative asymmetry of the body about the rotor axis that counts as rounding.
const ASYMMETRY: f64 = 1e-13;

struct SymmetricGyrostat {
    motion: LagrangeTop,
    axis: Vec3,
    /// The rate h(t)/C in the first component, rad/s.
    rotor: VectorSeries,
    start: f64,
}

/// Returns the closed form of a symmetric gyrostat, for runs that start at time `start`.
pub(super) fn gyrostat(model: &Model, start: f64) -> Result<Box<dyn RowReference>, NoClosedForm> {
    bind_form(model, start, |top| SymmetricGyrostat::new(top, start))
        .unwrap_or(Err(NoClosedForm::NotSymmetricGyrostat))
}

impl SymmetricGyrostat {
    fn new(top: &RigidTop<TorqueModel>, start: f64) -> Result<Self, NoClosedForm> {
        let refused = NoClosedForm::NotSymmetricGyrostat;
        let TorqueModel::Gyrostat(gyrostat) = top.torque() else {
            return Err(refused);
        };
        let by_size = |a: &&Vec3, b: &&Vec3| a.norm_squared().total_cmp(&b.norm_squared());
        let largest = gyrostat.rotor.vectors().max_by(by_size);
        let Some(axis) = largest.and_then(|v| v.try_normalize(0.0)) else {
            return Err(refused);
        };
        let j = top.inertia().tensor();
        let axial = axis.dot(&(j * axis));
        let across = 0.5 * (j.trace() - axial);
        let model = Mat3::identity() * across + axis * axis.transpose() * (axial - across);
        let gravity = gyrostat.gravity.as_deref();
        let lever = gravity.map_or_else(Vec3::zeros, |g| *g.lever());
        let along = |v: &Vec3| v.cross(&axis).norm() <= ASYMMETRY * v.norm();
        let symmetric = (j - model).amax() <= ASYMMETRY * j.amax();
        if !(symmetric && along(&lever) && gyrostat.rotor.vectors().all(along)) {
            return Err(refused);
        }
        let rate = |v: &Vec3| Vec3::x() * (v.dot(&axis) / axial);
        let rotor = VectorSeries {
            polynomial: gyrostat.rotor.polynomial.iter().map(rate).collect(),
            amplitudes: gyrostat.rotor.amplitudes.iter().map(rate).collect(),
            ..gyrostat.rotor.clone()
        };
        let RotState { att, omega } = top.initial();
        let omega = omega + axis * rotor.at(start).x;
        let weight = gravity.map_or(0.0, Gravity::weight);
        let up = gravity.map_or_else(Vec3::z, |g| *g.up());
        Ok(Self {
            motion: LagrangeTop::new(j, weight, &lever, &up, &att, &omega)?,
            axis,
            rotor,
            start,
        })
    }

    /// Returns the angle ψ, rad.
    fn rotor_angle(&self, t: f64) -> f64 {
        let [first, begun] = [self.start + t, self.start].map(|t| self.rotor.integrals(t)[0].x);
        first - begun
    }
}

impl ClosedForm for SymmetricGyrostat {
    const PROVENANCE: &'static str =
        "closed form of the gyrostat with a rotor along its axis of symmetry";

    fn at(&self, t: f64) -> (Mat3, Vec3) {
        let (att, omega) = self.motion.at(t);
        let turn = so3::exp(&(self.axis * -self.rotor_angle(t)));
        let rotor = self.axis * self.rotor.at(self.start + t).x;
        (att * turn, turn.tr_mul(&omega) - rotor)
    }

    fn error(&self, t: f64) -> RefError {
        let RefError { attitude, rate } = self.motion.error(t);
        let far = (self.start.abs() + t.abs()).max(1.0);
        let powers = self.rotor.polynomial.iter().zip(1..);
        let sines = self.rotor.amplitudes.iter().map(|a| a.x.abs()).sum::<f64>();
        let angle = powers.map(|(c, n)| c.x.abs() * far.powi(n)).sum::<f64>() + sines * far;
        let late = 8.0 * f64::EPSILON * (1.0 + angle);
        let speed = self.motion.at(t).1.norm();
        RefError {
            attitude: (attitude + late).min(core::f64::consts::PI),
            rate: rate + late * speed + 8.0 * f64::EPSILON * (speed + angle / far),
        }
    }
}
