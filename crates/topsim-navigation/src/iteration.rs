//! Functional iteration: polynomials of the rate and the force are fitted to the increments of an update, and the equations are solved for them.
//!
//! Wu and others (RodFIter 2018, QuatFIter 2019, iNavFIter 2021) fit the polynomials to the increments and iterate q ← 1 + ½ ∫ q ⊗ W on polynomials of the
//! time until it stands; velocity and position are integrals of q f q*. Here the polynomials are those of powers of the time, and the integrals are Gauss' rule.

use crate::motion::{ImuSamples, NavigationState};
use nalgebra::{DMatrix, DVector};
use topsim_core::math::{Quat, Vec3, quaternion, so3};
use topsim_core::models::given_rate::GAUSS_8;

/// Degree of the polynomial of the quaternion. A turn of 1 rad in an update leaves (½)¹⁷/17!, below rounding.
const DEGREE: usize = 16;

/// Returns the state after an update.
pub fn iterated(state: &NavigationState, samples: &ImuSamples, gravity: &Vec3) -> NavigationState {
    let time = samples.time();
    let (rate, force) = (
        fitted(&samples.angles, &samples.intervals),
        fitted(&samples.velocities, &samples.intervals),
    );
    let turn = quaternions(&rate);
    let at = |s: f64| {
        let q: Quat = std::array::from_fn(|k| turn.iter().rev().fold(0.0, |sum, c| sum * s + c[k]));
        let f = force.iter().rev().fold(Vec3::zeros(), |sum, c| sum * s + c);
        state.attitude * so3::matrix_from_quat(&q) * f
    };
    let (mut once, mut twice) = (Vec3::zeros(), Vec3::zeros());
    for (node, weight) in GAUSS_8 {
        for s in [0.5 - 0.5 * node, 0.5 + 0.5 * node] {
            let value = at(s) * (0.5 * weight);
            once += value;
            twice += value * (1.0 - s);
        }
    }
    let end: Quat = std::array::from_fn(|k| turn.iter().map(|c| c[k]).sum());
    NavigationState {
        attitude: state.attitude * so3::matrix_from_quat(&end),
        velocity: state.velocity + gravity * time + once,
        position: state.position
            + state.velocity * time
            + gravity * (0.5 * time * time)
            + twice * time,
    }
}

/// Returns the coefficients of the polynomial on [0, 1] whose integrals over parts of these lengths are the increments.
fn fitted(increments: &[Vec3], lengths: &[f64]) -> Vec<Vec3> {
    let (n, all) = (increments.len(), lengths.iter().sum::<f64>());
    let end = |i: usize| lengths[..i].iter().sum::<f64>() / all;
    let integral = |i: usize, k: usize| {
        let power = |x: usize| end(x).powi(k as i32 + 1);
        (power(i + 1) - power(i)) / (k + 1) as f64
    };
    let Some(inverse) = DMatrix::from_fn(n, n, integral).try_inverse() else {
        return Vec::new();
    };
    let axis = |k: usize| &inverse * DVector::from_iterator(n, increments.iter().map(|x| x[k]));
    let axes = [axis(0), axis(1), axis(2)];
    (0..n).map(|i| Vec3::from_fn(|k, _| axes[k][i])).collect()
}

/// Returns the coefficients of the quaternion that turns with a rate, from 1 on. Each power of the time needs only those below, so that one pass is the limit of
/// the iteration.
fn quaternions(rate: &[Vec3]) -> Vec<Quat> {
    let mut out = vec![[1.0, 0.0, 0.0, 0.0]];
    for power in 1..=DEGREE {
        let mut next = [0.0; 4];
        for (k, w) in rate.iter().enumerate().take(power) {
            let product = quaternion::times_vector(&out[power - 1 - k], w);
            next.iter_mut()
                .zip(product)
                .for_each(|(x, y)| *x += 0.5 * y / power as f64);
        }
        out.push(next);
    }
    out
}
