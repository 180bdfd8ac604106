//! Long-time drift of a quantity that should stay: its size, rate and kind.

use super::ladder::prelude::*;
use crate::check::{half_range, range, single, slope};
use crate::figure::{PageKeys, series_group};
use topsim_core::math::scalar;
use topsim_plot::{Mark, Series, Style};

/// Long-time drift of a quantity that should stay: its size, rate and kind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct DriftStudy {
    /// Tracked column (default `H`).
    #[serde(default = "energy")]
    quantity: String,
}

fn energy() -> String {
    "H".into()
}

impl Ladder for DriftStudy {
    const KIND: &'static str = "drift";
    const SUMMARY: &'static str = "kind";

    fn needs(&self) -> Needs<'_> {
        Needs::tracked_column(&self.quantity)
    }
    fn columns(&self, quantity: &str, unit: &str) -> Vec<Column> {
        vec![
            Column::new(format!("largest drift of the {quantity}"), unit),
            Column::new("rate", format!("{unit}/s")),
            Column::new("oscillation", unit),
        ]
    }
    fn values(&self, run: &SchemeRun, _: &Context) -> Result<Vec<f64>, MeasurementError> {
        drift(run, &self.quantity).map(Vec::from)
    }
    fn summary(&self, ladder: &[&SchemeRun], _: &[Point], _: &Context) -> LadderSummary {
        LadderSummary {
            text: kind_of_drift(ladder, &self.quantity),
            power: None,
        }
    }
    fn histories(&self, runs: &[&SchemeRun], page: &PageKeys) -> Option<Vec<Series>> {
        let one_step = runs.iter().all(|r| r.fineness == runs[0].fineness);
        let label = |r: &SchemeRun| match page.name(&r.scheme) {
            name if one_step => name.into(),
            name => format!("{name}, {}", r.fineness.words()),
        };
        let curves = runs
            .iter()
            .map(|r| growth(r, &self.quantity, label(r)).in_group(series_group(r, runs, runs)));
        Some(curves.collect())
    }
    /// Returns the slope 1 of a drift that grows with time.
    fn marks(&self, _: &[&Line]) -> Vec<Mark> {
        vec![Mark::Slope {
            order: 1.0,
            near: None,
        }]
    }
}

/// Returns `[largest |q − q0|, slope, half the range about the line]`.
fn drift(run: &SchemeRun, name: &str) -> Result<[f64; 3], MeasurementError> {
    let run = &run.run;
    let rate = slope(run, name, None)?;
    let c = single(run, name)?;
    let extent = range(run, c);
    let largest = (extent.max - extent.first).max(extent.first - extent.min);
    Ok([largest, rate, half_range(run, c)])
}

/// Returns the kind of a drift: it is secular if the line rises over the run by more than the whole range of what
/// oscillates about it.
fn kind_of_drift(ladder: &[&SchemeRun], name: &str) -> String {
    let mut secular: Vec<(f64, f64)> = Vec::new();
    let (mut at_round_off, mut counted) = (0, 0);
    for view in ladder {
        let run = &view.run;
        let (Ok([largest, rate, oscillation]), Ok(c)) = (drift(view, name), single(run, name))
        else {
            continue;
        };
        counted += 1;
        let extent = range(run, c);
        let size = extent.min.abs().max(extent.max.abs());
        let span = run.times[run.times.len() - 1] - run.times[0];
        if largest <= f64::EPSILON * size * run.effort.steps as f64 {
            at_round_off += 1;
        } else if rate.abs() * span > 2.0 * oscillation {
            secular.push((view.fineness_number(), rate));
        }
    }
    secular.sort_by(|a, b| b.0.total_cmp(&a.0));
    let up = secular.iter().filter(|s| s.1 > 0.0).count();
    let way = if up > 0 { "gains" } else { "loses" };
    match secular.as_slice() {
        _ if counted == 0 => String::new(),
        _ if at_round_off == counted => "round-off".into(),
        [] => "no trend".into(),
        _ if up != 0 && up != secular.len() => "drifts, either way".into(),
        [.., (h0, r0), (h1, r1)] => {
            let p = scalar::ln(r0 / r1) / scalar::ln(h0 / h1);
            format!("{way} like h^{p:.2}")
        }
        _ => way.into(),
    }
}

/// Returns the largest |q − q0| so far, against time.
fn growth(view: &SchemeRun, quantity: &str, label: String) -> Series {
    let run = &view.run;
    let mut largest: f64 = 0.0;
    let points = run.column(quantity).map_or_else(Vec::new, |c| {
        let first = run.row(0)[c];
        let rows = run.times.iter().zip(run.series(c)).skip(1);
        let grown = rows.map(|(&t, x)| {
            largest = largest.max((x - first).abs());
            [t - run.times[0], largest]
        });
        grown.collect()
    });
    Series::new(label, points, Style::Line)
}
