//! Several cases of one solver for people: the sum of it, each cause once, a line a case.

use super::verdicts::outcome_word;
use super::{brief, case, count, diagnosis, single_precision, two, verdicts};
use crate::history::FileReport;
use crate::report::{Outcome, Report};
use crate::verdict::{Verdict, VerdictId};
use document::{Document, Table, Text, left, marked, right};
use topsim_core::verdict::Status;
use topsim_relations::RelationsReport;

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

/// Several cases of one solver: the sum of it, what is wrong once for all, and a line a case. `solver` is its command.
/// With `verbose` the cases themselves follow.
pub fn several(solver: &str, reports: &[&Report], verbose: bool) -> Document {
    let mut out = Document::default();
    let word = outcome_word(Report::outcome_of(reports));
    out.paragraph(word.then(format!("  {}: {solver}", counts(reports))));
    let all = Report::evidence(reports);
    let causes = if verbose { all.len() } else { CAUSES };
    let (shown, rest) = all.split_at(causes.min(all.len()));
    out.items(shown.iter().map(|t| diagnosis::evidence(t, reports)));
    if !rest.is_empty() {
        let ids: Vec<String> = rest.iter().map(|c| c.claim.id.to_string()).collect();
        out.item(format!("and {}", ids.join(", ")));
    }
    out.table(table(reports));
    single(&mut out, reports, verbose);
    let rule = reports.iter().filter_map(|r| r.diagnosis.as_ref());
    let rule = rule.map(|d| &d.rule[..]).find(|r| !r.is_empty());
    let sentences = rule.unwrap_or_default().iter().take(SENTENCES);
    out.items(sentences.map(|sentence| marked(sentence)));
    out.items(reports.iter().find_map(|r| single_precision(r)));
    let orders = reports.iter().any(|r| !relations_alone(r));
    let unclaimed = |r: &&Report| r.claims.order.is_none() && r.tolerances.is_none();
    if orders && reports.iter().all(unclaimed) {
        out.item("Claim an order to have it judged: --claim order=P");
    }
    if verbose {
        reports.iter().for_each(|r| out.append(case(r, true)));
    }
    out
}

/// Whether only relations are judged: there are no histories that could have an order.
fn relations_alone(report: &Report) -> bool {
    report.relations.is_some() && report.files.is_empty() && report.failed.is_empty()
}

fn outcome(report: &Report) -> Text {
    let word = outcome_word(report.outcome());
    match report.relations.as_ref().map(RelationsReport::held) {
        None | Some([_, 0]) => word,
        Some([hold, of]) => word.then(format!(", {hold} of {of} relations hold")),
    }
}

fn table(reports: &[&Report]) -> Table {
    if reports.iter().all(|r| relations_alone(r)) {
        let mut table = Table::new([left("case"), left("verdict")]).compact();
        for report in reports {
            table.push([(&report.case).into(), outcome(report)]);
        }
        return table;
    }
    let mut table = Table::new([
        left("case"),
        right("steps judged"),
        right("order"),
        right("attitude error (rad)"),
        left("verdict"),
    ])
    .compact();
    for report in reports {
        let judged = report.files.len();
        let errors = report.files.iter();
        let errors = errors.filter_map(|f| Some((f, f.errors.as_ref()?)));
        let finest = errors.min_by(|(a, _), (b, _)| {
            let fineness = |f: &FileReport| f.tolerance.unwrap_or(f.step);
            fineness(a).total_cmp(&fineness(b))
        });
        let error = finest.map(|(f, e)| {
            let error = brief(e.attitude.size.worst);
            match f.tolerance {
                Some(tolerance) => format!("{error} at tolerance {tolerance:e}"),
                None => format!("{error} at step {}", f.step),
            }
        });
        table.push([
            (&report.case).into(),
            format!("{judged} of {}", judged + report.failed.len()).into(),
            report.order().map_or(String::new(), two).into(),
            error.unwrap_or_default().into(),
            outcome(report),
        ]);
    }
    table
}

/// What else fails or is undecided on single cases: what is told once of all is left out.
fn single(out: &mut Document, reports: &[&Report], verbose: bool) {
    // Lines that are the same for several cases are one line.
    let mut same: Vec<(Text, Vec<&str>)> = Vec::new();
    for report in reports {
        let failed = |v: &&Verdict| v.status == Status::Failed;
        let mut failed = report.verdicts.iter().filter(failed);
        let named = failed.any(|v| matches!(v.id, VerdictId::Defect(_)));
        let told = report.verdicts.iter().filter(|v| match v.id {
            VerdictId::Defect(_) => false,
            // What they show follows from the defect that is named.
            VerdictId::Kinematics | VerdictId::Convergence if named && !verbose => false,
            _ => verdicts::is_told(v),
        });
        for line in told.map(verdicts::line) {
            match same.iter_mut().find(|(known, _)| *known == line) {
                Some((_, cases)) => cases.push(&report.case),
                None => same.push((line, vec![&report.case])),
            }
        }
    }
    let lines = same.into_iter().map(|(line, cases)| {
        let cases = match cases.len() {
            n if n > 2 && n == reports.len() => "all cases".into(),
            _ => cases.join(", "),
        };
        Text::from(format!("{cases}: ")).then(line)
    });
    let lines: Vec<Text> = lines.collect();
    let most = if verbose { usize::MAX } else { LINES };
    let more = lines.len().saturating_sub(most);
    out.items(lines.into_iter().take(most));
    if more > 0 {
        out.item(format!("and {more} more"));
    }
}
