//! Rules of kicks and turns that are implicit, or cut a step in halves; attitudes turn by the exponential map.

use crate::equations::Equations;
use crate::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use topsim_core::math::{Quat, Vec3, quaternion};

/// Rule of kicks and turns. f is W', u the rate of turning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HalfSteps {
    /// A half kick, a turn, and a half kick with the old rate.
    Verlet,
    /// A half kick, a turn, and a half kick with the new rate: the adjoint of the first.
    KickTurnKick,
    /// A half turn, a kick, and a half turn.
    TurnKickTurn,
    /// W₁ = W₀ + h f₁; a turn with u₁.
    ImplicitEuler,
    /// W₁ = W₀ + h (f₀ + f₁)/2; a turn with (u₀ + u₁)/2.
    Trapezoidal,
    /// W₁ = W₀ + h (f₀ + f₁)/2; a turn with u₀ + h f₀/2.
    NewmarkExplicit,
    /// The same; a turn with u₀ + h (f₀/4 + f₁/4).
    NewmarkMean,
    /// The same; a turn with u₀ + h (f₀/3 + f₁/6).
    NewmarkLinear,
    /// f and u of the middle of the turn and of the rates.
    Midpoint,
    /// An implicit half kick, a turn, and an explicit half kick.
    LieNewmark,
}

/// Iterations at most: each leaves a part of h |W| of what was left.
const MOST_ITERATIONS: usize = 100;
/// Change of the rate at which iterations end, relative.
const SOLVED: f64 = 1e-16;

/// The rate that a function maps to itself.
fn solved(from: Vec3, f: impl Fn(&Vec3) -> Vec3) -> Vec3 {
    let mut x = from;
    for _ in 0..MOST_ITERATIONS {
        let next = f(&x);
        let change = (next - x).norm();
        x = next;
        if !(change > SOLVED * x.norm()) {
            break;
        }
    }
    x
}

impl HalfSteps {
    /// Makes a step of `h` from `t`.
    pub(crate) fn step(self, equations: &Equations, (t, h): (f64, f64), y: &mut State) {
        let (q, w, half) = (y.quat, y.omega, 0.5 * h);
        let f = |t: f64, q: &Quat, w: &Vec3| equations.parts(t, q, w).acceleration;
        let rate = |w: &Vec3| equations.parts(t, &q, w).rate;
        let turned = |by: &Vec3| -> Quat {
            quaternion::unit(&quaternion::product(&q, &quaternion::exp(by)))
        };
        let end = t + h;
        let (u, a) = (rate(&w), f(t, &q, &w));
        let trapezoidal = |turn: &dyn Fn(&Vec3) -> Quat| {
            let omega = solved(w, |x| w + (a + f(end, &turn(x), x)) * half);
            (turn(&omega), omega)
        };
        // The rate changes along f₀ and f₁, of which the turn takes the part `late` of f₁.
        let newmark = |late: f64| {
            trapezoidal(&|x: &Vec3| {
                let new = (x - w) / half - a;
                turned(&((u + (a * (0.5 - late) + new * late) * h) * h))
            })
        };
        let (quat, omega) = match self {
            Self::Verlet | Self::KickTurnKick => {
                let middle = w + a * half;
                let quat = turned(&(rate(&middle) * h));
                if self == Self::Verlet {
                    (quat, middle + f(end, &quat, &middle) * half)
                } else {
                    let omega = solved(middle, |x| middle + f(end, &quat, x) * half);
                    (quat, omega)
                }
            }
            Self::TurnKickTurn => {
                let middle = turned(&(u * half));
                let omega = w + f(t + half, &middle, &w) * h;
                let turn = quaternion::exp(&(equations.parts(end, &middle, &omega).rate * half));
                (
                    quaternion::unit(&quaternion::product(&middle, &turn)),
                    omega,
                )
            }
            Self::ImplicitEuler => {
                let turn = |x: &Vec3| turned(&(rate(x) * h));
                let omega = solved(w, |x| w + f(end, &turn(x), x) * h);
                (turn(&omega), omega)
            }
            Self::Trapezoidal => trapezoidal(&|x: &Vec3| turned(&((u + rate(x)) * half))),
            Self::NewmarkExplicit => newmark(0.0),
            Self::NewmarkMean => newmark(0.25),
            Self::NewmarkLinear => newmark(1.0 / 6.0),
            Self::Midpoint => {
                let middle = solved(w, |x| w + f(t + half, &turned(&(rate(x) * half)), x) * half);
                (turned(&(rate(&middle) * h)), middle * 2.0 - w)
            }
            Self::LieNewmark => {
                let middle = solved(w, |x| w + f(t, &q, x) * half);
                let quat = turned(&(rate(&middle) * h));
                (quat, middle + f(end, &quat, &middle) * half)
            }
        };
        (y.quat, y.omega) = (quat, omega);
    }
}
