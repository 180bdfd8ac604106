//! Histories of another solver in the report for people: the text of the judge.

use super::TextStyle;
use crate::run::{Case, Results};
use std::fmt::Write;
use topsim_core::verdict::Verdict;
use topsim_judge::show::{Style, several, text};

/// Note on the claims on a solver that could do none of the cases.
pub(super) const NO_CLAIM_SHOWN: &str =
    "The solver says that it cannot do any of this, so what is claimed of it is not shown.";

/// Writes the reports of the judge.
pub(super) fn write(out: &mut String, results: &Results, style: &TextStyle) {
    let TextStyle {
        color,
        width,
        verbose,
        ..
    } = *style;
    let style = Style {
        color,
        width,
        verbose,
    };
    let all: Vec<_> = results.cases().flat_map(|c| c.judged()).collect();
    match (&all[..], &results.report.solver) {
        ([_, _, ..], Some(solver)) => out.push_str(&several(solver, &all, &style)),
        (all, _) => {
            let texts: Vec<String> = all.iter().map(|h| text(h, &style)).collect();
            out.push_str(&texts.join("\n"));
        }
    }
    if results.shows_no_claim() {
        let _ = writeln!(out, "{NO_CLAIM_SHOWN}");
    }
}

/// Returns the lines that the sentence of a verdict on histories leaves out, such as where to look and what a solver wrote
/// last.
pub fn where_to_look(case: Case, v: &Verdict) -> Option<String> {
    let lines: Vec<String> = case.judged()?.where_to_look(&v.id);
    (!lines.is_empty()).then(|| lines.join("\n"))
}
