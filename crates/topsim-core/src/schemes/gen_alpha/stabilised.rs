//! A step of the stabilised index-2 form: Φ(q') = 0 and B(q') v' = 0 both hold, and the increment
//! `hΔq` is corrected by `−B_nᵀ hη` with multipliers η of their own.
//!
//! In inertial coordinates the joint's own node stays at rest exactly, as at index 3.

use super::form::{Configuration, Form, Linear, StepMemory};
use super::parameters::GenAlpha;
use super::step::{accept, predict, weighed};
use super::twist::Twist;
use crate::math::{Mat3, Vec3, lu};
use crate::models::{JointedBody, JointedState};
use crate::schemes::scheme::{Effort, StepFail};

/// 6 of the increment, 3 of λ, 3 of hη.
const UNKNOWNS: usize = 12;

pub(super) fn stabilised<F: Form>(
    scheme: &GenAlpha,
    p: &JointedBody,
    h: f64,
    y: &mut JointedState,
    m: &mut StepMemory,
) -> Result<Effort, StepFail> {
    let from = Configuration::of(y);
    let (sigma, b) = F::gradient(&m.lever, &from);
    // −B_nᵀ hη.
    let correction = |eta: &Vec3| Twist::new(eta * -sigma, -b.tr_mul(eta));
    let (mut at, a1) = predict(h, m);
    let mut eta = Vec3::zeros();
    let (atol, rtol) = (scheme.atol, scheme.rtol);
    let mut iterations = 0;
    loop {
        let l = F::linear(p, m, &from, &at);
        let (mut matrix, mut x) = system(&l, p.mass(), m, (sigma, &b), &at.v);
        if !lu::solve(&mut matrix, &mut x) {
            return Err(StepFail::Singular { iterations });
        }
        iterations += 1;
        // The scaling is undone.
        let scale = m.k.beta_h;
        let part = |i: usize| Vec3::new(x[i], x[i + 1], x[i + 2]);
        let (d, lambda, deta) = (Twist::new(part(0), part(3)), part(6) * scale, part(9));
        let moved = d.plus(&correction(&deta), 1.0);
        let sum = weighed(&moved.u, &at.dq.u, atol, rtol)
            + weighed(&moved.w, &at.dq.w, atol, rtol)
            + weighed(&lambda, &at.lambda, m.atol_lambda, rtol)
            + weighed(&deta, &eta, atol, rtol);
        let norm = (sum / UNKNOWNS as f64).sqrt();
        at.correct(&moved, &d, lambda, &m.k);
        eta += deta;
        if norm <= 1.0 {
            let place = F::moved(&from, &at.dq);
            return Ok(accept::<F>(&place, &at, &a1, iterations, y, m));
        }
        // The test is written so that a NaN fails.
        if !(norm < f64::INFINITY) || iterations >= scheme.max_iterations {
            return Err(scheme.stalled(p, iterations, norm));
        }
    }
}

type NewtonMatrix = [[f64; UNKNOWNS]; UNKNOWNS];

/// Returns the linear equations of a correction, those of motion and λ divided by β', that of the velocity
/// by γ'.
fn system(
    l: &Linear,
    mass: f64,
    m: &StepMemory,
    (sigma_n, b_n): (f64, &Mat3),
    v: &Twist,
) -> (NewtonMatrix, [f64; UNKNOWNS]) {
    let (beta, gamma) = (m.k.beta_h, m.k.gamma_h);
    let identity = Mat3::identity();
    let mut a = [[0.0; UNKNOWNS]; UNKNOWNS];
    let mut put = |i: usize, j: usize, block: &Mat3| {
        for r in 0..3 {
            for c in 0..3 {
                a[3 * i + r][3 * j + c] += block[(r, c)];
            }
        }
    };
    // These blocks of each row act on the translational and the rotational part of hΔq.
    let t_uu = if l.t_uw == Mat3::zeros() {
        identity
    } else {
        l.t_ww
    };
    let on_place = [
        (Mat3::zeros(), l.k_uw * l.t_ww / beta),
        (Mat3::zeros(), l.k_ww * l.t_ww / beta),
        (t_uu * l.sigma, l.t_uw * l.sigma + l.b * l.t_ww),
        (Mat3::zeros(), l.d_w * l.t_ww / gamma),
    ];
    for (i, (u, w)) in on_place.iter().enumerate() {
        put(i, 0, u);
        put(i, 1, w);
        // The increment follows hη by −B_nᵀ.
        put(i, 3, &-(u * sigma_n + w * b_n.transpose()));
    }
    // These blocks act on the acceleration.
    put(0, 0, &(identity * mass + l.c_uu * (gamma / beta)));
    put(0, 1, &(l.c_uw * (gamma / beta)));
    put(1, 1, &(l.inertia + l.c_ww * (gamma / beta)));
    put(3, 0, &(identity * l.sigma));
    put(3, 1, &l.b);
    put(0, 2, &(identity * l.sigma));
    put(1, 2, &l.b.transpose());
    let leaving = v.u * l.sigma + l.b * v.w;
    let rows = [l.r.u / -beta, l.r.w / -beta, -l.phi, leaving / -gamma];
    let mut x = [0.0; UNKNOWNS];
    for (i, row) in rows.iter().enumerate() {
        x[3 * i..3 * i + 3].copy_from_slice(row.as_slice());
    }
    (a, x)
}
