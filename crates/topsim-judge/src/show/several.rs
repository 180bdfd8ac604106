//! Several cases of one solver for people: the sum of it, each cause once, a line a case.

use super::case::colour;
use super::table::{Align, Table};
use super::wrap::wrapped;
use super::{Style, brief, count, diagnosis, two, verdicts};
use crate::relations::RelationsReport;
use crate::report::{Outcome, Report};
use crate::verdict::VerdictId;
use std::fmt::Write;

/// Causes that are shown in full.
const CAUSES: usize = 4;
/// Lines of single cases.
const LINES: usize = 9;
/// Sentences of the scheme.
const SENTENCES: usize = 3;

/// How many cases ended how.
fn counts(reports: &[&Report]) -> String {
    let words = [
        (Outcome::Failed, "failed"),
        (Outcome::Incomplete, "incomplete"),
        (Outcome::Undecided, "undecided"),
        (Outcome::NothingNew, "without a new defect"),
        (Outcome::NoDefect, "without a defect"),
        (Outcome::Passed, "passed"),
        (Outcome::Skipped, "skipped"),
    ];
    let count_of = |(outcome, word): (Outcome, &str)| {
        let n = reports.iter().filter(|r| r.outcome() == outcome).count();
        (n > 0).then(|| format!("{n} {word}"))
    };
    let all: Vec<String> = words.into_iter().filter_map(count_of).collect();
    let cases = count(reports.len() as u64, "case");
    format!("{} of {cases}", all.join(", "))
}

/// What stands above the texts of several cases of one solver, or instead of them.
pub(super) fn text(solver: &str, reports: &[&Report], style: &Style) -> String {
    let sum = Report::outcome_of(reports);
    let word = style.paint(&sum.to_string(), colour(sum));
    let mut out = format!("{word}  {}: {solver}\n", counts(reports));
    let all = Report::evidence(reports);
    let causes = if style.verbose { all.len() } else { CAUSES };
    diagnosis::evidence(&mut out, &all[..causes.min(all.len())], style);
    if all.len() > causes {
        let ids: Vec<String> = all[causes..].iter().map(|c| c.id.to_string()).collect();
        let _ = writeln!(out, "  and {}", ids.join(", "));
    }
    let mut out = wrapped(&out, style.width);
    out.push_str(&table(reports, style));
    let mut rest = String::new();
    single(&mut rest, reports, style);
    let rule = reports.iter().filter_map(|r| r.diagnosis.as_ref());
    let rule = rule.map(|d| &d.rule[..]).find(|r| !r.is_empty());
    for sentence in rule.unwrap_or_default().iter().take(SENTENCES) {
        let _ = writeln!(rest, "  {sentence}");
    }
    let orders = reports.iter().any(|r| !relations_alone(r));
    if orders && reports.iter().all(|r| r.claims.order.is_none()) {
        rest.push_str("  Claim an order to have it judged: --claim order=P\n");
    }
    if !style.verbose {
        rest.push_str("  --verbose shows each case\n");
    }
    out + &wrapped(&rest, style.width)
}

/// Whether only relations are judged: there are no histories that could have an order.
fn relations_alone(report: &Report) -> bool {
    report.relations.is_some() && report.files.is_empty() && report.failed.is_empty()
}

fn outcome(report: &Report) -> String {
    let word = report.outcome().to_string();
    match report.relations.as_ref().map(RelationsReport::held) {
        None | Some([_, 0]) => word,
        Some([hold, of]) => format!("{word}, {hold} of {of} relations hold"),
    }
}

fn table(reports: &[&Report], style: &Style) -> String {
    if reports.iter().all(|r| relations_alone(r)) {
        let mut table = Table::new([(Align::Left, "case"), (Align::Left, "verdict")]);
        for report in reports {
            table.push([report.case.clone(), outcome(report)]);
        }
        return table.short(style);
    }
    let mut table = Table::new([
        (Align::Left, "case"),
        (Align::Right, "steps judged"),
        (Align::Right, "order"),
        (Align::Right, "attitude error (rad)"),
        (Align::Left, "verdict"),
    ]);
    for report in reports {
        let judged = report.files.len();
        let errors = report.files.iter();
        let errors = errors.filter_map(|f| Some((f.step, f.finding.errors.as_ref()?)));
        let finest = errors.min_by(|a, b| a.0.total_cmp(&b.0));
        table.push([
            report.case.clone(),
            format!("{judged} of {}", judged + report.failed.len()),
            report.order().map_or(String::new(), two),
            finest.map_or(String::new(), |(h, e)| {
                format!("{} at step {h}", brief(e.attitude.size.worst))
            }),
            outcome(report),
        ]);
    }
    table.short(style)
}

/// What else fails or is undecided on single cases: what is told once of all is left out.
fn single(out: &mut String, reports: &[&Report], style: &Style) {
    let mut lines = Vec::new();
    for report in reports {
        let rest = report.verdicts.iter();
        let rest = rest.filter(|v| verdicts::is_told(v) && !matches!(v.id, VerdictId::Defect(_)));
        lines.extend(rest.map(|v| {
            let line = verdicts::line(v, style);
            format!("  {}: {line}", report.case)
        }));
    }
    let most = if style.verbose { lines.len() } else { LINES };
    for line in lines.iter().take(most) {
        let _ = writeln!(out, "{line}");
    }
    if lines.len() > most {
        let _ = writeln!(out, "  and {} more", lines.len() - most);
    }
}
