//! Rules of flight simulators: `quat_ab2`, `quat_ab3`, `quat_ab4` (Adams–Bashforth on quaternion and rate), `quat_abm4` (with a corrector of Adams and Moulton), and
//! `jsbsim_euler`, `jsbsim_trapezoidal`, `jsbsim_buss1`, `jsbsim_buss2`, `jsbsim_local_linear`, the choices of JSBSim.
//!
//! Letters: q quaternion (body → space), W body rate, Π = J W, T body torque, `f = ½ q W` and `g = Π × W + T` now, f₋₁, g₋₁, … at the
//! steps before.
//! - sums of slopes: `q' = q + h Σ b_k f_−k`, `Π' = Π + h Σ b_k g_−k`, with the b of Adams and Bashforth (`hairer1993`). The
//!   "trapezoidal" rule of JSBSim has (½, ½), the slopes of now and of a step ago: it lags by half a step and is of order 1.
//! - predicted and corrected (PECE): f̃, g̃ are the slopes at the end of the step of Adams and Bashforth, not normalised;
//!   `q' = q + h (9 f̃ + 19 f − 5 f₋₁ + f₋₂)/24`, and Π' likewise, with the weights of Adams and Moulton
//! - Buss (`buss2000`): `q' = q exp(h u)`, `u = W`, or `u = W + (h/2) Ẇ + (h²/12) Ẇ × W`
//! - local linearization (Barker, Bowles & Williams 1973, `barker1973`): `q' = q r(h)`, `ṙ = ½ W r + ½ t Ẇ`, r(0) = 1, as JSBSim has it.
//!   The formulas of the report, which JSBSim keeps in a comment, are those of `ṙ = ½ r W + ½ t Ẇ`, the equation linearized about the
//!   start; both are of order 2, and the former has the right term h³ W × Ẇ.
//!
//! The last three with Adams–Bashforth 2 for Π. q is normalised after each step. Source of what JSBSim does: `jsbsim`, its
//! FGPropagate.cpp; its default is Euler for both. The past of the start is that of the motion, by the classical method with steps of
//! −h; JSBSim takes the slopes of the start for it, which is a step of Euler's method. Explicit; nothing is kept.

use super::member::member;
use super::prelude::*;
use super::quat_rk4::{classical, slopes};

/// Steps of the longest rule.
const MOST: usize = 4;

/// Rule by which the attitude advances.
#[derive(Debug)]
enum Attitude {
    /// The slopes of now and before, by these weights.
    Slopes(&'static [f64]),
    /// Turned with the rate held.
    Held,
    /// Turned with Buss's augmented rate.
    Augmented,
    /// Local linearization.
    Linear,
}

/// Rule of a simulator.
#[derive(Debug)]
pub struct Rule {
    attitude: Attitude,
    /// Weights of the slopes of Π, now and before.
    momentum: &'static [f64],
    /// Weights of the slopes at the predicted end, now and before, of a corrector.
    corrector: &'static [f64],
}

const AB2: &[f64] = &[3.0 / 2.0, -1.0 / 2.0];
const AB3: &[f64] = &[23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0];
const AB4: &[f64] = &[55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0];
const AM4: &[f64] = &[9.0 / 24.0, 19.0 / 24.0, -5.0 / 24.0, 1.0 / 24.0];
const MEAN: &[f64] = &[0.5, 0.5];
const NONE: &[f64] = &[];

/// A step by slopes of this and earlier steps.
#[derive(Debug, Clone, Copy)]
pub struct Multistep(&'static Rule);

/// Data carried from step to step: q, Π and the slopes of the steps before.
pub struct Past {
    q: Quat,
    pi: Vec3,
    before: [(Quat, Vec3); MOST - 1],
}

impl Memory for Past {
    fn start(&Step { top, t, h, .. }: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        let q = so3::quat_from_matrix(&y.att);
        let pi = top.inertia().times(&y.omega);
        let (mut time, mut state) = (t, (q, pi));
        let before = core::array::from_fn(|_| {
            state = classical(top, (time, -h), (&state.0, &state.1));
            time -= h;
            slopes(top, time, &state.0, &state.1)
        });
        Ok(Self { q, pi, before })
    }
}

impl RotationScheme for Multistep {
    type Memory = Past;
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Past) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let rule = self.0;
        let [first, second, third] = m.before;
        let all = [slopes(top, t, &m.q, &m.pi), first, second, third];
        let w = top.inertia().solve(&m.pi);
        let alpha = top.inertia().solve(&all[0].1);
        let next = match rule.attitude {
            Attitude::Slopes(weights) => turned(&m.q, h, weights, &all),
            Attitude::Held => quaternion::product(&m.q, &quaternion::exp(&(w * h))),
            Attitude::Augmented => {
                let u = w + alpha * (0.5 * h) + alpha.cross(&w) * (h * h / 12.0);
                quaternion::product(&m.q, &quaternion::exp(&(u * h)))
            }
            Attitude::Linear => quaternion::product(&m.q, &linearized(&w, &alpha, h)),
        };
        let mut end = (next, pushed(&m.pi, h, rule.momentum, &all));
        if !rule.corrector.is_empty() {
            let ahead = slopes(top, t + h, &end.0, &end.1);
            let all = [ahead, all[0], first, second];
            end = (
                turned(&m.q, h, rule.corrector, &all),
                pushed(&m.pi, h, rule.corrector, &all),
            );
        }
        m.q = quaternion::unit(&end.0);
        m.pi = end.1;
        m.before = [all[0], first, second];
        y.att = so3::matrix_from_unit(&m.q);
        y.omega = top.inertia().solve(&m.pi);
        Ok(Effort::new(1 + u32::from(!rule.corrector.is_empty()), 0))
    }
}

