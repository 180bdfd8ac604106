//! `topsim list`, `show`, `schema`, `completions`.

use super::args::{self, CaseArgs, Cli, FileKind, Listing, unknown};
use super::find::{self, Tolerances};
use super::terminal::Terminal;
use super::{Answer, Failure};
use super::{citation, defect_page};
use crate::check::{Check, Metric, ToleranceFile};
use crate::figure::Figure;
use crate::report::{pretty, results_schema};
use crate::study::StudyTable;
use crate::suite::{Suite, builtins, case_schema};
use crate::text;
use clap::{CommandFactory, ValueEnum};
use clap_complete::env::Shells;
use document::{Document, ListItem, Table, left, right, strong};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::path::Path;
use strict_toml::schema_of;
use topsim_case::Problem;
use topsim_core::integration::registry::{self, SchemeRow};
use topsim_core::integration::{ALIASES, Alias, PROPERTIES, QUANTITIES, alias};
use topsim_judge::{AcceptedFile, Defect, VerdictId};
use topsim_protocol::problem::{ProblemBatch, SolverProblem};
use topsim_protocol::{NamedRule, RULES};

pub(super) fn list(what: Option<Listing>, terminal: &Terminal) -> Answer {
    let mut out = Document::default();
    for listing in Listing::value_variants() {
        if what.is_some_and(|wanted| wanted != *listing) {
            continue;
        }
        let (title, header, rows) = rows(*listing);
        if what.is_none() {
            out.heading(2, strong(title));
        }
        let mut table = Table::new(header.iter().map(|name| match *name {
            "order" | "runs" | "checks" => right(*name),
            name => left(name),
        }));
        rows.into_iter().for_each(|row| table.push(row));
        out.table(table);
    }
    Answer::ok(terminal.shown(&out))
}

