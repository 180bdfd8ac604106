//! The free rigid body in closed form (Euler top), for any inertia tensor and any initial state.
//!
//! `Ṙ = R hat(W)`, `J Ẇ = (J W) × W`. The solution needs elliptic functions in general and elementary functions
//! for two or three equal moments and for a spin about a principal axis.

use super::budget::{Budget, RefError, Saddle};
use super::euler_top::EulerTop;
use super::{ReferenceError, validate};
use crate::math::double_double::DoubleDouble as Fine;
use crate::math::fine::{FineMat, FineVec};
use crate::math::{Mat3, Vec3, eigen, so3};

/// Exact motion of a free rigid body.
#[derive(Debug, Clone)]
pub struct FreeBody {
    motion: FreeBodyMotion,
    budget: Budget,
}

#[derive(Debug, Clone)]
enum FreeBodyMotion {
    /// Constant body rate.
    Spin { att0: Mat3, omega: Vec3 },
    /// Regular precession: `R = R0 exp(t P/A) exp(t ω_a)`, with `P` the body momentum at the start.
    Symmetric {
        att0: Mat3,
        precession: Vec3,
        about_axis: Vec3,
        omega0: Vec3,
    },
    /// General motion: `R = left · E(t) · axesᵀ`, `W = axes · w(t)`, with E and w the motion in principal axes.
    General {
        left: Mat3,
        axes: Mat3,
        top: Box<EulerTop>,
    },
}

/// Fraction of the largest rate below which a rate is set to zero, because its square would leave the range of
/// doubles.
const NEGLIGIBLE: f64 = 1e-130;
/// Rounding of the principal axes of a full tensor, of its moments relative to the largest one, and of the rates about its axes relative
/// to the largest one: some units of double-double.
const UNCERTAIN: f64 = 1e-30;

impl FreeBody {
    /// Solves the motion of a body with inertia tensor `inertia` (body frame, symmetric, positive definite),
    /// initial attitude `att0` (body → space) and initial body rate `omega0_body` (rad/s).
    ///
    /// The entries of the tensor and the rates are taken as exact: principal axes, moments and rates about them have 32 digits of
    /// the largest.
    ///
    /// # Errors
    /// [`ReferenceError`] if a number is not finite, the tensor is not symmetric and positive definite, or the
    /// attitude is not a rotation.
    pub fn new(inertia: &Mat3, att0: &Mat3, omega0_body: &Vec3) -> Result<Self, ReferenceError> {
        validate::tensor(inertia)?;
        validate::rotation(att0)?;
        validate::finite("the initial body rate", omega0_body.as_slice())?;
        let (moments, axes) = eigen::fine_principal_axes(&FineMat::from(*inertia));
        validate::positive(&moments.rounded())?;
        let full = axes != FineMat::identity();
        let mut w = axes.transpose().apply(&FineVec::from(*omega0_body));
        let largest = w.rounded().amax();
        let negligible = if full { UNCERTAIN } else { NEGLIGIBLE } * largest;
        for x in w.0.iter_mut().filter(|x| x.hi.abs() <= negligible) {
            *x = Fine::ZERO;
        }
        let uncertain = if full { UNCERTAIN } else { 0.0 };
        let spinning = w.0.iter().filter(|x| x.hi != 0.0).count();
        let largest = moments.rounded().amax();
        let same =
            |i: usize, j: usize| (moments.0[i] - moments.0[j]).hi.abs() <= uncertain * largest;
        let pairs = [(0, 1, 2), (1, 2, 0), (0, 2, 1)];
        let equal = pairs.into_iter().filter(|&(i, j, _)| same(i, j)).count();
        let eps = f64::EPSILON;
        if spinning <= 1 || equal >= 2 {
            let n = omega0_body.norm();
            let moments = moments.rounded();
            let saddle = if full && equal == 0 {
                saddle_of_spin(&moments, &w.rounded(), uncertain)
            } else {
                Saddle::NONE
            };
            return Ok(Self {
                motion: FreeBodyMotion::Spin {
                    att0: *att0,
                    omega: *omega0_body,
                },
                budget: Budget {
                    attitude: [6.0 * eps, eps * n],
                    rate: [eps * n, 0.0],
                    rate_limit: 2.0 * n * moments.max() / moments.min(),
                    saddle,
                },
            });
        }
        if let Some((i, j, axis)) = pairs.into_iter().find(|&(i, j, _)| same(i, j)) {
            let a = (moments.0[i] + moments.0[j]).scaled(0.5);
            return Ok(Self::symmetric(&axes, axis, a, moments.0[axis], att0, &w));
        }
        let (top, budget) = EulerTop::new(&moments, &w, uncertain);
        let axes = axes.rounded();
        Ok(Self {
            motion: FreeBodyMotion::General {
                left: att0 * axes,
                axes,
                top: Box::new(top),
            },
            budget,
        })
    }

