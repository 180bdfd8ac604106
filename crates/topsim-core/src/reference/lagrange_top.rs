//! The symmetric top in uniform gravity in closed form (Lagrange top), for any initial state.
//!
//! `Ṙ = R hat(W)`, `J Ẇ = (J W) × W + torque`, potential `V = weight · up·(R lever)`. In frames whose third
//! axes are the symmetry axis and the vertical, `u = cos θ` is an elliptic function, and the sum σ = φ + ψ and
//! difference δ = φ − ψ of the Euler angles are integrals of the third kind; both stay regular where φ and ψ
//! are not. Units: transverse moment A = 1.

use super::budget::{Budget, RefError, Saddle};
use super::lagrange_motion::GeneralMotion;
use super::lagrange_roots::LagrangeStart;
use super::{FreeBody, ReferenceError, validate};
use crate::math::{Mat3, Vec3, so3};

/// Largest relative asymmetry of the inertia about the lever that counts as rounding of a rotated tensor.
const ASYMMETRY: f64 = 1e-13;

/// Exact motion of a symmetric heavy top.
#[derive(Debug, Clone)]
pub struct LagrangeTop {
    motion: LagrangeTopMotion,
}

#[derive(Debug, Clone)]
enum LagrangeTopMotion {
    Free(Box<FreeBody>),
    /// Spin about the vertical axis without transverse rate.
    Vertical {
        att0: Mat3,
        omega: Vec3,
        budget: Budget,
    },
    General(Box<GeneralMotion>),
}

/// Returns the moments about and across the unit axis, and the relative asymmetry.
fn axial_moments(inertia: &Mat3, axis: &Vec3) -> (f64, f64, f64) {
    let k = axis.iamax();
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let along_coordinate = axis[i] == 0.0 && axis[j] == 0.0;
    let (axial, across) = if along_coordinate {
        (inertia[(k, k)], 0.5 * (inertia[(i, i)] + inertia[(j, j)]))
    } else {
        let axial = axis.dot(&(inertia * axis));
        (axial, 0.5 * (inertia.trace() - axial))
    };
    let model = Mat3::identity() * across + axis * axis.transpose() * (axial - across);
    // For a coordinate axis the model is exact, and an asymmetry of zero is exact too.
    (axial, across, (inertia - model).amax() / inertia.amax())
}