/// Returns q after slopes with these weights, not normalised.
#[inline(always)]
fn turned(q: &Quat, h: f64, weights: &[f64], all: &[(Quat, Vec3); MOST]) -> Quat {
    weights.iter().zip(all).fold(*q, |q, (b, (f, _))| {
        core::array::from_fn(|i| q[i] + h * b * f[i])
    })
}

/// Returns Π after slopes with these weights.
#[inline(always)]
fn pushed(pi: &Vec3, h: f64, weights: &[f64], all: &[(Quat, Vec3); MOST]) -> Vec3 {
    let weighed = weights.iter().zip(all);
    pi + weighed.fold(Vec3::zeros(), |sum, (b, (_, g))| sum + g * *b) * h
}

/// Returns `cos x − C₄ ω·ω̇`, `h a ω + h² b ω̇ + C₄ ω × ω̇` with `ω = ½ W`, `x = h |ω|`, `a = sin x/x`, `b = (1 − cos
/// x)/x²`, `C₄ = h³ (1 − a)/x²`.
#[inline(always)]
fn linearized(w: &Vec3, alpha: &Vec3, h: f64) -> Quat {
    let (w, alpha) = (w * 0.5, alpha * 0.5);
    let x2 = w.norm_squared() * h * h;
    let (a, b) = so3::rodrigues(x2);
    let c4 = h * h * h * so3::tangent_coefficient(x2);
    let v = w * (h * a) + alpha * (h * h * b) + w.cross(&alpha) * c4;
    [1.0 - b * x2 - c4 * w.dot(&alpha), v.x, v.y, v.z]
}

/// Slopes before the first step.
const START: &str =
    "at the start f₋₁, g₋₁, … are the slopes after steps of RK4 on (q, Π) over −h, not normalised";

