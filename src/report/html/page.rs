//! The page as a whole: findings, checks, cases, data and script.

use super::assets::{POLICY, SCRIPT, STYLE};
use super::data::CaseData;
use super::plots::plots;
use super::{NAME, case, checks, said, solver_facts};
use crate::report::figures::DrawnFigure;
use crate::report::scorecard;
use crate::run::{Case, CommandFacts, Item, Results};
use crate::text;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use strict_toml::harmless;

/// The part of a report that a page shows.
#[derive(Clone, Copy)]
pub(super) enum PageScope {
    /// The whole report.
    Whole,
    /// All checks, with links to the pages of the cases.
    Index,
    /// The case with this index.
    Case(usize),
}

impl PageScope {
    /// Returns the cases whose checks are listed, each with its index.
    pub fn listed(self, results: &Results) -> Vec<(usize, Case<'_>)> {
        let all = results.cases().enumerate();
        match self {
            Self::Whole | Self::Index => all.collect(),
            Self::Case(k) => all.skip(k).take(1).collect(),
        }
    }

    /// Returns the cases that are shown in full, each with its index.
    fn shown(self, results: &Results) -> Vec<(usize, Case<'_>)> {
        match self {
            Self::Index => Vec::new(),
            _ => self.listed(results),
        }
    }

    /// Returns the link from this page to the page that shows a case.
    pub fn place(self, case: Case) -> String {
        match self {
            Self::Index => format!("{}/{NAME}", case.report.name),
            _ => String::new(),
        }
    }
}

/// The data of all that the script draws.
#[derive(Serialize)]
struct PageData<'a> {
    cases: Vec<CaseData<'a>>,
}

/// Renders a page; `stills` are the figures of all cases.
pub(super) fn page(results: &Results, stills: &[Vec<DrawnFigure>], part: PageScope) -> String {
    let shown = part.shown(results);
    let cases = shown
        .iter()
        .map(|(_, case)| CaseData::new(*case, results.report.solver.is_some()))
        .collect();
    let times: Vec<_> = shown.iter().map(|(_, case)| plots(*case, true)).collect();
    let none = Vec::new();
    let bodies = shown.iter().map(|(k, case)| {
        case::section(*case, *k, stills.get(*k).unwrap_or(&none), shown.len() == 1)
    });
    let cards = scorecard::document(results, true);
    let head = html! {
        (top(results, part))
        main {
            @if part.listed(results).len() > 1 { (index(&part.listed(results), part)) }
            (solver_facts::combined_evidence(results))
            @if !cards.is_empty() {
                section #cards { (said(&cards)) }
            } @else {
                (checks::failures(results, part))
                // A reader of one case wants to see it move first; of several, which of them to look at.
                @if shown.len() != 1 { (checks::table(&part.listed(results), part)) }
                @for body in bodies { (body) }
                @if shown.len() == 1 { (checks::table(&part.listed(results), part)) }
            }
        }
        footer {
            "Written by topsim. Figures are drawn with uPlot 1.6.32 (MIT licence, in the source of this page). \
             This file holds all it shows, and asks nothing of any network."
        }
        script type="application/json" id="topsim-data" { (json(&PageData { cases })) }
        "\n"
        script type="application/json" id="topsim-times" data-varies="" { (json(&times)) }
        "\n"
    };
    let head: String = head
        .into_string()
        .chars()
        .map(|c| if c == '\n' { c } else { harmless(c) })
        .collect();
    let title = title(results, part);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(*POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title.chars().map(harmless).collect::<String>()) }
                style { (PreEscaped(&*STYLE)) }
            }
            body {
                (PreEscaped(head))
                script { (PreEscaped(&*SCRIPT)) }
            }
        }
        "\n"
    }
    .into_string()
}

/// Returns JSON in which nothing ends the element around it.
fn json(value: &impl Serialize) -> PreEscaped<String> {
    let text = serde_json::to_string(value).expect("plain data always serialises");
    PreEscaped(text.replace('<', "\\u003c"))
}

