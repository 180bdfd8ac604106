//! Numbers of a study that are asked for by name.

use crate::stability::Unstable;

/// Number of a study that can be asked for by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedNumber {
    /// Name, unique within the study.
    pub name: String,
    /// Value, or the reason why there is none.
    pub value: Result<f64, NoValue>,
    /// Unit; empty for counts and fractions.
    pub unit: &'static str,
}

impl NamedNumber {
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

/// Reason why a number has no value.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoValue {
    /// Quantile of a map without escapes.
    #[error("nothing escapes, so there are no escape times")]
    NothingEscapes,
    /// Escape time of a survivor.
    #[error("it does not escape")]
    Survivor,
    /// Side of the stable interval on which the scan has no spin.
    #[error("the scan has no such spin")]
    NoSuchSpin,
    /// Extreme of the surviving spins where nothing survives.
    #[error("nothing survives")]
    NothingSurvives,
    /// Edge of a plane without stable points.
    #[error("no point of the plane is stable")]
    NothingStable,
    /// Edge of a plane without unstable points.
    #[error("no point of the plane is unstable")]
    NothingUnstable,
    /// Stable spin where linear theory finds none.
    #[error(transparent)]
    Unstable(#[from] Unstable),
}