/// Returns the title, the header and the rows of a list.
fn rows(listing: Listing) -> (&'static str, &'static [&'static str], Vec<Vec<String>>) {
    match listing {
        Listing::Cases => {
            let suites = builtins().filter_map(|source| Suite::read(&source).ok());
            let row = |s: Suite| {
                let (runs, checks) = (s.problem.plans.len(), s.checks.len());
                let Problem { name, title, .. } = s.problem;
                vec![name, title, runs.to_string(), checks.to_string()]
            };
            let rows = suites.map(row).collect();
            ("Cases", &["case", "title", "runs", "checks"], rows)
        }
        Listing::Schemes => {
            let row = |SchemeRow { info, .. }: &SchemeRow| {
                let order = info.claims.order.to_string();
                vec![info.name.into(), order, info.title.into()]
            };
            let rows = registry::SCHEMES.iter().map(row).collect();
            ("Schemes", &["scheme", "order", "what it is"], rows)
        }
        Listing::Metrics => {
            let rows = Kind::rows::<Metric>("metric");
            ("Metrics", &["metric", "what it measures"], rows)
        }
        Listing::Studies => {
            let rows = Kind::rows::<StudyTable>("kind");
            ("Studies", &["study", "what it looks at"], rows)
        }
        Listing::Figures => {
            let rows = Kind::rows::<Figure>("kind");
            ("Figures", &["figure", "what it shows"], rows)
        }
        Listing::Defects => {
            let row = |d: Defect| vec![d.to_string(), d.name()];
            let rows = Defect::all().map(row).collect();
            ("Defects", &["defect", "what is wrong"], rows)
        }
        Listing::Claims => {
            let numbers = QUANTITIES.iter();
            let numbers = numbers.map(|q| vec![format!("{} = N", q.words), q.about.into()]);
            let properties = PROPERTIES.iter();
            let properties = properties.map(|p| vec![p.words.into(), p.about.into()]);
            let rows = numbers.chain(properties).collect();
            ("Claims", &["claim", "schemes that make it"], rows)
        }
    }
}

/// Returns the page of whatever has this name.
pub(super) fn show(name: &str, terminal: &Terminal) -> Result<Document, Failure> {
    let mut out = Document::default();
    if let Some(alias) = alias(name) {
        out.paragraph(other_name(alias));
    }
    if let Some(row) = registry::find(alias(name).map_or(name, |a| a.scheme)) {
        out.append(scheme_page(row));
    } else if let Some(rule) = RULES.iter().find(|rule| rule.id == name) {
        out.append(rule_page(rule));
    } else if name == "defects" {
        out.append(defect_page::all());
    } else if let Some(defect) = defect_page::find(name) {
        out.append(defect_page::page(defect));
    } else if let Some(source) = citation::page(name) {
        out.append(source);
    } else {
        // A verdict, a metric, a study and a figure may have one name.
        let verdict = name.parse::<VerdictId>().ok();
        if let Some(fails) = verdict.and_then(|id| id.fails_where()) {
            out.paragraph(format!("verdict {name}"));
            out.paragraph(format!("It fails where {fails}."));
        }
        out.append(Kind::page::<Metric>("metric", "metric", name));
        out.append(Kind::page::<StudyTable>("study", "kind", name));
        out.append(Kind::page::<Figure>("figure", "kind", name));
    }
    if out.is_empty() {
        let known = args::shown();
        // Ids have a part before a slash, and so have paths.
        let part = |id: &str| id.split_once('/').map(|(part, _)| part.to_owned());
        let is_id =
            part(name).is_some_and(|own| known.iter().any(|id| part(id).as_ref() == Some(&own)));
        if !find::names_a_case(name) || is_id && !Path::new(name).exists() {
            let allowed = "a case, a scheme, a metric, a study, a figure or a defect of `topsim list`, the key of a source, or a case file";
            return Err(unknown("nothing is called", name, &known, allowed));
        }
        let cases = CaseArgs::of(vec![name.into()]);
        let (found, suites) = find::load(&cases, Tolerances::Read, terminal)?;
        for (suite, f) in suites.iter().zip(&found) {
            out.append(case_page(suite));
            out.preformatted(&*f.source.case.text);
        }
    }
    Ok(out)
}

/// Returns the text of the file of a case, or of several, as it is.
pub(super) fn show_file(name: &str, terminal: &Terminal) -> Result<Answer, Failure> {
    let cases = CaseArgs::of(vec![name.into()]);
    let (found, _) = find::load(&cases, Tolerances::Ignored, terminal)?;
    let texts = found.iter().map(|f| &*f.source.case.text);
    Ok(Answer::ok(texts.collect()))
}

fn case_page(suite: &Suite) -> Document {
    let mut out = Document::default();
    let plan = &suite.problem;
    out.paragraph(format!("{} · {}", plan.name, plan.title));
    out.paragraph(&*plan.summary);
    out.items(plan.references.iter().map(|r| format!("source: {r}")));
    out.items(plan.warnings.iter().map(|w| format!("note: {w}")));
    if plan.is_opaque() {
        out.paragraph(format!(
            "No scheme knows its torque: judge a solver with `topsim judge {} --solver COMMAND --relations only`",
            plan.origin
        ));
    } else if plan.only_judged {
        out.paragraph(format!(
            "It names no schemes: judge a solver with `topsim judge {} --solver COMMAND`",
            plan.origin
        ));
    } else {
        out.paragraph("Runs");
        out.items(runs(plan));
    }
    if !suite.checks.is_empty() {
        let check = |c: &Check| {
            let (name, metric, allowed) = (&c.name, c.measure.name(), c.allow.describe());
            let of = c.measure.needs().looked_at();
            let source = c
                .source
                .as_deref()
                .or(c.how.as_deref())
                .unwrap_or(c.kind.id());
            format!("{name}: {metric} {of} {allowed} ({source})")
        };
        out.paragraph("Checks");
        out.items(suite.checks.iter().map(check));
    }
    out.paragraph(format!("{}:", plan.origin));
    out
}

/// Describes the runs of a case, a line each.
pub(super) fn runs(problem: &Problem) -> impl Iterator<Item = String> {
    problem.plans.iter().map(|run| {
        let (steps, end) = (run.grid.steps, run.grid.time(run.grid.steps));
        format!(
            "{} {}: {steps} steps to t = {end}",
            run.scheme, run.fineness
        )
    })
}

/// Returns a line about an alias.
fn other_name(alias: &Alias) -> String {
    let of = if alias.free_only {
        " of a free body"
    } else {
        ""
    };
    format!("{} is {}{of}: {}", alias.name, alias.scheme, alias.seen)
}

/// Describes a rule that a solver can be claimed to have.
fn rule_page(rule: &NamedRule) -> Document {
    let mut out = Document::default();
    let id = rule.id;
    out.paragraph(format!(
        "{id}: {}, in whichever way it writes an attitude",
        rule.name
    ));
    out.paragraph(format!(
        "a claim on a solver: topsim judge CASE --solver COMMAND --claim scheme={id}"
    ));
    let schemes = rule.schemes.iter();
    out.items(schemes.map(|name| format!("in the catalogue: {name}")));
    out
}

fn scheme_page(row: &SchemeRow) -> Document {
    let i = &row.info;
    let c = &i.claims;
    let mut out = Document::default();
    out.paragraph(format!("{} · {}", i.name, i.title));
    out.items(i.formula.lines());
    out.items(i.coefficients.lines());
    out.paragraph(format!("covers: {}", row.assumptions()));
    out.item(format!(
        "claims: order {}; reversible: {}; symplectic: {}; free-body energy: {}; free spatial momentum: {}; {}",
        c.order,
        text::yes(c.reversible),
        text::yes(c.symplectic),
        c.energy,
        c.momentum,
        c.torque_evaluations,
    ));
    let sources = i.citations.join(", ");
    out.item(format!("sources: {sources} (docs/references.bib)"));
    for s in i.literature {
        let (by, says, name) = (s.by, s.says, i.name);
        let measured = format!("`topsim scorecard {name}` measures it");
        out.item(format!("{by} says: {says} ({measured})"));
    }
    let others = ALIASES.iter().filter(|a| a.scheme == i.name);
    out.items(others.map(other_name));
    let schema = (row.schema)(&mut SchemaGenerator::default());
    let parameters = parameters(schema.as_value(), "", &Value::Null);
    if !parameters.is_empty() {
        out.paragraph("parameters");
        out.items(parameters);
    }
    out
}

/// A variant of a tagged enum.
struct Kind {
    name: String,
    /// The schema of its table, with its description.
    schema: Value,
    /// The definitions that the schema refers to.
    definitions: Value,
}

impl Kind {
    /// Returns the variants of a tagged enum, in the order of the documentation; `tag` is the key that names them.
    fn all<T: JsonSchema>(tag: &str) -> Vec<Self> {
        let mut schema = schema_of::<T>();
        let kinds = schema["oneOf"].take();
        let definitions = schema["$defs"].take();
        let shared = schema["properties"].as_object();
        let kind = |kind: &Value| {
            let mut kind = kind.clone();
            for (key, of) in shared.into_iter().flatten() {
                kind["properties"][key] = of.clone();
            }
            Self {
                name: text(&kind["properties"][tag]["const"]).into(),
                schema: kind,
                definitions: definitions.clone(),
            }
        };
        kinds.as_array().into_iter().flatten().map(kind).collect()
    }
    /// Returns the documentation of the variant of this name, without the key that names it; nothing if there is none.
    fn page<T: JsonSchema>(what: &str, tag: &str, name: &str) -> Document {
        let mut out = Document::default();
        let Some(kind) = Self::all::<T>(tag).into_iter().find(|k| k.name == name) else {
            return out;
        };
        out.paragraph(format!("{what} {name}"));
        out.paragraph(words(&kind.schema));
        let parameters = parameters(&kind.schema, tag, &kind.definitions);
        out.paragraph(match parameters.is_empty() {
            true => "no parameters",
            false => "parameters",
        });
        out.items(parameters);
        out
    }
    /// Returns a row of a list for each variant: its name and the first sentence of its description.
    fn rows<T: JsonSchema>(tag: &str) -> Vec<Vec<String>> {
        let all = Self::all::<T>(tag).into_iter();
        all.map(|kind| vec![kind.name.clone(), kind.about()])
            .collect()
    }
    fn about(&self) -> String {
        text::first_sentence(&words(&self.schema)).into()
    }
}

/// Returns the description of a schema.
pub(super) fn words(schema: &Value) -> String {
    text(&schema["description"]).replace('\n', " ")
}

fn text(v: &Value) -> &str {
    v.as_str().unwrap_or_default()
}

/// Returns the keys of a table but one with their descriptions, and below each the forms of its value.
fn parameters(schema: &Value, without: &str, definitions: &Value) -> Vec<ListItem> {
    let required = schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|r| r == name));
    let keys = schema["properties"].as_object().into_iter().flatten();
    keys.filter(|(name, _)| *name != without)
        .map(|(name, p)| {
            let needed = if is_required(name) { " (required)" } else { "" };
            let default = match &p["default"] {
                Value::Null => String::new(),
                Value::String(s) => format!(" (default {s})"),
                other => format!(" (default {other})"),
            };
            let key = format!("{name}{needed}{default}: {}", words(p));
            ListItem::new(key, forms(p, definitions))
        })
        .collect()
}

