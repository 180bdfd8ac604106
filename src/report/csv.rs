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
    ("step", |v| v.subject.step.clone().unwrap_or_default()),
    ("status", |v| v.status.id().into()),
    ("measured", |v| number(v.measured.as_ref().map(|m| m.value))),
    ("unit", |v| {
        let measured = v.measured.as_ref();
        measured.map_or_else(String::new, |m| m.unit.clone())
    }),
    ("time", |v| number(v.measured.as_ref().and_then(|m| m.time))),
    ("component", |v| {
        let measured = v.measured.as_ref();
        measured
            .and_then(|m| m.component.clone())
            .unwrap_or_default()
    }),
    ("min", |v| number(v.allowed.and_then(|a| a.min))),
    ("max", |v| number(v.allowed.and_then(|a| a.max))),
    ("digits", |v| number(v.digits)),
    ("kind", |v| {
        let provenance = v.provenance.as_ref();
        provenance.map_or("", |p| p.kind.id()).into()
    }),
    ("source", |v| {
        let provenance = v.provenance.as_ref();
        provenance
            .and_then(|p| p.source.clone())
            .unwrap_or_default()
    }),
    ("detail", |v| v.detail.clone().unwrap_or_default()),
    ("known_defect", |v| {
        v.known_defect.clone().unwrap_or_default()
    }),
];

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
