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
pub type Level = (Edges, Vec<PlanePoint>);

/// The edges at a height (m) and the points at these spins (rev/s); where nothing hovers there is
/// nothing to say.
pub fn level(levitron: &Levitron, height: f64, spins: &[f64]) -> Level {
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
fn turns(hover: &Hover) -> Result<[f64; 2], Unstable> {
    hover.stable_spins().map(|s| [s.low / TAU, s.high / TAU])
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
    /// Linear theory at these levels and spins (rev/s), for a levitron with the spin `sigma` (rev/s).
    ///
    /// # Errors
    /// Where it does not hover at all.
    pub fn new(
        levitron: &Levitron,
        sigma: f64,
        levels: Vec<Level>,
        spins: &[f64],
    ) -> Result<Self, Unstable> {
        let own = Hover::new(levitron)?;
        let at = |z: f64| Hover::at(levitron, z);
        let (mut edges, mut plane) = (Vec::new(), Vec::new());
        for (edge, points) in levels {
            edges.push(edge);
            plane.extend(points);
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
    fn counts(&self) -> Result<(usize, usize), String> {
        let stable = self.plane.iter().filter(|p| p.modes.is_stable()).count();
        if stable == 0 || stable == self.plane.len() {
            let which = if stable == 0 { "stable" } else { "unstable" };
            return Err(format!("no point of the plane is {which}"));
        }
        let differ = |p: &&PlanePoint| p.modes.is_stable() != p.between;
        Ok((stable, self.plane.iter().filter(differ).count()))
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
        let counts = self.counts();
        let count = |f: fn(&(usize, usize)) -> usize| match &counts {
            Ok(c) => Ok(f(c) as f64),
            Err(why) => Err(why.clone()),
        };
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
            count(|c| c.0),
            count(|c| c.1),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::levitron::LevitronParameters;

    #[test]
    fn edges_and_counted_roots_agree_over_the_plane() {
        let levitron = Levitron::new(LevitronParameters::dullin2004()).unwrap();
        let heights: Vec<f64> = (0..40).map(|k| 0.0245 + 0.0002255 * f64::from(k)).collect();
        let spins: Vec<f64> = (0..61).map(|k| 10.0 + 0.451 * f64::from(k)).collect();
        let levels = |heights: &[f64]| {
            let one = heights.iter().map(|z| level(&levitron, *z, &spins));
            one.collect::<Vec<_>>()
        };
        let found = StabilityRegion::new(&levitron, 20.0, levels(&heights), &spins).unwrap();
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
        let calm = |p: &PlanePoint| p.modes.is_stable() == (p.growth() == 0.0);
        assert!(found.plane.iter().all(calm));
        // Past the adiabatic bound two modes have negative energy, before it one.
        let tongue = found.plane.iter().filter(|p| p.modes.is_stable());
        let bound = number("berry_z_high");
        for p in tongue {
            assert_eq!(p.negative(), if p.height > bound { 2 } else { 1 }, "{p:?}");
        }
        // Closed at the tip, ascending towards it.
        assert_eq!(found.outline.len(), 2 * OUTLINE as usize + 1);
        let tip = found.outline[OUTLINE as usize];
        assert_eq!(tip, [number("tip_z"), number("tip_sigma")]);
        // Below a/2 no spin helps.
        assert_eq!(found.edges[0].stable, None);
        // Agreement about nothing is none.
        let low = StabilityRegion::new(&levitron, 20.0, levels(&[0.01, 0.02]), &spins).unwrap();
        let low = low.numbers().into_iter().find(|n| n.0 == "disagreements");
        assert_eq!(
            low.unwrap().1,
            Err("no point of the plane is stable".into())
        );
    }

    #[test]
    fn a_top_that_does_not_hover_has_no_region() {
        let p = LevitronParameters::dullin2004();
        let heavy = Levitron::new(LevitronParameters { mass: 0.03, ..p }).unwrap();
        assert!(StabilityRegion::new(&heavy, 20.0, Vec::new(), &[20.0]).is_err());
    }
}
