//! Limits of a scheme's theory, and notes for the user before a run.

use crate::models::jointed::Inconsistency;

/// Reason why a scheme's theory does not cover a problem: the condition and the value found.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotCovered {
    /// The body turns too far in a step for the equation of its free motion.
    #[error(
        "its equation has no solution where h |Π| reaches twice the largest moment: {turned:.3e} ≥ \
         {most:.3e} at the start"
    )]
    TurnsTooFar {
        /// h |Π|, kg m².
        turned: f64,
        /// Twice the largest moment of inertia, kg m².
        most: f64,
    },
    /// The body turns too far in a step about its joint.
    #[error(
        "its equation has no solution where h |Π| reaches twice the largest moment about the \
         joint: {turned:.3e} ≥ {most:.3e} at the start"
    )]
    TurnsTooFarAboutJoint {
        /// h |Π|, kg m².
        turned: f64,
        /// Twice the largest moment of inertia about the joint, kg m².
        most: f64,
    },
    /// ρ = 1 at index 3.
    #[error(
        "rho_inf = 1 is unusable at index 3: nothing damps the multipliers, whose error does not \
         fall with the step, until Newton fails; choose rho_inf < 1 or index = 2 (allow_unusable = \
         true runs it all the same)"
    )]
    UndampedMultipliers,
    /// Both tolerances are 0, so that no correction is small enough.
    #[error("atol and rtol are both 0, and no correction is")]
    NoTolerance,
    /// Accelerations to start from are missing.
    #[error("start = \"as_given\", but the case gives no accelerations to start from")]
    NothingGiven,
}

/// Note for the user before the first step.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// ρ = 1 at index 3, which the user allows.
    #[error("rho_inf = 1 at index 3: expected to fail")]
    UndampedMultipliers,
    /// Distance of the given start from a consistent one.
    #[error("{0}")]
    Inconsistent(Inconsistency),
    /// Wrong accelerations leave errors of the velocities.
    #[error(
        "wrong accelerations leave a velocity error of h/2 times theirs for ever, at h = {step} s \
         {rate:.2e} rad/s and {velocity:.2e} m/s: first order"
    )]
    WrongAccelerations {
        /// Step, s.
        step: f64,
        /// Error of the body rate, rad/s.
        rate: f64,
        /// Error of the velocity, m/s.
        velocity: f64,
    },
    /// The given velocity is wrong, and stays so.
    #[error(
        "a wrong velocity does not shrink with the step: the run does not converge to the reference"
    )]
    WrongVelocity,
}
