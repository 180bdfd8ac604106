//! `topsim list`, `show`, `schema`, `completions`.

use super::args::{self, CaseArgs, Cli, FileKind, Listing, unknown};
use super::find::{self, Tolerances};
use super::terminal::Terminal;
use super::{Answer, Failure};
use crate::check::{Metric, ToleranceFile};
use crate::figure::Figure;
use crate::report::{pretty, results_schema};
use crate::study::StudyTable;
use crate::suite::{Suite, builtins, case_schema};
use crate::text;
use clap::CommandFactory;
use clap_complete::env::Shells;
use document::{Document, Table, left, right, strong, wrapped};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::fmt::Write;
use strict_toml::schema_of;
use topsim_case::Problem;
use topsim_core::integration::registry::{self, SchemeRow};
use topsim_core::integration::{ALIASES, Alias, PROPERTIES, QUANTITIES, alias};
use topsim_judge::AcceptedFile;
use topsim_judge::protocol::SolverProblem;

pub(super) fn list(what: Option<Listing>, terminal: &Terminal) -> Answer {
    let wants = |l| what.is_none() || what == Some(l);
    let mut out = Document::default();
    let mut section = |title: &str, header: &[&str], rows: Vec<Vec<String>>| {
        if what.is_none() {
            out.heading(2, strong(title));
        }
        let column = |name: &&str| match *name {
            "order" | "runs" | "checks" => right(*name),
            name => left(name),
        };
        let mut table = Table::new(header.iter().map(column));
        rows.into_iter().for_each(|row| table.push(row));
        out.table(table);
    };
    if wants(Listing::Cases) {
        let rows = builtins()
            .filter_map(|source| Suite::read(&source).ok())
            .map(|s| {
                let (runs, checks) = (s.problem.jobs.len(), s.checks.len());
                let Problem { name, title, .. } = s.problem;
                vec![name, title, runs.to_string(), checks.to_string()]
            })
            .collect();
        section("Cases", &["case", "title", "runs", "checks"], rows);
    }
    if wants(Listing::Schemes) {
        let rows = registry::SCHEMES
            .iter()
            .map(|SchemeRow { info, .. }| {
                let order = info.claims.order.to_string();
                vec![info.name.into(), order, info.title.into()]
            })
            .collect();
        section("Schemes", &["scheme", "order", "what it is"], rows);
    }
    if wants(Listing::Metrics) {
        let rows = Kind::rows::<Metric>("metric");
        section("Metrics", &["metric", "what it measures"], rows);
    }
    if wants(Listing::Studies) {
        let rows = Kind::rows::<StudyTable>("kind");
        section("Studies", &["study", "what it looks at"], rows);
    }
    if wants(Listing::Figures) {
        let rows = Kind::rows::<Figure>("kind");
        section("Figures", &["figure", "what it shows"], rows);
    }
    if wants(Listing::Claims) {
        let numbers = QUANTITIES
            .iter()
            .map(|q| (format!("{} = N", q.words), q.about));
        let properties = PROPERTIES.iter().map(|p| (p.words.into(), p.about));
        let rows = numbers.chain(properties);
        let rows = rows
            .map(|(claim, about)| vec![claim, about.into()])
            .collect();
        section("Claims", &["claim", "schemes that make it"], rows);
    }
    Answer::ok(terminal.shown(&out))
}

