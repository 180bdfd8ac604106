//! The linearly stable region of a Levitron in the plane of height and spin.

use crate::level::{Level, level, turns};
use crate::number::{NamedNumber, NoValue};
use crate::stability::{Hover, Landmarks, Mode, Modes, Unstable};
use core::f64::consts::TAU;
use rayon::prelude::*;
use tiles::StopRequest;
use topsim_core::models::levitron::Levitron;

pub use crate::level::{PlanePoint, StableEdges};

/// Number of points of each edge of the region's outline.
const OUTLINE: u32 = 600;

/// Linear theory of a Levitron over heights and spins.
#[derive(Debug, Clone, PartialEq)]
pub struct StabilityRegion {
    /// Name, which also names the files.
    pub name: String,
    /// Top and base.
    pub levitron: Levitron,
    /// Spin of the top itself, rev/s.
    pub sigma: f64,
    /// Heights, m, ascending.
    pub heights: Vec<f64>,
    /// Spins, rev/s, ascending.
    pub spins: Vec<f64>,
}

/// Computes linear theory at each height, on the threads of the current pool.
///
/// # Errors
/// [`RegionError`].
pub fn run_region(
    region: &StabilityRegion,
    stop: StopRequest,
) -> Result<StabilityRegionResult, RegionError> {
    let heights = region.heights.par_iter();
    let levels: Result<Vec<_>, RegionError> = heights
        .map(|z| match stop() {
            true => Err(RegionError::Stopped),
            false => Ok(level(&region.levitron, *z, &region.spins)),
        })
        .collect();
    Ok(StabilityRegionResult::new(region, levels?)?)
}

/// Reason why a region is not computed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RegionError {
    /// Stop that the caller asked for.
    #[error("stopped")]
    Stopped,
    /// Levitron that does not hover at all.
    #[error(transparent)]
    Unstable(#[from] Unstable),
}

/// Stability of a Levitron by linear theory.
#[derive(Debug, Clone, PartialEq)]
pub struct StabilityRegionResult {
    /// Height of the equilibrium of the top itself, m.
    pub height: f64,
    /// Spin of the top itself, rev/s.
    pub sigma: f64,
    /// Modes at that height and spin.
    pub modes: Modes,
    /// Stable spins at that height, rev/s, or the reason why there are none.
    pub stable: Result<[f64; 2], Unstable>,
    /// Landmarks of the region, or the reason why there is none.
    pub landmarks: Result<Landmarks, Unstable>,
    /// Modes at that height for each spin of the plane, rev/s.
    pub along: Vec<(f64, Modes)>,
    /// Edges at the heights of the plane.
    pub edges: Vec<StableEdges>,
    /// Points of the plane, height by height.
    pub plane: Vec<PlanePoint>,
    /// Boundary of the region, [m, rev/s]: the lower edge up to the tip, then the upper edge back.
    pub outline: Vec<[f64; 2]>,
}

/// Function that computes a number of a result.
type ValueOf<T> = fn(&T) -> Result<f64, NoValue>;

/// Names, units and values of the numbers of a region.
const OF_REGION: [(&str, &str, ValueOf<StabilityRegionResult>); 11] = [
    ("z_s", "m", |r| Ok(r.height)),
    ("omega_z", "rad/s", |r| Ok(r.modes.vertical.omega)),
    ("stable_low", "rev/s", |r| Ok(r.stable?[0])),
    ("stable_high", "rev/s", |r| Ok(r.stable?[1])),
    ("region_z_low", "m", |r| Ok(r.landmarks?.vertical)),
    ("berry_z_high", "m", |r| Ok(r.landmarks?.adiabatic)),
    ("tip_z", "m", |r| Ok(r.landmarks?.tip.height)),
    ("tip_sigma", "rev/s", |r| Ok(r.landmarks?.tip.spin / TAU)),
    ("tip_omega", "rad/s", |r| Ok(r.landmarks?.tip.omega)),
    ("stable_points", "", |r| Ok(r.counts()?.0 as f64)),
    ("disagreements", "", |r| Ok(r.counts()?.1 as f64)),
];

