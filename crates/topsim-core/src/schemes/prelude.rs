//! Names that the file of a rotation scheme uses.

pub(super) use super::description::scheme;
pub(super) use super::lanes::{StartLanes, in_lanes};
pub(super) use super::scheme::{
    BodyMomentum, BodyTorque, Effort, Memory, RotationScheme, Step, StepFail, StepResult,
};
pub(super) use crate::math::so3::AngleRange;
pub(super) use crate::math::{LaneNumbers, Mat3, Quat, Vec3, lane_numbers, quaternion, so3};
pub(super) use crate::models::{InLanes, Inertia, RotState, Torque};
