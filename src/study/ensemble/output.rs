//! The table, the CSV file and the figures of an ensemble.

use super::plan::EnsemblePlan;
use super::summary::{Cloud, Clouds, NUMBERS};
use crate::check::MeasurementError;
use crate::study::ladder::{LadderTable, Line, Point};
use crate::study::{DataFile, Drawing, csv_file, curves};
use crate::text::Column;
use topsim_core::math::scalar;
use topsim_core::verdict::Fineness;
use topsim_plot::{Axis, Mark, Plot, Scale, Series, Style};

/// Clouds of so many schemes are shaded; of more, bars show them.
const SHADED: usize = 2;
/// Distance between bars of schemes with the same work, as a factor of the work.
const APART: f64 = 1.02;

/// Returns the medians beside the work, and the orders.
pub(super) fn table(plan: &EnsemblePlan, found: &[Clouds]) -> LadderTable {
    let line = |clouds: &Clouds| {
        let points = plan.ladder.iter().zip(&clouds.rungs);
        let points = points.map(|(rung, cloud)| {
            let values: Option<Vec<f64>> = NUMBERS.iter().map(|n| (n.2)(cloud)).collect();
            Point {
                fineness: Fineness::Step(format!("{}/rate", rung.angle)),
                x: cloud.work.unwrap_or(f64::NAN),
                values: values.ok_or(MeasurementError::RunsFailed),
            }
        });
        Line {
            scheme: clouds.label.clone(),
            points: points.collect(),
            summary: clouds
                .order
                .map_or("round-off".into(), |p| format!("{p:.2}")),
            power: clouds.order,
            drawn: true,
        }
    };
    LadderTable {
        quantity: Some("attitude".into()),
        work: Some(Column::new("torque evaluations", "")),
        columns: NUMBERS
            .map(|(name, unit, _)| Column::new(name, unit))
            .into(),
        summary: "order of medians".into(),
        lines: found.iter().map(line).collect(),
    }
}

/// Makes the CSV file: a row for each scheme and step angle, empty where there is no number.
pub(super) fn csv(name: String, plan: &EnsemblePlan, found: &[Clouds]) -> DataFile {
    let numbers = NUMBERS.map(|(name, unit, _)| match unit {
        "" => name.into(),
        unit => format!("{name}[{unit}]"),
    });
    let first = ["scheme", "step_angle[rad]", "steps", "torque_evaluations"];
    let names = first.into_iter().map(String::from);
    let names = names.chain(numbers).chain(["failed".into()]);
    let text = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:?}"));
    let rows = found.iter().flat_map(|clouds| {
        let rungs = plan.ladder.iter().zip(&clouds.rungs);
        rungs.map(move |(rung, cloud)| {
            let (angle, steps) = (rung.angle.to_string(), rung.steps.to_string());
            let first = [clouds.label.clone(), angle, steps, text(cloud.work)];
            let numbers = NUMBERS.map(|n| text((n.2)(cloud)));
            let row = first.into_iter().chain(numbers);
            row.chain([cloud.failed.to_string()]).collect()
        })
    });
    csv_file(name, names, rows)
}

/// Draws the clouds against the work, and the survivors against the step angle.
pub(super) fn drawings(
    plan: &EnsemblePlan,
    found: &[Clouds],
    title: &str,
    stem: &str,
) -> Vec<Drawing> {
    let survival = Drawing::of_plot(format!("{stem}_survival"), survival(plan, found, title));
    vec![Drawing::of_plot(stem, clouds(plan, found, title)), survival]
}

/// Draws medians as lines; the middle 90 % shaded, or as a bar at each median.
fn clouds(plan: &EnsemblePlan, found: &[Clouds], title: &str) -> Plot {
    let point = |cloud: &Cloud, i: usize| Some([cloud.work?, cloud.quantiles[i]?]);
    let shaded = found.len() <= SHADED;
    let middle = 0.5 * (found.len() as f64 - 1.0);
    let series = found.iter().enumerate().map(|(i, of)| {
        let aside = scalar::powf(APART, i as f64 - middle);
        let mut points = Vec::new();
        for cloud in &of.rungs {
            let Some([x, median]) = point(cloud, 2) else {
                continue;
            };
            // The line goes up and down its bar and on from where it came.
            let bar = [2, 0, 4, 2].map(|i| Some([x * aside, cloud.quantiles[i]?]));
            let bar = bar.into_iter().flatten().filter(|_| !shaded);
            points.push([x, median]);
            points.extend(bar);
            points.push([x, median]);
        }
        Series::new(&*of.label, points, Style::Line)
    });
    let area = |of: &Clouds| {
        let side = |i: usize| of.rungs.iter().filter_map(move |c| point(c, i));
        let back: Vec<_> = side(4).collect();
        Mark::Area {
            corners: side(0).chain(back.into_iter().rev()).collect(),
            label: format!("{}, 5 to 95 %", of.label),
        }
    };
    let bars = if shaded { "" } else { ", bars from 5 to 95 %" };
    let title = format!("{title} · Medians of {} members{bars}", plan.table.members);
    let axes = ["Torque evaluations", "Attitude error [rad]"];
    let axes = axes.map(|label| Axis::new(label, Scale::Log10));
    let marks = found.iter().filter(|_| shaded).map(area);
    curves(title, axes, series, marks.collect())
}

fn survival(plan: &EnsemblePlan, found: &[Clouds], title: &str) -> Plot {
    let series = found.iter().map(|of| {
        let points = plan.ladder.iter().zip(&of.rungs);
        let points = points.map(|(rung, cloud)| [rung.angle, cloud.survival]);
        let mut points: Vec<[f64; 2]> = points.collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        Series::new(&*of.label, points, Style::LineMarkers)
    });
    let members = plan.table.members;
    let title = format!("{title} · Part of {members} members not lost");
    let axes = [
        Axis::new("Step angle φ = h · largest rate [rad]", Scale::Log10),
        Axis::new("Part that survives", Scale::Linear),
    ];
    curves(title, axes, series, Vec::new())
}