/// Returns the forms that a value may have, each with its description: names, numbers, and tables with their keys. A value of
/// a single form without names has none.
fn forms(schema: &Value, definitions: &Value) -> Vec<String> {
    let choices = ["anyOf", "oneOf"].map(|key| schema[key].as_array());
    let each = choices.into_iter().flatten().flatten().flat_map(|form| {
        let described = |what: &str| vec![format!("{what}: {}", words(form))];
        match (&form["const"], form["type"].as_str()) {
            (Value::String(name), _) => described(name),
            (_, Some("number")) => described("a number"),
            (_, Some("array")) => described("a list"),
            _ => forms(form, definitions),
        }
    });
    let mut out: Vec<String> = each.collect();
    if let Some(name) = schema["$ref"].as_str() {
        let of = &definitions[name.trim_start_matches("#/$defs/")];
        let keys = of["properties"].as_object().into_iter().flatten();
        out.extend(keys.map(|(key, p)| format!("a table with `{key}`: {}", words(p))));
        out.extend(forms(of, definitions));
    }
    out
}

pub(super) fn schema(file: FileKind) -> String {
    let schema = match file {
        FileKind::Case => case_schema(),
        FileKind::Expected => schema_of::<ToleranceFile>(),
        FileKind::Problem => schema_of::<SolverProblem>(),
        FileKind::Batch => schema_of::<ProblemBatch>(),
        FileKind::Judge => schema_of::<super::judge_file::JudgeFile>(),
        FileKind::Bath => schema_of::<topsim_bath::BathFile>(),
        FileKind::Accepted => schema_of::<AcceptedFile>(),
        FileKind::Model => schema_of::<super::model_file::ModelFile>(),
        FileKind::Results => results_schema(),
    };
    // As a schema its keywords have their usual order; as a value they would be sorted.
    pretty(&Schema::try_from(schema).expect("a schema is an object"))
}

pub(super) fn completions(shell: clap_complete::Shell) -> String {
    let mut out = Vec::new();
    let script = Shells::builtins();
    let script = script.completer(&shell.to_string());
    let script = script.expect("each shell of the list has a script");
    script
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
    let found = name.map_or(Some(&top), |name| top.find_subcommand(name));
    let command = found.ok_or_else(|| {
        let known = args::commands();
        let name = name.unwrap_or_default();
        unknown("no command is called", name, &known, &known.join(", "))
    })?;
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
}
