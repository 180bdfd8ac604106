//! CONTRIBUTING.md is true to the letter: a scheme is added from outside as it says, and each table, file and command
//! that it names is there.

use crate::support::{repository, repository_text};
use std::sync::atomic::AtomicBool;
use topsim::run::{Options, execute};
use topsim::suite::{Suite, builtin};
use topsim_core::integration::bind;
use topsim_core::math::so3;
use topsim_core::models::{RotState, Torque};
use topsim_core::schemes::{
    Claims, Coefficients, Described, Effort, Energy, Evaluations, Momentum, RotationScheme,
    SchemeInfo, Step, StepResult,
};

/// The explicit midpoint rule on the rotation group, as somebody outside writes it.
#[derive(Debug, Clone, Copy)]
struct Midpoint {
    /// Turns the attitude by this many times what it should.
    slip: f64,
}

impl Described for Midpoint {
    const INFO: SchemeInfo = SchemeInfo {
        name: "midpoint",
        title: "Explicit midpoint rule",
        formula: "Λ₁ = Λ exp(h W½), W₁ = W + h a(t + h/2, Λ exp(h W/2), W½)",
        coefficients: Coefficients::None,
        citations: &[],
        literature: &[],
        assumptions: Some("any body, any torque"),
        claims: Claims {
            order: 2,
            reversible: false,
            symplectic: false,
            energy: Energy::Gains(3),
            momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(2),
        },
        adaptive: None,
        processed: false,
    };
}

impl RotationScheme for Midpoint {
    type Memory = ();

    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, (): &mut ()) -> StepResult {
        let Step { top, t, h, .. } = *at;
        let acceleration =
            |t: f64, y: &RotState| top.acceleration(&y.omega, &top.torque_body(t, &y.att));
        let half = RotState {
            att: y.att * so3::exp(&(y.omega * (0.5 * h))),
            omega: y.omega + acceleration(t, y) * (0.5 * h),
        };
        y.att *= so3::exp(&(half.omega * (h * self.slip)));
        y.omega += acceleration(t + 0.5 * h, &half) * h;
        Ok(Effort::new(2, 0))
    }
}

/// A shipped case with the scheme in the place of those of the case, and which of its checks of this metric fail.
fn failing(scheme: Midpoint, metric: &str) -> (usize, Vec<String>) {
    let source = builtin("heavy_asymmetric").unwrap();
    let mut suite = Suite::read(&source).unwrap_or_else(|_| panic!("a shipped case is valid"));
    for plan in &mut suite.problem.plans {
        plan.experiment = bind(scheme, &suite.problem.model).unwrap().into();
    }
    suite.checks.retain(|c| c.measure.name() == metric);
    let results = execute(
        vec![suite],
        &Options::default(),
        &(),
        &AtomicBool::new(false),
    );
    let results = results.unwrap();
    let evaluations = scheme_evaluations();
    for run in &results.artifacts[0].runs {
        run.outcome().unwrap();
        let effort = &run.run.effort;
        assert_eq!(effort.torque, evaluations * effort.steps);
    }
    let verdicts = &results.report.cases[0].verdicts;
    let failed = verdicts.iter().filter(|v| !v.is_good());
    let failed = failed.map(|v| v.id.clone()).collect();
    (verdicts.len(), failed)
}

fn scheme_evaluations() -> u64 {
    match Midpoint::INFO.claims.torque_evaluations {
        Evaluations::Exactly(n) => n.into(),
        _ => unreachable!(),
    }
}

#[test]
fn a_scheme_is_added_from_outside() {
    let (count, failed) = failing(Midpoint { slip: 1.0 }, "order");
    assert!(count > 0 && failed.is_empty(), "{failed:?}");
    // And one that is wrong is told from it.
    let (_, failed) = failing(Midpoint { slip: 1.001 }, "order");
    assert!(!failed.is_empty());
}

/// Returns the texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn what_the_document_names_is_there() {
    let text = repository_text("CONTRIBUTING.md");
    let mut files = 0;
    for name in quoted(&text) {
        let starts = [
            "crates/",
            "src/",
            "docs/",
            "scripts/",
            "expected/",
            "cases/",
            ".ci/",
        ];
        let is_path = starts.iter().any(|s| name.starts_with(s)) && !name.contains("NAME");
        if is_path {
            assert!(repository(name).exists(), "{name}");
            files += 1;
        }
    }
    assert!(files > 10, "{files} files");
}

/// No code of the judge names a term of the law, so that a new one is its row alone.
#[test]
fn a_term_of_the_law_is_one_row() {
    /// A clock that stands still has a sentence of its own.
    const KNOWN: [&str; 1] = ["LawTerm::Clock"];
    let mut files = vec![repository("crates/topsim-judge/src")];
    let mut names = Vec::new();
    while let Some(path) = files.pop() {
        if path.is_dir() {
            let inside = std::fs::read_dir(&path).unwrap();
            files.extend(inside.map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let terms = code.split("LawTerm::").skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric());
            format!("LawTerm::{}", &rest[..end.unwrap_or(rest.len())])
        });
        names.extend(terms.map(|name| (path.clone(), name)));
    }
    names.retain(|(path, _)| !path.components().any(|c| c.as_os_str() == "tests"));
    assert!(names.iter().any(|(_, name)| name == KNOWN[0]));
    names.retain(|(_, name)| !KNOWN.contains(&&**name));
    assert!(names.is_empty(), "{names:?}");
}

/// `One row in TABLE in FILE`: the file has the table, and each section says how.
#[test]
fn the_tables_are_where_the_document_says() {
    let text = repository_text("CONTRIBUTING.md");
    for (section, file, words) in [
        (
            "scheme",
            "crates/topsim-core/src/integration/registry.rs",
            "static SCHEMES:",
        ),
        ("metric", "src/check/metric/mod.rs", "enum Metric {"),
        ("study", "src/study/mod.rs", "enum StudyTable {"),
        ("kind of figure", "src/figure/mod.rs", "enum FigureKind {"),
        (
            "torque model",
            "crates/topsim-core/src/models/torque/mod.rs",
            "torque_models! {",
        ),
        ("case", "crates/topsim-case/src/builtin.rs", "\"heavy_top\""),
        ("case", "src/suite/builtin.rs", "\"heavy_top\""),
        ("defect", "crates/topsim-model/src/law/terms.rs", "terms! {"),
    ] {
        let mut sections = text.split("## How to add a ").skip(1);
        let about = sections.find(|s| s.starts_with(&format!("{section}\n")));
        let about = about.unwrap_or_else(|| panic!("no section on a {section}"));
        let about = about.split("\n## ").next().unwrap_or(about);
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_named = quoted(about).any(|q| q == file || q.trim_end_matches('/') == folder);
        assert!(is_named, "the section on a {section} does not name {file}");
        assert!(repository_text(file).contains(words), "{file}: no {words}");
        let name = |form: &str, end: &str| words.strip_prefix(form)?.strip_suffix(end);
        let table = name("static ", ":").or_else(|| name("enum ", " {"));
        if let Some(table) = table.filter(|_| section != "scheme") {
            assert!(quoted(about).any(|q| q == table), "{section}: no `{table}`");
        }
    }
}
