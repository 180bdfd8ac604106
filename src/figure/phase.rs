//! Two columns of the histories against each other.

use super::{Drawn, FigureDrawing, Reader, View, named, plotted};
use crate::text::Column;
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::models::Columns;
use topsim_plot::{Axis, Scale, Series, Style};

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
    fn named(&self, columns: &Columns) -> [Column; 2] {
        [0, 1].map(|i| {
            let own = self.labels.as_ref().map(|labels| &labels[i]);
            named(columns, &self.quantities[i], own)
        })
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
        let [across, up] = self.named(columns).map(|column| column.name);
        format!("{up} over {across}")
    }
    fn draw(&self, view: &View) -> FigureDrawing {
        let series = view.runs.iter().map(|drawn| {
            let run = drawn.run;
            let [across, up] = [0, 1].map(|i| run.column(&self.quantities[i]));
            let points = across.zip(up).map(|(a, b)| {
                let points = run.series(a).zip(run.series(b));
                points.map(|(x, y)| [x, y]).collect()
            });
            Series::new(&*drawn.label, points.unwrap_or_default(), Style::Line)
                .in_group(drawn.group)
        });
        let axis = |column: Column| Axis::new(column.capital(), Scale::Linear);
        let [x, y] = self.named(view.columns).map(axis);
        plotted(x, y, series)
    }
}
