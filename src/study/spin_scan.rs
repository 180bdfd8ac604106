//! Survival of a Levitron against its spin.

use super::levitron::{RangeTable, StartsTable, nothing, numbers, shaded};
use super::{DataFile, Drawing, Finding, Kind, Reading, Study, Work};
use core::f64::consts::TAU;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;
use strict_toml::short;
use topsim_core::models::Model;
use topsim_levitron::ratio;
use topsim_levitron::{SpinScan, SpinScanResult, run_scan};
use topsim_plot::{Axis, Plot, Scale, Series, Style};

/// Most starts of a scan at each spin: their places are in memory while they are computed.
const MOST_STARTS: u64 = 1_000_000;

/// The row of spin scans.
pub(super) const KIND: Kind = Kind {
    name: "spin_scan",
    about: super::table::about::<SpinScanTable>,
    fields: SpinScanTable::json_schema,
    read,
    stands_alone: true,
};

/// How many starts of a window survive at each spin: starts and escapes as in an escape map, but
/// for the spin. Linear theory says at which spins the equilibrium is stable.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct SpinScanTable {
    #[serde(flatten)]
    starts: StartsTable,
    /// Spins, rev/s.
    spins: RangeTable,
}

fn read(table: toml::Table, reading: &mut Reading) -> Option<Box<dyn Study>> {
    let table: SpinScanTable = reading.table(table)?;
    let spins = reading.spins(&table.spins);
    if let Model::Reduced(reduced) = &reading.problem.model
        && !reduced.damping.is_zero()
    {
        reading.warnings.push("the stable interval of the spin scan is without friction: with [damping] a mode of negative energy grows at every spin".into());
    }
    let map = reading.starts(&table.starts, &[], "a spin scan");
    let (map, spins) = (map?, spins?);
    let starts = map.cells();
    if starts > MOST_STARTS {
        reading.faults.add(
            &reading.at("size"),
            format!("{starts} starts at each spin"),
            format!("at most {MOST_STARTS}; an escape map has room for more"),
        );
    }
    let fastest = spins.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
    let mut escape = map.escape.clone();
    escape.spin = fastest * TAU;
    if let Err(e) = escape.check() {
        reading.faults.add(
            &reading.at("step"),
            format!("at {} rev/s: {e}", short(fastest)),
            "a shorter step",
        );
    }
    Some(Box::new(SpinScanStudy(SpinScan { map, spins })))
}

#[derive(Debug, Clone)]
struct SpinScanStudy(SpinScan);

impl Study for SpinScanStudy {
    fn kind(&self) -> &'static str {
        KIND.name
    }
    fn stem(&self) -> String {
        format!("{}_{}", KIND.name, self.0.map.name)
    }
    fn asked_as(&self) -> Option<(String, Vec<String>)> {
        Some((self.0.map.name.clone(), self.0.number_names()))
    }
    fn extent(&self) -> String {
        let map = &self.0.map;
        format!(
            "{} spins of {} × {} starts, {} steps of {} s at most, {}",
            self.0.spins.len(),
            map.x.cells,
            map.z.cells,
            map.escape.steps,
            map.escape.h,
            map.scheme
        )
    }
    fn make(&self, work: &Work) -> Finding {
        let mut found = Finding::new(self, self.extent());
        let scan = match run_scan(&self.0, work.stop, work.progress) {
            Ok(scan) => scan,
            Err(why) => return nothing(found, self.0.number_names(), why),
        };
        let single = self.0.number_names().len() - 2 * self.0.spins.len();
        found.numbers = numbers(scan.numbers(), |i| i < single);
        found.files = vec![DataFile::text(format!("{}.csv", found.stem), csv(&scan))];
        let plot = plot(work.title, &self.0, &scan);
        found.drawings = vec![Drawing {
            stem: found.stem.clone(),
            svg: Arc::new(move || topsim_plot::svg(&plot)),
        }];
        found
    }
}

fn csv(scan: &SpinScanResult) -> String {
    let mut out = String::from("sigma,survivors,starts,fraction\n");
    for r in &scan.rows {
        let part = ratio(r.survivors, scan.starts);
        let _ = writeln!(
            out,
            "{:?},{},{},{part:?}",
            r.sigma, r.survivors, scan.starts
        );
    }
    out
}

fn plot(title: &str, plan: &SpinScan, scan: &SpinScanResult) -> Plot {
    let escape = &plan.map.escape;
    let end = f64::from(escape.steps) * escape.h;
    let part = |survivors| ratio(survivors, scan.starts);
    let marks = scan.stable.iter().map(|s| shaded(*s, -f64::MAX));
    Plot {
        title: title.into(),
        x: Axis::new("Spin σ [rev/s]", Scale::Linear),
        y: Axis::new(format!("Fraction still there after {end} s"), Scale::Linear),
        series: vec![Series {
            label: format!(
                "{} starts, {} at h = {} s",
                scan.starts, plan.map.scheme, escape.h
            ),
            points: scan
                .rows
                .iter()
                .map(|r| [r.sigma, part(r.survivors)])
                .collect(),
            style: Style::LineMarkers,
        }],
        marks: marks.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_levitron::SpinRow;

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
        assert_eq!(csv(&scan), expected);
    }
}
