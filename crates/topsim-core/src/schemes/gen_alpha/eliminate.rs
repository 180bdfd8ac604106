//! A correction of Newton's method at index 3.
//!
//! B's translational block is ±1, so that δu follows from δψ by the constraint, Δλ from both by the
//! translational equation, and δψ from three equations whose matrix is `β'` times the inertia about
//! the joint, and small terms. The full system of 9 (Kynema: 15) unknowns and its scaling by
//! `s = βh²` give the same correction but for rounding; a test compares them.

use super::form::{Form, Linear};
use super::twist::Twist;
use crate::math::{Mat3, Vec3, so3};
use crate::schemes::implicit::solve3;

use super::coefficients::Coefficients;
use super::tangent::right_inverse;

/// Returns the axis of the matrix of a cross product.
#[inline(always)]
fn axis(cross: &Mat3) -> Vec3 {
    Vec3::new(cross[(2, 1)], cross[(0, 2)], cross[(1, 0)])
}

/// Returns `b m`.
#[inline(always)]
fn times<F: Form>(b: &Mat3, m: &Mat3) -> Mat3 {
    if F::CROSS {
        so3::hat_times(&axis(b), m)
    } else {
        b * m
    }
}

/// Returns `bᵀ m`.
#[inline(always)]
fn transposed_times<F: Form>(b: &Mat3, m: &Mat3) -> Mat3 {
    if F::CROSS {
        -so3::hat_times(&axis(b), m)
    } else {
        b.tr_mul(m)
    }
}

/// Corrections of `hΔq` and λ; `None` where the matrix is singular.
#[inline(always)]
pub(super) fn correct<F: Form>(
    l: &Linear,
    mass: f64,
    k: &Coefficients,
    psi: &Vec3,
    joint: bool,
) -> Option<(Twist, Vec3)> {
    let push = mass * k.beta_h;
    let a_ww = l.inertia * k.beta_h + l.c_ww * k.gamma_h + l.k_ww * l.t_ww;
    if !F::COUPLED {
        if !joint {
            let w = solve3(&a_ww, &-l.r.w)?;
            let u = l.r.u / -push;
            return Some((Twist::new(u, w), Vec3::zeros()));
        }
        let arm = times::<F>(&l.b, &l.t_ww);
        let matrix = a_ww + transposed_times::<F>(&l.b, &arm) * push;
        let known = l.r.u * l.sigma - l.phi * push;
        let w = solve3(&matrix, &(l.b.tr_mul(&known) - l.r.w))?;
        let u = (l.phi + arm * w) * -l.sigma;
        let lambda = (l.r.u + u * push) * -l.sigma;
        return Some((Twist::new(u, w), lambda));
    }
    let a_uu = Mat3::identity() * push + l.c_uu * k.gamma_h;
    let a_uw = l.c_uw * k.gamma_h + so3::hat_times(&axis(&l.k_uw), &l.t_ww);
    if !joint {
        let w = solve3(&a_ww, &-l.r.w)?;
        let u = solve3(&a_uu, &-(l.r.u + a_uw * w))?;
        return Some((Twist::new(u, w), Vec3::zeros()));
    }
    let back = right_inverse(psi);
    let start = back * l.phi * -l.sigma;
    let follow = -(back * (l.t_uw + times::<F>(&l.b, &l.t_ww) * l.sigma));
    let matrix = a_ww - transposed_times::<F>(&l.b, &(a_uu * follow + a_uw)) * l.sigma;
    let known = (l.r.u + a_uu * start) * l.sigma;
    let w = solve3(&matrix, &(l.b.tr_mul(&known) - l.r.w))?;
    let u = start + follow * w;
    let lambda = (l.r.u + a_uu * u + a_uw * w) * -l.sigma;
    Some((Twist::new(u, w), lambda))
}