    /// Solves the motion of a body with two equal moments `a` and the third moment `c` about column `axis` of
    /// `axes`; `w` are the rates in principal axes.
    fn symmetric(axes: &FineMat, axis: usize, a: Fine, c: Fine, att0: &Mat3, w: &FineVec) -> Self {
        let mut precession = *w;
        precession.0[axis] = w.0[axis] * (c / a);
        let mut about_axis = FineVec::from(Vec3::zeros());
        about_axis.0[axis] = w.0[axis] * ((a - c) / a);
        let mut across = w.rounded();
        across[axis] = 0.0;
        let in_body = |v: &FineVec| axes.apply(v).rounded();
        let (precession, about_axis, omega0) =
            (in_body(&precession), in_body(&about_axis), in_body(w));
        let (fast, slow) = (precession.norm(), about_axis.norm());
        let eps = f64::EPSILON;
        Self {
            motion: FreeBodyMotion::Symmetric {
                att0: *att0,
                precession,
                about_axis,
                omega0,
            },
            budget: Budget {
                attitude: [8.0 * eps, 2.0 * eps * (fast + slow)],
                rate: [4.0 * eps * omega0.norm(), 2.0 * eps * slow * across.norm()],
                rate_limit: 2.0 * omega0.norm(),
                saddle: Saddle::NONE,
            },
        }
    }

    /// Returns the attitude (body → space) and body rate (rad/s) at time `t` (s), at constant cost.
    pub fn at(&self, t: f64) -> (Mat3, Vec3) {
        match &self.motion {
            FreeBodyMotion::Spin { att0, omega } => (att0 * so3::exp(&(omega * t)), *omega),
            FreeBodyMotion::Symmetric {
                att0,
                precession,
                about_axis,
                omega0,
            } => {
                let spin = so3::exp(&(about_axis * t));
                let att = att0 * so3::exp(&(precession * t)) * spin;
                (att, spin.transpose() * omega0)
            }
            FreeBodyMotion::General { left, axes, top } => {
                let (e, w) = top.at(t);
                (left * e * axes.transpose(), axes * w)
            }
        }
    }

    /// Returns the bound on the error of [`FreeBody::at`] at time `t` (s).
    pub fn error(&self, t: f64) -> RefError {
        self.budget.at(t)
    }
}

/// Returns the growth of perturbations of a spin about the intermediate axis, for a tensor known only to
/// rounding.
fn saddle_of_spin(moments: &Vec3, w: &Vec3, uncertain: f64) -> Saddle {
    let Some(axis) = (0..3).find(|&i| w[i] != 0.0) else {
        return Saddle::NONE;
    };
    let (a, b, c) = (
        moments[axis],
        moments[(axis + 1) % 3],
        moments[(axis + 2) % 3],
    );
    let square = (a - b) * (c - a) / (b * c);
    if square <= 0.0 {
        return Saddle::NONE;
    }
    let growth = square.sqrt();
    Saddle {
        frequency: growth * w[axis],
        relative: f64::INFINITY,
        absolute: uncertain * uncertain,
        state: uncertain,
        quarter: 1.0,
        attitude: 1.0 / growth,
        rate: w.norm(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With moments 3, 4, 6 and W₂ = 3, `W₁' = −2 W₃` and `W₃' = −W₁/2` hold as long as W₁ and W₃ are small.
    #[test]
    fn the_smallest_rates_grow_about_the_intermediate_axis() {
        let (j, id) = (
            Mat3::from_diagonal(&Vec3::new(3.0, 4.0, 6.0)),
            Mat3::identity(),
        );
        let body = FreeBody::new(&j, &id, &Vec3::new(1e-25, 3.0, 0.0)).unwrap();
        let (_, w) = body.at(30.0);
        assert!((w.x / (1e-25 * libm::cosh(30.0)) - 1.0).abs() < 1e-9, "{w}");
        assert!(
            (w.z / (-0.5e-25 * libm::sinh(30.0)) - 1.0).abs() < 1e-9,
            "{w}"
        );
        // The squares of these rates underflow to zero.
        let body = FreeBody::new(&j, &id, &Vec3::new(1e-170, 3.0, 1e-170)).unwrap();
        let ((r, w), e) = (body.at(30.0), body.error(30.0));
        assert!(
            (w - Vec3::y() * 3.0).norm() <= e.rate && e.rate < 1e-14,
            "{w} {e:?}"
        );
        assert!((r * Vec3::y() - Vec3::y()).norm() < 1e-14, "{r}");
    }
}
