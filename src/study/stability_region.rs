//! Linear stability of a hovering Levitron, in the plane of height and spin.

use super::levitron::{RangeTable, numbers, shaded};
use super::tiled::{stopped, unmade};
use super::{DataFile, Drawing, Finding, Study, StudyInput, StudyKeys, TableReader};
use super::{csv_file, curves, record};
use crate::check::IncompleteStudy;
use core::f64::consts::TAU;
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_levitron::stability::{Mode, Modes};
use topsim_levitron::{PlanePoint, RegionError, StableEdges};
use topsim_levitron::{StabilityRegion, StabilityRegionResult, run_region};
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style};

/// Most points of a plane.
const MOST_PLANE: u64 = 250_000;

/// Linear stability of a Levitron that hovers upright, in the plane of height and spin. At each
/// height the moment is such that it carries the mass there (or the mass such that the moment
/// does, with the moments of inertia in proportion: the region is the same). The field, Θ1/m and
/// Θ3/m are those of the case, and so are the spin and the height whose modes are told.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct StabilityRegionTable {
    /// Name of the study, for files and checks.
    name: String,
    /// Heights of the equilibrium, m.
    heights: RangeTable,
    /// Spins, rev/s: of the plane, and of the modes at the case's own height.
    spins: RangeTable,
}

impl StudyKeys for StabilityRegionTable {
    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        let heights = reader.points(&self.heights, "heights", "m");
        let spins = reader.spins(&self.spins);
        let (reduced, levitron) = reader.levitron("a stability region")?;
        reader.name(&self.name);
        if !reduced.damping.is_zero() {
            let found =
                "friction in a stability region, which tells the growth per rate of friction";
            reader.faults.add("damping", found, "no [damping] here");
        }
        let above = "a height above the base, more than 0 m";
        reader.positive("heights.from", self.heights.from, above);
        reader.equilibrium(&levitron, "whose stability could be told");
        let (heights, spins) = (heights?, spins?);
        let plane = heights.len() as u64 * spins.len() as u64;
        if plane > MOST_PLANE {
            let found = format!("a plane of {plane} points");
            reader.fault("heights.count", found, format!("at most {MOST_PLANE}"));
            return None;
        }
        Some(Box::new(StabilityRegion {
            name: self.name,
            levitron,
            sigma: reduced.initial[0].momentum.z / reduced.bodies[0].theta3 / TAU,
            heights,
            spins,
        }))
    }
}

impl Study for StabilityRegion {
    fn kind(&self) -> &'static str {
        "stability_region"
    }
    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
    fn number_names(&self) -> Vec<String> {
        Self::number_names(self)
    }
    fn extent(&self) -> String {
        format!(
            "{} heights × {} spins",
            self.heights.len(),
            self.spins.len()
        )
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let mut found = Finding::new(self, self.extent());
        let region = match run_region(self, &|| (input.stop)().is_some()) {
            Ok(region) => region,
            Err(RegionError::Stopped) => return unmade(self, found, stopped(input)),
            Err(e) => return unmade(self, found, IncompleteStudy::Failed(e.to_string())),
        };
        found.numbers = numbers(region.numbers(), |_| true);
        let stem = &found.stem;
        found.files = vec![
            edges_csv(format!("{stem}.csv"), &region),
            plane_csv(format!("{stem}_plane.csv"), &region),
            modes_csv(format!("{stem}_modes.csv"), &region),
        ];
        let plane = plane_plot(input.title, self, &region);
        let modes = modes_plot(input.title, self, &region);
        found.drawings = vec![
            Drawing::of_plot(&**stem, plane),
            Drawing::of_plot(format!("{stem}_modes"), modes),
        ];
        found
    }
}

fn edges_csv(name: String, region: &StabilityRegionResult) -> DataFile {
    let row = |e: &StableEdges| match e.stable {
        Some([low, high]) => record(&[&e.height, &low, &high]),
        None => vec![format!("{:?}", e.height), String::new(), String::new()],
    };
    let names = ["z_s", "sigma_low", "sigma_high"];
    csv_file(name, names, region.edges.iter().map(row))
}

fn plane_csv(name: String, region: &StabilityRegionResult) -> DataFile {
    let row = |p: &PlanePoint| {
        let stable = u8::from(p.modes.is_stable());
        let point = record(&[&p.height, &p.sigma, &stable, &p.growth(), &p.negative()]);
        with_modes(point, &p.modes)
    };
    let names = ["z_s", "sigma", "stable", "growth", "negative_modes"];
    csv_file(name, names_with_modes(&names), region.plane.iter().map(row))
}

