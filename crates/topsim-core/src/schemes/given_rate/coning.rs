//! The drift of a scheme about the axis of a cone, from one update, and its error constant as the cone closes.
//!
//! Coning is the motion R(t) = exp(Ωt e₃) R(0) exp(−Ωt e₃). A step that treats all body axes alike, and asks for the rate at
//! times counted from its beginning, makes the same update U in every step but for this turn, so that n steps give
//! R(0) (U exp(x e₃))ⁿ exp(−n x e₃) with the phase x = ΩH of a step. The exact U exp(x e₃) turns by x; what that of a scheme
//! turns beside it is its drift, exactly and for ever, and all else stays bounded.
//!
//! For a small cone the drift rate is ε = −φ² Ω xᵖ/C (Miller 1983, Ignagni 1990). From the attitude I the numbers of an update that
//! the drift is made of are themselves as small as φ², and have all their digits: φ = 1e-6 is as good as the limit φ → 0, where
//! no term in φ⁴ is left. In a run over time, the attitude is of the order of 1, and 1e-16 of it hides a drift of φ² x⁹/C₄ = 1e-16
//! already for φ = 1e-4 at x = 1.

use crate::math::{Mat3, scalar, so3};
use crate::models::given_rate::{Coning, GivenRate, RateModel};

/// Half the angle of a cone that is as good as closed, rad.
pub const SMALL: f64 = 1e-6;
/// Phases ΩH of the updates from which a constant is extrapolated: shorter ones lose the digits of C₄.
pub const PHASES: [f64; 4] = [1.5, 1.3, 1.1, 0.9];

/// Returns the coning about [`SMALL`], with Ω = 1 rad/s, from the attitude I.
pub fn small_cone() -> GivenRate<RateModel> {
    let coning = Coning {
        angle: SMALL,
        frequency: 1.0,
    };
    GivenRate {
        rate: RateModel::Coning(coning),
        initial: Mat3::identity(),
    }
}

/// Returns the turn about the axis of the cone, rad, by which `update`, the attitude that coning from I has reached
/// after the phase `x` (0 < x < 2π), is ahead of the exact one.
pub fn drift(update: &Mat3, x: f64) -> f64 {
    let [w, a, b, z] = so3::quat_from_matrix(update);
    let (sin, cos) = scalar::sincos(0.5 * x);
    // cos(x/2) less the cosine of half the angle of U exp(x e₃), without 1 − w.
    let less = (a * a + b * b + z * z) / (1.0 + w) * cos + z * sin;
    let mut ahead = 0.0;
    for _ in 0..4 {
        // cos(x/2) − cos((x + d)/2) = 2 sin(x/2 + d/4) sin(d/4).
        let quarter = less / (2.0 * scalar::sin(0.5 * x + 0.25 * ahead));
        ahead = 4.0 * scalar::atan2(quarter, (1.0 - quarter * quarter).sqrt());
    }
    ahead
}

/// ε = −φ² Ω xᵖ/C for small cones and phases x = ΩH of an update.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorConstant {
    /// p.
    pub power: i32,
    /// C; infinite where all drifts are round-off.
    pub constant: f64,
    /// −ε/(φ² Ω) at each of [`PHASES`].
    pub rates: [f64; 4],
}

impl ErrorConstant {
    /// Returns the constant of a scheme from its updates: `update` makes one step of so many seconds of
    /// [`small_cone`] from the attitude I.
    pub fn of(update: impl Fn(f64) -> Option<Mat3>) -> Option<Self> {
        let mut rates = [0.0; 4];
        for (rate, x) in rates.iter_mut().zip(PHASES) {
            *rate = -drift(&update(x)?, x) / (SMALL * SMALL * x);
        }
        if rates.iter().any(|r| !(r.abs() > 1e-14)) {
            let (power, constant) = (0, f64::INFINITY);
            return Some(Self {
                power,
                constant,
                rates,
            });
        }
        // The rate of a symmetric rule is even in x beside its power; for any other rule this gives its leading term roughly.
        let slope =
            |k: usize| scalar::ln(rates[k] / rates[k + 1]) / scalar::ln(PHASES[k] / PHASES[k + 1]);
        let middle = [0, 1, 2].map(|k| 0.5 * (PHASES[k] + PHASES[k + 1]));
        let power = at_zero(&middle, &[0, 1, 2].map(slope)).round();
        let scaled = [0, 1, 2, 3].map(|k| rates[k] / scalar::powf(PHASES[k], power));
        Some(Self {
            power: power as i32,
            constant: 1.0 / at_zero(&PHASES, &scaled),
            rates,
        })
    }
}

/// The value at 0 of the polynomial in x² through these points.
fn at_zero<const N: usize>(x: &[f64; N], y: &[f64; N]) -> f64 {
    let weight = |i: usize| {
        let others = (0..N).filter(|&j| j != i);
        others
            .map(|j| -x[j] * x[j] / (x[i] * x[i] - x[j] * x[j]))
            .product::<f64>()
    };
    (0..N).map(|i| y[i] * weight(i)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{WrongConing, assert_is, constant};
    use super::*;

    /// Two samples without their coning term drift as one sample: 12, and the order is 2.
    #[test]
    fn a_wrong_coning_term_shows_as_a_wrong_constant() {
        assert_is(&constant(&WrongConing(2.0 / 3.0)), 4, 960.0);
        assert_is(&constant(&WrongConing(0.0)), 2, 12.0);
        assert_eq!(constant(&WrongConing(0.66)).power, 2);
    }

    /// An exact update has no drift, at any angle; and a turn that is put in is found.
    #[test]
    fn the_drift_is_what_an_update_turns_beside_the_cone() {
        for angle in [1e-6, 0.1, 0.7] {
            let (frequency, h) = (2.0, 0.4);
            let rate = RateModel::Coning(Coning { angle, frequency });
            let at = |t: f64| rate.attitude(t).unwrap();
            let exact = at(0.0).transpose() * at(h);
            assert!(drift(&exact, frequency * h).abs() < 1e-15);
            // A turn about the axis of the cone, as the body sees it at the start.
            let axis = at(0.0).tr_mul(&crate::math::Vec3::z());
            let ahead = so3::exp(&(axis * 1e-5)) * exact;
            assert!((drift(&ahead, frequency * h) - 1e-5).abs() < 1e-15);
        }
    }
}
