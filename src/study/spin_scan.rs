//! Survival of a Levitron against its spin.

use super::levitron::{RangeTable, StartsTable, extent, numbers, shaded};
use super::tiled::{InTiles, Tiled};
use super::{DataFile, Drawing, Finding, Study, StudyInput, StudyKeys, TableReader};
use super::{csv_file, curves, record};
use core::f64::consts::TAU;
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::short;
use topsim_core::models::Model;
use topsim_levitron::{SpinRow, SpinScan, SpinScanResult, ratio, run_scan};
use topsim_plot::{Axis, Plot, Scale, Series, Style};

/// Most starts of a scan at each spin: their places are in memory while they are computed.
const MOST_STARTS: u64 = 1_000_000;

/// Survivors of the starts of a window at each spin: starts and escapes as in an escape map, but
/// for the spin. Linear theory says at which spins the equilibrium is stable.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct SpinScanTable {
    #[serde(flatten)]
    starts: StartsTable,
    /// Spins, rev/s.
    spins: RangeTable,
}

impl StudyKeys for SpinScanTable {
    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        let spins = reader.spins(&self.spins);
        if let Model::Reduced(reduced) = &reader.problem.model
            && !reduced.damping.is_zero()
        {
            reader.warnings.push("the stable interval of the spin scan is without friction: with [damping] a mode of negative energy grows at every spin".into());
        }
        let map = reader.starts(&self.starts, &[], "a spin scan");
        let (map, spins) = (map?, spins?);
        let starts = map.cells();
        if starts > MOST_STARTS {
            reader.fault(
                "size",
                format!("{starts} starts at each spin"),
                format!("at most {MOST_STARTS}; an escape map has room for more"),
            );
        }
        let fastest = spins.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        let mut escape = map.escape.clone();
        escape.spin = fastest * TAU;
        if let Err(e) = escape.check() {
            let found = format!("at {} rev/s: {e}", short(fastest));
            reader.fault("step", found, "a shorter step");
        }
        Some(Box::new(SpinScan { map, spins }))
    }
}

impl Study for SpinScan {
    fn kind(&self) -> &'static str {
        "spin_scan"
    }
    fn name(&self) -> Option<&str> {
        Some(&self.map.name)
    }
    fn number_names(&self) -> Vec<String> {
        Self::number_names(self)
    }
    fn extent(&self) -> String {
        let spins = self.spins.len();
        format!("{spins} spins of {}", extent(&self.map, "starts"))
    }
    fn tiled(&self) -> Option<&dyn Tiled> {
        Some(self)
    }
    fn make(&self, input: &StudyInput) -> Finding {
        self.make_in_tiles((input, self.extent()), run_scan, |found, scan| {
            let single = Self::number_names(self).len() - 2 * self.spins.len();
            found.numbers = numbers(scan.numbers(), |i| i < single);
            found.files = vec![csv(format!("{}.csv", found.stem), &scan)];
            let plot = plot(input.title, self, &scan);
            found.drawings = vec![Drawing::of_plot(&*found.stem, plot)];
            Ok(())
        })
    }
}

impl InTiles for SpinScan {
    type Cells = Self;
    fn cells(&self) -> &Self {
        self
    }
    fn called(&self) -> String {
        format!("spin scan `{}`", self.map.name)
    }
    fn cells_are(&self) -> &'static str {
        "blocks of starts"
    }
    fn size(&self) -> String {
        let starts = self.map.cells();
        format!("{starts} starts at {} spins", self.spins.len())
    }
}

fn csv(name: String, scan: &SpinScanResult) -> DataFile {
    let starts = scan.starts;
    let row = |r: &SpinRow| {
        let part = ratio(r.survivors, starts);
        record(&[&r.sigma, &r.survivors, &starts, &part])
    };
    let names = ["sigma", "survivors", "starts", "fraction"];
    csv_file(name, names, scan.rows.iter().map(row))
}

fn plot(title: &str, plan: &SpinScan, scan: &SpinScanResult) -> Plot {
    let escape = &plan.map.escape;
    let end = f64::from(escape.steps) * escape.h;
    let points = scan.rows.iter();
    let points = points.map(|r| [r.sigma, ratio(r.survivors, scan.starts)]);
    let (starts, scheme) = (scan.starts, &plan.map.scheme);
    let label = format!("{starts} starts, {scheme} at h = {} s", escape.h);
    let axes = [
        Axis::new("Spin σ [rev/s]", Scale::Linear),
        Axis::new(format!("Fraction still there after {end} s"), Scale::Linear),
    ];
    let series = Series::new(label, points.collect(), Style::LineMarkers);
    let marks = scan.stable.iter().map(|s| shaded(*s, -f64::MAX));
    curves(title, axes, [series], marks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_scan_read_back() {
        let scan = SpinScanResult {
            starts: 8,
            rows: vec![SpinRow {
                sigma: 12.5,
                survivors: 2,
            }],
            stable: Ok([1.0, 2.0]),
        };
        let expected = "sigma,survivors,starts,fraction\n12.5,2,8,0.25\n";
        let mut text = Vec::new();
        (csv("scan.csv".into(), &scan).write)(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
