//! The table with a row for each check, and the list of failures above it.

use super::page::PageScope;
use super::solver_facts;
use crate::check::{CheckGroup, by_check};
use crate::run::{Case, Item, Results};
use crate::text;
use maud::{Markup, html};
use topsim_core::verdict::{Status, Verdict};

/// Digits of room at which the bar has its full length.
const FULL_BAR_DIGITS: f64 = 6.0;
/// Position at which a bar begins, in percent of its width; a bar of an exceeded bound goes to the left of it.
const BAR_ORIGIN: f64 = 16.0;
/// Largest number of failures in the list above the table; the table has them all.
const MOST_LISTED: usize = 30;

/// Returns the number of runs and of histories of another solver.
pub(super) fn runs(case: Case) -> usize {
    case.artifacts.runs.len() + case.judged().map_or(0, |h| h.files.len())
}

/// Tests whether a verdict is skipped, so that nothing was judged.
pub(super) fn is_skipped(v: &Verdict) -> bool {
    matches!(v.status, Status::Skipped)
}

/// Returns the style class of a verdict.
fn class(v: &Verdict) -> &'static str {
    match v.status {
        Status::Undecided | Status::Skipped => "none",
        _ if v.is_good() => "good",
        _ => "bad",
    }
}

fn anchor(case: usize, check: usize) -> String {
    format!("check-{case}-{check}")
}

/// Lists the failures as sentences, each with a link to its evidence.
pub(super) fn failures(results: &Results, part: PageScope) -> Markup {
    let cases = part.listed(results);
    let broken: Vec<_> = cases
        .iter()
        .flat_map(|(_, c)| c.incomplete().map(move |(_, stem, why)| (*c, stem, why)))
        .collect();
    let mut failed: Vec<_> = cases
        .iter()
        .flat_map(|(k, c)| {
            let groups = by_check(&c.report.verdicts).into_iter().enumerate();
            groups.map(move |(i, group)| (*k, *c, i, group.tightest()))
        })
        .filter(|(.., v)| !v.is_good())
        .collect();
    // A cause stands before the failures that follow from it.
    failed.sort_by_key(|(_, c, _, v)| !solver_facts::is_cause(*c, v));
    if broken.is_empty() && failed.is_empty() {
        return html! {};
    }
    html! {
        section #failures {
            h2 { "What failed" }
            ul {
                @for (c, stem, why) in &broken {
                    li { span.chip.bad { "not complete" } " " a href=(case_link(part, *c)) { (c.report.name) } " " (stem) ": " (why) }
                }
                @for same in failed.chunk_by(is_same_failure).take(MOST_LISTED) {
                    @let (k, c, i, v) = &same[0];
                    li {
                        span.chip.(class(v)) { (text::status(v)) } " "
                        a href={ "#" (anchor(*k, *i)) } { (text::title(v)) }
                        @if cases.len() > 1 {
                            " (" @for (n, (_, c, ..)) in same.iter().enumerate() {
                                @if n > 0 { ", " }
                                a href=(case_link(part, *c)) { (c.report.name) }
                            } ")"
                        }
                        ": " (solver_facts::certainty(*c, v)) (text::sentence(v))
                        @if let Some(lines) = crate::report::sections::where_to_look(*c, v) { pre { (lines) } }
                    }
                }
                @let more = failed.chunk_by(is_same_failure).count();
                @if more > MOST_LISTED { li { "and " (more - MOST_LISTED) " more, in the table" } }
            }
        }
    }
}

type FailedCheck<'a> = (usize, Case<'a>, usize, &'a Verdict);

/// Tests whether two failures state the same about two cases.
fn is_same_failure(a: &FailedCheck, b: &FailedCheck) -> bool {
    a.0 != b.0 && text::title(a.3) == text::title(b.3) && text::sentence(a.3) == text::sentence(b.3)
}

fn case_link(part: PageScope, case: Case) -> String {
    format!("{}#case-{}", part.place(case), case.report.name)
}

