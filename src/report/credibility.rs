//! A page for a quality file: what was verified of a solver, in the words of ASME V&V 10 and 20 and of NAFEMS. The
//! code is verified, nothing else: the page says so.

use super::Renderer;
use crate::run::Results;
use crate::text;
use maud::{DOCTYPE, html};
use strict_toml::harmless;
use topsim_core::verdict::Status;
use topsim_judge::Report as HistoryReport;
use topsim_judge::relations::{Holding, RelationsReport};
use topsim_judge::show::brief;

/// The page, in one of two forms.
#[derive(Debug, Clone, Copy)]
pub enum Credibility {
    /// For documents.
    Markdown,
    /// For browsers.
    Html,
}

/// A part of the page.
struct Section {
    heading: &'static str,
    text: Vec<String>,
    /// The first row is the header.
    table: Vec<Vec<String>>,
}

impl Renderer for Credibility {
    fn render(&self, results: &Results) -> String {
        let sections = sections(results);
        match self {
            Self::Markdown => markdown(&sections),
            Self::Html => page(&sections),
        }
    }
}

const TITLE: &str = "Code verification of a rigid-body rotation solver";

fn sections(results: &Results) -> Vec<Section> {
    let histories: Vec<(&str, &HistoryReport)> = results
        .cases()
        .filter_map(|case| Some((&*case.report.sha256, case.judged()?)))
        .collect();
    vec![
        subject(results, &histories),
        exact(&histories),
        order(&histories),
        relations(&histories),
        findings(&histories),
        not_covered(&histories),
    ]
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.iter().map(|c| (*c).into()).collect()
}

fn subject(results: &Results, histories: &[(&str, &HistoryReport)]) -> Section {
    let mut table = vec![row(["what", "value"])];
    let mut put = |what: &str, value: &str| table.push(row([what, value]));
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
    Section {
        heading: "Subject",
        text: vec![format!("Result: {}.", outcomes.join("; "))],
        table,
    }
}

fn exact(histories: &[(&str, &HistoryReport)]) -> Section {
    let mut table = vec![row([
        "problem",
        "exact solution or numerical benchmark of high accuracy",
        "bound of its error, rad",
    ])];
    for (_, h) in histories {
        let reference = match (&h.reference, &h.no_reference) {
            (Some(reference), _) => reference.clone(),
            (None, Some(why)) => format!("none: {why}"),
            (None, None) => "none: judged by its own relations".into(),
        };
        let errors = h.files.iter().filter_map(|f| f.finding.errors.as_ref());
        let bound = errors
            .map(|e| e.attitude.uncertainty)
            .fold(None, |most: Option<f64>, x| {
                Some(most.map_or(x, |y| y.max(x)))
            });
        table.push(row([&h.case, &reference, &bound.map_or("–".into(), brief)]));
    }
    Section {
        heading: "Reference solutions",
        text: vec![
            "Each states a bound of its own error, which is part of what is allowed.".into(),
        ],
        table,
    }
}

fn order(histories: &[(&str, &HistoryReport)]) -> Section {
    let mut table = vec![row([
        "problem",
        "steps, s",
        "attitude errors, rad",
        "observed orders",
        "formal order claimed",
        "asymptotic range",
    ])];
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
        table.push(row([&h.case, &steps, &errors, &orders, &claimed, &range]));
    }
    Section {
        heading: "Observed order of accuracy",
        text: vec![
            "Systematic refinement of the step. The observed order is the slope of the worst error between neighbouring steps; it \
             counts where the errors stand above rounding and above the reference's own error."
                .into(),
        ],
        table: filled(table),
    }
}

/// Nothing, where only the header is there.
fn filled(table: Vec<Vec<String>>) -> Vec<Vec<String>> {
    if table.len() > 1 { table } else { Vec::new() }
}

