//! Escape times of the Levitron: from each start the splitting of Dullin 2004 (`dullin2004`) until
//! the centre of mass leaves a ball, or for N steps. The paper's Figure 1 is a map of these times.
//!
//! A kick of length τ is the flow of U: v += τ (μ/m ∇⟨B, a⟩ − g e_z), w += τ (μ/Θ1) a × B; a drift
//! the flow of T: r += τ v, a ← R(τ w) a. A step is any composition of the two. Adjacent kicks are
//! merged: a step costs as many fields as the composition has drifts.
//!
//! [`escape_steps`] advances many starts at once in SIMD lanes. Every width, every order of the
//! starts and every machine gives the same bits ([`topsim_core::math::lanes`]).

mod batch;
mod plan;
mod step;
#[cfg(test)]
mod tests;
mod width;
#[cfg(test)]
mod width_tests;

use topsim_core::models::levitron::Levitron;
use topsim_core::models::reduced::ReducedDamping;
use topsim_core::schemes::Composition;

pub use batch::escape_steps;
pub use width::Width;

/// Number of the kernel's revision. A change that changes bits of the results raises it, since tiles of
/// another revision are not taken.
pub const KERNEL_REVISION: u32 = 1;

/// Top over its base, the ball that it may leave, and the scheme that computes its motion.
#[derive(Debug, Clone, PartialEq)]
pub struct EscapeProblem {
    /// Top and base.
    pub levitron: Levitron,
    /// Spin rate about the axis at the start, rad/s: l = (0, 0, Θ3 spin).
    pub spin: f64,
    /// Centre of the ball, m.
    pub centre: [f64; 3],
    /// Radius of the ball, m.
    pub radius: f64,
    /// Step, s.
    pub h: f64,
    /// Number N of steps after which a start survives.
    pub steps: u32,
    /// Composition of kicks and drifts.
    pub scheme: Composition,
    /// Damping.
    pub damping: ReducedDamping,
}

impl EscapeProblem {
    /// Checks that escape times can be computed.
    ///
    /// # Errors
    /// [`EscapeError`].
    pub fn check(&self) -> Result<(), EscapeError> {
        plan::EscapeConstants::new(self).map(|_| ())
    }
}

/// Reason why escape times cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EscapeError {
    /// Number of the problem that is out of range.
    #[error("{name} is {value}; it must be {allowed}")]
    OutOfRange {
        /// Name of the number.
        name: &'static str,
        /// Value of the number.
        value: f64,
        /// Range that is allowed.
        allowed: &'static str,
    },
    /// Step in which the axis turns too far within one drift for the series of the rotation.
    #[error(
        "the axis turns by {angle} rad in the longest drift of a step, at most {largest} is allowed: use a step of {step} s or less"
    )]
    Angle {
        /// Angle at the start, rad.
        angle: f64,
        /// Largest angle allowed, rad.
        largest: f64,
        /// Step that is short enough, s.
        step: f64,
    },
    /// Numbers of starts and results that differ.
    #[error("there are {starts} starts but room for {results} results")]
    Length {
        /// Number of starts.
        starts: usize,
        /// Number of results.
        results: usize,
    },
    /// Start whose coordinates are not finite.
    #[error("start {index} is {point:?}")]
    Start {
        /// Number of the start, from 0.
        index: usize,
        /// Coordinates of the start.
        point: [f64; 3],
    },
    /// Width that the processor does not have.
    #[error("this processor has no {0}")]
    Width(Width),
    /// Stop that the caller asked for, after so many steps.
    #[error("stopped after {0} steps")]
    Stopped(u64),
}
