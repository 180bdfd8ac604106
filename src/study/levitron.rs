//! Parts of the studies of a Levitron: the top of the case, windows of starts, ranges.

use super::TableReader;
use crate::check::Number;
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::short;
use topsim_core::integration::Grid;
use topsim_core::models::Model;
use topsim_core::models::levitron::Levitron;
use topsim_core::models::reduced::{AnyPotential, AnyReducedSystem};
use topsim_core::schemes::POISSON;
use topsim_levitron::kernel::{EscapeProblem, Width};
use topsim_levitron::{EscapeMap, MapAxis, NamedNumber};
use topsim_plot::Mark;

/// Most cells of a side: their numbers are exact, and a row fits into memory.
const MOST_CELLS: u32 = 1 << 20;
/// Most points of a range.
const MOST_POINTS: u32 = 10_000;

/// A window of starts, m.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WindowTable {
    /// Distances from the axis: from and to.
    x: [f64; 2],
    /// Heights above the equilibrium: from and to.
    z: [f64; 2],
}

/// Range of equally spaced numbers.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RangeTable {
    /// First number.
    pub from: f64,
    /// Last number.
    pub to: f64,
    /// Count of the numbers, both ends among them.
    pub count: u32,
}

/// The starts and the physics that escapes are computed from.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct StartsTable {
    /// Name of the study, for files and checks.
    pub name: String,
    /// The window; starts are centred in its cells.
    window: WindowTable,
    /// Cells along x and along z.
    size: [u32; 2],
    /// T, s: what has not escaped by then survives.
    end: f64,
    /// Step, s.
    step: f64,
    /// One of the `poisson_*` schemes (default poisson_strang).
    #[serde(default = "strang")]
    scheme: String,
    /// Escape radius, m (default the smaller of the base's radius and z_s).
    escape_radius: Option<f64>,
}

fn strang() -> String {
    "poisson_strang".into()
}

impl TableReader<'_, '_> {
    /// Returns the levitating body of a study, `what`: upright and at rest in the case's own start.
    pub(super) fn levitron(&mut self, what: &str) -> Option<(AnyReducedSystem, Levitron)> {
        let reduced = match &self.problem.model {
            Model::Reduced(reduced) => Some(reduced),
            _ => None,
        };
        let found = reduced.and_then(|reduced| match &reduced.potential {
            AnyPotential::Levitron(l) => Some((reduced, l.0)),
            _ => None,
        });
        let Some((reduced, levitron)) = found else {
            let found = format!("{what} in a case without a Levitron");
            let allowed = "this kind only beside a [potential] of `model = \"levitron\"`";
            self.fault("kind", found, allowed);
            return None;
        };
        let start = &reduced.initial[0];
        let sideways = start.momentum.x != 0.0 || start.momentum.y != 0.0;
        if start.axis.z != 1.0 || sideways || start.velocity.norm() != 0.0 {
            let found = format!("{what} of a body that does not start upright and at rest");
            let allowed =
                "an [initial] with the spin about the vertical only: the study sets the place";
            self.fault("kind", found, allowed);
            return None;
        }
        Some((reduced.clone(), levitron))
    }

    /// Checks the name of a study, which names files.
    pub(super) fn name(&mut self, name: &str) {
        let good = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        if name.is_empty() || name.len() > 100 || !name.chars().all(good) {
            let found = format!("the name `{name}` cannot name a file");
            self.fault("name", found, "at most 100 letters, digits and _ -");
        }
    }

    /// Returns the height at which the top hovers; `what` says for what it is needed.
    pub(super) fn equilibrium(&mut self, levitron: &Levitron, what: &str) -> Option<f64> {
        let found = levitron.equilibrium().map_err(|e| {
            let found = format!("no equilibrium {what}: {e}");
            let allowed = "a mass, a moment and a base with which the top hovers";
            self.faults.add("potential", found, allowed);
        });
        Some(found.ok()?.outer)
    }

    /// Checks that a range rises.
    fn rises(&mut self, key: &str, what: &str, [from, to]: [f64; 2], allowed: &str) {
        if !(to > from) {
            let found = format!("{what} from {} to {}", short(from), short(to));
            self.fault(key, found, allowed);
        }
    }

