//! Histories of somebody else's solver, for people: the judge's own text.

use super::{Report, TextStyle};
use topsim_judge::show::{Style, several, text};

/// The reports of the judge.
pub(super) fn write(out: &mut String, report: &Report, style: &TextStyle) {
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
    let all: Vec<_> = report.cases.iter().flat_map(|c| c.histories()).collect();
    match (&all[..], &report.solver) {
        ([_, _, ..], Some(solver)) => out.push_str(&several(solver, &all, &style)),
        (all, _) => {
            let texts: Vec<String> = all.iter().map(|h| text(h, &style)).collect();
            out.push_str(&texts.join("\n"));
        }
    }
}
