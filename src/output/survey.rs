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

/// The figure of a survey; `title` is that of the case.
///
/// # Errors
/// When drawing fails.
pub fn svg(report: &SurveyReport, title: &str) -> Option<Result<String, PlotError>> {
    let plot = match (&report.plan, report.found.as_ref().ok()?) {
        (SurveyPlan::SpinScan(plan), Survey::SpinScan(s)) => scan_plot(title, plan, s),
        (SurveyPlan::StabilityRegion(plan), Survey::StabilityRegion(s)) => {
            region_plot(title, plan, s)
        }
        _ => return None,
    };
    Some(plot::svg(&plot))
}

fn scan_plot(title: &str, plan: &ScanPlan, scan: &SpinScan) -> Plot {
    let escape = &plan.map.escape;
    let end = f64::from(escape.steps) * escape.h;
    let part = |survivors| ratio(survivors, scan.starts);
    let marks = scan.stable.iter().map(|[low, high]| Mark::Area {
        corners: vec![
            [*low, -f64::MAX],
            [*low, f64::MAX],
            [*high, f64::MAX],
            [*high, -f64::MAX],
        ],
        label: format!("linearly stable: {low:.3} to {high:.3} rev/s"),
    });
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

fn region_plot(title: &str, plan: &RegionPlan, found: &StabilityRegion) -> Plot {
    let axis = |label: &str, range: &[f64]| Axis {
        range: range.first().copied().zip(range.last().copied()),
        ..Axis::new(label, Scale::Linear)
    };
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
            format!("the case: {:.4} m, {} rev/s", found.height, found.sigma),
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
        x: axis("Height of the equilibrium z_s [m]", &plan.heights),
        y: axis("Spin σ [rev/s]", &plan.spins),
        series,
        marks,
    }
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
                s.sigma,
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
