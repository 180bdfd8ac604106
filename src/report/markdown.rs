//! The report for documents: a table of verdicts for each case, the cards of schemes.

use super::histories::NO_CLAIM_SHOWN;
use super::summary::Summary;
use super::{Renderer, scorecard};
use crate::check::{CheckGroup, by_check};
use crate::run::{Case, Item, Results};
use crate::text;
use crate::text::cell;
use std::fmt::Write;
use topsim_core::verdict::Status;
use topsim_judge::Report as HistoryReport;
use topsim_judge::show::{Style, several, text};

/// The report as Markdown.
#[derive(Debug, Clone, Copy)]
pub struct Markdown;

impl Renderer for Markdown {
    fn render(&self, results: &Results) -> String {
        let mut out = String::new();
        if let Some(summary) = Summary::of(results) {
            let (word, text) = (summary.word(), cell(&summary.text));
            let _ = writeln!(out, "**{word}** {text}\n");
        }
        judged(&mut out, results);
        // Cards have a table of their own.
        let is_card = |i: &Item| matches!(i, Item::Card(_));
        for case in results.cases() {
            if !case.report.items.iter().any(is_card) {
                one_case(&mut out, case);
            }
        }
        scorecard::markdown(&mut out, results);
        out
    }
}

/// What all histories of a solver say together.
fn judged(out: &mut String, results: &Results) {
    let all: Vec<&HistoryReport> = results.judged().collect();
    if all.is_empty() {
        return;
    }
    let solver = results.report.solver.as_deref().unwrap_or_default();
    let outcome = HistoryReport::outcome_of(&all);
    let cases = text::many(all.len(), "case");
    let _ = writeln!(out, "**{outcome}** {cases}: {}\n", cell(solver));
    if results.shows_no_claim() {
        let _ = writeln!(out, "{NO_CLAIM_SHOWN}\n");
    }
    if all.len() > 1 {
        block(out, &several(solver, &all, &PLAIN), 1);
    }
}

/// The judge's own text of one case, or of several, without its first lines.
fn block(out: &mut String, text: &str, without: usize) {
    let lines: Vec<&str> = text.lines().skip(without).collect();
    // What a solver wrote must not end the block.
    let text = lines.join("\n").replace("```", "'''");
    let _ = writeln!(out, "```text\n{}\n```\n", text.trim_end());
}

/// Documents have no width and no colours.
const PLAIN: Style = Style {
    color: false,
    width: None,
    verbose: false,
};

fn one_case(out: &mut String, case: Case) {
    let _ = writeln!(
        out,
        "## {} · {}\n",
        cell(&case.report.name),
        cell(&case.report.title)
    );
    if let Ok(r) = &case.artifacts.reference {
        let _ = writeln!(out, "Reference: {}\n", cell(&r.provenance()));
    }
    if let Some(judged) = case.judged() {
        block(out, &text(judged, &PLAIN), 1);
        return;
    }
    for (_, stem, why) in case.incomplete() {
        let _ = writeln!(out, "- **not complete** `{stem}`: {}\n", cell(&why));
    }
    if !case.report.is_judged() {
        out.push_str("Not judged.\n\n");
    }
    let acceptable = case.report.acceptable();
    let bad = case.report.verdicts.iter().filter(|v| !v.is_good());
    let mut told = false;
    for v in bad.filter(|v| !acceptable || v.status != Status::Undecided) {
        let (status, title) = (text::status(v), cell(&text::title(v)));
        let _ = writeln!(out, "- **{status}** {title}: {}", cell(&text::sentence(v)));
        told = true;
    }
    if told {
        out.push('\n');
    }
    let (skipped, groups): (Vec<_>, Vec<_>) = by_check(&case.report.verdicts)
        .into_iter()
        .partition(CheckGroup::is_skipped);
    if !skipped.is_empty() {
        let _ = writeln!(out, "Skipped: {}\n", text::many(skipped.len(), "check"));
    }
    if groups.is_empty() {
        return;
    }
    out.push_str("| check | tightest | measured | allowed | digits | source | verdict |\n");
    out.push_str("|---|---|--:|---|--:|---|---|\n");
    for group in groups {
        let v = group.tightest();
        let source = v.provenance.as_ref().map_or(String::new(), |p| {
            format!("{}: {}", p.kind.id(), p.source.as_deref().unwrap_or("–"))
        });
        let cells = [
            v.id.clone(),
            text::run(v),
            text::measured(v),
            v.allowed_text.clone(),
            text::digits(v),
            source,
            text::status(v).into(),
        ];
        let _ = writeln!(out, "| {} |", cells.map(|c| cell(&c)).join(" | "));
    }
    out.push('\n');
}
