//! Implicit Runge–Kutta rules on the quaternion, each a tableau: `quat_implicit_euler`, `quat_trapezoidal`, `quat_alexander2`, `quat_lobatto3c`.
//!
//! Letters: q quaternion (body → space), Λ(q) its matrix, W body rate, Π = J W, T body torque, `f = (½ q W, Π × W + T(Λ(q), t))`.
//! - `k_i = f(t + c_i h, y + h Σ a_ij k_j)`, `y' = y + h Σ b_i k_i` for `y = (q, Π)`, with the tableau of [`tableaus`](super::tableaus);
//!   then `q' ← q'/|q'|`. As f is linear in q but for a torque that does not depend on |q|, the length changes no motion.
//!
//! In the rates W_i of the stages the quaternions `q y_i` are linear, `y_i = 1 + (h/2) Σ a_ij y_j W_j`. What is left,
//! `J W_i = Π + h Σ a_ij (J W_j × W_j + T_j)`, is solved for all W_i at once by Newton's method with the torques held in its matrix.
//!
//! Sources: `hairer1996` (chapter IV.5), `alexander1977`. Any inertia and torque.

use super::implicit::{Newton, largest, terms};
use super::member::member;
use super::prelude::*;
use super::quat_rk4::{AttitudeQuat, end};
use super::tableaus::*;
use crate::math::lu;
use crate::math::quaternion::plus;

/// Stages of the longest rule.
const MOST: usize = 3;

/// An implicit Runge–Kutta rule on the quaternion, with the limits of its iteration.
#[derive(Debug, Clone, Copy)]
pub struct QuatImplicit {
    rule: &'static ButcherTableau,
    newton: Newton,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $scheme:ident, $name:literal, $rule:ident, $reversible:literal, $energy:expr, $cite:expr, $title:literal, $stages:literal;)*) => {$(
        scheme! {
            $(#[$doc])*
            $scheme(Newton) {
                name: $name,
                title: concat!($title, " on the quaternion, normalised each step"),
                formula: concat!($stages, "\nfor y = (q, Π), f = (½ q (0, W), Π × W + T(Λ(q), t)); then q ← q/|q|"),
                coefficients: Coefficients::Tableau(&$rule),
                citations: $cite,
                claims: Claims { order: $rule.order, reversible: $reversible, symplectic: false,
                    energy: $energy, momentum: Momentum::Approximate,
                    torque_evaluations: Evaluations::EachIteration($rule.weights.len() as u32) },
            }
        }
        member! { $scheme: QuatImplicit, |me| QuatImplicit { rule: &$rule, newton: me.newton } }
    )*};
}

rules! {
    /// Order 1, the slope of the end.
    QuatImplicitEuler, "quat_implicit_euler", IMPLICIT_EULER, false, Energy::Loses(1), &["hairer1996"], "Implicit (backward) Euler",
        "y' = y + h f(y')";
    /// Order 2, the mean of the slopes of both ends.
    QuatTrapezoidal, "quat_trapezoidal", TRAPEZOIDAL, true, Energy::Bounded, &["hairer1996"], "Trapezoidal rule",
        "y' = y + ½h(f(y) + f(y'))";
    /// Order 2, two stages one after the other.
    QuatAlexander2, "quat_alexander2", ALEXANDER2, false, Energy::Loses(3), &["alexander1977"], "Alexander's diagonally implicit rule of order 2",
        "γ = 1 − √2/2: k1 = f(y + γh k1), k2 = f(y + h((1 − γ)k1 + γ k2)); y' = y + h((1 − γ)k1 + γ k2)";
    /// Order 4, three stages.
    QuatLobatto3c, "quat_lobatto3c", LOBATTO_3C, false, Energy::Loses(5), &["hairer1996"], "Lobatto IIIC, order 4",
        "k1 = f(y + h(k1 − 2k2 + k3)/6), k2 = f(y + h(2k1 + 5k2 − k3)/12), k3 = f(y + h(k1 + 4k2 + k3)/6); y' = y + h(k1 + 4k2 + k3)/6";
}

/// Values that follow from the rates of the stages.
#[derive(Clone, Copy)]
struct StageValues {
    y: [Quat; MOST],
    /// J W.
    momenta: [Vec3; MOST],
    /// Slopes of Π.
    slopes: [Vec3; MOST],
    residual: [Vec3; MOST],
}

