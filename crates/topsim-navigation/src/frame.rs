//! Terms of a frame that turns against inertial space.
//!
//! With the rate Ω of the frame an exact update is R' = exp(−Ω T) R U, with the turn U of the body against inertial space, and v' has −2 ∫ Ω × v beside the force.
//! Codes take the turn of the frame after that of the body, or out of the increments, and the Coriolis acceleration with a velocity within the update.

use crate::update::Update;
use topsim_core::math::{Mat3, Vec3, so3};

/// Place of the turn of the frame in an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameTurn {
    /// exp(−Ω T) R exp(φ).
    AfterBody,
    /// R exp(φ − Rᵀ Ω T).
    FromVector,
    /// Each increment less Rᵀ Ω h, in the attitude and in the velocity.
    FromIncrements,
}

/// Velocity in the Coriolis acceleration −2 Ω × v.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoriolisVelocity {
    /// The velocity at the beginning.
    Start,
    /// The velocity in the middle, with half of the change that the force makes.
    Middle,
    /// The velocity at the end, with the change that the force makes.
    End,
}

/// Terms of the frame in an update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameTerms {
    /// Place of the turn.
    pub turn: FrameTurn,
    /// Factor of the turn, 1 in a right update.
    pub turn_factor: f64,
    /// Velocity in the Coriolis acceleration.
    pub coriolis: CoriolisVelocity,
    /// Factor of the Coriolis acceleration, 1 in a right update.
    pub coriolis_factor: f64,
    /// Factor of −½ T Ω × (R V), the turn of the frame while the force acts: many codes leave this out, which makes the velocity an update of the first order.
    pub force_factor: f64,
}

impl FrameTerms {
    /// Terms of the second order.
    pub const RIGHT: Self = Self {
        turn: FrameTurn::AfterBody,
        turn_factor: 1.0,
        coriolis: CoriolisVelocity::Middle,
        coriolis_factor: 1.0,
        force_factor: 1.0,
    };

    /// Returns the update with what the attitude at its beginning takes out of its increments.
    pub fn taken(&self, attitude: &Mat3, update: &Update) -> Update {
        let mut out = update.clone();
        if self.turn == FrameTurn::FromIncrements {
            let rate = attitude.tr_mul(&update.field.frame_rate) * self.turn_factor;
            let each = out.angles[1..].iter_mut().zip(&update.intervals);
            each.for_each(|(angle, h)| *angle -= rate * *h);
        }
        out
    }

    /// Returns what is added to the rotation vector of a turn in the body.
    pub fn vector(&self, attitude: &Mat3, update: &Update) -> Vec3 {
        if self.turn == FrameTurn::FromVector {
            attitude.tr_mul(&self.turn(update))
        } else {
            Vec3::zeros()
        }
    }

    /// Returns the attitude after the turn of the frame.
    pub fn after(&self, attitude: Mat3, update: &Update) -> Mat3 {
        let turn = self.turn(update);
        if self.turn == FrameTurn::AfterBody && turn != Vec3::zeros() {
            so3::exp(&turn) * attitude
        } else {
            attitude
        }
    }

    fn turn(&self, update: &Update) -> Vec3 {
        update.field.frame_rate * (-update.time * self.turn_factor)
    }

    /// Returns what is added to a velocity that the force has changed from `from` by `change`; `force` is the part R V of the increments.
    pub fn velocity(&self, from: &Vec3, change: &Vec3, force: &Vec3, update: &Update) -> Vec3 {
        let part = match self.coriolis {
            CoriolisVelocity::Start => 0.0,
            CoriolisVelocity::Middle => 0.5,
            CoriolisVelocity::End => 1.0,
        };
        let seen = (from + change * part) * (2.0 * self.coriolis_factor)
            + force * (0.5 * self.force_factor);
        update.field.frame_rate.cross(&seen) * -update.time
    }
}
