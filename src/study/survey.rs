//! What studies find that neither look at runs nor draw a map.

use super::spin_scan::SpinScan;
use super::stability::StabilityRegion;

/// Name, value and unit of each number; a value that is missing says why.
pub type Numbers = Vec<(String, Result<f64, String>, &'static str)>;

/// What a survey found.
#[derive(Debug, Clone, PartialEq)]
pub enum Survey {
    /// Survival against the spin.
    SpinScan(SpinScan),
    /// The linearly stable region.
    StabilityRegion(Box<StabilityRegion>),
}

impl Survey {
    /// The numbers that checks can ask for.
    pub fn numbers(&self) -> Numbers {
        match self {
            Self::SpinScan(s) => s.numbers(),
            Self::StabilityRegion(s) => s.numbers(),
        }
    }
}
