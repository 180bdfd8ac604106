//! Any body a case can describe, before its types are opened for a run.

use super::{AnyTop, Flying, Inertia};

/// The root of all problem families.
#[derive(Debug, Clone)]
pub enum Model {
    /// A rigid body that turns about a point.
    Top(AnyTop),
    /// A free rigid body whose centre of mass flies.
    Flying(Flying),
}

impl Model {
    /// J, body frame.
    pub fn inertia(&self) -> &Inertia {
        match self {
            Self::Top(top) => &top.inertia,
            Self::Flying(flying) => flying.body().inertia(),
        }
    }
}

impl From<AnyTop> for Model {
    fn from(top: AnyTop) -> Self {
        Self::Top(top)
    }
}
