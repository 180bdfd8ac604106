//! What `judge --solver` found, for people and for programs: the report of each case, and a summary of several.

use super::console::{Look, table};
use super::{diagnosis, foreign, words};
use crate::analysis::foreign::Convergence;
use crate::analysis::foreign::diagnosis::Together;
use crate::runner::{HistoryReport, SolverReport};
use comfy_table::CellAlignment;
use serde::Serialize;
use std::fmt::Write;

/// Version of the JSON: an object for each case below `cases`. Version 1 is the one object of `--history`.
const SCHEMA: u32 = 2;

/// The report as JSON.
pub fn json(report: &SolverReport) -> String {
    #[derive(Serialize)]
    struct Case<'a> {
        passed: bool,
        complete: bool,
        order: Option<f64>,
        #[serde(flatten)]
        report: &'a HistoryReport,
    }
    #[derive(Serialize)]
    struct Whole<'a> {
        schema: u32,
        solver: &'a str,
        passed: bool,
        complete: bool,
        together: Vec<Together>,
        cases: Vec<Case<'a>>,
    }
    let case = |report| Case {
        passed: HistoryReport::passed(report),
        complete: report.complete(),
        order: order(report),
        report,
    };
    let whole = Whole {
        schema: SCHEMA,
        solver: &report.solver,
        passed: report.passed(),
        complete: report.complete(),
        together: report.together(),
        cases: report.cases.iter().map(case).collect(),
    };
    let mut text = serde_json::to_string_pretty(&whole).expect("plain data always serialises");
    text.push('\n');
    text
}

fn order(report: &HistoryReport) -> Option<f64> {
    report.convergence.as_ref().and_then(Convergence::order)
}

/// The report for people.
pub fn text(report: &SolverReport, look: &Look) -> String {
    let each: Vec<String> = report
        .cases
        .iter()
        .map(|c| foreign::text(c, look))
        .collect();
    let mut out = each.join("\n");
    if report.cases.len() > 1 {
        summary(&mut out, report, look);
    }
    out
}

/// The steps of a case that have no history.
pub(super) fn failures(out: &mut String, report: &HistoryReport, look: &Look) {
    for f in &report.failed {
        let _ = writeln!(out, "  {} {f}", look.paint("✗", "1;31"));
        for line in &f.stderr {
            let _ = writeln!(out, "      | {line}");
        }
    }
}

fn summary(out: &mut String, report: &SolverReport, look: &Look) {
    let header = [
        "case",
        "steps judged",
        "order",
        "attitude error (rad)",
        "verdict",
    ];
    let mut t = table(look, &header);
    for c in &report.cases {
        let all = c.files.len() + c.failed.len();
        let errors = c
            .files
            .iter()
            .filter_map(|f| Some((f.finding.errors.as_ref()?, f.step)));
        let finest = errors.min_by(|a, b| a.1.total_cmp(&b.1));
        t.add_row([
            c.case.clone(),
            format!("{} of {all}", c.files.len()),
            order(c).map_or(String::new(), |p| format!("{p:.2}")),
            finest.map_or(String::new(), |(e, h)| {
                format!("{} at step {h}", words::brief(e.attitude.size.worst))
            }),
            verdict(c).into(),
        ]);
    }
    for k in 1..4 {
        if let Some(column) = t.column_mut(k) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let passed = report.cases.iter().filter(|c| c.passed()).count();
    let count = words::count(report.cases.len() as u64, "case");
    let _ = writeln!(out, "\n{t}");
    out.push_str(&diagnosis::together(&report.together(), look));
    let _ = writeln!(out, "  {passed} of {count} passed: {}", report.solver);
}

fn verdict(c: &HistoryReport) -> &'static str {
    match (c.complete(), c.passed()) {
        (false, _) => "INCOMPLETE",
        (_, true) => "passed",
        (_, false) => "FAILED",
    }
}
