//! Two columns of the histories against each other.

use super::{Drawn, FigureDrawing, Reader, View};
use crate::text::{self, Column};
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::models::Columns;
use topsim_plot::{Axis, Plot, Scale, Series, Style};

/// Two columns of the histories against each other.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct PhaseFigure {
    /// The columns: across, and up.
    quantities: [String; 2],
    /// Their names on the axes (default: what the columns measure).
    labels: Option<[String; 2]>,
}

impl PhaseFigure {
    fn label(&self, columns: &Columns, index: usize) -> String {
        let words = || text::quantity(columns, &self.quantities[index]);
        let own = self.labels.as_ref().map(|labels| labels[index].clone());
        own.unwrap_or_else(words)
    }
}

impl Drawn for PhaseFigure {
    fn check(&self, reader: &mut Reader) {
        for (i, name) in self.quantities.iter().enumerate() {
            reader.column(&format!("quantities[{i}]"), name);
        }
    }
    fn stem(&self) -> String {
        let [across, up] = &self.quantities;
        format!("phase_{across}_{up}")
    }
    fn subject(&self, columns: &Columns) -> String {
        let [across, up] = [0, 1].map(|i| self.label(columns, i));
        format!("{up} over {across}")
    }
    fn draw(&self, view: &View) -> FigureDrawing {
        let series = view.runs.iter().map(|(label, run)| {
            let [across, up] = [0, 1].map(|i| run.column(&self.quantities[i]));
            let points = across.zip(up).map(|(a, b)| {
                let points = run.series(a).zip(run.series(b));
                points.map(|(x, y)| [x, y]).collect()
            });
            Series::new(&**label, points.unwrap_or_default(), Style::Line)
        });
        let [x, y] = [0, 1].map(|i| {
            let unit = view.columns.unit(&self.quantities[i]).unwrap_or_default();
            let label = Column::new(self.label(view.columns, i), unit);
            Axis::new(label.capital(), Scale::Linear)
        });
        FigureDrawing::Plot(Plot {
            series: series.collect(),
            x,
            y,
            ..Plot::default()
        })
    }
}