/// Names, units and values of the numbers of a mode; the names end in the number of the mode, 1 to 4.
const OF_MODE: [(&str, &str, ValueOf<Mode>); 5] = [
    ("omega", "rad/s", |m| Ok(m.omega)),
    ("growth", "1/s", |m| Ok(m.growth)),
    ("krein", "", |m| Ok(f64::from(m.krein))),
    ("growth_translation", "", |m| Ok(m.damped.translation)),
    ("growth_transverse", "", |m| Ok(m.damped.transverse)),
];

impl StabilityRegion {
    /// Returns the names of the numbers of [`StabilityRegionResult::numbers`].
    pub fn number_names(&self) -> Vec<String> {
        let whole = OF_REGION.iter().map(|(name, ..)| (*name).into());
        let of_mode = |k: usize| OF_MODE.map(|(name, ..)| format!("{name}_{k}"));
        whole.chain((1..=4).flat_map(of_mode)).collect()
    }
}

impl StabilityRegionResult {
    /// Puts the levels of the heights together with the levitron's own height and the outline.
    fn new(asked: &StabilityRegion, levels: Vec<Level>) -> Result<Self, Unstable> {
        let StabilityRegion {
            levitron,
            sigma,
            spins,
            ..
        } = asked;
        let own = Hover::new(levitron)?;
        let at = |z: f64| Hover::at(levitron, z);
        let (mut edges, mut plane) = (Vec::new(), Vec::new());
        for (edge, points) in levels {
            edges.push(edge);
            plane.extend(points);
        }
        let landmarks = Landmarks::new(levitron);
        let outline = landmarks.as_ref().map_or_else(
            |_| Vec::new(),
            |region| {
                // Close to the tip, where the edges bend, the points are close.
                let place = |k: u32| {
                    let left = 1.0 - f64::from(k) / f64::from(OUTLINE);
                    let from = region.vertical * (1.0 + 1e-9);
                    region.tip.height - (region.tip.height - from) * left * left * left
                };
                let spins: Vec<(f64, [f64; 2])> = (0..OUTLINE)
                    .map(place)
                    .filter_map(|z| Some((z, turns(&at(z).ok()?).ok()?)))
                    .collect();
                let low = spins.iter().map(|(z, s)| [*z, s[0]]);
                let high = spins.iter().rev().map(|(z, s)| [*z, s[1]]);
                let tip = [region.tip.height, region.tip.spin / TAU];
                low.chain([tip]).chain(high).collect()
            },
        );
        Ok(Self {
            height: own.height(),
            sigma: *sigma,
            modes: own.modes(sigma * TAU),
            along: spins.iter().map(|s| (*s, own.modes(s * TAU))).collect(),
            stable: turns(&own),
            landmarks,
            edges,
            plane,
            outline,
        })
    }

    /// Counts the points of the plane that are stable by their modes, and those where the edges
    /// disagree with the modes.
    fn counts(&self) -> Result<(usize, usize), NoValue> {
        let stable = self.plane.iter().filter(|p| p.modes.is_stable()).count();
        if stable == 0 {
            return Err(NoValue::NothingStable);
        }
        if stable == self.plane.len() {
            return Err(NoValue::NothingUnstable);
        }
        let differ = |p: &&PlanePoint| p.modes.is_stable() != p.between;
        Ok((stable, self.plane.iter().filter(differ).count()))
    }

