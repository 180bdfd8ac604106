//! Pairs of rules that are sums of what is known at the ends of a step: one of the rate, and one of the attitude.

mod angle_map;
mod quantity;

use crate::euler::Sequence;
use crate::probe::Start;
pub use angle_map::AngleMap;
pub use quantity::{Quantity, StepEnds};
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::math::{Mat3, Vec3, quaternion, so3};

/// Attitude and rate.
pub type Moving = (Mat3, Vec3);

/// Form in which the attitude follows from an increment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The rate itself: W₁ = W₀ + h(…).
    Rate,
    /// R₁ = R₀ map(h(…)).
    Turn(AngleMap),
    /// R₁ = R₀ exp(hW₀/2) exp(h(…)/2).
    AfterOldHalf,
    /// R₁ = R₀ exp(h(…)/2) exp(hW₁/2).
    BeforeNewHalf,
    /// R₀(1 + x̂), made orthogonal column by column, x = h(…).
    GramSchmidt,
    /// R₁ = R₀ turned by angles about the three axes, each of which the turns before it have turned.
    #[serde(skip)]
    Angles(Sequence),
    /// q₁ = q₀ + …, normalised.
    QuaternionSum,
}

/// A rule of the rate and one of the attitude.
#[derive(Debug, Clone)]
pub struct Pair {
    /// Terms of the rate's increment.
    pub rate: Vec<(Quantity, f64)>,
    /// Terms of the attitude's increment.
    pub attitude: Vec<(Quantity, f64)>,
    /// Form of the attitude's rule.
    pub form: Form,
}

/// Rounds in which the new state is found where it stands on the right of its rule: each gains a factor of a turn of a step.
const ROUNDS: usize = 60;
/// Change of the new state at which it is found, relative.
const FOUND: f64 = 1e-16;

impl Pair {
    /// Returns the state after a step of `h` from `t` of a body.
    #[must_use]
    pub fn step(&self, body: &Start, (t, h): (f64, f64), from: Moving) -> Moving {
        let (mut to, mut least) = (from, f64::INFINITY);
        for _ in 0..ROUNDS {
            let next = self.applied(&StepEnds::new(body, (t, h), [from, to], &[]));
            let turn = so3::log(&to.0.tr_mul(&next.0)).norm();
            let moved = turn.max((next.1 - to.1).norm() / (1.0 + next.1.norm()));
            to = next;
            // Rounding moves it for ever.
            if moved <= FOUND || moved >= least && moved < FOUND.sqrt() {
                break;
            }
            least = moved;
        }
        to
    }

    /// Returns the end of the step that the rules make of its ends.
    #[must_use]
    pub fn applied(&self, ends: &StepEnds) -> Moving {
        let h = ends.h;
        let (r0, w0) = ends.from;
        let sum = |terms: &[(Quantity, f64)], power: fn(Quantity) -> i32| -> Vec3 {
            let value = |(q, c): &(Quantity, f64)| ends.value(*q) * (c * h.powi(power(*q)));
            terms.iter().map(value).sum()
        };
        let w1 = w0 + sum(&self.rate, |_| 0) * h;
        let x = || sum(&self.attitude, Quantity::power) * h;
        let r1 = match self.form {
            Form::Turn(map) => r0 * map.turn(&x()),
            Form::AfterOldHalf => r0 * so3::exp(&(w0 * (0.5 * h))) * so3::exp(&(x() * 0.5)),
            Form::BeforeNewHalf => r0 * so3::exp(&(x() * 0.5)) * so3::exp(&(w1 * (0.5 * h))),
            Form::Angles(sequence) => {
                let x = x();
                sequence.0.into_iter().fold(r0, |r, axis| {
                    let mut turn = Vec3::zeros();
                    turn[axis] = x[axis];
                    r * so3::exp(&turn)
                })
            }
            _ => {
                let q0 = so3::quat_from_matrix(&r0);
                let mut q = q0;
                for (quantity, c) in &self.attitude {
                    let (of, rate) = match quantity {
                        Quantity::Slope0 => (q0, w0),
                        Quantity::Slope1 => (so3::quat_from_matrix(&ends.to.0), ends.to.1),
                        Quantity::SlopeMixed => (q0, ends.to.1),
                        _ => (q0, ends.value(Quantity::Acceleration0) * h),
                    };
                    let near = of.iter().zip(&q0).map(|(a, b)| a * b).sum::<f64>();
                    let half = rate * (0.5 * h * c * near.signum());
                    let slope = quaternion::product(&of, &[0.0, half.x, half.y, half.z]);
                    q = core::array::from_fn(|i| q[i] + slope[i]);
                }
                so3::matrix_from_quat(&q)
            }
        };
        (r1, w1)
    }
}