pub(super) fn show(name: &str, terminal: &Terminal) -> Result<Answer, Failure> {
    let width = Some(terminal.width);
    if let Some(row) = registry::find(name) {
        return Ok(Answer::ok(wrapped(&show_scheme(row), width)));
    }
    if let Some(alias) = alias(name) {
        let row = registry::find(alias.scheme).expect("aliases lead to schemes");
        let page = format!("{}\n{}", other_name(alias), show_scheme(row));
        return Ok(Answer::ok(wrapped(&page, width)));
    }
    // A metric, a study and a figure may have one name.
    let metric = Kind::find::<Metric>("metric", name);
    let metric = metric.map(|kind| page(&format!("metric {name}"), &kind.schema, "metric"));
    let study = Kind::find::<StudyTable>("kind", name);
    let study = study.map(|kind| page(&format!("study {name}"), &kind.schema, "kind"));
    let figure = Kind::find::<Figure>("kind", name);
    let figure = figure.map(|kind| page(&format!("figure {name}"), &kind.schema, "kind"));
    let pages: Vec<String> = metric.into_iter().chain(study).chain(figure).collect();
    if !pages.is_empty() {
        return Ok(Answer::ok(wrapped(&pages.join("\n"), width)));
    }
    if !find::names_a_case(name) {
        let allowed =
            "a case, a scheme, a metric, a study or a figure of `topsim list`, or a case file";
        let known = args::shown();
        return Err(unknown("nothing is called", name, &known, allowed));
    }
    let (found, suites) = find::load(&CaseArgs::of(vec![name.into()]), Tolerances::Read, terminal)?;
    let mut out = String::new();
    for (suite, f) in suites.iter().zip(&found) {
        let mut about = String::new();
        show_case(&mut about, suite);
        out.push_str(&wrapped(&about, width));
        let _ = writeln!(out, "\n{}:\n", suite.problem.origin);
        for line in f.source.case.text.lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    Ok(Answer::ok(out))
}

fn show_case(out: &mut String, suite: &Suite) {
    let plan = &suite.problem;
    let _ = writeln!(out, "{} · {}\n\n{}\n", plan.name, plan.title, plan.summary);
    for r in &plan.references {
        let _ = writeln!(out, "  source: {r}");
    }
    for w in &plan.warnings {
        let _ = writeln!(out, "  note: {w}");
    }
    if plan.is_opaque() {
        let _ = writeln!(
            out,
            "\nNo scheme knows its torque: judge a solver with `topsim judge {} --solver COMMAND --relations only`",
            plan.origin
        );
    } else {
        let _ = writeln!(out, "\nRuns");
    }
    runs(out, plan);
    if !suite.checks.is_empty() {
        let _ = writeln!(out, "\nChecks");
    }
    for c in &suite.checks {
        let (name, metric, allowed) = (&c.name, c.measure.name(), c.allow.describe());
        let of = c.measure.needs().looked_at();
        let source = c.source.as_deref().unwrap_or("our own past");
        let _ = writeln!(out, "  {name}: {metric} {of} {allowed} ({source})");
    }
}

/// Writes the runs of a case, one per line.
pub(super) fn runs(out: &mut String, problem: &Problem) {
    for job in &problem.jobs {
        let (steps, end) = (job.grid.steps, job.grid.time(job.grid.steps));
        let _ = writeln!(
            out,
            "  {} h={}: {steps} steps to t = {end}",
            job.scheme, job.step
        );
    }
}

/// Returns a line about an alias.
fn other_name(alias: &Alias) -> String {
    let Alias {
        name, scheme, seen, ..
    } = alias;
    let of = if alias.free_only {
        " of a free body"
    } else {
        ""
    };
    format!("{name} is {scheme}{of}: {seen}\n")
}

fn show_scheme(row: &SchemeRow) -> String {
    let i = &row.info;
    let c = &i.claims;
    let mut out = format!("{} · {}\n\n", i.name, i.title);
    for line in i.formula.lines() {
        let _ = writeln!(out, "  {line}");
    }
    let _ = write!(
        out,
        "\ncovers: {}\nclaims: order {}; reversible: {}; symplectic: {}; free-body energy: {}; \
         free spatial momentum: {}; {}\nsources: {} (docs/references.bib)\n",
        i.assumptions,
        c.order,
        text::yes(c.reversible),
        text::yes(c.symplectic),
        c.energy,
        c.momentum,
        c.torque_evaluations,
        i.citations.join(", ")
    );
    for s in i.literature {
        let (by, says, name) = (s.by, s.says, i.name);
        let _ = writeln!(
            out,
            "{by} says: {says} (`topsim scorecard {name}` measures it)"
        );
    }
    for alias in ALIASES.iter().filter(|a| a.scheme == i.name) {
        out.push_str(&other_name(alias));
    }
    let schema = (row.schema)(&mut SchemaGenerator::default());
    let parameters = properties(schema.as_value(), &[]);
    if !parameters.is_empty() {
        let _ = writeln!(out, "\nparameters\n{parameters}");
    }
    out
}

/// A variant of a tagged enum.
struct Kind {
    name: String,
    /// The schema of its table, with its description.
    schema: Value,
}

impl Kind {
    /// Returns the variants of a tagged enum, in the order of the documentation; `tag` is the key that names them.
    fn all<T: JsonSchema>(tag: &str) -> Vec<Self> {
        let mut schema = schema_of::<T>();
        let kinds = schema["oneOf"].take();
        let shared = schema["properties"].as_object();
        let kind = |kind: &Value| {
            let mut kind = kind.clone();
            for (key, of) in shared.into_iter().flatten() {
                kind["properties"][key] = of.clone();
            }
            Self {
                name: text(&kind["properties"][tag]["const"]),
                schema: kind,
            }
        };
        kinds.as_array().into_iter().flatten().map(kind).collect()
    }
    fn find<T: JsonSchema>(tag: &str, name: &str) -> Option<Self> {
        Self::all::<T>(tag).into_iter().find(|k| k.name == name)
    }
    /// Returns a row of a list for each variant: its name and the first sentence of its description.
    fn rows<T: JsonSchema>(tag: &str) -> Vec<Vec<String>> {
        let all = Self::all::<T>(tag).into_iter();
        all.map(|kind| vec![kind.name.clone(), kind.about()])
            .collect()
    }
    fn about(&self) -> String {
        first_sentence(&text(&self.schema["description"])).into()
    }
}

/// Returns a text up to the first full stop that a capital or nothing follows.
fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let ends_here = |at: &usize| text[*at..].trim_start().starts_with(char::is_uppercase);
    ends.into_iter()
        .find(ends_here)
        .map_or(text, |at| &text[..at])
}

