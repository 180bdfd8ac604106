//! Reasons for which a relation says nothing of a motion.

use topsim_model::probe::NoRows;

/// Reason for which a relation says nothing of a motion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotApplicable {
    /// The problem has no such image.
    #[error("{0}")]
    NotPosed(&'static str),
    /// The solver gave no rows of the motion, or of its image.
    #[error("the solver did not run it: {0}")]
    NotSolved(String),
    /// The solver says that it cannot do the motion, or its image.
    #[error("the solver says that it cannot do this: {0}")]
    Refused(String),
}

impl From<NoRows> for NotApplicable {
    fn from(why: NoRows) -> Self {
        match why {
            NoRows::Refused(why) => Self::Refused(why),
            why => Self::NotSolved(why.to_string()),
        }
    }
}
