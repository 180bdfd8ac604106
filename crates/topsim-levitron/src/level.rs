//! Linear theory at one height of the plane of heights and spins.

use crate::stability::{Hover, Mode, Modes, Unstable};
use core::f64::consts::TAU;
use topsim_core::models::levitron::Levitron;

/// Stable spins at one height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StableEdges {
    /// Height of the equilibrium, m.
    pub height: f64,
    /// Lowest and highest stable spin, rev/s; `None` where no spin is stable.
    pub stable: Option<[f64; 2]>,
}

/// Point of the plane of heights and spins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanePoint {
    /// Height of the equilibrium, m.
    pub height: f64,
    /// Spin, rev/s.
    pub sigma: f64,
    /// Modes at the point.
    pub modes: Modes,
    /// True between the edges of the height.
    pub between: bool,
}

impl PlanePoint {
    fn all(&self) -> impl Iterator<Item = &Mode> {
        self.modes.horizontal.iter().chain([&self.modes.vertical])
    }
    /// Returns the growth rate of the fastest mode, 1/s; 0 where all are stable.
    pub fn growth(&self) -> f64 {
        self.all().map(|m| m.growth).fold(0.0, f64::max)
    }
    /// Returns how many modes have negative energy.
    pub fn negative(&self) -> usize {
        self.all().filter(|m| m.krein < 0).count()
    }
}

/// Height with its points of the plane.
pub(crate) type Level = (StableEdges, Vec<PlanePoint>);

/// Computes the edges at a height (m) and the points at these spins (rev/s); there are none where
/// nothing hovers.
pub(crate) fn level(levitron: &Levitron, height: f64, spins: &[f64]) -> Level {
    let hover = Hover::at(levitron, height);
    let stable = hover.as_ref().ok().and_then(|h| turns(h).ok());
    let points = hover.map_or_else(
        |_| Vec::new(),
        |hover| {
            let point = |&sigma: &f64| PlanePoint {
                height,
                sigma,
                modes: hover.modes(sigma * TAU),
                between: stable.is_some_and(|[low, high]| low < sigma && sigma < high),
            };
            spins.iter().map(point).collect()
        },
    );
    (StableEdges { height, stable }, points)
}

/// Returns the stable spins, rev/s.
pub(crate) fn turns(hover: &Hover) -> Result<[f64; 2], Unstable> {
    hover.stable_spins().map(|s| [s.low / TAU, s.high / TAU])
}