/// Returns the y that solve `y_i = 1 + (h/2) Σ a_ij y_j W_j`, by elimination without pivots: the diagonal is 1 but for a part of
/// h |W|.
fn turned(rule: &ButcherTableau, h: f64, w: &[Vec3; MOST]) -> [Quat; MOST] {
    let n = rule.rows.len();
    // Row i of the matrix is multiplied by the y from the left.
    let mut m = [[[0.0; 4]; MOST]; MOST];
    let mut y = [[1.0, 0.0, 0.0, 0.0]; MOST];
    for (i, row) in rule.rows.iter().enumerate() {
        for (j, a) in row.iter().enumerate() {
            let v = w[j] * (-0.5 * h * a);
            m[i][j] = [0.0, v.x, v.y, v.z];
        }
        m[i][i][0] = 1.0;
    }
    let reciprocal = |[s, x, y, z]: Quat| {
        let length = s * s + x * x + y * y + z * z;
        [s, -x, -y, -z].map(|c| c / length)
    };
    for k in 0..n {
        let inverse = reciprocal(m[k][k]);
        for i in k + 1..n {
            let f = quaternion::product(&inverse, &m[i][k]);
            let above = m[k];
            for (entry, above) in m[i].iter_mut().zip(&above).take(n).skip(k + 1) {
                *entry = plus(entry, -1.0, &quaternion::product(above, &f));
            }
            y[i] = plus(&y[i], -1.0, &quaternion::product(&y[k], &f));
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            y[k] = plus(&y[k], -1.0, &quaternion::product(&y[j], &m[k][j]));
        }
        y[k] = quaternion::product(&y[k], &reciprocal(m[k][k]));
    }
    y
}

/// Adds to the W the correction that their residual asks for; nothing is known of what it leaves.
fn correct(
    rule: &ButcherTableau,
    h: f64,
    j: &Mat3,
    w: &mut [Vec3; MOST],
    now: &StageValues,
) -> Option<f64> {
    let n = rule.rows.len();
    let mut k = [[0.0; 3 * MOST]; 3 * MOST];
    let mut x = [0.0; 3 * MOST];
    for s in 0..n {
        let change = (so3::hat(&now.momenta[s]) - so3::hat(&w[s]) * j) * h;
        for (i, row) in rule.rows.iter().enumerate() {
            let a = row.get(s).copied().unwrap_or(0.0);
            for e in 0..9 {
                let (e, f) = (e / 3, e % 3);
                let own = if i == s { j[(e, f)] } else { 0.0 };
                k[3 * i + e][3 * s + f] = own - a * change[(e, f)];
            }
        }
        x[3 * s..3 * s + 3].copy_from_slice(now.residual[s].as_slice());
    }
    if !lu::solve_first(3 * n, &mut k, &mut x) {
        return None;
    }
    for (w, x) in w.iter_mut().zip(x.chunks(3)).take(n) {
        *w += Vec3::from_column_slice(x);
    }
    Some(f64::INFINITY)
}

/// Returns the sum of vectors with weights; those of weights that are left out count nothing.
fn sum(weights: &[f64], all: &[Vec3; MOST]) -> Vec3 {
    weights.iter().zip(all).map(|(a, v)| v * *a).sum()
}

impl RotationScheme for QuatImplicit {
    type Memory = (BodyMomentum, AttitudeQuat);
    const TAKES_RATE: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        let (BodyMomentum(pi), AttitudeQuat(q)) = *m;
        let Step { top, t, h, .. } = *at;
        let (rule, j) = (self.rule, top.inertia());
        let n = rule.rows.len();
        let alpha = j.solve(&pi.cross(&y.omega));
        let mut guess = [Vec3::zeros(); MOST];
        for (i, w) in guess.iter_mut().enumerate().take(n) {
            *w = y.omega + alpha * (rule.time(i) * h);
        }
        let (w, stages, iterations) = self.newton.iterate(
            guess,
            |w| {
                let mut size = pi.amax();
                let mut off = 0.0_f64;
                let momenta = w.map(|w| j.times(&w));
                let mut now = StageValues {
                    y: turned(rule, h, w),
                    momenta,
                    slopes: [Vec3::zeros(); MOST],
                    residual: [Vec3::zeros(); MOST],
                };
                for (i, momentum) in momenta.iter().enumerate().take(n) {
                    let att = so3::matrix_from_quat(&quaternion::product(&q, &now.y[i]));
                    let torque = top.torque_moving(t + rule.time(i) * h, &att, &w[i], momentum);
                    size = size.max(h.abs() * torque.amax());
                    now.slopes[i] = momentum.cross(&w[i]) + torque;
                }
                for (i, row) in rule.rows.iter().enumerate() {
                    now.residual[i] = pi + sum(row, &now.slopes) * h - momenta[i];
                    let part = largest(&now.residual[i]);
                    off = if off.is_nan() || off >= part {
                        off
                    } else {
                        part
                    };
                }
                (off, size, now)
            },
            |w, now, _| correct(rule, h, j.tensor(), w, now),
            |w| w.iter().map(terms(at, y)).fold(0.0, f64::max),
        )?;
        let mut turn = [1.0, 0.0, 0.0, 0.0];
        for ((b, y), w) in rule.weights.iter().zip(&stages.y).zip(&w) {
            turn = plus(&turn, 0.5 * h * b, &quaternion::times_vector(y, w));
        }
        let momentum = pi + sum(rule.weights, &stages.slopes) * h;
        end(top, (quaternion::product(&q, &turn), momentum), y, m);
        Ok(Effort::new(n as u32 * (iterations + 1), iterations))
    }
}
