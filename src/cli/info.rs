//! `topsim list`, `show`, `schema`, `completions`.

use super::args::{Cli, FileKind, Listing, Selection};
use super::find::{self, Unjudged};
use super::terminal::Look;
use super::{Answer, Failure};
use crate::check::{METRICS, MetricRow, ToleranceFile};
use crate::report::{results_schema, table};
use crate::study::KINDS;
use crate::suite::{Suite, builtins, case_schema};
use clap::CommandFactory;
use schemars::SchemaGenerator;
use serde_json::Value;
use std::fmt::Write;
use strict_toml::schema_of;
use topsim_core::integration::registry::{self, Row};
use topsim_judge::AcceptedFile;
use topsim_judge::protocol::SolverProblem;

pub(super) fn list(what: Option<Listing>, look: &Look) -> Answer {
    let wants = |l| what.is_none() || what == Some(l);
    let mut out = String::new();
    let mut section = |title: &str, header: &[&str], rows: Vec<Vec<String>>| {
        if what.is_none() {
            let _ = writeln!(out, "{title}");
        }
        let mut t = table(&look.of_report(false), header);
        for r in rows {
            t.add_row(r);
        }
        let _ = writeln!(out, "{t}");
    };
    if wants(Listing::Cases) {
        let rows = builtins()
            .filter_map(|source| Suite::read(&source).ok())
            .map(|s| {
                vec![
                    s.problem.name.clone(),
                    s.problem.title.clone(),
                    s.problem.jobs.len().to_string(),
                    s.checks.len().to_string(),
                ]
            })
            .collect();
        section("Cases", &["case", "title", "runs", "checks"], rows);
    }
    if wants(Listing::Schemes) {
        let rows = registry::SCHEMES
            .iter()
            .map(|r| {
                vec![
                    r.info.name.into(),
                    r.info.claims.order.to_string(),
                    r.info.title.into(),
                ]
            })
            .collect();
        section("Schemes", &["scheme", "order", "what it is"], rows);
    }
    if wants(Listing::Metrics) {
        let rows = METRICS
            .iter()
            .map(|m| vec![m.name.into(), text(&metric_schema(m)["description"])])
            .collect();
        section("Metrics", &["metric", "what it measures"], rows);
    }
    if wants(Listing::Studies) {
        let rows = KINDS
            .iter()
            .map(|k| vec![k.name.into(), (k.about)()])
            .collect();
        section("Studies", &["study", "what it looks at"], rows);
    }
    Answer::ok(out)
}

pub(super) fn show(name: &str, look: &Look) -> Result<Answer, Failure> {
    if let Some(row) = registry::find(name) {
        return Ok(Answer::ok(show_scheme(row)));
    }
    // A metric and a study may have one name.
    let metric = METRICS.iter().find(|m| m.name == name);
    let metric = metric.map(|row| page(&format!("metric {name}"), &metric_schema(row), "metric"));
    let study = KINDS.iter().find(|k| k.name == name);
    let study = study.map(|kind| page(&format!("study {name}"), &kind.schema(), "kind"));
    let pages: Vec<String> = metric.into_iter().chain(study).collect();
    if !pages.is_empty() {
        return Ok(Answer::ok(pages.join("\n")));
    }
    let selection = Selection {
        cases: vec![name.into()],
        ..Selection::default()
    };
    if !find::names_a_case(name) {
        return Err(Failure::Invalid(format!(
            "error: nothing is called `{name}`; allowed: a case, a scheme, a metric or a study of `topsim list`, or a case file"
        )));
    }
    let (found, suites) = find::load(&selection, Unjudged::Allowed, look)?;
    let mut out = String::new();
    for (suite, f) in suites.iter().zip(&found) {
        show_case(&mut out, suite);
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
    let _ = writeln!(out, "\nRuns");
    for job in &plan.jobs {
        let _ = writeln!(
            out,
            "  {} h={}: {} steps to t = {}",
            job.scheme,
            job.step,
            job.grid.steps,
            job.grid.time(job.grid.steps)
        );
    }
    let _ = writeln!(out, "\nChecks");
    for c in &suite.checks {
        let _ = writeln!(
            out,
            "  {}: {} {} {} ({})",
            c.name,
            c.measure.name(),
            c.measure.needs().looked_at(),
            c.allow.describe(),
            c.source.as_deref().unwrap_or("our own past")
        );
    }
}

fn show_scheme(row: &Row) -> String {
    let i = &row.info;
    let c = &i.claims;
    let yes = |b: bool| if b { "yes" } else { "no" };
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
        yes(c.reversible),
        yes(c.symplectic),
        c.energy,
        c.momentum,
        c.torque_evaluations,
        i.citations.join(", ")
    );
    for s in i.literature {
        let _ = writeln!(
            out,
            "{} says: {} (`topsim scorecard {}` measures it)",
            s.by, s.says, i.name
        );
    }
    let schema = (row.schema)(&mut SchemaGenerator::default());
    let parameters = properties(schema.as_value(), &[]);
    if !parameters.is_empty() {
        let _ = writeln!(out, "\nparameters\n{parameters}");
    }
    out
}

fn metric_schema(row: &MetricRow) -> Value {
    (row.schema)(&mut SchemaGenerator::default()).to_value()
}

/// What is documented of a metric or a study, without the key that names it.
fn page(name: &str, schema: &Value, key: &str) -> String {
    let parameters = properties(schema, &[key]);
    format!(
        "{name}\n\n{}\n\nparameters\n{}\n",
        text(&schema["description"]),
        if parameters.is_empty() {
            "  none\n"
        } else {
            &parameters
        }
    )
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
        let needed = if required.iter().any(|r| r == name.as_str()) {
            " (required)"
        } else {
            ""
        };
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

/// The values of an enumeration with what they mean.
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
        FileKind::Accepted => schema_of::<AcceptedFile>(),
        FileKind::Results => results_schema(),
    };
    // As a schema its keywords have their usual order; as a value they would be sorted.
    let schema = schemars::Schema::try_from(schema).expect("a schema is an object");
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema always serialises");
    text.push('\n');
    text
}

pub(super) fn completions(shell: clap_complete::Shell) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "topsim", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
