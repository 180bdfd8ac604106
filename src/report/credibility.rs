//! A page for a quality file: what was verified of a solver, in the words of ASME V&V 10 and 20 and of NAFEMS. The
//! code is verified, nothing else: the page says so.

use crate::run::Results;
use document::{Document, Table, left};
use topsim_core::verdict::Status;
use topsim_judge::Report as HistoryReport;
use topsim_protocol::numbers::brief;
use topsim_relations::{Holding, RelationsReport};

/// The title of the page.
pub const CREDIBILITY_TITLE: &str = "Code verification of a rigid-body rotation solver";

/// Returns the page as a document.
pub fn credibility(results: &Results) -> Document {
    let histories: Vec<(&str, &HistoryReport)> = results
        .cases()
        .filter_map(|case| Some((&*case.report.sha256, case.judged()?)))
        .collect();
    let mut out = Document::default();
    out.heading(1, CREDIBILITY_TITLE);
    subject(&mut out, results, &histories);
    exact(&mut out, &histories);
    order(&mut out, &histories);
    relations(&mut out, &histories);
    findings(&mut out, &histories);
    not_covered(&mut out, &histories);
    out
}

type Histories<'a> = [(&'a str, &'a HistoryReport)];

/// Adds a part of the page: a heading, a sentence and a table.
fn section(out: &mut Document, heading: &str, text: &str, table: Table) {
    out.heading(2, heading);
    out.paragraph(text);
    out.table(table);
}

fn subject(out: &mut Document, results: &Results, histories: &Histories) {
    let mut table = Table::new(["what", "value"].map(left));
    let mut put = |what: &str, value: &str| table.push([what, value]);
    put(
        "software under test",
        results
            .report
            .solver
            .as_deref()
            .unwrap_or("histories in files"),
    );
    let version = format!(
        "topsim {}, revision {}",
        env!("CARGO_PKG_VERSION"),
        results.report.revision
    );
    put("verification tool", &version);
    if let Some(made) = &results.made {
        for (file, hash) in &made.files {
            put(&format!("SHA-256 of {file}"), hash);
        }
        put("command", &made.command);
        put(
            "machine and time",
            &format!("{}, {}", made.machine, made.time),
        );
    }
    put(
        "system response quantities",
        "attitude (angle of the difference, rad) and angular velocity (rad/s)",
    );
    for (hash, h) in histories {
        if !hash.is_empty() {
            put(&format!("SHA-256 of the case {}", h.case), hash);
        }
    }
    let outcomes: Vec<String> = histories
        .iter()
        .map(|(_, h)| format!("{}: {}", h.case, h.outcome()))
        .collect();
    let text = format!("Result: {}.", outcomes.join("; "));
    section(out, "Subject", &text, table);
}

fn exact(out: &mut Document, histories: &Histories) {
    let mut table = Table::new(
        [
            "problem",
            "exact solution or numerical benchmark of high accuracy",
            "bound of its error, rad",
        ]
        .map(left),
    );
    for (_, h) in histories {
        let reference = match (&h.reference, &h.no_reference) {
            (Some(reference), _) => reference.clone(),
            (None, Some(why)) => format!("none: {why}"),
            (None, None) => "none: judged by its own relations".into(),
        };
        let errors = h.files.iter().filter_map(|f| f.errors.as_ref());
        let bounds = errors.map(|e| e.attitude.uncertainty);
        let bound = bounds.reduce(f64::max).map_or("–".into(), brief);
        table.push([&h.case, &reference, &bound]);
    }
    let text = "Each states a bound of its own error, which is part of what is allowed.";
    section(out, "Reference solutions", text, table);
}

fn order(out: &mut Document, histories: &Histories) {
    let mut table = Table::new(
        [
            "problem",
            "steps, s",
            "attitude errors, rad",
            "observed orders",
            "formal order claimed",
            "asymptotic range",
        ]
        .map(left),
    );
    for (_, h) in histories {
        let Some(c) = &h.convergence else { continue };
        let list = |values: Vec<String>| values.join(", ");
        let steps = list(c.rungs.iter().map(|r| r.step.to_string()).collect());
        let errors = list(c.rungs.iter().map(|r| brief(r.worst_attitude)).collect());
        let orders = list(c.worst_attitude.iter().map(|p| format!("{p:.2}")).collect());
        let claimed = h.claims.order.map_or("none".into(), |p| p.to_string());
        let range = match h.order() {
            Some(p) => format!("reached: order {p:.2}"),
            None => "not shown".into(),
        };
        table.push([&h.case, &steps, &errors, &orders, &claimed, &range]);
    }
    let text = "Systematic refinement of the step. The observed order is the slope of the worst error between neighbouring steps; it \
         counts where the errors stand above rounding and above the reference's own error.";
    section(out, "Observed order of accuracy", text, table);
}

