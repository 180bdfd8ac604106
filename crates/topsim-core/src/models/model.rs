//! Any body a case can describe, before its types are opened for a run.

use super::reduced::{Potential, Reduced, ReducedVisitor};
use super::{
    AnyReduced, AnyTop, Columns, GivenRate, Jointed, Measured, RateModel, RigidTop, TopVisitor,
    Torque,
};

/// The root of all problem families.
#[derive(Debug, Clone)]
pub enum Model {
    /// A rigid body that turns about a point.
    Top(AnyTop),
    /// A rigid body with its centre of mass as a coordinate, with a joint or without.
    Jointed(Jointed),
    /// Symmetric bodies reduced by their spin.
    Reduced(AnyReduced),
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
        struct Describe;
        impl TopVisitor for Describe {
            type Out = Columns;
            fn visit<T: Torque>(self, top: RigidTop<T>) -> Columns {
                top.columns()
            }
        }
        impl ReducedVisitor for Describe {
            type Out = Columns;
            fn visit<U: Potential>(self, reduced: Reduced<U>) -> Columns {
                reduced.columns()
            }
        }
        match self {
            Self::Top(top) => top.visit(Describe),
            Self::Jointed(jointed) => jointed.columns(),
            Self::Reduced(reduced) => reduced.visit(Describe),
            Self::GivenRate(problem) => problem.columns(),
        }
    }
}

impl From<AnyTop> for Model {
    fn from(top: AnyTop) -> Self {
        Self::Top(top)
    }
}
