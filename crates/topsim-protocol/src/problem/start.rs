//! The initial state of a problem.

use super::rows;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::so3;
use topsim_core::models::{AnyTop, GivenRate, InitialValueProblem, Model, Rate, RateModel};

/// A state at the start, in several ways to write it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "PosedStart")]
pub struct ProblemStart {
    /// Attitude as a unit quaternion w, x, y, z (scalar first), body to space.
    pub quaternion: [f64; 4],
    /// The same attitude R as a matrix, row by row: v_space = R v_body.
    pub matrix: [[f64; 3]; 3],
    /// Angular velocity, body frame, rad/s.
    pub angular_velocity_body: [f64; 3],
    /// The same in the space frame, rad/s.
    pub angular_velocity_space: [f64; 3],
    /// Position of the centre of mass, space frame, m, where the case has one.
    pub position: Option<[f64; 3]>,
    /// Velocity of the centre of mass, space frame, m/s, where the case has one.
    pub velocity: Option<[f64; 3]>,
}

impl ProblemStart {
    /// Of a given rate, at this time.
    pub(super) fn turning(given: &GivenRate<RateModel>, start: f64) -> Self {
        let (att, omega) = (&given.initial, given.rate.at(start));
        Self {
            quaternion: so3::quat_from_matrix(att),
            matrix: rows(att),
            angular_velocity_body: omega.into(),
            angular_velocity_space: (att * omega).into(),
            position: None,
            velocity: None,
        }
    }

    pub(super) fn of(top: &AnyTop, model: &Model) -> Self {
        let (att, omega) = (&top.initial.att, &top.initial.omega);
        let mass = match model {
            Model::Jointed(h) => Some((h.initial().position, h.initial().velocity)),
            Model::Top(_) | Model::Reduced(_) | Model::GivenRate(_) => None,
        };
        Self {
            quaternion: so3::quat_from_matrix(att),
            matrix: rows(att),
            angular_velocity_body: (*omega).into(),
            angular_velocity_space: (att * omega).into(),
            position: mass.map(|(x, _)| x.into()),
            velocity: mass.map(|(_, v)| v.into()),
        }
    }
}
