//! Explicit Runge–Kutta rules on the quaternion, each a tableau: `quat_midpoint` … `quat_dormand_prince8`.
//!
//! Letters: q quaternion (body → space), Λ(q) its matrix, W body rate, Π = J W, T body torque, `f = (½ q W, Π × W + T(Λ(q), t))`.
//! - `k_i = f(t + c_i h, y + h Σ a_ij k_j)`, `y' = y + h Σ b_i k_i` for `y = (q, Π)`, with the tableau of
//!   [`tableaus`](super::tableaus); then `q' ← q'/|q'|`
//!
//! As in [`quat_rk4`](super::quat_rk4), whose unrolled step has the classical tableau: stages are not normalised, Λ(q) divides by |q|².
//! Embedded pairs advance by the weights of the order named; there is no control of the step. No invariant is kept.

use super::member::member;
use super::prelude::*;
use super::quat_rk4::{AttitudeQuat, end, slopes};
use super::tableaus::*;
use crate::math::quaternion::plus;

/// Stages of the longest rule.
const MOST: usize = 12;

/// An explicit Runge–Kutta rule on the quaternion.
#[derive(Debug, Clone, Copy)]
pub struct QuatRk(&'static ButcherTableau);

/// Returns `y + h Σ a_j k_j`.
#[inline(always)]
fn advanced(y: &(Quat, Vec3), h: f64, row: &[f64], k: &[(Quat, Vec3); MOST]) -> (Quat, Vec3) {
    let terms = row.iter().zip(k).filter(|(a, _)| **a != 0.0);
    terms.fold(*y, |(q, pi), (a, k)| {
        (plus(&q, h * a, &k.0), pi + k.1 * (h * a))
    })
}

impl RotationScheme for QuatRk {
    type Memory = (BodyMomentum, AttitudeQuat);
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let rule = self.0;
        let start = (m.1.0, m.0.0);
        let mut k = [([0.0; 4], Vec3::zeros()); MOST];
        for (i, row) in rule.rows.iter().enumerate() {
            let (q, pi) = advanced(&start, h, row, &k);
            k[i] = slopes(top, t + h * rule.time(i), &q, &pi);
        }
        end(top, advanced(&start, h, rule.weights, &k), y, m);
        Ok(Effort::new(rule.weights.len() as u32, 0))
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $scheme:ident, $name:literal, $rule:ident, $energy:expr, [$($cite:literal),+], $title:literal, $stages:literal;)*) => {$(
        scheme! {
            $(#[$doc])*
            $scheme {
                name: $name,
                title: concat!($title, " on the quaternion, normalised each step"),
                formula: concat!($stages, "\nfor y = (q, Π), f = (½ q (0, W), Π × W + T(Λ(q), t)); then q ← q/|q|"),
                coefficients: Coefficients::Tableau(&$rule),
                citations: &[$($cite),+],
                claims: Claims { order: $rule.order, reversible: false, symplectic: false,
                    energy: $energy, momentum: Momentum::Approximate,
                    torque_evaluations: Evaluations::Exactly($rule.weights.len() as u32) },
            }
        }
        member! { $scheme: QuatRk, |_| QuatRk(&$rule) }
    )*};
}

