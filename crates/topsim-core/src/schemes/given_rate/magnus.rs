//! Exponentials of the Magnus series with values of the rate at Gauss points: `exp_midpoint`, `magnus_4`, `magnus_6`.
//!
//! Source: Blanes, Casas & Ros 2000 (`blanes2000`), Iserles et al. 2000, section 5 (`iserles2000`). Their equation is Y' = A Y;
//! ours is R' = R Ŵ, that is Y = Rᵀ and A = −Ŵ, and R' = R exp(−Ω(−W)), so that terms of even degree change their sign.
//! Letters: c Gauss points, Wᵢ = W(t + cᵢ h), α₁ = h W₂, α₂ = (√15/3) h (W₃ − W₁), α₃ = (10/3) h (W₃ − 2 W₂ + W₁).

use super::{RotationVector, rate_schemes};
use crate::math::Vec3;
use crate::models::Rate;
use crate::schemes::description::scheme;

/// √3/6 and √15/10: how far the outer Gauss points of two and of three are from the middle.
const TWO: f64 = 0.288_675_134_594_812_9;
const THREE: f64 = 0.387_298_334_620_741_7;

rate_schemes! {
    /// Order 2.
    ExpMidpoint "exp_midpoint", order 2, reversible true, takes 1, ["iserles2000"],
        "Exponential midpoint rule", "R' = R exp(h W(t + h/2))";
    /// Order 4.
    Magnus4 "magnus_4", order 4, reversible true, takes 2, ["iserles2000", "blanes2000"],
        "Magnus series of order 4, the rate at two Gauss points", "R' = R exp(h/2 (W1 + W2) + √3/12 h² W1×W2)";
    /// Order 6.
    Magnus6 "magnus_6", order 6, reversible true, takes 3, ["blanes2000"],
        "Magnus series of order 6, the rate at three Gauss points",
        "R' = R exp(α1 + α3/12 + ([−20 α1 − α3 + C1, α2 + C2])/240), C1 = [α1, α2], C2 = −[α1, 2 α3 + C1]/60";
}

impl RotationVector for ExpMidpoint {
    #[inline]
    fn vector(&self, rate: &impl Rate, (t, h): (f64, f64)) -> (Vec3, u32) {
        (rate.at(t + 0.5 * h) * h, 1)
    }
}

impl RotationVector for Magnus4 {
    #[inline]
    fn vector(&self, rate: &impl Rate, (t, h): (f64, f64)) -> (Vec3, u32) {
        let [a, b] = [0.5 - TWO, 0.5 + TWO].map(|c| rate.at(t + c * h));
        // √3/12 is half of √3/6.
        ((a + b) * (0.5 * h) + a.cross(&b) * (0.5 * TWO * h * h), 2)
    }
}

impl RotationVector for Magnus6 {
    #[inline]
    fn vector(&self, rate: &impl Rate, (t, h): (f64, f64)) -> (Vec3, u32) {
        // A = −Ŵ, and at the end −Ω.
        let [a, b, c] = [0.5 - THREE, 0.5, 0.5 + THREE].map(|c| rate.at(t + c * h) * -h);
        let (a1, a2) = (b, (c - a) * (10.0 / 3.0 * THREE));
        let a3 = (c - b * 2.0 + a) * (10.0 / 3.0);
        let c1 = a1.cross(&a2);
        let c2 = a1.cross(&(a3 * 2.0 + c1)) * (-1.0 / 60.0);
        let bracket = (a1 * -20.0 - a3 + c1).cross(&(a2 + c2));
        (-(a1 + a3 / 12.0 + bracket / 240.0), 3)
    }
}
