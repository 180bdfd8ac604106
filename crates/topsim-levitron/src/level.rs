//! One height of the plane of heights and spins.

use crate::stability::{Hover, Mode, Modes, Unstable};
use core::f64::consts::TAU;
use topsim_core::models::levitron::Levitron;

/// One height of the region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edges {
    /// Height of the equilibrium, m.
    pub height: f64,
    /// Lowest and highest stable spin, rev/s, where there are any.
    pub stable: Option<[f64; 2]>,
}

/// One point of the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanePoint {
    /// Height of the equilibrium, m.
    pub height: f64,
    /// Spin, rev/s.
    pub sigma: f64,
    /// The modes there; stable if they have four different real frequencies, counted, and the
    /// vertical one is real.
    pub modes: Modes,
    /// Whether it lies between the edges of its height.
    pub between: bool,
}

impl PlanePoint {
    fn all(&self) -> impl Iterator<Item = &Mode> {
        self.modes.horizontal.iter().chain([&self.modes.vertical])
    }
    /// Growth rate of the fastest mode, 1/s; 0 where it is stable.
    pub fn growth(&self) -> f64 {
        self.all().map(|m| m.growth).fold(0.0, f64::max)
    }
    /// How many modes have negative energy.
    pub fn negative(&self) -> usize {
        self.all().filter(|m| m.krein < 0).count()
    }
}

/// One height with its points of the plane.
pub(crate) type Level = (Edges, Vec<PlanePoint>);

/// The edges at a height (m) and the points at these spins (rev/s); where nothing hovers there is
/// nothing to say.
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
    (Edges { height, stable }, points)
}

/// The stable spins, rev/s.
pub(crate) fn turns(hover: &Hover) -> Result<[f64; 2], Unstable> {
    hover.stable_spins().map(|s| [s.low / TAU, s.high / TAU])
}