fn title(results: &Results, part: PageScope) -> String {
    let what = match (part, &results.report.solver, &results.report.cases[..]) {
        (PageScope::Case(k), ..) => results.report.cases[k].name.clone(),
        (_, Some(solver), _) => solver.clone(),
        (.., [one]) => one.name.clone(),
        (.., all) => text::count(all.len() as u64, "case"),
    };
    format!("{what} · topsim")
}

/// Returns the overall verdict in a word or two, and its style class.
fn verdict(complete: bool, cases: &[(usize, Case)]) -> (&'static str, &'static str) {
    let judged = cases.iter().any(|(_, c)| !c.report.verdicts.is_empty());
    if !complete {
        ("not complete", "bad")
    } else if !judged {
        ("not judged", "none")
    } else if cases
        .iter()
        .all(|(_, c)| c.report.verdicts.iter().all(checks::is_skipped))
    {
        ("skipped", "none")
    } else if cases.iter().all(|(_, c)| c.report.is_good()) {
        ("passed", "good")
    } else if cases.iter().all(|(_, c)| c.report.acceptable()) {
        ("undecided", "none")
    } else {
        ("failed", "bad")
    }
}

fn top(results: &Results, part: PageScope) -> Markup {
    let cases = part.listed(results);
    let complete = !results.interrupted && cases.iter().all(|(_, c)| c.report.complete);
    let (word, class) = verdict(complete, &cases);
    let verdicts = || cases.iter().flat_map(|(_, c)| &c.report.verdicts);
    let skipped = verdicts().filter(|v| checks::is_skipped(v)).count();
    let good = verdicts().filter(|v| v.is_good()).count() - skipped;
    let studies = |(_, c): &(usize, Case)| {
        c.report
            .items
            .iter()
            .filter(|i| matches!(i, Item::Study(_)))
            .count()
    };
    let studies: usize = cases.iter().map(studies).sum();
    let runs: usize = cases.iter().map(|(_, c)| checks::runs(*c)).sum();
    html! {
        header {
            @if matches!(part, PageScope::Case(_)) { p.back { a href={ "../" (NAME) } { "← all cases" } } }
            h1 {
                @match (&results.report.solver, &cases[..]) {
                    (Some(solver), _) => code { (solver) },
                    (None, [(_, one)]) => { (one.report.title) },
                    _ => "topsim",
                }
                " " span.chip.(class) { (word) }
            }
            p.counts {
                (text::count(cases.len() as u64, "case")) " · "
                @if runs > 0 { (text::count(runs as u64, "run")) " · " }
                @if studies > 0 { (text::many(studies, "study")) " · " }
                @match verdicts().count() {
                    0 => "nothing judged",
                    all => { (good) " of " (text::count(all as u64, "verdict")) " good" }
                }
                @if skipped > 0 { ", " (skipped) " skipped" }
            }
            p.facts { "topsim " (env!("CARGO_PKG_VERSION")) ", revision " code { (results.report.revision) } }
            "\n"
            @if let Some(made) = &results.made { (self::made(made, results)) }
            "\n"
        }
    }
}

/// Lists the cases, each with its verdict and a link.
fn index(all: &[(usize, Case)], part: PageScope) -> Markup {
    html! {
        ul.cases {
            @for one in all {
                @let case = one.1;
                @let (word, class) = verdict(case.report.complete, std::slice::from_ref(one));
                li {
                    span.chip.(class) { (word) } " "
                    a href={ (part.place(case)) "#case-" (case.report.name) } { (case.report.name) } " " (case.report.title)
                }
            }
        }
    }
}

/// Draws the facts of the command; they stand on a line of their own, since they differ from one command to the next.
fn made(made: &CommandFacts, results: &Results) -> Markup {
    html! {
        dl.made data-varies="" {
            dt { "Made" }
            dd {
                (made.time) " on " (made.machine)
                @if !results.wall.is_zero() { ", in " (text::brief(results.wall.as_secs_f64())) " s" }
            }
            dt { "Command" }
            dd { code { (made.command.replace('\n', " ")) } }
        }
    }
}
