//! Model of any body that a case can describe, before its types are opened for a run.

use super::reduced::{Potential, ReducedSystem, ReducedVisitor};
use super::{
    AnyReducedSystem, AnyTop, Columns, GivenRate, JointedBody, Measured, RateModel, RigidTop,
    TopVisitor, Torque,
};

/// Model of any problem family.
#[derive(Debug, Clone)]
pub enum Model {
    /// Rigid body that rotates about a fixed point.
    Top(AnyTop),
    /// Rigid body with its centre of mass as a coordinate, with or without a joint.
    Jointed(JointedBody),
    /// Symmetric bodies whose spin angle is eliminated.
    Reduced(AnyReducedSystem),
    /// Attitude with a given rate, without a body.
    GivenRate(GivenRate<RateModel>),
}

impl Model {
    /// Returns the longest step, s, between these times: [`RateModel::longest_step`] for a given rate, and infinite for
    /// bodies.
    pub fn longest_step(&self, from: f64, to: f64) -> f64 {
        match self {
            Self::GivenRate(given) => given.rate.longest_step(from, to),
            Self::Top(_) | Self::Jointed(_) | Self::Reduced(_) => f64::INFINITY,
        }
    }

    /// Returns the columns of histories of the model.
    pub fn columns(&self) -> Columns {
        struct Describer;
        impl TopVisitor for Describer {
            type Out = Columns;
            fn visit<T: Torque>(self, top: RigidTop<T>) -> Columns {
                top.columns()
            }
        }
        impl ReducedVisitor for Describer {
            type Out = Columns;
            fn visit<U: Potential>(self, reduced: ReducedSystem<U>) -> Columns {
                reduced.columns()
            }
        }
        match self {
            Self::Top(top) => top.visit(Describer),
            Self::Jointed(jointed) => jointed.columns(),
            Self::Reduced(reduced) => reduced.visit(Describer),
            Self::GivenRate(problem) => problem.columns(),
        }
    }
}

impl From<AnyTop> for Model {
    fn from(top: AnyTop) -> Self {
        Self::Top(top)
    }
}