impl LagrangeTop {
    /// Solves the motion of a top with a fixed point. `inertia` (kg m², body frame) is taken about that point;
    /// the potential is `weight · up_space · (R lever_body)` with `weight` = M g (N) and the lever in m; `att0`
    /// maps body → space, `omega0_body` is in rad/s. The inertia must be symmetric about the direction of the
    /// lever. Without weight or lever the body is free, and any inertia is allowed.
    ///
    /// # Errors
    /// [`ReferenceError`] if a number is invalid, or the inertia is not symmetric about the lever.
    pub fn new(
        inertia: &Mat3,
        weight: f64,
        lever_body: &Vec3,
        up_space: &Vec3,
        att0: &Mat3,
        omega0_body: &Vec3,
    ) -> Result<Self, ReferenceError> {
        validate::tensor(inertia)?;
        validate::rotation(att0)?;
        validate::finite("the initial body rate", omega0_body.as_slice())?;
        validate::finite("the weight", &[weight])?;
        validate::finite("the lever", lever_body.as_slice())?;
        validate::finite("the up direction", up_space.as_slice())?;
        let length = up_space.norm();
        let allowed = 1e-12;
        if (length - 1.0).abs() > allowed {
            return Err(ReferenceError::UpNotUnit { length, allowed });
        }
        let moment = weight * lever_body.norm();
        if moment == 0.0 {
            let free = FreeBody::new(inertia, att0, omega0_body)?;
            return Ok(Self {
                motion: LagrangeTopMotion::Free(Box::new(free)),
            });
        }
        let axis = lever_body.normalize() * moment.signum();
        let (axial, across, asymmetry) = axial_moments(inertia, &axis);
        if asymmetry > ASYMMETRY {
            return Err(ReferenceError::NotAxisymmetric {
                axis: [axis.x, axis.y, axis.z],
                asymmetry,
                allowed: ASYMMETRY,
                axial,
                transverse: across,
            });
        }
        validate::positive(&Vec3::new(across, across, axial))?;

        let (body, space) = (
            so3::frame_with_third(&axis),
            so3::frame_with_third(&(up_space / length)),
        );
        let r = space.transpose() * att0 * body;
        let w = body.transpose() * omega0_body;
        let (g1, g2, u0) = (r[(2, 0)], r[(2, 1)], r[(2, 2)]);
        let across_up = g1 * g1 + g2 * g2;
        // The smaller of the two squares is computed from the horizontal part, so that it keeps all digits near
        // the vertical.
        let (c2, s2) = if u0 >= 0.0 {
            let c2 = 0.5 * (1.0 + u0);
            (c2, across_up / (4.0 * c2))
        } else {
            let s2 = 0.5 * (1.0 - u0);
            (across_up / (4.0 * s2), s2)
        };
        let exact = [g1, g2, u0].iter().all(|x| x.fract() == 0.0) && asymmetry == 0.0;
        let uncertain = if exact {
            0.0
        } else {
            4.0 * f64::EPSILON + asymmetry
        };
        let start = LagrangeStart {
            m: moment.abs() / across,
            c2,
            s2,
            u0,
            gamma: [g1, g2],
            w: [w.x, w.y, w.z],
            l3: axial / across * w.z,
            uncertain,
        };
        let motion = if across_up == 0.0 && w.x == 0.0 && w.y == 0.0 {
            vertical(att0, omega0_body, &start, asymmetry)
        } else {
            let spin = w.z * ((across - axial) / across);
            let q = so3::quat_from_matrix(&r);
            let top = GeneralMotion::new(space, body, &start, &q, spin, asymmetry);
            LagrangeTopMotion::General(Box::new(top))
        };
        Ok(Self { motion })
    }

    /// Returns the attitude (body → space) and body rate (rad/s) at time `t` (s), at constant cost.
    pub fn at(&self, t: f64) -> (Mat3, Vec3) {
        match &self.motion {
            LagrangeTopMotion::Free(body) => body.at(t),
            LagrangeTopMotion::Vertical { att0, omega, .. } => {
                (att0 * so3::exp(&(omega * t)), *omega)
            }
            LagrangeTopMotion::General(top) => top.at(t),
        }
    }

    /// Returns the bound on the error of [`LagrangeTop::at`] at time `t` (s).
    pub fn error(&self, t: f64) -> RefError {
        match &self.motion {
            LagrangeTopMotion::Free(body) => body.error(t),
            LagrangeTopMotion::Vertical { budget, .. } => budget.at(t),
            LagrangeTopMotion::General(top) => top.error(t),
        }
    }
}

/// Returns the spin about the vertical axis, upright or hanging.
fn vertical(att0: &Mat3, omega: &Vec3, start: &LagrangeStart, asymmetry: f64) -> LagrangeTopMotion {
    let n = omega.norm();
    let eps = f64::EPSILON + asymmetry;
    // For an upright top below the critical spin, rounding of an inexact start grows.
    let square = start.m - 0.25 * start.l3 * start.l3;
    let unstable = start.u0 > 0.0 && square > 0.0;
    let growth = if unstable { square.sqrt() } else { 0.0 };
    let saddle = Saddle {
        frequency: growth,
        relative: if unstable && start.uncertain > 0.0 {
            f64::INFINITY
        } else {
            0.0
        },
        absolute: start.uncertain * start.uncertain,
        state: start.uncertain,
        quarter: 1.0,
        attitude: 1.0,
        rate: growth.max(n),
    };
    LagrangeTopMotion::Vertical {
        att0: *att0,
        omega: *omega,
        budget: Budget {
            attitude: [6.0 * eps, eps * n],
            rate: [0.0, 0.0],
            rate_limit: 2.0 * n + 4.0 * start.m.sqrt(),
            saddle,
        },
    }
}

#[cfg(test)]
mod tests;
