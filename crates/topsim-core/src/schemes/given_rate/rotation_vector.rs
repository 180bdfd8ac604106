//! Rotation-vector algorithms of strapdown navigation: `rotvec_1` … `rotvec_4`, of n gyro increments an update.
//!
//! An update of length H has the increments θ₁ … θₙ of n equal samples, and R' = R exp(Σ θᵢ + Σ cᵢⱼ θᵢ × θⱼ). The weights c make
//! up for coning: with them the drift about the axis of a small cone is −φ² Ω (ΩH)²ⁿ/Cₙ. C₁ = 12 and C₂ = 960 belong to any
//! motion of low degree, C₃ = 204 120 and C₄ = 82 575 360 to coning; the four-sample weights, all beside θ₄, hold for coning only
//! and leave order 3 for other motions.
//!
//! Sources: Miller 1983 (`miller1983`) for three samples, Ignagni 1990 (`ignagni1990`) for four and the constants, Savage 1998
//! (`savage1998`) for all of it.

use super::{RotationVector, rate_schemes};
use crate::math::Vec3;
use crate::models::Rate;
use crate::schemes::description::scheme;

/// Pairs of samples i < j, from 0, with the weight of θᵢ × θⱼ.
type Weights = &'static [(usize, usize, f64)];

const TWO: Weights = &[(0, 1, 2.0 / 3.0)];
const THREE: Weights = &[(0, 2, 9.0 / 20.0), (1, 2, 27.0 / 40.0), (0, 1, 27.0 / 40.0)];
const FOUR: Weights = &[
    (0, 3, 54.0 / 105.0),
    (1, 3, 92.0 / 105.0),
    (2, 3, 214.0 / 105.0),
];

/// Returns the rotation vector of an update of N samples.
#[inline(always)]
pub(super) fn combined<const N: usize>(
    rate: &impl Rate,
    (t, h): (f64, f64),
    weights: Weights,
) -> (Vec3, u32) {
    let edge = |k: usize| t + h * (k as f64 / N as f64);
    let samples: [Vec3; N] = core::array::from_fn(|k| rate.increment(edge(k), edge(k + 1)));
    let sum: Vec3 = samples.iter().sum();
    let pairs = weights.iter();
    let coning: Vec3 = pairs
        .map(|&(i, j, c)| samples[i].cross(&samples[j]) * c)
        .sum();
    (sum + coning, N as u32)
}

rate_schemes! {
    /// One sample: the coning of an update is left out.
    Rotvec1 "rotvec_1", order 2, reversible true, takes 1, ["savage1998"],
        "Rotation vector of one increment", "R' = R exp(θ), θ = ∫W";
    /// Two samples.
    Rotvec2 "rotvec_2", order 4, reversible true, takes 2, ["savage1998", "ignagni1990"],
        "Rotation vector of two increments with the coning term", "R' = R exp(θ1 + θ2 + ⅔ θ1×θ2)";
    /// Three samples.
    Rotvec3 "rotvec_3", order 4, reversible true, takes 3, ["miller1983", "savage1998"],
        "Rotation vector of three increments with the coning terms", "R' = R exp(Σ θ + 9/20 θ1×θ3 + 27/40 θ2×(θ3 − θ1))";
    /// Four samples, made for coning.
    Rotvec4 "rotvec_4", order 3, reversible false, takes 4, ["ignagni1990", "savage1998"],
        "Rotation vector of four increments, made for coning", "R' = R exp(Σ θ + (54 θ1 + 92 θ2 + 214 θ3)/105 × θ4)";
}

macro_rules! increments {
    ($($scheme:ident: $samples:literal, $weights:expr;)*) => {$(
        impl RotationVector for $scheme {
            #[inline]
            fn vector(&self, rate: &impl Rate, at: (f64, f64)) -> (Vec3, u32) {
                combined::<$samples>(rate, at, $weights)
            }
        }
    )*};
}

increments! {
    Rotvec1: 1, &[];
    Rotvec2: 2, TWO;
    Rotvec3: 3, THREE;
    Rotvec4: 4, FOUR;
}
