//! Distance from the reference against the step, with the orders.

use super::ladder::power;
use super::ladder::prelude::*;
use crate::check::{NamedTime, RunTime, at_end, attitude, ladder_error, reference_size};
use topsim_plot::Mark;

/// Distance from the reference against the step, with the orders.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct ConvergenceStudy {
    /// Column or group (default `attitude`).
    #[serde(default = "attitude")]
    quantity: String,
    /// Time of the comparison (default end).
    #[serde(default = "at_end")]
    at: RunTime,
    /// True to divide by the size of the reference's value at that time (default false).
    #[serde(default)]
    relative: bool,
}

/// Returns the name of an error, with its time.
pub(super) fn error_at(quantity: &str, at: RunTime) -> String {
    let when = match at {
        RunTime::Named(NamedTime::End) => "at the end".into(),
        RunTime::Named(NamedTime::Start) => "at the start".into(),
        RunTime::Named(NamedTime::Worst) => "at its worst".into(),
        RunTime::Time(t) => format!("at {t} s"),
        RunTime::Within(w) => format!("at its worst from {} to {} s", w.worst[0], w.worst[1]),
    };
    format!("error of the {quantity} {when}")
}

impl Ladder for ConvergenceStudy {
    const KIND: &'static str = "convergence";
    const SUMMARY: &'static str = "order";

    fn needs(&self) -> Needs<'_> {
        Needs::error_ladder(&self.quantity, self.at)
    }
    fn columns(&self, quantity: &str, unit: &str) -> Vec<Column> {
        let name = error_at(quantity, self.at);
        let column = if self.relative {
            Column::new(format!("relative {name}"), "")
        } else {
            Column::new(name, unit)
        };
        vec![column]
    }
    fn values(&self, run: &SchemeRun, cx: &Context) -> Result<Vec<f64>, MeasurementError> {
        let (_, error, _) = ladder_error(&self.quantity, self.at, run, cx)?;
        let size = if self.relative {
            reference_size(&run.run, &self.quantity, self.at, cx)?
        } else {
            1.0
        };
        Ok(vec![error / size])
    }
    fn summary(&self, ladder: &[&SchemeRun], _: &[Point], cx: &Context) -> LadderSummary {
        let points = ladder
            .iter()
            .filter_map(|run| ladder_error(&self.quantity, self.at, run, cx).ok());
        power(&points.collect::<Vec<_>>())
    }
    fn marks(&self, lines: &[&Line]) -> Vec<Mark> {
        triangles(lines)
    }
}

/// Returns one triangle for each order that shows, near the first scheme of that order.
pub(super) fn triangles(lines: &[&Line]) -> Vec<Mark> {
    let mut orders: Vec<f64> = Vec::new();
    let mut marks = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        // The order is rounded as the table shows it.
        let shown = line.power.map(|p| (100.0 * p).round() / 100.0);
        let Some(power) = shown else { continue };
        let order = power.round();
        if (power - order).abs() < 0.1 && !orders.contains(&order) {
            orders.push(order);
            marks.push(Mark::Slope {
                order,
                near: Some(i),
            });
        }
    }
    marks
}
