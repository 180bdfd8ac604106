//! The linearly stable region of a Levitron in the plane of height and spin.

use super::survey::Numbers;
use crate::models::levitron::Levitron;
use crate::reference::levitron_stability::{Hover, Mode, Modes, Region, Unstable};
use core::f64::consts::TAU;

/// Points of each edge of the region's outline.
const OUTLINE: u32 = 600;

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
    /// Growth rate of the fastest mode, 1/s; 0 where it is stable.
    pub growth: f64,
    /// How many modes have negative energy.
    pub negative: usize,
    /// Whether it is stable: four different real frequencies, counted, and the vertical one.
    pub stable: bool,
}

/// What linear theory says of a Levitron.
#[derive(Debug, Clone, PartialEq)]
pub struct StabilityRegion {
    /// Height of the case's own equilibrium, m.
    pub height: f64,
    /// The case's own spin, rev/s.
    pub sigma: f64,
    /// The modes there.
    pub modes: Modes,
    /// The stable spins there, rev/s, or why there are none.
    pub stable: Result<[f64; 2], String>,
    /// Landmarks of the region, spins in rad/s, or why there is none.
    pub region: Result<Region, String>,
    /// The modes at the case's own height, for each spin asked for, rev/s.
    pub along: Vec<(f64, Modes)>,
    /// Edges at the heights asked for.
    pub edges: Vec<Edges>,
    /// The plane, height by height.
    pub plane: Vec<PlanePoint>,
    /// The region's boundary, [m, rev/s]: the lower edge up to the tip, the upper one back.
    pub outline: Vec<[f64; 2]>,
}

/// Names of its numbers, with units.
const NAMES: [(&str, &str); 16] = [
    ("z_s", "m"),
    ("omega_z", "rad/s"),
    ("stable_low", "rev/s"),
    ("stable_high", "rev/s"),
    ("region_z_low", "m"),
    ("berry_z_high", "m"),
    ("tip_z", "m"),
    ("tip_sigma", "rev/s"),
    ("tip_omega", "rad/s"),
    ("stable_points", ""),
    ("disagreements", ""),
    ("omega", "rad/s"),
    ("growth", "1/s"),
    ("krein", ""),
    ("growth_translation", ""),
    ("growth_transverse", ""),
];

/// Where the names of single modes begin; they get the number of the mode, 1 to 4.
const OF_MODES: usize = 11;