/// Returns the documentation of a metric or a study, without the key that names it.
fn page(name: &str, schema: &Value, key: &str) -> String {
    let parameters = properties(schema, &[key]);
    let parameters = match &*parameters {
        "" => "  none\n",
        all => all,
    };
    let about = text(&schema["description"]);
    format!("{name}\n\n{about}\n\nparameters\n{parameters}\n")
}

fn text(v: &Value) -> String {
    v.as_str().unwrap_or_default().replace('\n', " ")
}

fn properties(schema: &Value, without: &[&str]) -> String {
    let mut out = String::new();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, p) in schema["properties"].as_object().into_iter().flatten() {
        if without.contains(&name.as_str()) {
            continue;
        }
        let is_required = required.iter().any(|r| r == name.as_str());
        let needed = if is_required { " (required)" } else { "" };
        let default = match &p["default"] {
            Value::Null => String::new(),
            Value::String(s) => format!(" (default {s})"),
            other => format!(" (default {other})"),
        };
        let about = text(&p["description"]);
        let _ = writeln!(out, "  {name}{needed}{default}: {about}");
        for (value, about) in values(p) {
            let _ = writeln!(out, "      {value}: {about}");
        }
    }
    out
}

/// Returns the values of an enumeration with their descriptions.
fn values(p: &Value) -> Vec<(String, String)> {
    let each = p["oneOf"].as_array().into_iter().flatten();
    each.filter(|v| v["const"].is_string())
        .map(|v| (text(&v["const"]), text(&v["description"])))
        .collect()
}

pub(super) fn schema(file: FileKind) -> String {
    let schema = match file {
        FileKind::Case => case_schema(),
        FileKind::Expected => schema_of::<ToleranceFile>(),
        FileKind::Problem => schema_of::<SolverProblem>(),
        FileKind::Judge => schema_of::<super::judge_file::JudgeFile>(),
        FileKind::Accepted => schema_of::<AcceptedFile>(),
        FileKind::Results => results_schema(),
    };
    // As a schema its keywords have their usual order; as a value they would be sorted.
    pretty(&Schema::try_from(schema).expect("a schema is an object"))
}

pub(super) fn completions(shell: clap_complete::Shell) -> String {
    let mut out = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(&shell.to_string());
    shell
        .expect("each shell of the list has a script")
        .write_registration(COMPLETE, "topsim", "topsim", "topsim", &mut out)
        .expect("memory does not fail");
    String::from_utf8_lossy(&out).into_owned()
}

/// Name of the variable with which a shell asks for completions.
pub(super) const COMPLETE: &str = "COMPLETE";

/// Returns a page of the manual.
pub(super) fn man(name: Option<&str>) -> Result<String, Failure> {
    let mut top = Cli::command();
    // This gives subcommands their full names.
    top.build();
    let command = match name {
        None => &top,
        Some(name) => top.find_subcommand(name).ok_or_else(|| {
            let known = args::commands();
            unknown("no command is called", name, &known, &known.join(", "))
        })?,
    };
    let mut out = Vec::new();
    let page = clap_mangen::Man::new(command.clone());
    page.render(&mut out).expect("memory does not fail");
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::FigureKind;
    use strum::VariantNames;

    fn pages<T: JsonSchema>(tag: &str, names: &[&str]) {
        let kinds = Kind::all::<T>(tag);
        let found: Vec<&str> = kinds.iter().map(|k| k.name.as_str()).collect();
        assert_eq!(found, names);
        for kind in &kinds {
            let about = kind.about();
            assert!(about.ends_with('.') && !about.contains('\n'), "{about}");
        }
    }

    #[test]
    fn every_kind_has_a_page_that_begins_with_a_whole_sentence() {
        pages::<Metric>("metric", Metric::VARIANTS);
        pages::<StudyTable>("kind", StudyTable::VARIANTS);
        pages::<Figure>("kind", FigureKind::VARIANTS);
    }

    #[test]
    fn sentences_end_where_another_begins() {
        for (text, first) in [
            ("One of 1.5 m. Two.", "One of 1.5 m."),
            ("One, e.g. two, three.", "One, e.g. two, three."),
            ("One", "One"),
        ] {
            assert_eq!(first_sentence(text), first);
        }
    }
}
