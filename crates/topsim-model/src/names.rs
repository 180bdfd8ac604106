//! Names of rules, for people.

use crate::stepping::{Carrier, HalfSteps, Kick, Rule, Stepping, TurnMap, TurnRate};
use core::fmt;

impl fmt::Display for Stepping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)?;
        match self.substeps {
            1 => Ok(()),
            n => write!(f, ", {n} steps of its own in a step"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Euler { kick, rate, map } => {
                write!(f, "{}{}, {}", rate.name(), kick.name(), map.name())
            }
            Self::RungeKutta { tableau, carrier } => {
                write!(f, "{} on {}", tableau.name, carrier.name())
            }
            Self::HalfSteps(rule) => f.write_str(rule.name()),
            Self::Catalogue(row) => f.write_str(row.info.name),
            Self::Flow => f.write_str("the motion itself"),
        }
    }
}

impl TurnRate {
    fn name(self) -> &'static str {
        match self {
            Self::New => "semi-implicit Euler",
            Self::Old => "explicit Euler",
            Self::Mean => "Euler with the mean of the old and the new rate",
            Self::First => "Euler that turns first",
        }
    }
}

impl Kick {
    fn name(self) -> &'static str {
        match self {
            Self::Explicit => "",
            Self::GyroscopicImplicit => " with a linearly implicit gyroscopic term",
            Self::LinearlyImplicit => " with linearly implicit torques",
            Self::MomentumKept => " that puts |J W| back after an explicit gyroscopic term",
            Self::GyroscopicSolved => " with an implicit gyroscopic term",
            Self::MomentumTurned => " with the momentum turned by the step's rotation",
            Self::SpaceRate => " of the rate in space",
            Self::SpaceMomentum => " of the momentum in space",
        }
    }
}

impl TurnMap {
    fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential of the turn",
            Self::Sum => "sum of quaternions, normalised",
            Self::RawSum => "sum of quaternions, never normalised",
            Self::FromLeft => "exponential of the turn, applied in space",
            Self::Capped => "exponential of a turn of at most π/4",
            Self::Matrix => "sum of matrices, made the nearest rotation",
            Self::Columns => "sum of matrices, made orthogonal column by column",
            Self::Angles => "roll, pitch and yaw between body and space",
            Self::StartAngles => "roll, pitch and yaw from the start",
        }
    }
}

impl Carrier {
    fn name(self) -> &'static str {
        match self {
            Self::RotationVectorNaive => "the rotation vector, with W for its rate",
            Self::RotationVector(None) => "the rotation vector",
            Self::RotationVector(Some(1)) => "the rotation vector, with one commutator",
            Self::RotationVector(Some(_)) => "the rotation vector, with two commutators",
            Self::Quaternion => "the quaternion, normalised after the step",
            Self::RawQuaternion => "the quaternion, never normalised",
            Self::StageQuaternion => "the quaternion, normalised in each stage",
            Self::Matrix => "the matrix, made the nearest rotation after the step",
            Self::Columns => "the matrix, made orthogonal column by column after the step",
            Self::SpaceRate => "the quaternion and the rate in space",
            Self::SpaceMomentum => "the quaternion and the momentum in space",
        }
    }
}

impl HalfSteps {
    fn name(self) -> &'static str {
        match self {
            Self::Verlet => "half kick, turn, half kick with the old rate",
            Self::KickTurnKick => "half kick, turn, half kick with the new rate",
            Self::TurnKickTurn => "half turn, kick, half turn",
            Self::ImplicitEuler => "implicit Euler on the rotation group",
            Self::Trapezoidal => "the trapezoidal rule on the rotation group",
            Self::NewmarkExplicit => "Newmark's rule with an explicit turn",
            Self::NewmarkMean => "Newmark's rule with the mean acceleration",
            Self::NewmarkLinear => "Newmark's rule with a linear acceleration",
            Self::Midpoint => "the implicit midpoint rule on the rotation group",
            Self::LieNewmark => "implicit half kick, turn, explicit half kick",
        }
    }
}
