//! The report in words, said once: documents that a terminal and files for readers show.

use super::scorecard;
use super::summary::Summary;
use super::{Renderer, TextStyle};
use crate::check::{CheckGroup, Number, by_check, grouped, tightest};
use crate::run::{Case, Results};
use crate::study::{Finding, LadderTable};
use crate::text;
use document::{
    Document, ListItem, Markup, Table, TableColumn, Text, bad, caution, good, left, marked, right,
    strong,
};
use topsim_core::verdict::{Fineness, Status, Verdict};
use topsim_judge::Report as HistoryReport;
use topsim_judge::show::{case as judged_case, several};

/// Largest number of values of a study on a line.
const NUMBERS: usize = 4;

/// The report for people at a terminal: what decides comes last.
#[derive(Debug, Clone, Copy)]
pub struct Human(pub TextStyle);

impl Renderer for Human {
    fn render(&self, results: &Results) -> String {
        let Self(style) = self;
        let mut out = Document::default();
        for case in results.cases() {
            if !style.quiet {
                out.append(suite(case, style.verbose, style.verbose, false));
                continue;
            }
            let failures = failures(case, style.verbose);
            if !failures.is_empty() {
                out.heading(2, strong(&*case.report.name));
                out.append(failures);
            }
        }
        if !style.quiet {
            out.append(scorecard::document(results, style.verbose));
            out.append(judged(results, style.verbose, style.verbose));
            out.append(summary(results));
        }
        style.console.render(&out)
    }
}

/// The report as a document for readers: what decides comes first.
#[derive(Debug, Clone, Copy)]
pub struct Paper<M>(pub M);

impl<M: Markup> Renderer for Paper<M> {
    fn render(&self, results: &Results) -> String {
        let mut out = summary(results);
        out.append(judged(results, false, true));
        for case in results.cases() {
            out.append(suite(case, false, true, true));
        }
        out.append(scorecard::document(results, true));
        self.0.render(&out)
    }
}

/// Returns a case with its runs, checks and studies: with each verdict of a check or the tightest, with the tables of
/// studies or their names, with what failed above the table of verdicts or below it.
fn suite(case: Case, each_verdict: bool, study_tables: bool, failures_first: bool) -> Document {
    let mut out = Document::default();
    if !case.report.is_suite() {
        return out;
    }
    let name = strong(&*case.report.name);
    out.heading(2, name.then(format!(" · {}", case.report.title)));
    let steps: u64 = case.artifacts.runs.iter().map(|r| r.run.effort.steps).sum();
    let runs = text::count(case.artifacts.runs.len() as u64, "run");
    out.item(format!("{runs}, {}", text::count(steps, "step")));
    out.item(match &case.artifacts.reference {
        Ok(r) => format!("reference: {}", r.provenance()),
        Err(why) => format!("no reference: {why}"),
    });
    let warnings = case.report.warnings.iter();
    out.items(warnings.map(|w| caution("note:").then(" ").then(marked(w))));
    if failures_first {
        out.append(failures(case, each_verdict));
    } else {
        out.items(incomplete(case));
    }
    let (skipped, groups): (Vec<_>, Vec<_>) = by_check(&case.report.verdicts)
        .into_iter()
        .partition(CheckGroup::is_skipped);
    out.items(skip_notes(&skipped, each_verdict));
    out.table(verdicts(&groups, each_verdict));
    if !failures_first {
        out.items(failed(case, each_verdict));
    }
    // The numbers of the studies are all that a case without checks has to tell.
    let study_tables = study_tables || !case.report.is_judged();
    for found in case.findings() {
        study(&mut out, found, each_verdict, study_tables);
    }
    out
}

/// Returns the work that was not completed and the checks that failed.
fn failures(case: Case, each: bool) -> Document {
    let mut out = Document::default();
    out.items(incomplete(case));
    out.items(failed(case, each));
    out
}

fn incomplete(case: Case) -> impl Iterator<Item = Text> {
    let all = case.incomplete();
    all.map(|(kind, stem, why)| bad(&format!("{kind}:")).then(format!(" {stem} {why}")))
}

/// Returns the checks that failed as sentences.
fn failed(case: Case, each: bool) -> impl Iterator<Item = Text> {
    let acceptable = case.report.acceptable();
    let wrong = failed_checks(case, each).into_iter();
    let told = wrong.filter(move |(_, v)| !acceptable || v.status != Status::Undecided);
    told.map(|(title, v)| {
        let said = format!(" {title}: {}", text::sentence(v));
        bad(text::status(v)).strong().then(marked(&said))
    })
}

