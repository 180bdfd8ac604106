//! Schemes of attitudes that turn with a given rate, R' = R Ŵ(t): what strapdown navigation and autopilots use.

pub mod coning;
mod magnus;
mod quaternion;
mod rotation_vector;
#[cfg(test)]
pub(crate) mod tests;

pub use coning::ErrorConstant;
pub use magnus::{ExpMidpoint, Magnus4, Magnus6};
pub use quaternion::{QuatEuler, QuatRateRk4};
pub use rotation_vector::{Rotvec1, Rotvec2, Rotvec3, Rotvec4};

use super::scheme::{Effort, Scheme, StepFail, StepResult};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{GivenRate, Rate};

/// A scheme of a given rate. Implementing it gives [`Scheme`] for every [`GivenRate`].
pub trait RateScheme: Send + Sync {
    /// Data carried from step to step beside the attitude.
    type Memory: Send;
    /// Returns the data for the first step.
    fn start(&self, att: &Mat3) -> Self::Memory;
    /// Advances the attitude from `t` to `t + h`; returns the number of values or increments of the rate that it took.
    fn step(&self, rate: &impl Rate, at: (f64, f64), att: &mut Mat3, m: &mut Self::Memory) -> u32;
}

/// A scheme that gives the rotation vector of a step: R' = R exp(v).
pub trait RotationVector: Send + Sync {
    /// Returns v, rad, of the step from `t` to `t + h`, and the number of values or increments of the rate that it took.
    fn vector(&self, rate: &impl Rate, at: (f64, f64)) -> (Vec3, u32);
}

impl<S: RotationVector> RateScheme for S {
    type Memory = ();
    fn start(&self, _: &Mat3) {}
    #[inline]
    fn step(&self, rate: &impl Rate, at: (f64, f64), att: &mut Mat3, (): &mut ()) -> u32 {
        let (vector, taken) = self.vector(rate, at);
        *att *= so3::exp(&vector);
        taken
    }
}

impl<S: RateScheme, R: Rate> Scheme<GivenRate<R>> for S {
    type Memory = S::Memory;
    fn start(
        &self,
        _: &GivenRate<R>,
        _: f64,
        _: f64,
        att: &mut Mat3,
    ) -> Result<S::Memory, StepFail> {
        Ok(RateScheme::start(self, att))
    }
    #[inline]
    fn step(
        &self,
        p: &GivenRate<R>,
        t: f64,
        h: f64,
        att: &mut Mat3,
        m: &mut S::Memory,
    ) -> StepResult {
        Ok(Effort::new(
            RateScheme::step(self, &p.rate, (t, h), att, m),
            0,
        ))
    }
}

/// Rows of schemes of a given rate: name, order, whether reversible, values or increments of the rate, sources, title, formula.
macro_rules! rate_schemes {
    ($($(#[$doc:meta])* $scheme:ident $name:literal, order $order:literal, $reversible:ident $is:literal, takes $taken:literal,
        $cite:expr, $title:literal, $formula:literal;)*) => {$(
        scheme! {
            $(#[$doc])*
            $scheme {
                name: $name,
                title: $title,
                formula: $formula,
                citations: &$cite,
                assumptions: Some("an attitude with a given rate"),
                claims: Claims { order: $order, reversible: $is, symplectic: false, energy: Energy::None,
                    momentum: Momentum::None, torque_evaluations: Evaluations::OfRate($taken) },
            }
        }
    )*};
}
use rate_schemes;