impl StabilityRegion {
    /// Linear theory at these heights (m) and spins (rev/s), for a levitron with the spin `sigma`
    /// (rev/s).
    ///
    /// # Errors
    /// Where it does not hover at all.
    pub fn new(
        levitron: &Levitron,
        sigma: f64,
        heights: &[f64],
        spins: &[f64],
    ) -> Result<Self, Unstable> {
        let own = Hover::new(levitron)?;
        let turns = |h: &Hover| h.stable_spins().map(|s| [s.low / TAU, s.high / TAU]);
        let at = |z: f64| Hover::at(levitron, z);
        let (mut edges, mut plane) = (Vec::new(), Vec::new());
        for &height in heights {
            let hover = at(height);
            let stable = hover.as_ref().ok().and_then(|h| turns(h).ok());
            edges.push(Edges { height, stable });
            // Where nothing hovers there is nothing to say.
            if let Ok(hover) = hover {
                let point = |&sigma: &f64| point(&hover, sigma);
                plane.extend(spins.iter().map(point));
            }
        }
        let region = Region::new(levitron);
        let outline = region.as_ref().map_or_else(
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
            sigma,
            modes: own.modes(sigma * TAU),
            along: spins.iter().map(|s| (*s, own.modes(s * TAU))).collect(),
            stable: turns(&own).map_err(|e| e.to_string()),
            region: region.map_err(|e| e.to_string()),
            edges,
            plane,
            outline,
        })
    }

    /// Points of the plane that are stable by their modes, and those about which the edges say
    /// otherwise.
    fn counts(&self) -> (usize, usize) {
        let stable = self.plane.iter().filter(|p| p.stable).count();
        let edges = |p: &PlanePoint| {
            let edges = self.edges.iter().find(|e| e.height == p.height);
            let spins = edges.and_then(|e| e.stable);
            spins.is_some_and(|[low, high]| low < p.sigma.abs() && p.sigma.abs() < high)
        };
        let differ = self.plane.iter().filter(|p| p.stable != edges(p)).count();
        (stable, differ)
    }

    /// Names of its numbers.
    pub fn names() -> Vec<String> {
        let (whole, modes) = NAMES.split_at(OF_MODES);
        let mut out: Vec<String> = whole.iter().map(|(n, _)| (*n).into()).collect();
        for k in 1..=4 {
            out.extend(modes.iter().map(|(n, _)| format!("{n}_{k}")));
        }
        out
    }

    /// Its numbers.
    pub fn numbers(&self) -> Numbers {
        let edge = |k: usize| self.stable.as_ref().map(|s| s[k]).map_err(Clone::clone);
        let mark = |f: fn(&Region) -> f64| self.region.as_ref().map(f).map_err(Clone::clone);
        let (stable, differ) = self.counts();
        let mut values = vec![
            Ok(self.height),
            Ok(self.modes.vertical.omega),
            edge(0),
            edge(1),
            mark(|r| r.vertical),
            mark(|r| r.adiabatic),
            mark(|r| r.tip.height),
            mark(|r| r.tip.spin / TAU),
            mark(|r| r.tip.omega),
            Ok(stable as f64),
            Ok(differ as f64),
        ];
        for m in &self.modes.horizontal {
            let Mode {
                omega,
                growth,
                krein,
                damped,
            } = *m;
            let own = [
                omega,
                growth,
                f64::from(krein),
                damped.translation,
                damped.transverse,
            ];
            values.extend(own.map(Ok));
        }
        let (whole, modes) = NAMES.split_at(OF_MODES);
        let of_modes = std::iter::repeat_n(modes, 4).flatten();
        let units = whole.iter().chain(of_modes).map(|(_, unit)| *unit);
        let named = Self::names().into_iter().zip(values).zip(units);
        named.map(|((n, v), unit)| (n, v, unit)).collect()
    }
}

fn point(hover: &Hover, sigma: f64) -> PlanePoint {
    let modes = hover.modes(sigma * TAU);
    let all = modes.horizontal.iter().chain([&modes.vertical]);
    PlanePoint {
        height: hover.height(),
        sigma,
        growth: all.clone().map(|m| m.growth).fold(0.0, f64::max),
        negative: all.filter(|m| m.krein < 0).count(),
        stable: modes.is_stable(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::levitron::LevitronParameters;

    #[test]
    fn edges_and_counted_roots_agree_over_the_plane() {
        let levitron = Levitron::new(LevitronParameters::dullin2004()).unwrap();
        let heights: Vec<f64> = (0..40).map(|k| 0.0245 + 0.0002255 * f64::from(k)).collect();
        let spins: Vec<f64> = (0..61).map(|k| 10.0 + 0.451 * f64::from(k)).collect();
        let found = StabilityRegion::new(&levitron, 20.0, &heights, &spins).unwrap();
        let numbers = found.numbers();
        let names: Vec<String> = numbers.iter().map(|n| n.0.clone()).collect();
        assert_eq!(names, StabilityRegion::names());
        assert_eq!(names.len(), numbers.len());
        let number = |name: &str| {
            let found = numbers.iter().find(|n| n.0 == name);
            found.unwrap_or_else(|| panic!("{name}")).1.clone().unwrap()
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
        assert_eq!(found.plane.len(), heights.len() * spins.len());
        assert!(found.plane.iter().all(|p| p.stable == (p.growth == 0.0)));
        // Closed at the tip, ascending towards it.
        assert_eq!(found.outline.len(), 2 * OUTLINE as usize + 1);
        let tip = found.outline[OUTLINE as usize];
        assert_eq!(tip, [number("tip_z"), number("tip_sigma")]);
        // Below a/2 no spin helps.
        assert_eq!(found.edges[0].stable, None);
    }

    #[test]
    fn a_top_that_does_not_hover_has_no_region() {
        let p = LevitronParameters::dullin2004();
        let heavy = Levitron::new(LevitronParameters { mass: 0.03, ..p }).unwrap();
        assert!(StabilityRegion::new(&heavy, 20.0, &[0.03], &[20.0]).is_err());
    }
}
