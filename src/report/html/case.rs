//! The section of a case: its body, reference, studies and figures, and the elements in which the script draws.

use super::checks::{is_moving, is_skipped};
use super::stills::stills;
use super::{body, solver_facts, studies};
use crate::report::figures::DrawnFigure;
use crate::run::{Case, ProblemSummary};
use crate::text;
use maud::{Markup, PreEscaped, html};

/// Returns the section of the `k`-th case of the report; `open` unfolds it even if nothing failed.
pub(super) fn section(case: Case, k: usize, drawn: &[DrawnFigure], open: bool) -> Markup {
    let posed = case.artifacts.posed.as_ref();
    let facts = posed.map_or(Vec::new(), body::facts);
    // topsim makes no runs and no checks of a case whose torque it does not know.
    let opaque = posed.is_some_and(ProblemSummary::is_opaque) && case.judged().is_none();
    let verdicts = &case.report.verdicts;
    let passed = verdicts.iter().filter(|v| v.is_good() && !is_skipped(v));
    let (good, all) = (passed.count(), verdicts.len());
    let bad = !case.report.acceptable() || !case.report.complete;
    let (fixed, timed): (Vec<_>, Vec<_>) = drawn.iter().partition(|s| !s.timed);
    html! {
        details.case #{ "case-" (case.report.name) } open[open || bad] data-case=(k) {
            summary {
                h2 { (case.report.title) " " code { (case.report.name) } }
                @if all > 0 && verdicts.iter().all(is_skipped) { span.chip.none { "skipped" } }
                @else if all > 0 {
                    span.chip.(if bad { "bad" } else if case.report.is_good() { "good" } else { "none" }) { (good) " of " (all) }
                }
            }
            p.lead { (case.artifacts.summary) }
            @if opaque {
                p.note {
                    "Not judged here: topsim does not know this torque. "
                    code { "topsim judge " (case.report.file) " --solver COMMAND --relations only" }
                    " judges a solver on it by relations between its motions."
                }
            } @else {
                @for warning in &case.report.warnings { p.note { (warning) } }
            }
            dl.facts {
                @for fact in facts { dt { (fact.name) } dd { (fact.value) } }
                @for source in &case.report.sources { dt { "Source" } dd { (source) } }
                @if !opaque { (reference(case)) }
            }
            @if let Some(histories) = case.judged() { (solver_facts::histories(histories, case)) }
            div.live #{ "live-" (case.report.name) } data-live=(k) hidden {
                @if is_moving(case) { div.stage {} div.panels {} div.drop {} }
                div.figures {}
                div.maps.grid {}
            }
            @for found in case.findings().filter(|f| !f.timed) { (studies::study(found)) }
            @let timed_findings: Vec<_> = case.findings().filter(|f| f.timed).collect();
            @if !timed_findings.is_empty() {
                "\n"
                (one_line(html! {
                    div data-varies="" {
                        @for found in timed_findings { (studies::study(found)) }
                        @if !timed.is_empty() { (stills(&timed, "Figures of times, as files")) }
                    }
                }))
                "\n"
            }
            @if !fixed.is_empty() { (stills(&fixed, "Figures as files")) }
        }
    }
}

/// Returns the markup on one line, so that what differs from one command to the next stays on its own line.
fn one_line(markup: Markup) -> PreEscaped<String> {
    PreEscaped(markup.into_string().replace('\n', " "))
}

const ERROR_TITLE: &str = "Its error at the end, at most";

/// Returns the origin of the reference and the bounds of its error.
fn reference(case: Case) -> Markup {
    if let Some(report) = case.judged() {
        return html! {
            dt { "Reference" }
            dd {
                @match (&report.reference, &report.no_reference) {
                    (Some(reference), _) => (reference),
                    (None, Some(why)) => { "none: " (why) },
                    (None, None) => "none",
                }
            }
            @let bounds = case.artifacts.histories.as_ref().and_then(|h| h.exact_error);
            @if let Some([attitude, rate]) = bounds {
                dt { (ERROR_TITLE) }
                dd { "attitude " (text::brief(attitude)) " rad, W " (text::brief(rate)) " rad/s" }
            }
        };
    }
    let reference = match &case.artifacts.reference {
        Ok(reference) => reference,
        Err(why) => return html! { dt { "Reference" } dd { "none: " (why) } },
    };
    let bounds = case.report.reference.as_ref().map(|known| &known.errors);
    let groups = case.artifacts.runs.iter().take(1);
    let errors = groups.flat_map(|r| &r.run.columns.groups).filter_map(|g| {
        let bound = bounds?.get(&*g.name)?;
        let unit = if g.unit.is_empty() { "rad" } else { g.unit };
        Some(format!("{} {} {unit}", g.name, text::brief(*bound)))
    });
    let errors: Vec<String> = errors.collect();
    html! {
        dt { "Reference" } dd { (reference.provenance()) }
        @if !errors.is_empty() {
            dt { (ERROR_TITLE) } dd { (errors.join(", ")) }
        }
    }
}
