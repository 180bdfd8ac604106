//! The start of a rotation: what schemes start from, and what it is to 32 digits.

use super::RotState;
use crate::math::fine::{FineMat, FineVec};
use std::sync::Arc;

/// Attitude and rate at the start. Schemes start from the rounded state, which it dereferences to;
/// references start from the exact one.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    rounded: RotState,
    exact: Option<Arc<(FineMat, FineVec)>>,
}

impl Start {
    /// A state as schemes see it, and its attitude and rate to 32 digits.
    pub fn new(rounded: RotState, att: FineMat, omega: FineVec) -> Self {
        Self {
            rounded,
            exact: Some(Arc::new((att, omega))),
        }
    }

    /// Attitude and rate to 32 digits: as given, or the rotation nearest to the rounded matrix.
    pub fn exact(&self) -> (FineMat, FineVec) {
        let RotState { att, omega } = &self.rounded;
        let near = || (FineMat::nearest_rotation(att), FineVec::from(*omega));
        self.exact.as_deref().copied().unwrap_or_else(near)
    }
}

/// A start whose doubles are all that is known of it.
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
