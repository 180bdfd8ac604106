//! The numbers of a study, by their names.

use crate::stability::Unstable;

/// A number of a study that can be asked for by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its name, unique within the study.
    pub name: String,
    /// Its value, or why it has none.
    pub value: Result<f64, NoValue>,
    /// Its unit; empty for counts and fractions.
    pub unit: &'static str,
}

impl Number {
    pub(crate) fn new(
        name: impl Into<String>,
        value: Result<f64, NoValue>,
        unit: &'static str,
    ) -> Self {
        Self {
            name: name.into(),
            value,
            unit,
        }
    }
}

/// Why a number has no value.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoValue {
    /// Cells are missing.
    #[error("the study is not complete")]
    Incomplete,
    /// Quantiles of nothing.
    #[error("nothing escapes, so there are no escape times")]
    NothingEscapes,
    /// The start is a survivor.
    #[error("it does not escape")]
    Survivor,
    /// No spin of the scan is on this side of the stable interval.
    #[error("the scan has no such spin")]
    NoSuchSpin,
    /// Nothing survives at any spin.
    #[error("nothing survives")]
    NothingSurvives,
    /// A plane without both kinds of points shows no edge.
    #[error("no point of the plane is stable")]
    NothingStable,
    /// A plane without both kinds of points shows no edge.
    #[error("no point of the plane is unstable")]
    NothingUnstable,
    /// Linear theory calls nothing stable.
    #[error(transparent)]
    Unstable(#[from] Unstable),
}
