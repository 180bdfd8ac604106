//! Reasons why a step could not be made, and remedies.

/// Reason why a step could not be made.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepFail {
    /// Newton's method did not reach its target.
    #[error(
        "Newton did not converge: residual {residual:.3e} after {iterations} iterations, target {target:.3e}"
    )]
    NewtonStalled {
        /// Number of iterations made.
        iterations: u32,
        /// Largest residual component left.
        residual: f64,
        /// Value that it should have come below.
        target: f64,
    },
    /// The last correction of Newton's method was not within its tolerances.
    #[error(
        "Newton did not converge: residual {norm:.3e} (the last correction in units of its \
         tolerances) after {iterations} iterations, target {target}; {way_out}"
    )]
    CorrectionTooLarge {
        /// Number of iterations made.
        iterations: u32,
        /// Weighted norm of the last correction.
        norm: f64,
        /// Value that it should have come below.
        target: f64,
        /// Remedy for the user.
        way_out: WayOut,
    },
    /// The iteration matrix cannot be inverted.
    #[error("the Newton matrix is singular at iteration {iterations}")]
    Singular {
        /// Number of iterations made.
        iterations: u32,
    },
    /// The body turns too far in one step for its free flow to be followed.
    #[error("the momentum {momentum:.3e} turns the body too far in one step of the free flow")]
    TooFast {
        /// Length of the body momentum, kg m²/s.
        momentum: f64,
    },
    /// The scheme expands the motion in time, and the torque has no series.
    #[error("there is no Taylor recurrence for the torque")]
    NoSeries,
    /// No inner step of a scheme that divides its steps keeps the tolerance.
    #[error(
        "inner steps do not keep the tolerance {tolerance:e} from t = {t} on: they are lost in the rounding of the time, or a \
         million of them do not end the step"
    )]
    NoInnerStep {
        /// Time at which the inner step begins, s.
        t: f64,
        /// Tolerance.
        tolerance: f64,
    },
    /// The state holds an infinity or a NaN.
    #[error("the state is no longer finite")]
    NotFinite,
}

/// Remedy for a constrained step that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WayOut {
    /// Remedy for ρ = 1 at index 3.
    #[error(
        "nothing damps the multipliers for rho_inf = 1 at index 3: choose rho_inf < 1, such as 0.9, \
         or index = 2"
    )]
    SpectralRadius,
    /// Remedy for every other failure of the inertial formulation.
    #[error(
        "shorten the step, or raise max_iterations, or the tolerances if they are below rounding \
         (that of the multipliers grows like 1/h²)"
    )]
    ShorterStep,
    /// Remedy for a formulation that diverges earlier than the inertial one.
    #[error(
        "shorten the step, or choose formulation = \"inertial\", which converges for longer ones"
    )]
    ShorterStepOrInertial,
}
