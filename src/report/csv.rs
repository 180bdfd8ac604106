//! The verdicts as CSV: a row for each run that a check looks at.

use super::Renderer;
use crate::run::Results;
use document::{Table, left};
use topsim_core::verdict::Verdict;

/// The verdicts as CSV.
#[derive(Debug, Clone, Copy)]
pub struct Csv;

/// A function that returns the text of a verdict in a column.
type VerdictText = fn(&Verdict) -> String;

/// The columns after the name of the case: the name and the text of each.
const COLUMNS: [(&str, VerdictText); 17] = [
    ("check", |v| v.id.clone()),
    ("metric", |v| v.metric.clone()),
    ("quantity", |v| v.quantity.clone()),
    ("subject", |v| v.subject.name.clone()),
    ("step", |v| {
        text(v.subject.fineness.clone().map(String::from).as_ref())
    }),
    ("status", |v| v.status.id().into()),
    ("measured", |v| number(v.measured.as_ref().map(|m| m.value))),
    ("unit", |v| text(v.measured.as_ref().map(|m| &m.unit))),
    ("time", |v| number(v.measured.as_ref().and_then(|m| m.time))),
    ("component", |v| {
        text(v.measured.as_ref().and_then(|m| m.component.as_ref()))
    }),
    ("min", |v| number(v.allowed.and_then(|a| a.min))),
    ("max", |v| number(v.allowed.and_then(|a| a.max))),
    ("digits", |v| number(v.digits)),
    ("kind", |v| {
        let provenance = v.provenance.as_ref();
        provenance.map_or("", |p| p.kind.id()).into()
    }),
    ("source", |v| {
        text(v.provenance.as_ref().and_then(|p| p.source.as_ref()))
    }),
    ("detail", |v| text(v.detail.as_ref())),
    ("known_defect", |v| text(v.known_defect.as_ref())),
];

fn text(text: Option<&String>) -> String {
    text.cloned().unwrap_or_default()
}

/// Formats a number as its shortest round-trip decimal; empty if there is no finite number.
fn number(x: Option<f64>) -> String {
    let finite = x.filter(|x| x.is_finite());
    finite.map_or_else(String::new, |x| format!("{x:?}"))
}

impl Renderer for Csv {
    fn render(&self, results: &Results) -> String {
        let names = std::iter::once("case").chain(COLUMNS.iter().map(|c| c.0));
        let mut table = Table::new(names.map(left));
        for case in results.cases() {
            for verdict in &case.report.verdicts {
                let cells = COLUMNS.iter().map(|c| c.1(verdict));
                table.push(std::iter::once(case.report.name.clone()).chain(cells));
            }
        }
        document::csv(&table)
    }
}
