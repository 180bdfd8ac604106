//! Linear stability of a hovering Levitron, in the plane of height and spin.

use super::levitron::{RangeTable, numbers, shaded};
use super::tiled::{stopped, unmade};
use super::{DataFile, Drawing, Finding, Study, StudyInput, StudyKeys, TableReader};
use crate::check::{IncompleteStudy, StudyNames};
use core::f64::consts::TAU;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt::Write;
use strict_toml::short;
use topsim_levitron::stability::Modes;
use topsim_levitron::{RegionError, StabilityRegion, StabilityRegionResult, run_region};
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style};

/// Most points of a plane.
const MOST_PLANE: u64 = 250_000;

/// Name of the kind in case files.
const KIND: &str = "stability_region";

/// Linear stability of a Levitron that hovers upright, in the plane of height and spin. At each
/// height the moment is such that it carries the mass there (or the mass such that the moment
/// does, with the moments of inertia in proportion: the region is the same). The field, Θ1/m and
/// Θ3/m are those of the case, and so are the spin and the height whose modes are told.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct StabilityRegionTable {
    /// Its name, for files and checks.
    name: String,
    /// Heights of the equilibrium, m.
    heights: RangeTable,
    /// Spins, rev/s: of the plane, and of the modes at the case's own height.
    spins: RangeTable,
}

impl StudyKeys for StabilityRegionTable {
    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        read(self, reader)
    }
}

fn read(table: StabilityRegionTable, reader: &mut TableReader) -> Option<Box<dyn Study>> {
    let heights = reader.points(&table.heights, "heights", "m");
    let spins = reader.spins(&table.spins);
    let (reduced, levitron) = reader.levitron("a stability region")?;
    reader.name(&table.name);
    if !reduced.damping.is_zero() {
        reader.faults.add(
            "damping",
            "friction in a stability region, which tells the growth per rate of friction",
            "no [damping] here",
        );
    }
    if !(table.heights.from > 0.0) {
        reader.fault(
            "heights.from",
            format!("found {}", short(table.heights.from)),
            "a height above the base, more than 0 m",
        );
    }
    if let Err(e) = levitron.equilibrium() {
        reader.faults.add(
            "potential",
            format!("no equilibrium whose stability could be told: {e}"),
            "a mass, a moment and a base with which the top hovers",
        );
    }
    let (heights, spins) = (heights?, spins?);
    let plane = heights.len() as u64 * spins.len() as u64;
    if plane > MOST_PLANE {
        let found = format!("a plane of {plane} points");
        reader.fault("heights.count", found, format!("at most {MOST_PLANE}"));
        return None;
    }
    Some(Box::new(StabilityRegionStudy(StabilityRegion {
        name: table.name,
        levitron,
        sigma: reduced.initial[0].momentum.z / reduced.bodies[0].theta3 / TAU,
        heights,
        spins,
    })))
}

#[derive(Debug, Clone)]
struct StabilityRegionStudy(StabilityRegion);

impl Study for StabilityRegionStudy {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn stem(&self) -> String {
        format!("{}_{}", KIND, self.0.name)
    }
    fn names(&self) -> Option<StudyNames> {
        Some(StudyNames {
            study: self.0.name.clone(),
            numbers: self.0.number_names(),
        })
    }
    fn extent(&self) -> String {
        let (heights, spins) = (self.0.heights.len(), self.0.spins.len());
        format!("{heights} heights × {spins} spins")
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let mut found = Finding::new(self, self.extent());
        let region = match run_region(&self.0, &|| (input.stop)().is_some()) {
            Ok(region) => region,
            Err(RegionError::Stopped) => return unmade(self, found, stopped(input)),
            Err(e) => return unmade(self, found, IncompleteStudy::Failed(e.to_string())),
        };
        found.numbers = numbers(region.numbers(), |_| true);
        let stem = found.stem.clone();
        found.files = vec![
            DataFile::text(format!("{stem}.csv"), edges_csv(&region)),
            DataFile::text(format!("{stem}_plane.csv"), plane_csv(&region)),
            DataFile::text(format!("{stem}_modes.csv"), modes_csv(&region)),
        ];
        let plane = plane_plot(input.title, &self.0, &region);
        let modes = modes_plot(input.title, &self.0, &region);
        found.drawings = vec![
            Drawing::of_plot(stem.clone(), plane),
            Drawing::of_plot(format!("{stem}_modes"), modes),
        ];
        found
    }
}

