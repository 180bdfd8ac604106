//! Judging a scheme by its own description: each claim must hold where it is made, and fail where it is not.

mod adaptive;
mod constrained;
mod given_rate;
mod rotation;
mod splitting;

pub(crate) use adaptive::adaptive;
pub(crate) use constrained::{constrained, constrained_motion};
pub(crate) use given_rate::given_rate;
pub(crate) use rotation::rotation;
pub(crate) use splitting::splitting;

/// Numbers of a scheme beside its claims.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Numbers {
    /// Steps over t = 2 at which its order shows, where those of most schemes of the order do not suit.
    pub steps: Option<u32>,
    /// `(‖ΔΛ‖_F, |ΔΠ|)` on body f at t = 10 with steps of 0.1, to two digits.
    pub free_errors: Option<(f64, f64)>,
    /// Power and constant of the drift about a closing cone.
    pub coning: Option<(i32, f64)>,
}

/// Errors of a scheme whose free motion is exact.
pub(crate) const ROUND_OFF: (f64, f64) = (0.0, 0.0);

impl Numbers {
    /// Returns the steps over t = 2 at which the order shows.
    fn steps(&self, order: u8) -> u32 {
        self.steps.unwrap_or(match order {
            0 | 1 => 6400,
            2 => 400,
            3 => 200,
            4 | 5 => 100,
            6..=10 => 40,
            _ => 24,
        })
    }
}