/// Returns the verdicts that are not good with their titles: `each` of them, or the tightest of those of a check that have the
/// same status.
pub(super) fn failed_checks(case: Case<'_>, each: bool) -> Vec<(String, &Verdict)> {
    let mut out = Vec::new();
    for group in by_check(&case.report.verdicts) {
        let wrong = group.verdicts.iter().filter(|v| !v.is_good()).enumerate();
        let alike = grouped(wrong.map(|(i, v)| ((text::status(v), each.then_some(i)), v)));
        out.extend(alike.into_iter().map(|(_, same)| {
            let v = tightest(same.iter().copied());
            let title = match same.len() {
                1 => text::title(v),
                _ => format!("{} [{}]", group.id, several_runs(&same, group, v)),
            };
            (title, v)
        }));
    }
    out
}

/// Says in how many runs, or ladders of a scheme, a check failed, and in which of them most, unless it is the same in all.
fn several_runs(failed: &[&Verdict], group: CheckGroup, worst: &Verdict) -> String {
    let (some, all) = (failed.len(), group.verdicts.len());
    let runs = match worst.subject.fineness {
        Some(_) => "runs",
        None => "schemes",
    };
    let runs = match some == all {
        true => format!("all {all} {runs}"),
        false => format!("{some} of {all} {runs}"),
    };
    let sentence = text::sentence(worst);
    match failed.iter().all(|v| text::sentence(v) == sentence) {
        true => runs,
        false => format!("{runs}, most in {}", text::run(worst)),
    }
}

/// Returns the skipped checks, by the reason.
fn skip_notes(skipped: &[CheckGroup], named: bool) -> Vec<Text> {
    let reason = |g: &CheckGroup| g.tightest().detail.clone().unwrap_or_default();
    let note = |(why, checks): (String, Vec<&str>)| {
        let names = if named {
            format!(": {}", checks.join("; "))
        } else {
            String::new()
        };
        let count = text::many(checks.len(), "check");
        caution("skipped:").then(format!(" {count}, {why}{names}"))
    };
    let reasons = grouped(skipped.iter().map(|g| (reason(g), g.id)));
    reasons.into_iter().map(note).collect()
}

/// Returns a verdict in its colour.
fn status(v: &Verdict) -> Text {
    let word = text::status(v);
    match (v.is_good(), v.status) {
        (true, Status::Passed) => good(word),
        (true, _) => caution(word),
        (false, _) => bad(word).strong(),
    }
}

/// Returns the verdicts of the checks, each with the number of runs it stands for.
fn verdicts(groups: &[CheckGroup], each: bool) -> Table {
    let mut table = Table::new([
        left("check"),
        right("runs"),
        left("tightest").whole(),
        left("measured").whole(),
        left("allowed").whole(),
        right("digits"),
        TableColumn {
            on_paper_only: true,
            ..left("source")
        },
        left("verdict").whole(),
    ]);
    let shown = |g: &CheckGroup<'_>| match each {
        true => g.verdicts.iter().map(|v| ((*v).clone(), 1)).collect(),
        false => vec![(g.tightest().clone(), g.verdicts.len())],
    };
    for (v, runs) in groups.iter().flat_map(shown) {
        let subject = match text::run(&v) {
            run if run.is_empty() => "none".into(),
            run => run,
        };
        let (measured, digits) = (text::measured(&v), text::digits(&v));
        let source = v.provenance.as_ref().map_or(String::new(), |p| {
            format!("{}: {}", p.kind.id(), p.source.as_deref().unwrap_or("–"))
        });
        let room = match &*digits {
            "" => String::new(),
            "exact" => " (exact)".into(),
            d => format!(" ({d} digits)"),
        };
        let line = format!("{subject}: {measured}, allowed {}{room}", v.allowed_text);
        let head = status(&v).then(format!(" {}", v.id));
        table.narrow.push(ListItem::new(head, [line]));
        table.push([
            Text::from(&v.id),
            runs.to_string().into(),
            subject.into(),
            measured.into(),
            (&v.allowed_text).into(),
            digits.into(),
            source.into(),
            status(&v),
        ]);
    }
    table
}