fn modes_csv(name: String, region: &StabilityRegionResult) -> DataFile {
    let rows = region.along.iter();
    let rows = rows.map(|(sigma, modes)| with_modes(record(&[sigma]), modes));
    csv_file(name, names_with_modes(&["sigma"]), rows)
}

fn names_with_modes(names: &[&str]) -> Vec<String> {
    let of_mode = |k| ["omega", "growth", "krein"].map(|name| format!("{name}_{k}"));
    let own = names.iter().map(ToString::to_string);
    own.chain((1..=4).flat_map(of_mode)).collect()
}

fn with_modes(mut record: Vec<String>, modes: &Modes) -> Vec<String> {
    let of_mode = |m: &Mode| self::record(&[&m.omega, &m.growth, &m.krein]);
    record.extend(modes.horizontal.iter().flat_map(of_mode));
    record
}

/// Returns an axis that shows the whole of a range.
fn over(label: &str, range: &[f64]) -> Axis {
    Axis {
        range: range.first().copied().zip(range.last().copied()),
        ..Axis::new(label, Scale::Linear)
    }
}

/// Draws frequencies against the spin, told apart by their energy.
fn modes_plot(title: &str, plan: &StabilityRegion, found: &StabilityRegionResult) -> Plot {
    let series = [
        (1, 1.0, "energy positive"),
        (1, -1.0, "energy positive, turning against the spin"),
        (-1, 1.0, "energy negative"),
        (-1, -1.0, "energy negative, turning against the spin"),
        (0, 1.0, "unstable pair"),
        (0, -1.0, "unstable pair, turning against the spin"),
    ];
    let series = series.map(|(krein, sense, label)| {
        let modes = found.along.iter();
        let points = modes
            .flat_map(|(sigma, modes)| modes.horizontal.iter().map(move |m| (sigma, m)))
            // One mode of each pair is enough.
            .filter(|(_, m)| m.krein == krein && m.growth >= 0.0 && m.omega.signum() == sense)
            .map(|(sigma, m)| [*sigma, m.omega.abs()]);
        Series::new(label, points.collect(), Style::Markers)
    });
    let y = found.modes.vertical.omega;
    let label = format!("along the vertical: {y:.4} rad/s");
    let mut marks = vec![Mark::Horizontal { y, label }];
    marks.extend(found.stable.iter().map(|s| shaded(*s, f64::MIN_POSITIVE)));
    let axes = [
        over("Spin σ [rev/s]", &plan.spins),
        Axis::new("Frequency |ω| [rad/s]", Scale::Log10),
    ];
    let series = series.into_iter().filter(|s| !s.points.is_empty());
    let title = format!("{title} · Modes at {:.5} m", found.height);
    curves(title, axes, series, marks)
}

fn plane_plot(title: &str, plan: &StabilityRegion, found: &StabilityRegionResult) -> Plot {
    let mut series = Vec::new();
    let mut marks = Vec::new();
    if let Ok(region) = &found.landmarks {
        let corners = found.outline.clone();
        let label = "linearly stable".into();
        marks.push(Mark::Area { corners, label });
        let outline = found.outline.clone();
        series.push(Series::new("two frequencies meet", outline, Style::Line));
        let tip = [region.tip.height, region.tip.spin / TAU];
        let label = format!("tip: {:.5} m, {:.3} rev/s", tip[0], tip[1]);
        series.push(Series::new(label, vec![tip], Style::Markers));
        for (x, what) in [
            (region.vertical, "vertical stability begins"),
            (region.adiabatic, "adiabatic bound"),
        ] {
            let label = format!("{what}: {x:.5} m");
            marks.push(Mark::Vertical { x, label });
        }
    }
    let shown = |x: f64, range: &[f64]| {
        let ends = range.first().zip(range.last());
        ends.is_some_and(|(a, b)| (*a..=*b).contains(&x))
    };
    let there = shown(found.height, &plan.heights) && shown(found.sigma, &plan.spins);
    let off = if there { "" } else { " (off the scale)" };
    let (height, spin) = (found.height, round(found.sigma));
    let label = format!("the case: {height:.4} m, {spin} rev/s{off}");
    let here = vec![[height, found.sigma]];
    series.push(Series::new(label, here, Style::Markers));
    let title = match &found.landmarks {
        Ok(_) => title.into(),
        Err(why) => format!("{title} · {why}"),
    };
    let axes = [
        over("Height of the equilibrium zₛ [m]", &plan.heights),
        over("Spin σ [rev/s]", &plan.spins),
    ];
    curves(title, axes, series, marks)
}

/// Removes the round-off of the way from a rate of turning to revolutions and back.
fn round(sigma: f64) -> f64 {
    (sigma * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests;
