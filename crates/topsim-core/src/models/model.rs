//! Any body a case can describe, before its types are opened for a run.

use super::reduced::{Potential, ReducedSystem, ReducedVisitor};
use super::{
    AnyReducedSystem, AnyTop, Columns, GivenRate, JointedBody, Measured, RateModel, RigidTop,
    TopVisitor, Torque,
};

/// The root of all problem families.
#[derive(Debug, Clone)]
pub enum Model {
    /// A rigid body that turns about a point.
    Top(AnyTop),
    /// A rigid body with its centre of mass as a coordinate, with a joint or without.
    Jointed(JointedBody),
    /// Symmetric bodies reduced by their spin.
    Reduced(AnyReducedSystem),
    /// An attitude that turns with a given rate; no body.
    GivenRate(GivenRate<RateModel>),
}

impl Model {
    /// The longest step, s, between these times: of a given rate [`RateModel::longest_step`], of bodies any.
    pub fn longest_step(&self, from: f64, to: f64) -> f64 {
        match self {
            Self::GivenRate(given) => given.rate.longest_step(from, to),
            Self::Top(_) | Self::Jointed(_) | Self::Reduced(_) => f64::INFINITY,
        }
    }

    /// What histories of the body hold.
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