fn relations(out: &mut Document, histories: &Histories) {
    let mut table = Table::new(
        [
            "problem",
            "relation",
            "result",
            "largest difference",
            "rounding allows",
        ]
        .map(left),
    );
    for (_, h) in histories {
        for r in h.relations.iter().flat_map(|r| &r.relations) {
            let result = match &r.holding {
                Holding::NotApplicable { .. } => continue,
                Holding::Exactly { identical: true } => "holds, the same bits".into(),
                Holding::Exactly { .. } => "holds to rounding".into(),
                Holding::InTheLimit { order: Some(q) } => {
                    format!("holds in the limit, order {q:.2}")
                }
                Holding::InTheLimit { order: None } => "holds in the limit".into(),
                Holding::Fails => "does not hold".into(),
                Holding::Undecided { why } => format!("undecided: {why}"),
                Holding::NotRun { why } => format!("not run: {why}"),
            };
            let finest = r.residuals.last();
            let number = |x: Option<f64>| x.map_or(String::new(), brief);
            table.push([
                &h.case,
                r.relation.id(),
                &result,
                &number(finest.map(|f| f.size)),
                &number(finest.map(|f| f.allowed)),
            ]);
        }
    }
    let text = if !table.rows.is_empty() {
        "Symmetries of the equations, which need no reference: the motion of a transformed problem is the transformed motion."
    } else {
        "Not tested; `--relations` tests them."
    };
    section(out, "Consistency under exact symmetries", text, table);
}

fn findings(out: &mut Document, histories: &Histories) {
    let mut table = Table::new(["problem", "verdict", "status", "what was found"].map(left));
    for (_, h) in histories {
        let bad = |s: Status| matches!(s, Status::Failed | Status::Undecided);
        for v in h.verdicts.iter().filter(|v| bad(v.status)) {
            let status = match (&v.known_defect, v.status) {
                (Some(reason), _) => format!("known and accepted: {reason}"),
                (None, Status::Failed) => "failed".into(),
                (None, _) => "undecided".into(),
            };
            let said = v.detail.as_deref().unwrap_or_default();
            table.push([&h.case, &v.id.to_string(), &status, said]);
        }
    }
    let text = if !table.rows.is_empty() {
        "All that failed or was not decided."
    } else {
        "None."
    };
    section(out, "Findings", text, table);
}

/// Adds the limits of what the page shows.
fn not_covered(out: &mut Document, histories: &Histories) {
    let mut text: Vec<String> = [
        "Solution verification: the discretisation error of a simulation of your own is not estimated here.",
        "Validation: nothing is compared with experiments.",
        "Contact, joints between bodies, deformation, and motion of the centre of mass.",
        "Steps, spans, bodies and torques other than those of the problems above.",
    ]
    .map(String::from)
    .into();
    for (_, h) in histories {
        if h.skipped() {
            text.push(format!(
                "{}: the solver says that it cannot do this.",
                h.case
            ));
        } else if !h.failed.is_empty() {
            let steps: Vec<String> = h.failed.iter().map(|f| f.step.to_string()).collect();
            text.push(format!(
                "{}: no history at the steps {} s.",
                h.case,
                steps.join(", ")
            ));
        }
        // If nothing was run, the page says nothing about single relations.
        if h.skipped() {
            continue;
        }
        let apart: Vec<&str> = not_applicable(h.relations.as_ref()).collect();
        if !apart.is_empty() {
            text.push(format!(
                "{}: relations that the problem does not pose: {}.",
                h.case,
                apart.join(", ")
            ));
        }
    }
    out.heading(2, "Not covered");
    out.items(text);
}

fn not_applicable(relations: Option<&RelationsReport>) -> impl Iterator<Item = &'static str> {
    let all = relations.into_iter().flat_map(|r| &r.relations);
    let apart = all.filter(|r| matches!(r.holding, Holding::NotApplicable { .. }));
    apart.map(|r| r.relation.id())
}
