//! Steady motions of heavy bodies without symmetry: Grioli's regular precession and Staude's permanent
//! rotations.
//!
//! Letters: J is the inertia about the fixed point, w the weight, r the lever, u = Rᵀ up, all in the body
//! frame.
//! - Grioli 1947 (`grioli1947`): with e along r, k = W₀/n − e a unit vector at right angles to e, and f = k ×
//!   e, the tensor is A (f f + k k) + C e e + E (f e + e f), n² = w |r|/√(C² + E²), and up = cos α R₀k − sin α
//!   R₀f with tan α = E/C. Then R = exp(n t k̂_s) R₀ exp(n t ê), k_s = R₀k: two rotations at the same rate
//!   about axes at right angles.
//! - Staude 1894 (`staude1894`): W₀ is along u, and JW₀ × W₀ + T = 0. Then R = R₀ exp(t Ŵ₀).

use super::closed_form::{ClosedForm, bind_form};
use super::{NoClosedForm, RefError, RowReference};
use crate::math::{Mat3, Vec3, scalar, so3};
use crate::models::{InitialValueProblem, Model, RigidTop, RotState, Torque, TorqueModel};

/// Largest residual of the conditions, relative to their terms, that counts as rounding of the start.
const ROUNDING: f64 = 1e-13;

/// Two rotations at constant rates: about an axis fixed in space, and about one fixed in the body.
struct TwoRotations {
    att0: Mat3,
    /// Rate of the rotation about the axis in space, rad/s, space frame.
    outer: Vec3,
    /// Rate of the rotation about the axis in the body, rad/s, body frame.
    inner: Vec3,
    /// Residual of the conditions, relative to their terms.
    residual: f64,
    /// Bound on the growth rate of a perturbation, 1/s.
    growth: f64,
}

impl TwoRotations {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        let spin = so3::exp(&(self.inner * t));
        let att = so3::exp(&(self.outer * t)) * self.att0 * spin;
        (att, att.tr_mul(&self.outer) + self.inner)
    }
    /// Returns the bound from the variational equation. Where the motion is computed as well, the distance to the
    /// computed motion replaces it.
    fn error(&self, t: f64) -> RefError {
        let speed = self.outer.norm() + self.inner.norm();
        let grown = scalar::exp((self.growth * t.abs()).min(300.0));
        let attitude = (8.0 * f64::EPSILON * (1.0 + speed * t.abs()) + self.residual) * grown;
        RefError {
            attitude: attitude.min(core::f64::consts::PI),
            rate: speed * attitude,
        }
    }
}

struct Grioli(TwoRotations);
struct Staude(TwoRotations);

macro_rules! turns {
    ($($of:ident: $provenance:literal;)*) => {$(
        impl ClosedForm for $of {
            const PROVENANCE: &'static str = $provenance;
            fn at(&self, t: f64) -> (Mat3, Vec3) {
                self.0.at(t)
            }
            fn error(&self, t: f64) -> RefError {
                self.0.error(t)
            }
        }
    )*};
}

turns! {
    Grioli: "closed form of Grioli's regular precession";
    Staude: "closed form of Staude's permanent rotation";
}

/// Returns Grioli's regular precession, for runs that start at time `start`.
pub(super) fn grioli(model: &Model, start: f64) -> Result<Box<dyn RowReference>, NoClosedForm> {
    bind_form(model, start, |top| {
        grioli_motion(top)
            .map(Grioli)
            .ok_or(NoClosedForm::NotGrioli)
    })
    .unwrap_or(Err(NoClosedForm::NotGrioli))
}

/// Returns Staude's permanent rotation, for runs that start at time `start`.
pub(super) fn staude(model: &Model, start: f64) -> Result<Box<dyn RowReference>, NoClosedForm> {
    bind_form(model, start, |top| {
        staude_motion(top)
            .map(Staude)
            .ok_or(NoClosedForm::NotStaude)
    })
    .unwrap_or(Err(NoClosedForm::NotStaude))
}

fn grioli_motion(top: &RigidTop<TorqueModel>) -> Option<TwoRotations> {
    let TorqueModel::Gravity(gravity) = top.torque() else {
        return None;
    };
    let RotState { att, omega } = top.initial();
    let j = top.inertia().tensor();
    let moment = gravity.weight() * gravity.lever().norm();
    let e = gravity.lever().try_normalize(0.0)? * moment.signum();
    let n = omega.dot(&e);
    let k = omega / n - e;
    let f = k.cross(&e);
    let [c, product] = [e.dot(&(j * e)), f.dot(&(j * e))];
    let a = k.dot(&(j * k));
    let model = (f * f.transpose() + k * k.transpose()) * a
        + e * e.transpose() * c
        + (f * e.transpose() + e * f.transpose()) * product;
    let size = scalar::hypot(c, product);
    let up = att * (k * c - f * product) / size;
    let residual = (k.norm() - 1.0).abs()
        + k.dot(&e).abs()
        + (j - model).amax() / j.amax()
        + (n * n * size / moment.abs() - 1.0).abs()
        + (up - gravity.up()).norm();
    (residual <= ROUNDING).then(|| TwoRotations {
        att0: att,
        outer: att * k * n,
        inner: e * n,
        residual,
        growth: growth_rate(top, moment.abs()),
    })
}

fn staude_motion(top: &RigidTop<TorqueModel>) -> Option<TwoRotations> {
    let TorqueModel::Gravity(gravity) = top.torque() else {
        return None;
    };
    let RotState { att, omega } = top.initial();
    let momentum = top.inertia().times(&omega);
    let gyroscopic = momentum.cross(&omega);
    let torque = gravity.body(0.0, &att);
    let size = momentum.norm() * omega.norm();
    let tilt = att.tr_mul(gravity.up()).cross(&omega);
    let moment = gravity.weight().abs() * gravity.lever().norm();
    let residual = (gyroscopic + torque).norm() / (size + moment) + tilt.norm() / omega.norm();
    (residual <= ROUNDING).then(|| TwoRotations {
        att0: att,
        outer: Vec3::zeros(),
        inner: omega,
        residual,
        growth: growth_rate(top, moment),
    })
}

/// Bounds the growth rate by the norm of the variational equation for δθ and δW/|W|: δθ' = δW − W × δθ, J δW' =
/// JδW × W + JW × δW + δT, |δT| ≤ moment |δθ|. The speed |W| is constant.
fn growth_rate(top: &RigidTop<TorqueModel>, moment: f64) -> f64 {
    let omega = top.initial().omega;
    let (j, speed) = (top.inertia(), omega.norm());
    let gyroscopic = so3::hat(&j.times(&omega)) - so3::hat(&omega) * j.tensor();
    let rates = (j.inverse() * gyroscopic).norm() + j.inverse().norm() * moment / speed;
    2.0 * speed + rates
}
