//! Studies to make that neither look at runs nor draw a map.

use super::map_plan::MapPlan;
use crate::analysis::{SpinScan, StabilityRegion};
use crate::models::levitron::Levitron;

/// Survival against the spin.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanPlan {
    /// Starts and physics; its spin is replaced by those of the scan.
    pub map: MapPlan,
    /// Spins, rev/s, ascending.
    pub spins: Vec<f64>,
}

/// The linearly stable region.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionPlan {
    /// Its name in the case.
    pub name: String,
    /// The top and its base.
    pub levitron: Levitron,
    /// The case's own spin, rev/s.
    pub sigma: f64,
    /// Heights, m, ascending.
    pub heights: Vec<f64>,
    /// Spins, rev/s, ascending.
    pub spins: Vec<f64>,
}

/// A survey to make.
#[derive(Debug, Clone, PartialEq)]
pub enum SurveyPlan {
    /// Survival against the spin.
    SpinScan(Box<ScanPlan>),
    /// The linearly stable region.
    StabilityRegion(Box<RegionPlan>),
}

impl SurveyPlan {
    /// Its name in the case.
    pub fn name(&self) -> &str {
        match self {
            Self::SpinScan(s) => &s.map.name,
            Self::StabilityRegion(s) => &s.name,
        }
    }

    /// Name of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SpinScan(_) => "spin_scan",
            Self::StabilityRegion(_) => "stability_region",
        }
    }

    /// Stem of its files.
    pub fn stem(&self) -> String {
        format!("{}_{}", self.kind(), self.name())
    }

    /// Names of the numbers that checks can ask for.
    pub fn numbers(&self) -> Vec<String> {
        match self {
            Self::SpinScan(s) => SpinScan::names(&s.spins),
            Self::StabilityRegion(_) => StabilityRegion::names(),
        }
    }

    /// What it takes, in words.
    pub fn size(&self) -> String {
        match self {
            Self::SpinScan(s) => format!(
                "{} spins of {} × {} starts, {} steps of {} s at most, {}",
                s.spins.len(),
                s.map.x.cells,
                s.map.z.cells,
                s.map.escape.steps,
                s.map.escape.h,
                s.map.scheme
            ),
            Self::StabilityRegion(s) => {
                format!("{} heights × {} spins", s.heights.len(), s.spins.len())
            }
        }
    }
}
