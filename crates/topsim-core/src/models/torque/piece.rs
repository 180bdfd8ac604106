//! Torques in the form that a Taylor recurrence takes.

use super::Frame;
use crate::math::Vec3;
use crate::math::fine::FineVec;

/// Torque between two of its switches: uniform forces at a lever, and components given in time.
#[derive(Debug, Clone, Default)]
pub struct Piece {
    /// Reversed sum of the forces (N, space frame), and the lever (m, body frame): tau_body = (Rᵀ load) ×
    /// lever.
    pub(crate) load: Option<(FineVec, Vec3)>,
    /// Frame of the components in time, and their formula.
    pub(crate) drive: Option<(Frame, Drive)>,
}

/// Formula of torque components in time, N m.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Drive {
    /// Straight line through two points.
    Linear { times: [f64; 2], rows: [Vec3; 2] },
    /// Pulse `amplitude · sin²(rate · t)`.
    Sin2 { amplitude: Vec3, rate: f64 },
}

impl Drive {
    /// Returns components that are the same at all times.
    pub(crate) fn constant(row: Vec3) -> Self {
        Self::Linear {
            times: [0.0, 1.0],
            rows: [row; 2],
        }
    }
}
