//! A column of the histories against time.

use super::{Drawn, FigureDrawing, Reader, View, time};
use crate::text::{self, Column};
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::models::Columns;
use topsim_plot::{Axis, Plot, Scale};

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
        let words = || text::quantity(columns, &self.quantity);
        self.label.clone().unwrap_or_else(words)
    }
    fn draw(&self, view: &View) -> FigureDrawing {
        let (x, unit) = time::axis(view);
        let series = view.runs.iter().map(|(label, run)| {
            let rows = run.column(&self.quantity).map_or_else(Vec::new, |c| {
                let rows = run.times.iter().zip(run.series(c));
                rows.map(|(&t, y)| [t / unit, y]).collect()
            });
            time::curve(label, rows)
        });
        let of = view.columns.unit(&self.quantity).unwrap_or_default();
        let label = Column::new(self.subject(view.columns), of).capital();
        FigureDrawing::Plot(Plot {
            series: series.collect(),
            x,
            y: Axis::new(label, Scale::Linear),
            ..Plot::default()
        })
    }
}
