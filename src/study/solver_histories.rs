//! Figures and tables of another solver's histories: their errors against time, their order beside schemes of the catalogue,
//! and their drift of energy and momentum.

use super::convergence::triangles;
use super::ladder::{csv, head, points};
use super::{DataFile, Drawing, Finding, LadderTable, Line, Point};
use crate::text::{Column, csv_text};
use std::path::Path;
use topsim_judge::history::{Convergence, Deviation, Momentum};
use topsim_judge::{Counterpart, FileReport, Report as HistoryReport};
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style};

/// Schemes of orders 1, 2 and 4, beside which the order of a solver is shown.
pub const SCHEMES: [&str; 3] = ["euler_gyro", "split3", "quat_rk4"];

/// Label of the solver in figures.
pub(crate) const SOLVER: &str = "your solver";

/// Makes the figures and tables of histories; those of the order only if an order could be measured.
pub fn findings(report: &HistoryReport, beside: &[Counterpart]) -> Vec<Finding> {
    let order = report.convergence.as_ref();
    let order = order.map(|own| self::order(report, own, beside));
    [errors(report), drift(report)]
        .into_iter()
        .chain(order)
        .collect()
}

/// A function that returns a number of a row, if it is known.
type RowNumber = fn(&Deviation) -> Option<f64>;
/// A function that returns a number of a history, if it is known.
type HistoryNumber = fn(&FileReport) -> Option<f64>;

/// Makes the table of the errors and deviations of each row, and the figure of the attitude error against time.
fn errors(report: &HistoryReport) -> Finding {
    let columns: [(&str, &str, RowNumber); 4] = [
        ("attitude error", "rad", |d| d.attitude),
        ("rate error", "rad/s", |d| d.rate),
        ("energy deviation", "J", |d| d.energy),
        ("momentum deviation", "kg m²/s", |d| d.momentum),
    ];
    let rows = || report.files.iter().flat_map(|f| &f.finding.deviations);
    let known = |column: &(&str, &str, RowNumber)| rows().any(|d| column.2(d).is_some());
    let columns: Vec<_> = columns.into_iter().filter(known).collect();
    let mut found = Finding::empty("errors", "errors".into(), "errors of each row");
    let text = csv_text(|out| {
        let names = columns
            .iter()
            .map(|(name, unit, _)| head(&Column::new(*name, *unit)));
        let step = ["step [s]".to_string(), "t [s]".into()];
        out.write_record(step.into_iter().chain(names))?;
        report.files.iter().try_for_each(|f| {
            f.finding.deviations.iter().try_for_each(|d| {
                let values: Vec<_> = columns.iter().map(|(.., of)| of(d)).collect();
                out.serialize((f.step, d.t, values))
            })
        })
    });
    found.files = vec![DataFile::text("errors.csv".into(), text)];
    if rows().any(|d| d.attitude.is_some()) {
        let curve = |f| against_time(report, f, |d| d.attitude);
        let plot = Plot {
            title: format!("{} · Error against time", report.title),
            x: time(report),
            y: Axis::new(
                Column::new(columns[0].0, columns[0].1).capital(),
                Scale::Log10,
            ),
            series: coarse_first(report).map(curve).collect(),
            ..Plot::default()
        };
        found.drawings = vec![Drawing {
            of_motions: true,
            ..Drawing::of_plot("error".into(), plot)
        }];
    }
    found
}

/// Returns the histories from the coarsest step, so that the finer lines lie on top.
fn coarse_first(report: &HistoryReport) -> impl Iterator<Item = &FileReport> {
    let mut files: Vec<_> = report.files.iter().collect();
    files.sort_by(|a, b| b.step.total_cmp(&a.step));
    files.into_iter()
}

/// Returns the time axis from the first row of all histories to the last.
fn time(report: &HistoryReport) -> Axis {
    let times = || report.files.iter().map(|f| f.finding.times);
    let first = times().map(|t| t[0]).fold(f64::INFINITY, f64::min);
    let last = times().map(|t| t[1]).fold(f64::NEG_INFINITY, f64::max);
    Axis {
        range: Some((first, last)),
        ..Axis::new("Time [s]", Scale::Linear)
    }
}

/// Returns the curve of a history. Row 0 is left out, as it has no error, and so is zero, which a logarithmic axis cannot
/// show.
fn against_time(
    report: &HistoryReport,
    f: &FileReport,
    mut of: impl FnMut(&Deviation) -> Option<f64>,
) -> Series {
    let rows = f.finding.deviations.iter().skip(1);
    let points = rows
        .filter_map(|d| Some([d.t, of(d)?]))
        .filter(|p| p[1] != 0.0);
    // The spacing of the rows of a single file need not be the step, so the label is the name of the file.
    let label = if f.told || report.files.len() > 1 {
        format!("h = {} s", written(f.step))
    } else {
        let name = Path::new(&f.file).file_name();
        name.map_or(f.file.clone(), |n| n.to_string_lossy().into())
    };
    Series::new(label, points.collect(), Style::Line)
}

