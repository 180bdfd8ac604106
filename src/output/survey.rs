//! Surveys as files, figures and words.

use super::plot::{self, Axis, Mark, Plot, PlotError, Scale, Series, Style};
use super::words;
use crate::analysis::{SpinScan, StabilityRegion, Survey, ratio};
use crate::cases::{RegionPlan, ScanPlan, SurveyPlan};
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
    let mut out = String::from("z,sigma_low,sigma_high\n");
    for e in &region.edges {
        let _ = match e.stable {
            Some([low, high]) => writeln!(out, "{:?},{low:?},{high:?}", e.height),
            None => writeln!(out, "{:?},,", e.height),
        };
    }
    out
}

fn plane_csv(region: &StabilityRegion) -> String {
    let mut out = String::from("z,sigma,stable,growth,negative_modes\n");
    for p in &region.plane {
        let (stable, n) = (u8::from(p.stable), p.negative);
        let _ = writeln!(
            out,
            "{:?},{:?},{stable},{:?},{n}",
            p.height, p.sigma, p.growth
        );
    }
    out
}

fn modes_csv(region: &StabilityRegion) -> String {
    let mut out = String::from("sigma");
    for k in 1..=4 {
        let _ = write!(out, ",omega_{k},growth_{k},krein_{k}");
    }
    out.push('\n');
    for (sigma, modes) in &region.along {
        let _ = write!(out, "{sigma:?}");
        for m in &modes.horizontal {
            let _ = write!(out, ",{:?},{:?},{}", m.omega, m.growth, m.krein);
        }
        out.push('\n');
    }
    out
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
            vec![region_plot(title, plan, s), modes_plot(plan, s)]
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
fn modes_plot(plan: &RegionPlan, found: &StabilityRegion) -> Plot {
    let series = [
        (1, "energy positive"),
        (-1, "energy negative"),
        (0, "a growing and a decaying one"),
    ];
    let series = series.map(|(krein, label)| Series {
        label: label.into(),
        points: found
            .along
            .iter()
            .flat_map(|(sigma, modes)| modes.horizontal.iter().map(move |m| (sigma, m)))
            // Of a pair one is enough.
            .filter(|(_, m)| m.krein == krein && m.growth >= 0.0)
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
        title: format!("Modes of the top at z_s = {:.5} m", found.height),
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
        line(
            format!(
                "the case: {:.4} m, {} rev/s",
                found.height,
                round(found.sigma)
            ),
            vec![[found.height, found.sigma]],
            Style::Markers,
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
    Plot {
        title: title.into(),
        x: over("Height of the equilibrium z_s [m]", &plan.heights),
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
        ),
        Ok(Survey::StabilityRegion(s)) => {
            let modes = s.modes.horizontal.iter().map(|m| {
                let sign = match m.krein {
                    1 => "+",
                    -1 => "−",
                    _ => "unstable",
                };
                format!("{:.4} {sign}", m.omega)
            });
            writeln!(
                out,
                "  stability {name}: at {:.6} m {}\n    at {} rev/s ω = {} rad/s, vertical {:.4}",
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
