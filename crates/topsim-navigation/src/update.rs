//! Input of an update.

use topsim_core::math::Vec3;

/// Gravity and the rate of the frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// Gravity in space, m/s².
    pub gravity: Vec3,
    /// Rate of the frame against inertial space, rad/s.
    pub frame_rate: Vec3,
}

/// Input of an update: increments, after those of the sample before it, its length, gravity and the rate of the frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// θ₀, θ₁ … θₙ, rad.
    pub angles: Vec<Vec3>,
    /// ν₀, ν₁ … νₙ, m/s.
    pub velocities: Vec<Vec3>,
    /// Lengths of the samples, s.
    pub intervals: Vec<f64>,
    /// Length T, s.
    pub time: f64,
    /// Gravity g and the rate Ω of the frame.
    pub field: Field,
}

impl Update {
    /// Returns Θ and V.
    pub fn sums(&self) -> (Vec3, Vec3) {
        (
            self.angles[1..].iter().sum(),
            self.velocities[1..].iter().sum(),
        )
    }
}