macro_rules! rules {
    ($($(#[$doc:meta])* $scheme:ident, $name:literal, $attitude:expr, $momentum:expr, $corrector:expr, $order:literal, $energy:expr, $cite:expr,
        $title:literal, $formula:literal;)*) => {$(
        scheme! {
            $(#[$doc])*
            $scheme {
                name: $name,
                title: $title,
                formula: $formula,
                coefficients: match $momentum.len() {
                    1 => Coefficients::None,
                    _ => Coefficients::Formulas(&[START]),
                },
                citations: $cite,
                claims: Claims { order: $order, reversible: false, symplectic: false,
                    energy: $energy, momentum: Momentum::Approximate,
                    torque_evaluations: Evaluations::Exactly(if $corrector.is_empty() { 1 } else { 2 }) },
            }
        }
        member! { $scheme: Multistep, |_| {
            static RULE: Rule = Rule { attitude: $attitude, momentum: $momentum, corrector: $corrector };
            Multistep(&RULE)
        } }
    )*};
}

rules! {
    /// Adams–Bashforth 2.
    QuatAb2, "quat_ab2", Attitude::Slopes(AB2), AB2, NONE, 2, Energy::Gains(3), &["hairer1993"],
        "Adams–Bashforth 2 on quaternion and rate, normalised each step",
        "q := q + h (3f − f₋₁)/2, Π := Π + h (3g − g₋₁)/2; f = ½ q (0, W), g = Π × W + T(Λ(q), t); then q := q/|q|";
    /// Adams–Bashforth 3.
    QuatAb3, "quat_ab3", Attitude::Slopes(AB3), AB3, NONE, 3, Energy::Loses(3), &["hairer1993"],
        "Adams–Bashforth 3 on quaternion and rate, normalised each step",
        "q := q + h (23 f − 16 f₋₁ + 5 f₋₂)/12, Π := Π + h (23 g − 16 g₋₁ + 5 g₋₂)/12; f = ½ q (0, W), g = Π × W + T(Λ(q), t); then q := q/|q|";
    /// Adams–Bashforth 4.
    QuatAb4, "quat_ab4", Attitude::Slopes(AB4), AB4, NONE, 4, Energy::Loses(5), &["hairer1993"],
        "Adams–Bashforth 4 on quaternion and rate, normalised each step",
        "q := q + h (55 f − 59 f₋₁ + 37 f₋₂ − 9 f₋₃)/24, Π := Π + h (55 g − 59 g₋₁ + 37 g₋₂ − 9 g₋₃)/24\n\
         f = ½ q (0, W), g = Π × W + T(Λ(q), t); then q := q/|q|";
    /// Adams–Bashforth 4, corrected once by Adams–Moulton 4.
    QuatAbm4, "quat_abm4", Attitude::Slopes(AB4), AB4, AM4, 4, Energy::Gains(5), &["hairer1993"],
        "Adams–Bashforth–Moulton 4 (PECE) on quaternion and rate, normalised each step",
        "q̃ = q + h (55 f − 59 f₋₁ + 37 f₋₂ − 9 f₋₃)/24, Π̃ = Π + h (55 g − 59 g₋₁ + 37 g₋₂ − 9 g₋₃)/24; f̃, g̃ those of q̃, Π̃, t + h\n\
         q := q + h (9 f̃ + 19 f − 5 f₋₁ + f₋₂)/24, Π := Π + h (9 g̃ + 19 g − 5 g₋₁ + g₋₂)/24\n\
         f = ½ q (0, W), g = Π × W + T(Λ(q), t); then q := q/|q|";
    /// Euler's method for quaternion and rate: the default.
    JsbsimEuler, "jsbsim_euler", Attitude::Slopes(&[1.0]), &[1.0], NONE, 1, Energy::Gains(1), &["jsbsim"],
        "JSBSim's default: Euler's method on quaternion and rate",
        "q := q + h f, Π := Π + h g; f = ½ q (0, W), g = Π × W + T(Λ(q), t); then q := q/|q|";
    /// The mean of the slopes of now and of a step ago.
    JsbsimTrapezoidal, "jsbsim_trapezoidal", Attitude::Slopes(MEAN), MEAN, NONE, 1, Energy::Gains(1), &["jsbsim"],
        "JSBSim's \"trapezoidal\" rule: the mean of the slopes of now and of a step ago",
        "q := q + h (f + f₋₁)/2, Π := Π + h (g + g₋₁)/2; f = ½ q (0, W), g = Π × W + T(Λ(q), t); then q := q/|q|";
    /// Buss's first method with Adams–Bashforth 2.
    JsbsimBuss1, "jsbsim_buss1", Attitude::Held, AB2, NONE, 1, Energy::Gains(3), &["jsbsim", "buss2000"],
        "JSBSim: Buss's first-order turn, Adams–Bashforth 2 for the rate",
        "Λ' = Λ exp(hW); Π' = Π + h (3g − g₋₁)/2, g = Π × W + T";
    /// Buss's augmented method with Adams–Bashforth 2.
    JsbsimBuss2, "jsbsim_buss2", Attitude::Augmented, AB2, NONE, 2, Energy::Gains(3), &["jsbsim", "buss2000"],
        "JSBSim: Buss's augmented second-order turn, Adams–Bashforth 2 for the rate",
        "Λ' = Λ exp(h(W + (h/2)α + (h²/12) α × W)), α = J⁻¹g; Π' = Π + h (3g − g₋₁)/2, g = Π × W + T";
    /// Local linearization with Adams–Bashforth 2.
    JsbsimLocalLinear, "jsbsim_local_linear", Attitude::Linear, AB2, NONE, 2, Energy::Gains(3), &["jsbsim", "barker1973"],
        "JSBSim: local linearization of the quaternion, Adams–Bashforth 2 for the rate",
        "q' = q r(h), r' = ½ (0, W) r + ½ t (0, α), r(0) = 1, α = J⁻¹g; then q := q/|q|\n\
         Π' = Π + h (3g − g₋₁)/2, g = Π × W + T";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ṙ = ½ W r + ½ t Ẇ` by quadrature of its solution with the midpoint rule.
    #[test]
    fn the_linearized_turn_solves_its_equation() {
        let (w, alpha, h) = (Vec3::new(0.7, -1.1, 0.4), Vec3::new(-0.3, 0.9, 0.5), 0.3);
        let n = 20_000;
        let part = h / f64::from(n);
        let exact = (0..n).fold(quaternion::exp(&(w * h)), |sum, k| {
            let t = (f64::from(k) + 0.5) * part;
            let push = alpha * (0.5 * t * part);
            let turn = quaternion::exp(&(w * (h - t)));
            let moved = quaternion::times_vector(&turn, &push);
            core::array::from_fn(|i| sum[i] + moved[i])
        });
        let found = linearized(&w, &alpha, h);
        for i in 0..4 {
            // (h/n)²/24 of a second derivative below 1.
            assert!((exact[i] - found[i]).abs() < 1e-11, "{exact:?} {found:?}");
        }
    }
}
