//! Torques as a Taylor recurrence takes them.

use super::Frame;
use crate::math::Vec3;
use crate::math::fine::FineVec;

/// A torque between two of its switches: uniform forces at a lever, and components given in time.
#[derive(Debug, Clone, Default)]
pub struct Piece {
    /// The forces' sum reversed (N, space frame), and the lever (m, body frame):
    /// tau_body = (Rᵀ load) × lever.
    pub(crate) load: Option<(FineVec, Vec3)>,
    /// Components and their frame.
    pub(crate) drive: Option<(Frame, Drive)>,
}

/// Components of a torque in time, N m.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Drive {
    /// On a straight line through two points.
    Linear { times: [f64; 2], rows: [Vec3; 2] },
    /// `amplitude · sin²(rate · t)`.
    Sin2 { amplitude: Vec3, rate: f64 },
}

impl Drive {
    /// The same at all times.
    pub(crate) fn constant(row: Vec3) -> Self {
        Self::Linear {
            times: [0.0, 1.0],
            rows: [row; 2],
        }
    }
}