fn edges_csv(region: &StabilityRegionResult) -> String {
    let mut out = String::from("z_s,sigma_low,sigma_high\n");
    for e in &region.edges {
        let _ = match e.stable {
            Some([low, high]) => writeln!(out, "{:?},{low:?},{high:?}", e.height),
            None => writeln!(out, "{:?},,", e.height),
        };
    }
    out
}

fn plane_csv(region: &StabilityRegionResult) -> String {
    let mut out = String::from("z_s,sigma,stable,growth,negative_modes");
    modes_head(&mut out);
    for p in &region.plane {
        let (stable, n) = (u8::from(p.modes.is_stable()), p.negative());
        let (z, growth) = (p.height, p.growth());
        let _ = write!(out, "{z:?},{:?},{stable},{growth:?},{n}", p.sigma);
        modes_row(&mut out, &p.modes);
    }
    out
}

fn modes_csv(region: &StabilityRegionResult) -> String {
    let mut out = String::from("sigma");
    modes_head(&mut out);
    for (sigma, modes) in &region.along {
        let _ = write!(out, "{sigma:?}");
        modes_row(&mut out, modes);
    }
    out
}

fn modes_head(out: &mut String) {
    for k in 1..=4 {
        let _ = write!(out, ",omega_{k},growth_{k},krein_{k}");
    }
    out.push('\n');
}

fn modes_row(out: &mut String, modes: &Modes) {
    for m in &modes.horizontal {
        let _ = write!(out, ",{:?},{:?},{}", m.omega, m.growth, m.krein);
    }
    out.push('\n');
}

/// An axis that shows the whole of a range.
fn over(label: &str, range: &[f64]) -> Axis {
    Axis {
        range: range.first().copied().zip(range.last().copied()),
        ..Axis::new(label, Scale::Linear)
    }
}

/// Frequencies against the spin, told apart by their energy.
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
            // Of a pair one is enough.
            .filter(|(_, m)| m.krein == krein && m.growth >= 0.0 && m.omega.signum() == sense)
            .map(|(sigma, m)| [*sigma, m.omega.abs()]);
        Series::new(label, points.collect(), Style::Markers)
    });
    let mut marks = vec![Mark::Horizontal {
        y: found.modes.vertical.omega,
        label: format!(
            "along the vertical: {:.4} rad/s",
            found.modes.vertical.omega
        ),
    }];
    marks.extend(found.stable.iter().map(|s| shaded(*s, f64::MIN_POSITIVE)));
    Plot {
        title: format!("{title} · Modes at {:.5} m", found.height),
        x: over("Spin σ [rev/s]", &plan.spins),
        y: Axis::new("Frequency |ω| [rad/s]", Scale::Log10),
        series: series
            .into_iter()
            .filter(|s| !s.points.is_empty())
            .collect(),
        marks,
        ..Plot::default()
    }
}

fn plane_plot(title: &str, plan: &StabilityRegion, found: &StabilityRegionResult) -> Plot {
    let mut series = Vec::new();
    let mut marks = Vec::new();
    if let Ok(region) = &found.landmarks {
        marks.push(Mark::Area {
            corners: found.outline.clone(),
            label: "linearly stable".into(),
        });
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
    series.push(Series::new(
        label,
        vec![[height, found.sigma]],
        Style::Markers,
    ));
    Plot {
        title: match &found.landmarks {
            Ok(_) => title.into(),
            Err(why) => format!("{title} · {why}"),
        },
        x: over("Height of the equilibrium zₛ [m]", &plan.heights),
        y: over("Spin σ [rev/s]", &plan.spins),
        series,
        marks,
        ..Plot::default()
    }
}

/// Without the round-off of the way from a rate of turning to revolutions and back.
fn round(sigma: f64) -> f64 {
    (sigma * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests;