fn relations(histories: &[(&str, &HistoryReport)]) -> Section {
    let mut table = vec![row([
        "problem",
        "relation",
        "result",
        "largest difference",
        "rounding allows",
    ])];
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
                _ => "undecided".into(),
            };
            let finest = r.residuals.last();
            let number = |x: Option<f64>| x.map_or(String::new(), brief);
            table.push(row([
                &h.case,
                r.relation.id(),
                &result,
                &number(finest.map(|f| f.size)),
                &number(finest.map(|f| f.allowed)),
            ]));
        }
    }
    let text = if table.len() > 1 {
        "Symmetries of the equations, which need no reference: the motion of a transformed problem is the transformed motion."
    } else {
        "Not tested; `--relations` tests them."
    };
    Section {
        heading: "Consistency under exact symmetries",
        text: vec![text.into()],
        table: filled(table),
    }
}

fn findings(histories: &[(&str, &HistoryReport)]) -> Section {
    let mut table = vec![row(["problem", "verdict", "status", "what was found"])];
    for (_, h) in histories {
        let bad = |s: Status| matches!(s, Status::Failed | Status::Undecided);
        for v in h.verdicts.iter().filter(|v| bad(v.status)) {
            let status = match (&v.known_defect, v.status) {
                (Some(reason), _) => format!("known and accepted: {reason}"),
                (None, Status::Failed) => "failed".into(),
                (None, _) => "undecided".into(),
            };
            let said = v.detail.as_deref().unwrap_or_default();
            table.push(row([&h.case, &v.id.to_string(), &status, said]));
        }
    }
    let text = if table.len() > 1 {
        "All that failed or was not decided."
    } else {
        "None."
    };
    Section {
        heading: "Findings",
        text: vec![text.into()],
        table: filled(table),
    }
}

/// What a reader must not take from this page.
fn not_covered(histories: &[(&str, &HistoryReport)]) -> Section {
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
        // Where nothing was run, no relation of the problem stands apart.
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
    Section {
        heading: "Not covered",
        text,
        table: Vec::new(),
    }
}

fn not_applicable(relations: Option<&RelationsReport>) -> impl Iterator<Item = &'static str> {
    let all = relations.into_iter().flat_map(|r| &r.relations);
    let apart = all.filter(|r| matches!(r.holding, Holding::NotApplicable { .. }));
    apart.map(|r| r.relation.id())
}

fn markdown(sections: &[Section]) -> String {
    let mut out = format!("# {TITLE}\n");
    for s in sections {
        out.push_str(&format!("\n## {}\n\n", s.heading));
        let list = s.text.len() > 1;
        for line in &s.text {
            let mark = if list { "- " } else { "" };
            out.push_str(&format!("{mark}{}\n", text::cell(line)));
        }
        for (k, row) in s.table.iter().enumerate() {
            if k == 0 {
                out.push('\n');
            }
            let cells: Vec<String> = row.iter().map(|c| text::cell(c)).collect();
            out.push_str(&format!("| {} |\n", cells.join(" | ")));
            if k == 0 {
                out.push_str(&format!("|{}\n", "---|".repeat(row.len())));
            }
        }
    }
    out
}

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    table{border-collapse:collapse;margin:.6rem 0}td,th{border:1px solid #bbb;padding:.2rem .5rem;text-align:left;\
    vertical-align:top;overflow-wrap:anywhere}";

fn page(sections: &[Section]) -> String {
    let safe = |text: &str| text.chars().map(harmless).collect::<String>();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (TITLE) }
                style { (maud::PreEscaped(STYLE)) }
            }
            body {
                h1 { (TITLE) }
                @for s in sections {
                    h2 { (s.heading) }
                    @for line in &s.text { p { (safe(line)) } }
                    @if let [header, rows @ ..] = &s.table[..] {
                        table {
                            tr { @for cell in header { th { (safe(cell)) } } }
                            @for row in rows {
                                tr { @for cell in row { td { (safe(cell)) } } }
                            }
                        }
                    }
                }
            }
        }
    }
    .into_string()
}
