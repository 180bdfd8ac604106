//! Ids that name a law rightly.

use super::{OutsideLaw, WrongLaw};
use topsim_core::math::so3;
use topsim_model::law::LawTerm;

impl WrongLaw {
    /// Returns the ids of the defects that name it rightly.
    pub fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Torque(-1.0) => &["model/torque_reversed"],
            Self::Torque(0.0) => &["model/torque_missing"],
            Self::Torque(_) => &[
                "model/torque_factor",
                "model/torque_doubled",
                "model/torque_halved",
            ],
            Self::Gravity(_) => &["model/gravity_factor"],
            Self::Push(_) => &["model/push_factor"],
            Self::Gyroscopic(_) => &[
                "model/gyroscopic_factor",
                "model/gyroscopic_missing",
                "model/gyroscopic_reversed",
                "model/gyroscopic_doubled",
                "model/gyroscopic_halved",
            ],
            Self::Rows(_) => &[
                "model/gyroscopic_rows",
                "model/gyroscopic_row1",
                "model/gyroscopic_row2",
                "model/gyroscopic_row3",
            ],
            Self::Products(_) => &[
                "model/inertia",
                "model/products_missing",
                "model/products_reversed",
            ],
            Self::Inertia(_) => &["model/inertia"],
            Self::InertiaOfTorque(_) => &["model/inertia_of_torque"],
            Self::InertiaOfGyroscopic(_) => &["model/inertia_of_gyroscopic"],
            Self::InertiaHardCoded(_) => &["model/inertia_hard_coded"],
            Self::DiagonalInverse => &["model/inverse_of_diagonal"],
            Self::Lever(_) => &["model/lever"],
            Self::Up(_) => &["model/up"],
            Self::Damping(_) => &["model/damping", "model/excitation"],
            Self::DampingTorque(_) => &["model/damping_torque"],
            Self::DampingQuadratic(_) => &["model/damping_quadratic"],
            Self::DampingCubic(_) => &["model/damping_cubic"],
            Self::Friction(_) => &["model/friction"],
            Self::DampingAxes(_) => &["model/damping_axes"],
            Self::ResistanceAxes { power, .. } | Self::ResistingTorque { power, .. } => match power
            {
                0 => &["model/friction"],
                1 => &["model/damping_axes"],
                2 => &["model/damping_quadratic"],
                _ => &["model/damping_cubic"],
            },
            Self::EngineDamping(_) => &["model/damping", "model/damping_quadratic"],
            Self::Linear(_) | Self::Rotor(_) => &["model/linear_term"],
            Self::TorqueBody(_) => &["model/constant_torque_in_body"],
            Self::TorqueSpace(_) => &["model/constant_torque_in_space"],
            Self::AccelerationBody(_) => &["model/constant_acceleration_in_body"],
            Self::AccelerationSpace(_) => &["model/constant_acceleration_in_space"],
            Self::Rate(_) => &[
                "model/turn_factor",
                "model/turn_doubled",
                "model/turn_halved",
                "model/turn_reversed",
                "model/turn_in_degrees",
            ],
            Self::RateMatrix(_) => &["model/turn_matrix"],
            Self::Clock(_) => &["model/clock"],
            Self::LeverInSpace => &["model/lever_not_turned"],
            Self::UpInBody => &[
                "model/load_turns_with_body",
                "model/gravity_turns_with_body",
            ],
            Self::UpTransposed => &["model/torque_of_transpose", "model/gravity_of_transpose"],
            Self::TorqueTwiceTurned => &["model/body_torque_in_space"],
            Self::TorqueInSpaceTaken => &["model/space_torque_in_body"],
            Self::BodyRateInSpace => &["model/body_rate_in_space"],
            Self::SpaceRateInBody => &["model/space_rate_in_body"],
            Self::InertiaNotTurned => &["model/inertia_not_turned"],
            Self::InertiaNotTurnedEuler => &["model/inertia_not_turned_euler"],
            Self::InertiaTurnedBack => &["model/inertia_turned_back"],
            Self::PushFrame => &["model/space_push_in_body"],
            Self::PushTwiceTurned => &["model/space_push_turned_twice"],
            Self::GyroscopicLimit(_) => &["model/gyroscopic_limit"],
            Self::NotDivided(_) => &["model/gyroscopic_not_divided"],
            Self::TorqueInAxes => &["model/torque_in_principal_axes"],
            Self::SpaceDrag(_) => &["model/damping_axes"],
            Self::FrameRate(_) => &["model/frame_rate"],
            Self::EnergySink(_) => &["model/energy_sink"],
            Self::GravityGradient(_) => &["model/gradient_torque"],
            Self::Dipole { .. } => &["model/dipole_torque"],
            Self::GravityByHeight(_) => &["model/gravity_by_height"],
            Self::Mounting(_) | Self::TorqueRows(_) | Self::TorqueMatrix(_) => {
                &["model/torque_matrix"]
            }
            Self::TurnBias { .. } => &["model/turn_bias"],
            Self::Outside(OutsideLaw::Spring(_)) => &["model/spring"],
            Self::Outside(OutsideLaw::TorqueByRate(_)) => &["model/torque_by_rate"],
            Self::Outside(OutsideLaw::Saturated(_) | OutsideLaw::SaturatedAxes(_)) => {
                &["model/torque_limit"]
            }
            Self::TorqueNotDivided => &["model/torque_not_divided"],
            // Few digits hide how late it is.
            Self::Outside(OutsideLaw::Lagged { .. }) => &[
                "model/torque_late",
                "model/unexplained",
                "scheme/stale_term",
            ],
            // Few digits hide how it comes in.
            Self::Outside(OutsideLaw::Ramp(_)) => &["model/torque_late", "model/unexplained"],
            // Small torques hide how large ones bend.
            Self::Outside(OutsideLaw::Soft(_)) => &["model/torque_limit", "model/unexplained"],
            Self::Outside(OutsideLaw::DeadBand(_)) => {
                &["model/torque_rounded", "model/unexplained"]
            }
            Self::Outside(_) => &["model/unexplained"],
            // The hunt finds them, and no probe does.
            Self::Narrow(_) => &[],
        }
    }

    /// Returns the block and the numbers that a fit should find.
    pub fn numbers(self) -> Option<(LawTerm, Vec<f64>)> {
        Some(match self {
            Self::Torque(x) => (LawTerm::Torque, vec![x]),
            Self::Gravity(x) => (LawTerm::Gravity, vec![x]),
            Self::Push(x) => (LawTerm::Push, vec![x]),
            Self::Gyroscopic(x) => (LawTerm::Gyroscopic, vec![x]),
            Self::FrameRate(x) => (LawTerm::FrameRate, x.to_vec()),
            Self::SpaceDrag(x) => (LawTerm::DampingSpaceAxes, x.to_vec()),
            Self::Rows(x) => (LawTerm::Rows, x.to_vec()),
            Self::Inertia(x) => (LawTerm::Inertia, x.to_vec()),
            Self::InertiaOfTorque(x) => (LawTerm::Divisor, x.to_vec()),
            Self::Lever(x) => (LawTerm::Lever, x.to_vec()),
            Self::Up(x) => (LawTerm::Up, x.to_vec()),
            Self::Damping(x) => (LawTerm::Damping, vec![x]),
            Self::DampingTorque(x) => (LawTerm::DampingInertia, vec![x]),
            Self::DampingQuadratic(x) => (LawTerm::DampingQuadratic, vec![x]),
            Self::DampingCubic(x) => (LawTerm::DampingCubic, vec![x]),
            Self::Friction(x) => (LawTerm::Friction, vec![x]),
            Self::DampingAxes(x) => (LawTerm::DampingAxes, x.to_vec()),
            Self::ResistanceAxes { c, power, torque } => {
                let block = match (power, torque) {
                    (0, false) => LawTerm::FrictionAxes,
                    (0, true) => LawTerm::FrictionInertiaAxes,
                    (1, false) => LawTerm::DampingAxes,
                    (1, true) => LawTerm::DampingInertiaAxes,
                    (_, false) => LawTerm::QuadraticAxes,
                    (_, true) => LawTerm::QuadraticInertiaAxes,
                };
                (block, c.to_vec())
            }
            Self::ResistingTorque { c, power } => {
                let block = match power {
                    0 => LawTerm::FrictionInertia,
                    2 => LawTerm::QuadraticInertia,
                    _ => LawTerm::CubicInertia,
                };
                (block, vec![c])
            }
            Self::Linear(x) => (LawTerm::Linear, x.to_vec()),
            Self::Rotor(h) => (
                LawTerm::LinearTorque,
                (-so3::hat(&h.into())).transpose().as_slice().to_vec(),
            ),
            Self::TorqueBody(x) => (LawTerm::TorqueBody, x.to_vec()),
            Self::TorqueSpace(x) => (LawTerm::TorqueSpace, x.to_vec()),
            Self::AccelerationBody(x) => (LawTerm::AccelerationBody, x.to_vec()),
            Self::AccelerationSpace(x) => (LawTerm::AccelerationSpace, x.to_vec()),
            Self::Rate(x) => (LawTerm::Rate, vec![x]),
            Self::RateMatrix(x) => (LawTerm::RateMatrix, x.to_vec()),
            Self::Clock(x) => (LawTerm::Clock, vec![x]),
            Self::NotDivided(x) => (LawTerm::Coriolis, vec![x]),
            _ => return None,
        })
    }
}
