//! A case for people: the verdict first, then why, in a screen; all that was found after it where that is asked for.

use super::verdicts::{FAILED, outcome_word};
use super::{brief, diagnosis, history, number, numbers, relations, single_precision, verdicts};
use crate::diagnosis::Diagnosis;
use crate::report::Report;
use document::{Block, Document, ListItem, Text, bad, caution, marked, strong};
use topsim_protocol::solver::StepFailure;

/// Lines of a case, where not all is asked for.
const MOST_LINES: usize = 25;
/// Last lines of a solver's standard error that are shown.
const LAST_LINES: usize = 3;
/// Things of one kind that are shown.
const FEW: usize = 3;

/// A case: the verdict, what is wrong, the errors, the scheme, what is conserved; at most 25 lines. With `verbose`, each
/// history and all numbers too.
pub fn case(report: &Report, verbose: bool) -> Document {
    let mut out = Document::default();
    let name = strong(&report.case).then(format!(" · {}", report.title));
    out.heading(2, name);
    let word = outcome_word(report.outcome()).then("  ");
    out.paragraph(word.then(marked(&report.summary())));
    let mut sections = vec![
        causes(report),
        steps(&report.failed),
        verdicts::told(report),
        relations::section(report),
        scheme(report),
        sizes(report),
        conserved(report),
        notes(report),
    ];
    // The first two lines, and one that says where the rest is.
    while !verbose && sections.iter().map(lines).sum::<usize>() > MOST_LINES - 3 {
        sections.pop();
    }
    sections.into_iter().for_each(|section| out.append(section));
    if verbose {
        details(&mut out, report);
    } else if !report.files.is_empty() {
        out.item("--verbose shows each history, drifts and more");
    }
    out
}

/// Lines of a section, before any of them is broken.
fn lines(section: &Document) -> usize {
    let of_block = |block: &Block| match block {
        Block::List(items) => items.iter().map(ListItem::size).sum(),
        Block::Table(table) => 1 + table.rows.len(),
        _ => 1,
    };
    section.blocks.iter().map(of_block).sum()
}

fn causes(report: &Report) -> Document {
    let mut out = Document::default();
    let causes = report.diagnosis.as_ref().map_or(&[][..], |d| &d.causes);
    let (shown, rest) = causes.split_at(causes.len().min(FEW));
    out.items(shown.iter().map(|c| diagnosis::cause(c, report)));
    if !rest.is_empty() {
        let ids: Vec<String> = rest.iter().map(|c| c.id.to_string()).collect();
        out.item(format!("and {}", ids.join(", ")));
    }
    out
}

/// Steps without a history; those that failed alike together.
fn steps(failed: &[StepFailure]) -> Document {
    let mut out = Document::default();
    for (k, f) in failed.iter().enumerate() {
        if failed[..k].iter().any(|g| g.message == f.message) {
            continue;
        }
        let alike = failed.iter().filter(|g| g.message == f.message);
        let steps: Vec<String> = alike.map(|g| g.step.to_string()).collect();
        let said = Text::from(format!(" step {}: ", steps.join(", "))).then(marked(&f.message));
        if f.is_skipped() {
            out.item(caution("– skipped,").strong().then(said));
            continue;
        }
        let from = f.stderr.len().saturating_sub(LAST_LINES);
        let last = f.stderr[from..].iter().map(|line| format!("| {line}"));
        out.item(ListItem::new(bad(FAILED).strong().then(said), last));
    }
    out
}

fn scheme(report: &Report) -> Document {
    let mut out = Document::default();
    out.items(single_precision(report));
    if let Some(d) = &report.diagnosis {
        out.items(d.rule.iter().take(FEW).map(|sentence| marked(sentence)));
        if let (true, Some(s)) = (d.rule.is_empty(), &d.scheme) {
            out.item(diagnosis::identified(s));
        }
    }
    out
}

/// Errors at each step, or of each file.
fn sizes(report: &Report) -> Document {
    let mut out = Document::default();
    if let Some(convergence) = &report.convergence {
        out.table(numbers::short(convergence));
        return out;
    }
    if let Some(tolerances) = &report.tolerances {
        out.table(numbers::tolerances(tolerances));
        return out;
    }
    for f in report.files.iter().take(FEW) {
        let Some(errors) = &f.errors else {
            continue;
        };
        let size = errors.attitude.size;
        let rate = errors.rate.map_or(String::new(), |r| {
            format!(", rate error at most {} rad/s", brief(r.size.worst))
        });
        out.item(format!(
            "{}: attitude error at most {} rad, at t = {}{rate}",
            f.file,
            brief(size.worst),
            number(size.worst_at)
        ));
    }
    out
}

/// Of the motion that is followed, what becomes of energy and momentum.
fn conserved(report: &Report) -> Document {
    let mut out = Document::default();
    if let Some(d) = report.diagnosis.as_ref().filter(|d| d.follows) {
        out.items(diagnosis::conserved(&d.behaviour));
    }
    out
}

fn notes(report: &Report) -> Document {
    let mut out = Document::default();
    if let Some(why) = &report.no_reference {
        out.item(format!("no reference, so no errors and no order: {why}"));
    }
    if report.files.len() == 1 && report.failed.is_empty() && report.reference.is_some() {
        out.item("one history shows no order: give one for each of several steps");
    }
    let remarks = report
        .diagnosis
        .iter()
        .flat_map(Diagnosis::remarks)
        .take(FEW);
    out.items(remarks.map(|remark| marked(&remark)));
    out
}

/// All that was found.
fn details(out: &mut Document, report: &Report) {
    if let Some(reference) = &report.reference {
        out.paragraph(format!("reference: {reference}"));
    }
    for f in &report.files {
        out.paragraph(strong(&f.file));
        let against = history::against(f);
        let against = against.iter();
        out.items(against.map(|line| bad(FAILED).strong().then(" ").then(marked(line))));
        let about = history::about(f);
        out.items(about.iter().map(|line| marked(line)));
    }
    out.table(numbers::sizes(report));
    if !report.keeps_energy && report.convergence.is_some() {
        out.item("the torque of this case does work: energy is not conserved and not judged");
    }
    if let Some(convergence) = &report.convergence {
        numbers::order(out, convergence);
    }
    if let Some(d) = &report.diagnosis {
        out.items(diagnosis::details(d));
    }
}