/// Formats a step with at most six digits: the step of a file is the difference of two times, with their rounding.
pub(crate) fn written(step: f64) -> String {
    let short: f64 = format!("{step:.5e}")
        .parse()
        .expect("a number as it was written");
    format!("{short}")
}

/// Makes the table and the figure of the worst error against the step, beside schemes of the catalogue.
fn order(report: &HistoryReport, own: &Convergence, beside: &[Counterpart]) -> Finding {
    let line = |label: &str, c: &Convergence, power: Option<f64>| Line {
        scheme: label.into(),
        points: c
            .rungs
            .iter()
            .map(|r| Point {
                step: written(r.step),
                x: r.step,
                values: Ok(vec![r.worst_attitude, r.attitude]),
            })
            .collect(),
        summary: power.map_or(String::new(), |p| format!("{p:.2}")),
        power,
        drawn: true,
    };
    let schemes = beside
        .iter()
        .map(|b| line(b.scheme, &b.convergence, b.convergence.order()));
    let table = LadderTable {
        quantity: Some("attitude".into()),
        work: None,
        columns: vec![
            Column::new("worst attitude error", "rad"),
            Column::new("attitude error at the end", "rad"),
        ],
        summary: "order".into(),
        lines: std::iter::once(line(SOLVER, own, report.order()))
            .chain(schemes)
            .collect(),
    };
    // Only the solver has markers, so that its line is seen where it coincides with that of a scheme.
    let curve = |line: &Line| Series {
        label: line.power.map_or(line.scheme.clone(), |_| {
            format!("{}, order {}", line.scheme, line.summary)
        }),
        style: if line.scheme == SOLVER {
            Style::LineMarkers
        } else {
            Style::Line
        },
        ..points(line)
    };
    let mut marks = triangles(&table.lines.iter().collect::<Vec<_>>());
    let all = table.lines.iter().flat_map(|l| points(l).points);
    let least = all.map(|p| p[1]).fold(f64::INFINITY, f64::min);
    // A floor far below the data would add only a mark that it lies outside the figure.
    if own.attitude_floor > 0.1 * least {
        marks.push(Mark::Horizontal {
            y: own.attitude_floor,
            label: "floor of the reference".into(),
        });
    }
    let plot = Plot {
        title: format!("{} · Order", report.title),
        x: Axis::new("Step [s]", Scale::Log10),
        y: Axis::new(table.columns[0].capital(), Scale::Log10),
        series: table.lines.iter().map(curve).collect(),
        marks,
        ..Plot::default()
    };
    Finding {
        files: vec![DataFile::text("order.csv".into(), csv(&table))],
        drawings: vec![Drawing::of_plot("order".into(), plot)],
        ladder: Some(table),
        ..Finding::empty(
            "order",
            "order".into(),
            "worst attitude error against the step",
        )
    }
}

/// Makes the figures of the largest relative deviation so far of the energy and the momentum that the motion keeps.
fn drift(report: &HistoryReport) -> Finding {
    let mut found = Finding::empty(
        "drift",
        "drift".into(),
        "deviation of what the motion keeps",
    );
    let momentum = report.files.iter().find_map(|f| f.finding.momentum);
    let momentum = match momentum.map(|m| m.kept) {
        Some(Momentum::Vertical) => "vertical momentum",
        _ => "momentum",
    };
    let quantities: [(&str, &str, RowNumber, HistoryNumber); 2] = [
        (
            "drift_energy",
            "energy",
            |d| d.energy,
            |f| Some(f.finding.energy?.scale),
        ),
        (
            "drift_momentum",
            momentum,
            |d| d.momentum,
            |f| Some(f.finding.momentum?.drift.scale),
        ),
    ];
    for (stem, name, of, scale) in quantities {
        let series: Vec<_> = coarse_first(report)
            .filter_map(|f| {
                let (scale, mut most) = (scale(f)?, 0.0_f64);
                Some(against_time(report, f, |d| {
                    most = most.max(of(d)?.abs() / scale);
                    Some(most)
                }))
            })
            .collect();
        if series.is_empty() {
            continue;
        }
        let plot = Plot {
            title: format!("{} · Drift of the {name}", report.title),
            x: time(report),
            y: Axis::new(
                format!("Largest relative deviation of the {name} so far"),
                Scale::Log10,
            ),
            series,
            ..Plot::default()
        };
        found.drawings.push(Drawing::of_plot(stem.into(), plot));
    }
    found
}