rules! {
    /// Order 2, the slope of the middle.
    QuatMidpoint, "quat_midpoint", MIDPOINT, Energy::Gains(3), ["hairer1993"], "Explicit midpoint rule",
        "k1 = f(y), k2 = f(y + ½h k1); y' = y + h k2";
    /// Order 2, the mean of the slopes of both ends.
    QuatHeun2, "quat_heun2", HEUN2, Energy::Gains(3), ["hairer1993"], "Heun's rule (order 2)",
        "k1 = f(y), k2 = f(y + h k1); y' = y + ½h(k1 + k2)";
    /// Order 2 with the least bound of the error.
    QuatRalston2, "quat_ralston2", RALSTON2, Energy::Gains(3), ["ralston1962"], "Ralston's rule of order 2",
        "k1 = f(y), k2 = f(y + ⅔h k1); y' = y + ¼h(k1 + 3k2)";
    /// Order 3.
    QuatKutta3, "quat_kutta3", KUTTA3, Energy::Loses(3), ["hairer1993"], "Kutta's rule of order 3",
        "k1 = f(y), k2 = f(y + ½h k1), k3 = f(y + h(2k2 − k1)); y' = y + h(k1 + 4k2 + k3)/6";
    /// Order 3, two weights.
    QuatHeun3, "quat_heun3", HEUN3, Energy::Loses(3), ["hairer1993"], "Heun's rule of order 3",
        "k1 = f(y), k2 = f(y + ⅓h k1), k3 = f(y + ⅔h k2); y' = y + ¼h(k1 + 3k3)";
    /// Order 3; Bogacki and Shampine advance by it.
    QuatRalston3, "quat_ralston3", RALSTON3, Energy::Loses(3), ["ralston1962"], "Ralston's rule of order 3 (Bogacki & Shampine 3(2))",
        "k1 = f(y), k2 = f(y + ½h k1), k3 = f(y + ¾h k2); y' = y + h(2k1 + 3k2 + 4k3)/9";
    /// Order 3, of convex sums of steps of Euler.
    QuatSsp3, "quat_ssp3", SSP3, Energy::Loses(3), ["shu1988"], "Shu & Osher's strong-stability rule of order 3",
        "k1 = f(y), k2 = f(y + h k1), k3 = f(y + ¼h(k1 + k2)); y' = y + h(k1 + k2 + 4k3)/6";
    /// Order 3.
    QuatNystrom3, "quat_nystrom3", NYSTROM3, Energy::Loses(3), ["hairer1993"], "Nyström's rule of order 3",
        "k1 = f(y), k2 = f(y + ⅔h k1), k3 = f(y + ⅔h k2); y' = y + h(2k1 + 3k2 + 3k3)/8";
    /// Order 4, Kutta's other rule.
    QuatRk38, "quat_rk38", RK38, Energy::Loses(5), ["hairer1993"], "Kutta's 3/8 rule",
        "k1 = f(y), k2 = f(y + ⅓h k1), k3 = f(y + h(k2 − ⅓k1)), k4 = f(y + h(k1 − k2 + k3)); y' = y + h(k1 + 3k2 + 3k3 + k4)/8";
    /// Order 4, once for its few registers.
    QuatGill, "quat_gill", GILL, Energy::Loses(5), ["hairer1993"], "Gill's rule of order 4",
        "k1 = f(y), k2 = f(y + ½h k1), k3 = f(y + ½h((√2 − 1)k1 + (2 − √2)k2)), k4 = f(y + ½h((2 + √2)k3 − √2 k2))\n\
         y' = y + h(k1 + (2 − √2)k2 + (2 + √2)k3 + k4)/6";
    /// Order 4 with the least bound of the error.
    QuatRalston4, "quat_ralston4", RALSTON4, Energy::Loses(5), ["ralston1962"], "Ralston's rule of order 4",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, four stages at 0, 0.4, ⅞ − 3√5/16, 1 of the step";
    /// Order 4 in five stages.
    QuatMerson, "quat_merson", MERSON, Energy::Loses(5), ["hairer1993"], "Merson's rule of order 4",
        "k1 = f(y), k2 = f(y + ⅓h k1), k3 = f(y + h(k1 + k2)/6), k4 = f(y + h(k1 + 3k3)/8), k5 = f(y + ½h(k1 − 3k3 + 4k4))\n\
         y' = y + h(k1 + 4k4 + k5)/6";
    /// The rule of order 4 of Fehlberg's pair.
    QuatFehlberg4, "quat_fehlberg4", FEHLBERG4, Energy::Gains(5), ["hairer1993"], "Fehlberg's 4(5), order 4",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, five stages at 0, 1/4, 3/8, 12/13, 1 of the step";
    /// The rule of order 5 of Fehlberg's pair.
    QuatFehlberg5, "quat_fehlberg5", FEHLBERG5, Energy::Gains(5), ["hairer1993"], "Fehlberg's 4(5), order 5",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, six stages at 0, 1/4, 3/8, 12/13, 1, 1/2 of the step";
    /// Order 5, embedded in rules of the orders 1 to 4.
    QuatCashKarp5, "quat_cash_karp5", CASH_KARP5, Energy::Gains(5), ["cash1990"], "Cash & Karp's rule of order 5",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, six stages at 0, 1/5, 3/10, 3/5, 1, 7/8 of the step";
    /// Order 5; the default of many programs.
    QuatDormandPrince5, "quat_dormand_prince5", DORMAND_PRINCE5, Energy::Loses(5), ["dormand1980"], "Dormand & Prince's 5(4)",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, six stages at 0, 1/5, 3/10, 4/5, 8/9, 1 of the step";
    /// Order 6 in seven stages.
    QuatButcher6, "quat_butcher6", BUTCHER6, Energy::Gains(7), ["butcher1964"], "Butcher's rule of order 6",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, seven stages at 0, (5 ∓ √5)/10, … , 1 of the step";
    /// The rule of order 6 of Verner's pair (DVERK).
    QuatVerner6, "quat_verner6", VERNER6, Energy::Loses(7), ["verner1978"], "Verner's 6(5)",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, eight stages at 0, 1/6, 4/15, 2/3, 5/6, 1, 1/15, 1 of the step";
    /// Order 4: Gragg's midpoint rule with two and with four parts, extrapolated; no last smoothing.
    QuatGbs4, "quat_gbs4", GBS4, Energy::Loses(5), ["hairer1993"], "Extrapolation (Gragg, Bulirsch & Stoer) of order 4",
        "y_n: z1 = y + (h/n) f(y), z_(k+1) = z_(k-1) + (2h/n) f(z_k), y_n = z_n; y' = (4 y4 − y2)/3";
    /// Order 6: that with two, four and six parts.
    QuatGbs6, "quat_gbs6", GBS6, Energy::Gains(7), ["hairer1993"], "Extrapolation (Gragg, Bulirsch & Stoer) of order 6",
        "y_n: z1 = y + (h/n) f(y), z_(k+1) = z_(k-1) + (2h/n) f(z_k), y_n = z_n; y' = (243 y6 − 128 y4 + 5 y2)/120";
    /// Order 8 in twelve stages (DOP853).
    QuatDormandPrince8, "quat_dormand_prince8", DORMAND_PRINCE8, Energy::Loses(9), ["hairer1993"], "Dormand & Prince's 8(5,3)",
        "k_i = f(y + h Σ a_ij k_j), y' = y + h Σ b_i k_i, twelve stages, the tableau of DOP853";
}
