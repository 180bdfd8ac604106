//! Figures and tables of another solver's histories: their errors against time, their order beside schemes of the catalogue,
//! and their drift of energy and momentum.

use super::convergence::triangles;
use super::ladder::{head, points};
use super::{DataFile, Drawing, Finding, LadderTable, Line, Point, curves};
use crate::text::{Column, csv_text};
use std::path::Path;
use topsim_core::verdict::Fineness;
use topsim_judge::history::{Convergence, Deviation, Momentum, Rung};
use topsim_judge::{Counterpart, FileReport, Report as HistoryReport};
use topsim_plot::{Axis, Mark, Scale, Series, Style};

/// Schemes of orders 1, 2 and 4, beside which the order of a solver is shown.
pub const SCHEMES: [&str; 3] = ["euler_gyro", "split3", "quat_rk4"];

/// Label of the solver in figures.
pub(crate) const SOLVER: &str = "your solver";

/// Makes the figures and tables of histories; those of the order only if an order could be measured.
pub fn findings(report: &HistoryReport, beside: &[Counterpart]) -> Vec<Finding> {
    let order = report.convergence.iter();
    let order = order.map(|own| self::order(report, own, beside));
    let both = [errors(report), drift(report)].into_iter();
    both.chain(order).collect()
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
    let rows = || report.files.iter().flat_map(|f| &f.deviations);
    let known = |column: &(&str, &str, RowNumber)| rows().any(|d| column.2(d).is_some());
    let columns: Vec<_> = columns.into_iter().filter(known).collect();
    let mut found = Finding::empty("errors", "errors", "errors of each row");
    let names = columns
        .iter()
        .map(|(name, unit, _)| head(&Column::new(*name, *unit)));
    let text = csv_text(|out| {
        let first = ["step [s]".to_string(), "t [s]".into()];
        out.write_record(first.into_iter().chain(names))?;
        report.files.iter().try_for_each(|f| {
            f.deviations.iter().try_for_each(|d| {
                let values: Vec<_> = columns.iter().map(|(.., of)| of(d)).collect();
                out.serialize((f.step, d.t, values))
            })
        })
    });
    found.files = vec![DataFile::text("errors.csv".into(), text)];
    if rows().any(|d| d.attitude.is_some()) {
        let curve = |f| against_time(report, f, |d| d.attitude);
        let label = Column::new(columns[0].0, columns[0].1).capital();
        let plot = curves(
            format!("{} · Error against time", report.title),
            [time(report), Axis::new(label, Scale::Log10)],
            coarse_first(report).map(curve),
            Vec::new(),
        );
        found.drawings = vec![Drawing {
            of_motions: true,
            ..Drawing::of_plot("error", plot)
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
    let times = || report.files.iter().map(|f| f.times);
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
    let rows = f.deviations.iter().skip(1);
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
    let point = |r: &Rung| Point {
        fineness: Fineness::Step(written(r.step)),
        x: r.step,
        values: Ok(vec![r.worst_attitude, r.attitude]),
    };
    let line = |label: &str, c: &Convergence, power: Option<f64>| Line {
        scheme: label.into(),
        points: c.rungs.iter().map(point).collect(),
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
        ..points(line, &line.scheme)
    };
    let mut marks = triangles(&table.lines.iter().collect::<Vec<_>>());
    let all = table.lines.iter().flat_map(|l| points(l, &l.scheme).points);
    let least = all.map(|p| p[1]).fold(f64::INFINITY, f64::min);
    // A floor far below the data would add only a mark that it lies outside the figure.
    if own.attitude_floor > 0.1 * least {
        marks.push(Mark::Horizontal {
            y: own.attitude_floor,
            label: "floor of the reference".into(),
        });
    }
    let title = format!("{} · Order", report.title);
    let labels = ["Step [s]".into(), table.columns[0].capital()];
    let axes = labels.map(|label: String| Axis::new(label, Scale::Log10));
    let plot = curves(title, axes, table.lines.iter().map(curve), marks);
    let title = "worst attitude error against the step";
    Finding::empty("order", "order", title).with_table(table, plot)
}

/// Makes the figures of the largest relative deviation so far of the energy and the momentum that the motion keeps.
fn drift(report: &HistoryReport) -> Finding {
    let title = "deviation of what the motion keeps";
    let mut found = Finding::empty("drift", "drift", title);
    let momentum = report.files.iter().find_map(|f| f.momentum);
    let momentum = match momentum.map(|m| m.kept) {
        Some(Momentum::Vertical) => "vertical momentum",
        _ => "momentum",
    };
    let energy_scale: HistoryNumber = |f| Some(f.energy?.scale);
    let momentum_scale: HistoryNumber = |f| Some(f.momentum?.drift.scale);
    let energy: RowNumber = |d| d.energy;
    let quantities = [
        ("drift_energy", "energy", energy, energy_scale),
        ("drift_momentum", momentum, |d| d.momentum, momentum_scale),
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
        let label = format!("Largest relative deviation of the {name} so far");
        let axes = [time(report), Axis::new(label, Scale::Log10)];
        let title = format!("{} · Drift of the {name}", report.title);
        let plot = curves(title, axes, series, Vec::new());
        found.drawings.push(Drawing::of_plot(stem, plot));
    }
    found
}