    /// Reads the starts and the physics of a study, `what`.
    pub(super) fn starts(
        &mut self,
        table: &StartsTable,
        probes: &[[f64; 2]],
        what: &str,
    ) -> Option<EscapeMap> {
        let before = self.faults.list.len();
        self.name(&table.name);
        let (reduced, levitron) = self.levitron(what)?;
        let two = "two numbers, the second above the first, in m";
        self.rises("window.x", "a window", table.window.x, two);
        self.rises("window.z", "a window", table.window.z, two);
        for (i, &n) in table.size.iter().enumerate() {
            if !(1..=MOST_CELLS).contains(&n) {
                let allowed = format!("from 1 to {MOST_CELLS} cells");
                self.fault(&format!("size[{i}]"), format!("found {n} cells"), allowed);
            }
        }
        self.positive("end", table.end, "more than 0 s");
        self.positive("step", table.step, "more than 0 s");
        let composition = POISSON.iter().find(|(name, _)| *name == table.scheme);
        if composition.is_none() {
            let known: Vec<&str> = POISSON.iter().map(|(name, _)| *name).collect();
            let found = format!("no scheme for maps is called `{}`", table.scheme);
            self.fault("scheme", found, known.join(", "));
        }
        let height = self.equilibrium(&levitron, "to escape from")?;
        let radius = table
            .escape_radius
            .unwrap_or_else(|| height.min(levitron.field().radius()));
        self.positive("escape_radius", radius, "more than 0 m");
        let theta3 = reduced.bodies[0].theta3;
        let spin = reduced.initial[0].momentum.z / theta3;
        if spin == 0.0 {
            let found = "a top that does not spin: nothing holds it upright";
            let allowed = "an angular velocity about the vertical, in rad/s";
            self.faults.add("initial", found, allowed);
        }
        if self.faults.list.len() > before {
            return None;
        }
        let steps = Grid::new(0.0, table.end, table.step, table.end).steps;
        let Ok(limit) = i32::try_from(steps) else {
            let found = format!("a step of {} s makes {steps} steps", short(table.step));
            self.fault("step", found, format!("at most {} steps", i32::MAX));
            return None;
        };
        let axis = |[from, to]: [f64; 2], cells| MapAxis { from, to, cells };
        let map = EscapeMap {
            name: table.name.clone(),
            scheme: table.scheme.clone(),
            x: axis(table.window.x, table.size[0]),
            z: axis(table.window.z, table.size[1]),
            probes: probes.to_vec(),
            escape: EscapeProblem {
                levitron,
                spin,
                centre: [0.0, 0.0, height],
                radius,
                h: table.step,
                steps: limit.unsigned_abs(),
                scheme: composition?.1,
                damping: reduced.damping,
            },
            width: Width::best(),
        };
        if let Err(why) = map.check() {
            let allowed = "a window inside the escape radius, where the field is known";
            self.fault("window", why.to_string(), allowed);
        }
        if let Err(e) = map.escape.check() {
            self.fault("step", e.to_string(), "a shorter step");
        }
        Some(map)
    }

    /// Returns the spins of a range, rev/s: the other sense of turning is the mirror image.
    pub(super) fn spins(&mut self, range: &RangeTable) -> Option<Vec<f64>> {
        if !(range.from >= 0.0) {
            let allowed = "a spin of 0 rev/s or more; the other sense is the mirror image";
            self.fault(
                "spins.from",
                format!("found {}", short(range.from)),
                allowed,
            );
        }
        self.points(range, "spins", "rev/s")
    }

    /// Returns the points of a range, both ends among them.
    pub(super) fn points(&mut self, range: &RangeTable, key: &str, unit: &str) -> Option<Vec<f64>> {
        let before = self.faults.list.len();
        let allowed = format!("an end above the beginning, in {unit}");
        let ends = [range.from, range.to];
        self.rises(&format!("{key}.to"), "a range", ends, &allowed);
        if !(2..=MOST_POINTS).contains(&range.count) {
            let (found, key) = (format!("found {}", range.count), format!("{key}.count"));
            self.fault(&key, found, format!("from 2 to {MOST_POINTS} points"));
        }
        let last = f64::from(range.count.max(2) - 1);
        // Twelve digits, so that round steps give numbers that can be written in a check.
        let point = |k: u32| {
            let x = range.from + f64::from(k) * (range.to - range.from) / last;
            format!("{x:.11e}").parse().unwrap_or(x)
        };
        (self.faults.list.len() == before).then(|| (0..range.count).map(point).collect())
    }
}

/// Describes the most that a map of starts computes.
pub(super) fn extent(map: &EscapeMap, starts: &str) -> String {
    let (columns, rows, escape) = (map.x.cells, map.z.cells, &map.escape);
    format!(
        "{columns} × {rows} {starts}, {} steps of {} s at most, {}",
        escape.steps, escape.h, map.scheme
    )
}

/// Returns numbers of the Levitron as checks ask for them, and marks those that are headlines.
pub(super) fn numbers(of: Vec<NamedNumber>, is_headline: impl Fn(usize) -> bool) -> Vec<Number> {
    let numbers = of.into_iter().enumerate();
    let numbers = numbers.map(|(i, n)| Number {
        headline: is_headline(i),
        ..Number::new(n.name, n.unit, n.value)
    });
    numbers.collect()
}

/// Shades the linearly stable spins.
pub(super) fn shaded([low, high]: [f64; 2], least: f64) -> Mark {
    let most = f64::MAX;
    Mark::Area {
        corners: vec![[low, least], [low, most], [high, most], [high, least]],
        label: format!("linearly stable: {low:.3} to {high:.3} rev/s"),
    }
}
