//! Distance from the reference against time, logarithmic.

use super::{Drawn, FigureDrawing, Reader, View, named, plotted, time};
use crate::text;
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::integration::Run;
use topsim_core::models::Columns;
use topsim_core::reference::RowReference;
use topsim_plot::{Axis, Scale, Series, Style};

/// Distance from the reference against time, logarithmic.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct ErrorFigure {
    /// Column or group.
    quantity: String,
    /// Name of the error on the axis (default: error of what the column or group measures).
    label: Option<String>,
}

impl Drawn for ErrorFigure {
    fn check(&self, reader: &mut Reader) {
        let columns = reader.columns;
        if columns.unit(&self.quantity).is_none() {
            let known: Vec<&str> = columns.group_names().chain(columns.names()).collect();
            let found = format!("the history has no column or group `{}`", self.quantity);
            reader.fault("quantity", found, known.join(", "));
        } else if reader.problem.reference.is_none() {
            let found = "an error figure in a case without a reference";
            reader.fault("kind", found, "this kind only with a [reference]");
        }
    }
    fn stem(&self) -> String {
        format!("error_{}", self.quantity)
    }
    fn subject(&self, columns: &Columns) -> String {
        let words = || format!("error of the {}", text::quantity(columns, &self.quantity));
        self.label.clone().unwrap_or_else(words)
    }
    fn draw(&self, view: &View) -> FigureDrawing {
        let (x, unit) = time::axis(view);
        let series = view.runs.iter().map(|drawn| {
            let run = drawn.run;
            let points = view.reference.map(|r| self.points(run, r, unit));
            Series::new(&*drawn.label, points.unwrap_or_default(), Style::Line)
                .in_group(drawn.group)
        });
        let subject = self.subject(view.columns);
        let label = named(view.columns, &self.quantity, Some(&subject)).capital();
        plotted(x, Axis::new(label, Scale::Log10), series)
    }
}

impl ErrorFigure {
    fn points(&self, run: &Run, reference: &dyn RowReference, unit: f64) -> Vec<[f64; 2]> {
        let mut exact = vec![f64::NAN; run.columns.width()];
        let group = run.columns.group_or_column(&self.quantity);
        // The first sample has no error and no place on a logarithmic axis.
        let error = |k: usize| {
            reference.row(run.times[k], &mut exact);
            let group = group.as_ref();
            let distance = group.map_or(f64::NAN, |g| g.distance(run.row(k), &exact));
            [run.times[k] / unit, distance]
        };
        (1..run.times.len()).map(error).collect()
    }
}
