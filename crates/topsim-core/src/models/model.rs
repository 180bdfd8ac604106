//! Any body a case can describe, before its types are opened for a run.

use super::{AnyReduced, AnyTop, Flying, Held};

/// The root of all problem families.
#[derive(Debug, Clone)]
pub enum Model {
    /// A rigid body that turns about a point.
    Top(AnyTop),
    /// A free rigid body whose centre of mass flies.
    Flying(Flying),
    /// A rigid body with its centre of mass as a coordinate, held by a joint or by none.
    Held(Held),
    /// Symmetric bodies reduced by their spin.
    Reduced(AnyReduced),
}

impl From<AnyTop> for Model {
    fn from(top: AnyTop) -> Self {
        Self::Top(top)
    }
}