/// Returns the table of all checks, with the place for the controls that filter and sort it.
pub(super) fn table(cases: &[(usize, Case)], part: PageScope) -> Markup {
    if cases.iter().all(|(_, c)| c.report.verdicts.is_empty()) {
        return html! {};
    }
    let all = || cases.iter().flat_map(|(_, c)| &c.report.verdicts);
    let columns = CheckTableColumns {
        case: (cases.len() > 1).then_some(part),
        runs: all().any(|v| !v.subject.name.is_empty()),
        digits: all().any(|v| v.digits.is_some()),
        source: all().any(|v| v.provenance.is_some()),
    };
    html! {
        section #checks {
            h2 { "Checks" }
            div.filters hidden {}
            div.scroll {
                table.checks {
                    thead { tr {
                        th { "Verdict" }
                        @if columns.case.is_some() { th { "Case" } }
                        th { "Check" }
                        @if columns.runs { th { "Runs" } }
                        th.number { "Measured" } th { "Allowed" }
                        @if columns.digits {
                            th title="decimal digits between what was measured and what is allowed" { "Digits of room" }
                        }
                        @if columns.source { th { "Source" } }
                    } }
                    tbody {
                        @for (k, case) in cases {
                            @for (i, group) in by_check(&case.report.verdicts).iter().enumerate() {
                                (row((*k, *case), i, group, &columns))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Columns that the table shows: only those that have an entry.
struct CheckTableColumns {
    /// The page for the links of the column of cases; without it there is no such column.
    case: Option<PageScope>,
    runs: bool,
    digits: bool,
    source: bool,
}

fn row(
    (k, case): (usize, Case),
    i: usize,
    group: &CheckGroup,
    columns: &CheckTableColumns,
) -> Markup {
    let v = group.tightest();
    let mut names: Vec<&str> = group.verdicts.iter().map(|v| &*v.subject.name).collect();
    names.retain(|n| !n.is_empty());
    names.dedup();
    let source = v.provenance.as_ref();
    html! {
        tr id=(anchor(k, i)) data-case=(case.report.name) data-schemes=(names.join(" ")) data-verdict=(text::status(v)) {
            td { span.chip.(class(v)) { (text::status(v)) } }
            @if let Some(part) = columns.case { td data-name="Case" { a href=(case_link(part, case)) { (breakable(&case.report.name)) } } }
            td.check { (v.id) @if v.metric.is_empty() { (detail(v, solver_facts::certainty(case, v))) } }
            @if columns.runs { td.runs data-name="Runs" { (runs_cell(group)) } }
            td.number data-name="Measured" data-sort=(sort(v.measured.as_ref().map(|m| m.value))) { (text::measured(v)) }
            td.allowed data-name="Allowed" { (unbroken_words(&v.allowed_text)) }
            @if columns.digits { td.digits data-name="Digits of room" data-sort=(sort(v.digits)) { (bar(v)) (text::digits(v)) } }
            @if columns.source { td.source data-name="Source" { @if let Some(p) = source {
                span.kind { (p.kind.id()) }
                @if let Some(text) = &p.source { " " small { (text) } }
            } } }
        }
    }
}

/// Returns a name that breaks into lines only after its underscores.
fn breakable(name: &str) -> Markup {
    html! { @for part in name.split_inclusive('_') { (part) wbr; } }
}

/// Returns a text that breaks into lines only between words, and neither before nor after the sign of a bound.
fn unbroken_words(text: &str) -> Markup {
    let words = ["≤", "≥", "±"].iter().fold(text.to_string(), |text, sign| {
        text.replace(&format!("{sign} "), &format!("{sign}\u{a0}"))
    });
    let words = words.replace(" ±", "\u{a0}±");
    html! { @for (k, word) in words.split(' ').enumerate() {
        @if k > 0 { " " }
        span { (word) }
    } }
}

fn sort(x: Option<f64>) -> String {
    x.map_or(String::new(), |x| x.to_string())
}

fn detail(v: &Verdict, certainty: &str) -> Markup {
    html! { @if let Some(detail) = &v.detail { br; small { (certainty) (detail) } } }
}

/// Returns the run of a check, or a list of all its runs to be unfolded.
fn runs_cell(group: &CheckGroup) -> Markup {
    if let [one] = group.verdicts {
        return html! { (text::run(one)) };
    }
    html! {
        details {
            summary { (group.verdicts.len()) " runs, tightest " (text::run(group.tightest())) }
            table.runs { tbody {
                @for v in group.verdicts {
                    tr { td { (text::run(v)) } td.number { (text::measured(v)) } td.number { (text::digits(v)) } td { (text::status(v)) } }
                }
            } }
        }
    }
}

/// Draws the digits of room as a bar: to the right where there is room, to the left where the bound is exceeded.
fn bar(v: &Verdict) -> Markup {
    let Some(digits) = v.digits else {
        return html! {};
    };
    let length = (digits.abs() / FULL_BAR_DIGITS).clamp(0.02, 1.0);
    let (x, width) = if digits < 0.0 {
        (BAR_ORIGIN * (1.0 - length), BAR_ORIGIN * length)
    } else {
        (BAR_ORIGIN, (100.0 - BAR_ORIGIN) * length)
    };
    html! {
        svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.(class(v)) x=(format!("{x:.1}")) y="1" width=(format!("{width:.1}")) height="8" {}
            path d=(format!("M{BAR_ORIGIN} 0V10")) {}
        }
    }
}

/// Tests whether a case has runs or histories, which the script shows as motions and curves.
pub(super) fn is_moving(case: Case) -> bool {
    let moving = |i: &Item| matches!(i, Item::Run(_) | Item::Histories(_));
    case.report.items.iter().any(moving)
}
