//! A column of the histories against time.

use super::{Drawn, FigureDrawing, Reader, View, named, plotted, time};
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::models::Columns;
use topsim_plot::{Axis, Scale};

/// A column of the histories against time.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct HistoryFigure {
    /// Column.
    quantity: String,
    /// Name of the quantity on the axis (default: what the column measures).
    label: Option<String>,
}

impl Drawn for HistoryFigure {
    fn check(&self, reader: &mut Reader) {
        reader.column("quantity", &self.quantity);
    }
    fn stem(&self) -> String {
        self.quantity.clone()
    }
    fn subject(&self, columns: &Columns) -> String {
        named(columns, &self.quantity, self.label.as_ref()).name
    }
    fn draw(&self, view: &View) -> FigureDrawing {
        let (x, unit) = time::axis(view);
        let series = view.runs.iter().map(|drawn| {
            let run = drawn.run;
            let rows = run.column(&self.quantity).map_or_else(Vec::new, |c| {
                let rows = run.times.iter().zip(run.series(c));
                rows.map(|(&t, y)| [t / unit, y]).collect()
            });
            time::curve(&drawn.label, rows).in_group(drawn.group)
        });
        let label = named(view.columns, &self.quantity, self.label.as_ref());
        plotted(x, Axis::new(label.capital(), Scale::Linear), series)
    }
}
