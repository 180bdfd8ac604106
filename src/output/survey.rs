//! Surveys as files, figures and words.

use super::plot::{self, Axis, Mark, Plot, PlotError, Scale, Series, Style};
use super::words;
use crate::analysis::{SpinScan, StabilityRegion, Survey, ratio};
use crate::cases::{RegionPlan, ScanPlan, SurveyPlan};
use crate::reference::levitron_stability::Modes;
use crate::runner::SurveyReport;
use core::f64::consts::TAU;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Files with the numbers of a survey, without the folder: name and text.
pub fn files(report: &SurveyReport) -> Vec<(String, String)> {
    let stem = report.plan.stem();
    match &report.found {
        Err(_) => Vec::new(),
        Ok(Survey::SpinScan(s)) => vec![(format!("{stem}.csv"), scan_csv(s))],
        Ok(Survey::StabilityRegion(s)) => vec![
            (format!("{stem}.csv"), edges_csv(s)),
            (format!("{stem}_plane.csv"), plane_csv(s)),
            (format!("{stem}_modes.csv"), modes_csv(s)),
        ],
    }
}

fn scan_csv(scan: &SpinScan) -> String {
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

fn edges_csv(region: &StabilityRegion) -> String {
    let mut out = String::from("z_s,sigma_low,sigma_high\n");
    for e in &region.edges {
        let _ = match e.stable {
            Some([low, high]) => writeln!(out, "{:?},{low:?},{high:?}", e.height),
            None => writeln!(out, "{:?},,", e.height),
        };
    }
    out
}

fn plane_csv(region: &StabilityRegion) -> String {
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

fn modes_csv(region: &StabilityRegion) -> String {
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

/// Stems of the figures of a survey.
pub fn stems(report: &SurveyReport) -> Vec<String> {
    let stem = report.plan.stem();
    match &report.found {
        Err(_) => Vec::new(),
        Ok(Survey::SpinScan(_)) => vec![stem],
        Ok(Survey::StabilityRegion(_)) => vec![stem.clone(), format!("{stem}_modes")],
    }
}

/// The figures of a survey, in the order of their [`stems`]; `title` is that of the case.
///
/// # Errors
/// When drawing fails.
pub fn svgs(report: &SurveyReport, title: &str) -> Result<Vec<String>, PlotError> {
    let plots = match (&report.plan, &report.found) {
        (SurveyPlan::SpinScan(plan), Ok(Survey::SpinScan(s))) => vec![scan_plot(title, plan, s)],
        (SurveyPlan::StabilityRegion(plan), Ok(Survey::StabilityRegion(s))) => {
            vec![region_plot(title, plan, s), modes_plot(title, plan, s)]
        }
        _ => Vec::new(),
    };
    plots.iter().map(plot::svg).collect()
}

/// The linearly stable spins, shaded.
fn shaded([low, high]: [f64; 2], least: f64) -> Mark {
    Mark::Area {
        corners: vec![
            [low, least],
            [low, f64::MAX],
            [high, f64::MAX],
            [high, least],
        ],
        label: format!("linearly stable: {low:.3} to {high:.3} rev/s"),
    }
}

fn scan_plot(title: &str, plan: &ScanPlan, scan: &SpinScan) -> Plot {
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

/// An axis that shows the whole of a range.
fn over(label: &str, range: &[f64]) -> Axis {
    Axis {
        range: range.first().copied().zip(range.last().copied()),
        ..Axis::new(label, Scale::Linear)
    }
}

/// Frequencies against the spin, told apart by their energy.
fn modes_plot(title: &str, plan: &RegionPlan, found: &StabilityRegion) -> Plot {
    let series = [
        (1, 1.0, "energy positive"),
        (1, -1.0, "energy positive, turning against the spin"),
        (-1, 1.0, "energy negative"),
        (-1, -1.0, "energy negative, turning against the spin"),
        (0, 1.0, "unstable pair"),
        (0, -1.0, "unstable pair, turning against the spin"),
    ];
    let series = series.map(|(krein, sense, label)| Series {
        label: label.into(),
        points: found
            .along
            .iter()
            .flat_map(|(sigma, modes)| modes.horizontal.iter().map(move |m| (sigma, m)))
            // Of a pair one is enough.
            .filter(|(_, m)| m.krein == krein && m.growth >= 0.0 && m.omega.signum() == sense)
            .map(|(sigma, m)| [*sigma, m.omega.abs()])
            .collect(),
        style: Style::Markers,
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
        title: format!("{title}: modes at {:.5} m", found.height),
        x: over("Spin σ [rev/s]", &plan.spins),
        y: Axis::new("Frequency |ω| [rad/s]", Scale::Log10),
        series: series
            .into_iter()
            .filter(|s| !s.points.is_empty())
            .collect(),
        marks,
    }
}

fn region_plot(title: &str, plan: &RegionPlan, found: &StabilityRegion) -> Plot {
    let mut series = Vec::new();
    let mut marks = Vec::new();
    let mut line = |label: String, points, style| {
        series.push(Series {
            label,
            points,
            style,
        });
    };
    if let Ok(region) = &found.region {
        marks.push(Mark::Area {
            corners: found.outline.clone(),
            label: "linearly stable".into(),
        });
        line(
            "two frequencies meet".into(),
            found.outline.clone(),
            Style::Line,
        );
        let tip = [region.tip.height, region.tip.spin / TAU];
        line(
            format!("tip: {:.5} m, {:.3} rev/s", tip[0], tip[1]),
            vec![tip],
            Style::Markers,
        );
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
    series.push(Series {
        label: format!(
            "the case: {:.4} m, {} rev/s{}",
            found.height,
            round(found.sigma),
            if there { "" } else { " (off the scale)" },
        ),
        points: vec![[found.height, found.sigma]],
        style: Style::Markers,
    });
    Plot {
        title: match &found.region {
            Ok(_) => title.into(),
            Err(why) => format!("{title}: {why}"),
        },
        x: over("Height of the equilibrium zₛ [m]", &plan.heights),
        y: over("Spin σ [rev/s]", &plan.spins),
        series,
        marks,
    }
}

/// Without the round-off of the way from a rate of turning to revolutions and back.
fn round(sigma: f64) -> f64 {
    (sigma * 1e9).round() / 1e9
}

/// A few lines for the console.
pub fn tell(out: &mut String, report: &SurveyReport) {
    let (name, seconds) = (report.plan.name(), report.wall.as_secs_f64());
    let stable = |s: &Result<[f64; 2], String>| match s {
        Ok([low, high]) => format!("linearly stable from {low:.6} to {high:.6} rev/s"),
        Err(why) => why.clone(),
    };
    let _ = match &report.found {
        Err(_) => Ok(()),
        Ok(Survey::SpinScan(s)) => writeln!(
            out,
            "  spin scan {name}: {}, {} starts at each, {}; {seconds:.1} s",
            words::count(s.rows.len() as u64, "spin"),
            s.starts,
            stable(&s.stable),
        )
        .and_then(|()| match s.rows.iter().max_by_key(|r| r.survivors) {
            Some(most) if most.survivors > 0 => writeln!(
                out,
                "    most survivors at {} rev/s: {} ({:.1} %)",
                most.sigma,
                most.survivors,
                100.0 * ratio(most.survivors, s.starts)
            ),
            _ => writeln!(out, "    no survivor at any spin"),
        }),
        Ok(Survey::StabilityRegion(s)) => {
            let modes = s.modes.horizontal.iter().map(|m| {
                let sign = match m.krein {
                    1 => "+",
                    -1 => "−",
                    _ if m.growth > 0.0 => "growing",
                    _ => "decaying",
                };
                format!("{:.4} {sign}", m.omega)
            });
            let growth = s.modes.horizontal.iter().map(|m| m.growth);
            let growth = growth.fold(s.modes.vertical.growth, f64::max);
            let fate = if growth > 0.0 {
                format!(", UNSTABLE: e-fold in {:.3} s", 1.0 / growth)
            } else {
                String::new()
            };
            writeln!(
                out,
                "  stability {name}: at {:.6} m {}\n    at {} rev/s ω = {} rad/s, vertical {:.4}{fate}; {seconds:.1} s",
                s.height,
                stable(&s.stable),
                round(s.sigma),
                modes.collect::<Vec<_>>().join(", "),
                s.modes.vertical.omega,
            )
        }
    };
}

/// A survey in `results.json`.
#[derive(Serialize)]
pub struct SurveyOut {
    kind: &'static str,
    name: String,
    /// Why it is not complete.
    why: Option<String>,
    numbers: BTreeMap<String, Option<f64>>,
    data: Vec<String>,
}

/// For JSON.
pub fn json(case: &str, report: &SurveyReport) -> SurveyOut {
    let numbers = report.numbers().numbers.into_iter();
    SurveyOut {
        kind: report.plan.kind(),
        name: report.plan.name().into(),
        why: report.found.as_ref().err().cloned(),
        numbers: numbers.map(|(name, value, _)| (name, value.ok())).collect(),
        data: files(report)
            .into_iter()
            .map(|(name, _)| format!("{case}/{name}"))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{SpinRow, level};
    use crate::models::levitron::tests::table;
    use crate::models::levitron::{Levitron, LevitronParameters};

    /// Numbers of a CSV row, by their names.
    fn cell(text: &str, row: usize, name: &str) -> f64 {
        let mut lines = text.lines();
        let head = lines.next().unwrap().split(',');
        let column = head.into_iter().position(|n| n == name).unwrap();
        let mut row = lines.nth(row).unwrap().split(',');
        row.nth(column).unwrap().parse().unwrap()
    }

    fn near(found: f64, name: &str, rel: f64) {
        let exact = table(name);
        assert!((found / exact - 1.0).abs() <= rel, "{name}: {found}");
    }

    /// Columns hold what their heads say, against the independent table.
    #[test]
    fn files_of_a_region_read_back() {
        let levitron = Levitron::new(LevitronParameters::dullin2004()).unwrap();
        let own = levitron.equilibrium().unwrap().outer;
        let spins = [10.0, 20.0];
        let levels = [0.02, 0.028, own].map(|z| level(&levitron, z, &spins));
        let found = StabilityRegion::new(&levitron, 20.0, levels.into(), &spins).unwrap();
        let edges = edges_csv(&found);
        assert_eq!(edges.lines().nth(1).unwrap(), "0.02,,");
        assert_eq!(cell(&edges, 1, "z_s"), 0.028);
        near(cell(&edges, 1, "sigma_low"), "edge_low_0.028", 1e-12);
        near(cell(&edges, 1, "sigma_high"), "edge_high_0.028", 1e-12);
        // Heights from low to high, spins within: the last row is the case's own point.
        for (text, row) in [(plane_csv(&found), 5), (modes_csv(&found), 1)] {
            assert_eq!(cell(&text, row, "sigma"), 20.0);
            for k in 0..4 {
                let omega = cell(&text, row, &format!("omega_{}", k + 1));
                near(omega, &format!("quartic_omega_{k}"), 1e-12);
                assert_eq!(cell(&text, row, &format!("growth_{}", k + 1)), 0.0);
            }
            assert_eq!(cell(&text, row, "krein_3"), -1.0);
        }
        let plane = plane_csv(&found);
        assert_eq!(cell(&plane, 5, "stable"), 1.0);
        assert_eq!(cell(&plane, 5, "negative_modes"), 1.0);
        assert_eq!(cell(&plane, 4, "stable"), 0.0);
        assert!(cell(&plane, 4, "growth") > 0.1);
    }

    #[test]
    fn files_of_a_scan_read_back() {
        let scan = SpinScan {
            starts: 8,
            rows: vec![SpinRow {
                sigma: 12.5,
                survivors: 2,
            }],
            stable: Ok([1.0, 2.0]),
        };
        let expected = "sigma,survivors,starts,fraction\n12.5,2,8,0.25\n";
        assert_eq!(scan_csv(&scan), expected);
    }
}