/// A study: its table, or its name, or its numbers.
fn study(out: &mut Document, found: &Finding, all_numbers: bool, tables: bool) {
    match &found.ladder {
        Some(of) if tables => {
            out.item(format!("study: {}", found.title));
            out.table(ladder(of));
            let missing = of.lines.iter().flat_map(|l| &l.points);
            let reasons = missing.filter_map(|p| p.values.as_ref().err());
            let reasons = grouped(reasons.map(|why| (why.to_string(), ())));
            out.items(reasons.iter().map(|(why, _)| format!("—: {why}")));
        }
        Some(of) => {
            let schemes = text::count(of.lines.len() as u64, "scheme");
            let (title, stem) = (&found.title, &found.stem);
            out.item(format!("study: {title} of {schemes}: {stem}.csv"));
        }
        None => {
            let (kind, name) = (found.kind.replace('_', " "), found.name.as_deref());
            let head = format!(
                "{kind} {}: {}; {:.1} s",
                name.unwrap_or_default(),
                found.title,
                found.wall.as_secs_f64()
            );
            // A study may have very many numbers of single places, which are left out unless asked for.
            let shown = found.numbers.iter().filter(|n| all_numbers || n.headline);
            let word = |n: &Number| match &n.value {
                Ok(x) => format!("{} = {} {}", n.name, text::number(*x), n.unit),
                Err(why) => format!("{}: {why}", n.name),
            };
            let words: Vec<String> = shown.map(|n| word(n).trim_end().to_string()).collect();
            let lines = words.chunks(NUMBERS).map(|line| line.join(", "));
            out.item(ListItem::new(head, lines));
        }
    }
}

/// Schemes down, finenesses across: the first number of each run, and what the runs of a scheme say together.
fn ladder(of: &LadderTable) -> Table {
    let mut finenesses: Vec<&Fineness> = Vec::new();
    for p in of.lines.iter().flat_map(|l| &l.points) {
        if !finenesses.contains(&&p.fineness) {
            finenesses.push(&p.fineness);
        }
    }
    let mut columns = vec![left("scheme")];
    columns.extend(
        finenesses
            .iter()
            .map(|fineness| right(fineness.to_string())),
    );
    if !of.summary.is_empty() {
        columns.push(left(&of.summary));
    }
    let mut table = Table::new(columns);
    for line in &of.lines {
        let number = |fineness: &&Fineness| {
            let point = line.points.iter().find(|p| p.fineness == **fineness);
            point.map_or_else(String::new, |p| match &p.values {
                Ok(v) if of.work.is_some() => {
                    format!("{} at {}", text::brief(v[0]), text::brief(p.x))
                }
                Ok(v) => text::brief(v[0]),
                Err(_) => "—".into(),
            })
        };
        let numbers = finenesses.iter().map(number);
        let mut row: Vec<String> = std::iter::once(line.scheme.clone())
            .chain(numbers)
            .collect();
        if !of.summary.is_empty() {
            row.push(line.summary.clone());
        }
        table.push(row);
    }
    table
}

/// Note on a claim of a solver that does none of the cases.
const NO_CLAIM_SHOWN: &str =
    "The solver says that it cannot do any of this, so what is claimed of it is not shown.";

/// Returns the findings of the judge on a solver: on all cases together where there are several, and on `each` case.
fn judged(results: &Results, verbose: bool, each: bool) -> Document {
    let all: Vec<&HistoryReport> = results.judged().collect();
    let mut out = Document::default();
    let together = results.report.solver.as_deref().filter(|_| all.len() > 1);
    if let Some(solver) = together {
        out.append(several(solver, &all, verbose));
        if !(verbose || each) {
            out.item("--verbose shows each case");
        }
    }
    if together.is_none() || each && !verbose {
        all.iter().for_each(|h| out.append(judged_case(h, verbose)));
    }
    if results.shows_no_claim() {
        out.paragraph(NO_CLAIM_SHOWN);
    }
    out
}

fn summary(results: &Results) -> Document {
    let mut out = Document::default();
    if let Some(summary) = Summary::of(results) {
        let word = match summary.passed {
            Some(true) => good(summary.word()),
            Some(false) => bad(summary.word()),
            None => caution(summary.word()),
        };
        out.paragraph(word.strong().then(format!("  {}", summary.text)));
    }
    out
}

/// Returns the advice and the last lines of a solver that the sentence of a verdict on histories leaves out.
pub(super) fn where_to_look(case: Case, v: &Verdict) -> Option<String> {
    let lines: Vec<String> = case.judged()?.where_to_look(&v.id);
    (!lines.is_empty()).then(|| lines.join("\n"))
}
