//! Initial state of a rotation, rounded for schemes and to 32 digits for references.

use super::RotState;
use crate::math::fine::{FineMat, FineVec};
use std::sync::Arc;

/// Attitude and rate at the start. Schemes start from the rounded state, to which the type dereferences;
/// references start from the exact one.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    rounded: RotState,
    exact: Option<Arc<(FineMat, FineVec)>>,
}

impl Start {
    /// Combines the rounded state with attitude and rate to 32 digits.
    pub fn new(rounded: RotState, att: FineMat, omega: FineVec) -> Self {
        Self {
            rounded,
            exact: Some(Arc::new((att, omega))),
        }
    }

    /// Returns the attitude and rate to 32 digits: as given, or the rotation nearest to the rounded matrix.
    pub fn exact(&self) -> (FineMat, FineVec) {
        let RotState { att, omega } = &self.rounded;
        let near = || (FineMat::nearest_rotation(att), FineVec::from(*omega));
        self.exact.as_deref().copied().unwrap_or_else(near)
    }
}

/// The exact start is the rotation nearest to the rounded one, since nothing else is known.
impl From<RotState> for Start {
    fn from(rounded: RotState) -> Self {
        Self {
            rounded,
            exact: None,
        }
    }
}

impl core::ops::Deref for Start {
    type Target = RotState;
    fn deref(&self) -> &RotState {
        &self.rounded
    }
}
