//! A case for people: the verdict first, then why, in a screen; all that was found after it where that is asked for.

use super::{
    Style, brief, diagnosis, history, number, numbers, relations, verdicts, wrap::wrapped,
};
use crate::report::{Outcome, Report};
use crate::solver::StepFailure;
use std::fmt::Write;

/// Lines of a case, where not all is asked for.
const MOST_LINES: usize = 25;
/// Last lines of a solver's standard error that are shown.
const LAST_LINES: usize = 3;
/// Things of one kind that are shown.
const FEW: usize = 3;

/// Every outcome in its colour.
pub(super) fn colour(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed | Outcome::NoDefect => "1;32",
        Outcome::Undecided | Outcome::NothingNew | Outcome::Skipped => "1;33",
        Outcome::Failed | Outcome::Incomplete => "1;31",
    }
}

/// The verdict and what it rests on.
pub(super) fn text(report: &Report, style: &Style) -> String {
    let case = style.paint(&report.case, "1");
    let outcome = report.outcome();
    let word = style.paint(&outcome.to_string(), colour(outcome));
    let head = format!("{case} · {}\n{word}  {}\n", report.title, report.summary());
    let mut sections: Vec<String> = vec![
        causes(report, style),
        steps(&report.failed, style),
        verdicts::text(report, style),
        relations::text(report, style),
        scheme(report),
        sizes(report, style),
        conserved(report),
        notes(report),
    ];
    sections.retain(|s| !s.is_empty());
    let mut out = head;
    if style.verbose {
        out.push_str(&wrapped(&sections.concat(), style.width));
        out.push_str(&details(report, style));
        return out;
    }
    let lines = |all: &[String]| all.iter().map(|s| s.lines().count()).sum::<usize>();
    // One is that which says where the rest is.
    while lines(&sections) > MOST_LINES - 3 {
        sections.pop();
    }
    out.push_str(&wrapped(&sections.concat(), style.width));
    if !report.files.is_empty() {
        out.push_str("  --verbose shows each history, drifts and more\n");
    }
    out
}

fn causes(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    let causes = report.diagnosis.as_ref().map_or(&[][..], |d| &d.causes);
    for cause in causes.iter().take(FEW) {
        diagnosis::cause(&mut out, cause, report, style);
    }
    if let [_, _, _, rest @ ..] = causes
        && !rest.is_empty()
    {
        let ids: Vec<String> = rest.iter().map(|c| c.id.to_string()).collect();
        let _ = writeln!(out, "  and {}", ids.join(", "));
    }
    out
}

/// Steps without a history; those that failed alike together.
fn steps(failed: &[StepFailure], style: &Style) -> String {
    let mut out = String::new();
    let cross = style.paint("✗", "1;31");
    let mut told: Vec<&str> = Vec::new();
    for f in failed {
        if told.contains(&f.message.as_str()) {
            continue;
        }
        told.push(&f.message);
        let alike = failed.iter().filter(|g| g.message == f.message);
        let steps: Vec<String> = alike.map(|g| g.step.to_string()).collect();
        let mark = if f.is_skipped() {
            style.paint("– skipped,", "1;33")
        } else {
            cross.clone()
        };
        let _ = writeln!(out, "  {mark} step {}: {}", steps.join(", "), f.message);
        if f.is_skipped() {
            continue;
        }
        let from = f.stderr.len().saturating_sub(LAST_LINES);
        for line in &f.stderr[from..] {
            let _ = writeln!(out, "      | {line}");
        }
    }
    out
}

fn scheme(report: &Report) -> String {
    let mut out = String::new();
    let Some(d) = &report.diagnosis else {
        return out;
    };
    for sentence in d.rule.iter().take(FEW) {
        let _ = writeln!(out, "  {sentence}");
    }
    if d.rule.is_empty()
        && let Some(s) = &d.scheme
    {
        diagnosis::identified(&mut out, s);
    }
    out
}

/// Errors at each step, or of each file.
fn sizes(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    if let Some(convergence) = &report.convergence {
        numbers::short(&mut out, convergence, style);
        return out;
    }
    for f in report.files.iter().take(FEW) {
        let Some(errors) = &f.finding.errors else {
            continue;
        };
        let size = errors.attitude.size;
        let rate = errors.rate.map_or(String::new(), |r| {
            format!(", rate error at most {} rad/s", brief(r.size.worst))
        });
        let _ = writeln!(
            out,
            "  {}: attitude error at most {} rad, at t = {}{rate}",
            f.file,
            brief(size.worst),
            number(size.worst_at)
        );
    }
    out
}

/// Of the motion that is followed, what becomes of energy and momentum.
fn conserved(report: &Report) -> String {
    let mut out = String::new();
    if let Some(d) = report.diagnosis.as_ref().filter(|d| d.follows) {
        diagnosis::conserved(&mut out, &d.behaviour);
    }
    out
}

fn notes(report: &Report) -> String {
    let mut out = String::new();
    if let Some(why) = &report.no_reference {
        let _ = writeln!(out, "  no reference, so no errors and no order: {why}");
    }
    if report.files.len() == 1 && report.failed.is_empty() && report.reference.is_some() {
        out.push_str("  one history shows no order: give one for each of several steps\n");
    }
    for remark in report.diagnosis.iter().flat_map(|d| &d.remarks).take(FEW) {
        let _ = writeln!(out, "  {remark}");
    }
    out
}

/// All that was found.
fn details(report: &Report, style: &Style) -> String {
    let mut out = String::from("\n");
    if let Some(reference) = &report.reference {
        let _ = writeln!(out, "reference: {reference}");
    }
    for f in &report.files {
        let _ = writeln!(out, "{}", style.paint(&f.file, "1"));
        for line in history::against(&f.finding) {
            let _ = writeln!(out, "  {} {line}", style.paint("✗", "1;31"));
        }
        for line in history::about(&f.finding) {
            let _ = writeln!(out, "  {line}");
        }
    }
    numbers::sizes(&mut out, report, style);
    if !report.keeps_energy && report.convergence.is_some() {
        out.push_str(
            "  the torque of this case does work: energy is not conserved and not judged\n",
        );
    }
    if let Some(convergence) = &report.convergence {
        numbers::order(&mut out, convergence, style);
    }
    if let Some(d) = &report.diagnosis {
        out.push_str(&diagnosis::details(d, style));
    }
    out
}