    /// Returns the numbers.
    pub fn numbers(&self) -> Vec<NamedNumber> {
        let whole = OF_REGION.iter();
        let mut out: Vec<NamedNumber> = whole
            .map(|(name, unit, value)| NamedNumber::new(*name, value(self), unit))
            .collect();
        for (k, mode) in self.modes.horizontal.iter().enumerate() {
            let own = |(name, unit, value): &(&str, &'static str, ValueOf<Mode>)| {
                NamedNumber::new(format!("{name}_{}", k + 1), value(mode), unit)
            };
            out.extend(OF_MODE.iter().map(own));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_core::models::levitron::LevitronParameters;

    #[test]
    fn edges_and_counted_roots_agree_over_the_plane() {
        let levitron = Levitron::new(LevitronParameters::dullin2004()).unwrap();
        let heights: Vec<f64> = (0..40).map(|k| 0.0245 + 0.0002255 * f64::from(k)).collect();
        let spins: Vec<f64> = (0..61).map(|k| 10.0 + 0.451 * f64::from(k)).collect();
        let asked = StabilityRegion {
            name: "plane".into(),
            levitron,
            sigma: 20.0,
            heights,
            spins,
        };
        let found = run_region(&asked, &|| false).unwrap();
        let numbers = found.numbers();
        let names: Vec<String> = numbers.iter().map(|n| n.name.clone()).collect();
        assert_eq!(names, asked.number_names());
        assert_eq!(names.len(), numbers.len());
        let number = |name: &str| {
            let found = numbers.iter().find(|n| n.name == name);
            found.unwrap_or_else(|| panic!("{name}")).value.unwrap()
        };
        assert_eq!(number("disagreements"), 0.0);
        assert!(
            number("stable_points") > 1000.0,
            "{}",
            number("stable_points")
        );
        assert_eq!(
            [1, 2, 3, 4].map(|k| number(&format!("krein_{k}"))),
            [1.0, 1.0, -1.0, 1.0]
        );
        assert_eq!(found.plane.len(), asked.heights.len() * asked.spins.len());
        let calm = |p: &PlanePoint| p.modes.is_stable() == (p.growth() == 0.0);
        assert!(found.plane.iter().all(calm));
        // Two modes have negative energy past the adiabatic bound, and one before it.
        let tongue = found.plane.iter().filter(|p| p.modes.is_stable());
        let bound = number("berry_z_high");
        for p in tongue {
            assert_eq!(p.negative(), if p.height > bound { 2 } else { 1 }, "{p:?}");
        }
        // The region is closed at the tip, and its edges ascend towards it.
        assert_eq!(found.outline.len(), 2 * OUTLINE as usize + 1);
        let tip = found.outline[OUTLINE as usize];
        assert_eq!(tip, [number("tip_z"), number("tip_sigma")]);
        // No spin helps below a/2.
        assert_eq!(found.edges[0].stable, None);
        // An agreement about no points would prove nothing.
        let disagreements = |heights: &[f64], spins: &[f64]| {
            let asked = StabilityRegion {
                heights: heights.to_vec(),
                spins: spins.to_vec(),
                ..asked.clone()
            };
            let numbers = run_region(&asked, &|| false).unwrap().numbers();
            let found = numbers.into_iter().find(|n| n.name == "disagreements");
            found.unwrap().value
        };
        let low = disagreements(&[0.01, 0.02], &asked.spins);
        assert_eq!(low, Err(NoValue::NothingStable));
        let one = disagreements(&[number("z_s")], &[20.0]);
        assert_eq!(one, Err(NoValue::NothingUnstable));
        let stopped = run_region(&asked, &|| true);
        assert_eq!(stopped, Err(RegionError::Stopped));
    }

    #[test]
    fn a_top_that_does_not_hover_has_no_region() {
        let p = LevitronParameters::dullin2004();
        let heavy = Levitron::new(LevitronParameters { mass: 0.03, ..p }).unwrap();
        let asked = StabilityRegion {
            name: "heavy".into(),
            levitron: heavy,
            sigma: 20.0,
            heights: Vec::new(),
            spins: vec![20.0],
        };
        let none = run_region(&asked, &|| false);
        assert!(matches!(none, Err(RegionError::Unstable(_))));
    }
}
