//! `topsim list`, `show`, `schema`, `completions`.

use super::args::{Cli, FileKind, Listing, Selection};
use super::find::{self, Unjudged};
use super::terminal::Look;
use super::{Answer, Failure};
use crate::analysis::Measure;
use crate::cases::posed::Posed;
use crate::cases::{AcceptedFile, BUILTIN, CaseFile, CasePlan, ExpectedFile};
use crate::drive::registry::{self, Row};
use crate::output::console;
use clap::CommandFactory;
use schemars::{JsonSchema, SchemaGenerator, schema_for};
use serde_json::Value;
use std::fmt::Write;

pub(super) fn list(what: Option<Listing>, look: &Look) -> Answer {
    let wants = |l| what.is_none() || what == Some(l);
    let mut out = String::new();
    let mut section = |title: &str, header: &[&str], rows: Vec<Vec<String>>| {
        if what.is_none() {
            let _ = writeln!(out, "{title}");
        }
        let mut t = console::table(&look.console(false), header);
        for r in rows {
            t.add_row(r);
        }
        let _ = writeln!(out, "{t}");
    };
    if wants(Listing::Cases) {
        let rows = BUILTIN
            .iter()
            .filter_map(|b| CasePlan::new(&b.source()).ok())
            .map(|p| {
                vec![
                    p.name.clone(),
                    p.title.clone(),
                    p.jobs.len().to_string(),
                    p.checks.len().to_string(),
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
        let rows = metrics()
            .into_iter()
            .map(|m| vec![m.name, m.about])
            .collect();
        section("Metrics", &["metric", "what it measures"], rows);
    }
    Answer::ok(out)
}

pub(super) fn show(name: &str, look: &Look) -> Result<Answer, Failure> {
    if let Some(row) = registry::find(name) {
        return Ok(Answer::ok(show_scheme(row)));
    }
    if let Some(m) = metrics().into_iter().find(|m| m.name == name) {
        return Ok(Answer::ok(m.text()));
    }
    let selection = Selection {
        cases: vec![name.into()],
        expected: None,
        jobs: None,
        timeout: None,
    };
    let (found, plans) = find::load(&selection, Unjudged::Allowed, look).map_err(|e| match e {
        Failure::Invalid(text) if text.contains("no case is called") => {
            Failure::Invalid(format!(
                "error: nothing is called `{name}`; allowed: a case, a scheme or a metric of `topsim list`, or a case file"
            ))
        }
        other => other,
    })?;
    let mut out = String::new();
    for (plan, f) in plans.iter().zip(&found) {
        show_case(&mut out, plan);
        let _ = writeln!(out, "\n{}:\n", plan.origin);
        for line in f.source.case_text.lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    Ok(Answer::ok(out))
}

fn show_case(out: &mut String, plan: &CasePlan) {
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
    for c in &plan.checks {
        let _ = writeln!(
            out,
            "  {}: {} {} {} ({})",
            c.name,
            c.measure.name(),
            c.measure
                .quantity()
                .or(c.measure.event())
                .unwrap_or_default(),
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

struct Metric {
    name: String,
    about: String,
    parameters: String,
}

impl Metric {
    fn text(&self) -> String {
        format!(
            "{}\n\n{}\n\nparameters\n{}\n",
            self.name,
            self.about,
            if self.parameters.is_empty() {
                "  none\n"
            } else {
                &self.parameters
            }
        )
    }
}

/// Metrics with their descriptions, from the JSON Schema of [`Measure`].
fn metrics() -> Vec<Metric> {
    let schema = Measure::json_schema(&mut SchemaGenerator::default());
    let Some(alternatives) = schema.as_value()["oneOf"].as_array() else {
        return Vec::new();
    };
    alternatives
        .iter()
        .map(|a| Metric {
            name: text(&a["properties"]["metric"]["const"]),
            about: text(&a["description"]),
            parameters: properties(a, &["metric"]),
        })
        .collect()
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
        FileKind::Case => schema_for!(CaseFile),
        FileKind::Expected => schema_for!(ExpectedFile),
        FileKind::Problem => schema_for!(Posed),
        FileKind::Baseline => schema_for!(AcceptedFile),
    };
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema always serialises");
    text.push('\n');
    text
}

pub(super) fn completions(shell: clap_complete::Shell) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "topsim", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
