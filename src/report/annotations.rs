//! Failures as annotations: workflow commands of GitHub, and SARIF for tools that show results of analysers.

use super::Renderer;
use super::sections::{failed_checks, where_to_look};
use super::summary::Summary;
use crate::check::grouped;
use crate::run::{Case, Results};
use crate::suite::builtin;
use crate::text;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::fmt::Write;
use topsim_core::verdict::{Status, Verdict};
use topsim_judge::Defect;

/// Failures as workflow commands, which GitHub shows beside a change.
#[derive(Debug, Clone, Copy)]
pub struct GitHub;

/// Failures as SARIF 2.1.0.
#[derive(Debug, Clone, Copy)]
pub struct Sarif;

/// A result that a reader of a change should see, of one case or the same of several.
#[derive(PartialEq)]
struct Annotation {
    /// True for an error; false for what is undecided and breaks no build.
    is_error: bool,
    /// Name of the rule: a check, an id of the judge, or the kind of work that was not completed.
    rule: String,
    title: String,
    message: String,
}

/// Returns the annotations of a report, each with its cases; those of most cases come first, because GitHub shows ten.
fn annotations(results: &Results) -> Vec<(Annotation, Vec<Case<'_>>)> {
    let each = |case| of_case(case).into_iter().map(move |a| (a, case));
    let mut all = grouped(results.cases().flat_map(each));
    all.sort_by_key(|(_, cases)| Reverse(cases.len()));
    all
}

fn of_case(case: Case) -> Vec<Annotation> {
    let incomplete = case.incomplete().map(|(kind, stem, why)| Annotation {
        is_error: true,
        rule: format!("{kind} not completed"),
        title: format!("{kind} {stem}"),
        message: why,
    });
    let wrong = failed_checks(case, false).into_iter();
    incomplete
        .chain(wrong.map(|(title, v)| of_verdict(case, title, v)))
        .collect()
}

fn of_verdict(case: Case, title: String, v: &Verdict) -> Annotation {
    let advice = where_to_look(case, v).map(|lines| format!("\n{lines}"));
    Annotation {
        is_error: v.status != Status::Undecided || !case.report.acceptable(),
        rule: v.id.clone(),
        title,
        message: text::sentence(v) + &advice.unwrap_or_default(),
    }
}

/// Returns the names of cases.
fn names(cases: &[Case]) -> String {
    let names: Vec<&str> = cases.iter().map(|case| &*case.report.name).collect();
    names.join(", ")
}

/// Returns the file of a case; nothing for a built-in one.
fn file<'a>(case: &Case<'a>) -> Option<&'a str> {
    let built_in = builtin(&case.report.name).map(|source| source.case.path);
    let file = &*case.report.file;
    (!file.is_empty() && built_in.as_deref() != Some(file)).then_some(file)
}

impl Renderer for GitHub {
    fn render(&self, results: &Results) -> String {
        let mut out = String::new();
        for (a, cases) in annotations(results) {
            let command = if a.is_error { "error" } else { "warning" };
            let file = file(&cases[0]).map(|file| format!("file={},", property(file)));
            let title = property(&format!("{} in {}", a.title, names(&cases)));
            let file = file.unwrap_or_default();
            let _ = writeln!(out, "::{command} {file}title={title}::{}", data(&a.message));
        }
        if let Some(summary) = Summary::of(results) {
            let _ = writeln!(out, "{}  {}", summary.word(), summary.text);
        }
        out
    }
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    let escaped = text.replace('%', "%25");
    escaped.replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

impl Renderer for Sarif {
    fn render(&self, results: &Results) -> String {
        let annotations = annotations(results);
        let mut rules: Vec<&str> = annotations.iter().map(|(a, _)| &*a.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        let rules: Vec<Value> = rules.iter().map(|id| rule(id)).collect();
        let of_solver = results.report.solver.is_some();
        let found = annotations.iter().map(|a| result(a, of_solver));
        let found: Vec<Value> = found.collect();
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": "topsim", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
                "results": found,
            }],
        });
        super::pretty(&log)
    }
}

/// Returns a rule of SARIF; a defect has its name.
fn rule(id: &str) -> Value {
    match Defect::all().find(|d| d.to_string() == id) {
        Some(defect) => json!({ "id": id, "shortDescription": { "text": defect.name() } }),
        None => json!({ "id": id }),
    }
}

/// Returns an annotation as a result of SARIF. Viewers want a place: that of a built-in case is the file of the solver's options, or the name of
/// the case.
fn result((a, cases): &(Annotation, Vec<Case>), of_solver: bool) -> Value {
    let built_in = |case: &Case| match of_solver {
        true => "topsim-judge.toml".into(),
        false => format!("{}.toml", case.report.name),
    };
    let place = |case: &Case| {
        let uri = file(case).map_or_else(|| built_in(case), uri);
        json!({ "physicalLocation": { "artifactLocation": { "uri": uri } } })
    };
    json!({
        "ruleId": a.rule,
        "level": if a.is_error { "error" } else { "warning" },
        "message": { "text": format!("{} in {}: {}", a.title, names(cases), a.message) },
        "locations": cases.iter().map(place).collect::<Vec<_>>(),
    })
}

/// Escapes a path for a URI.
fn uri(path: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let escaped = path.bytes().map(|b| match is_plain(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    });
    escaped.collect()
}
