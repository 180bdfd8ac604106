//! Reports in words: the whole text of a case, the table of several, numbers for people.

mod diagnosis;
mod history;
mod numbers;
mod table;
mod verdicts;
mod words;
mod wrap;

pub use words::{brief, count, number};

use crate::report::{Outcome, Report};
use std::fmt::{self, Write};
use table::{Align, Table};

/// How a text is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// With colours.
    pub color: bool,
    /// Columns of the terminal; lines are as long as they are without it.
    pub width: Option<u16>,
}

impl Style {
    fn paint(&self, text: &str, code: &str) -> String {
        if self.color {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.into()
        }
    }
}

/// All that is to be said of a case: each history, the numbers, the diagnosis, the verdicts, and the sum of it in the
/// last line.
pub fn text(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    let judged = match report.files.len() {
        1 => "1 history".into(),
        n => format!("{n} histories"),
    };
    let case = style.paint(&report.case, "1");
    let _ = writeln!(out, "{case} · {}: {judged} judged", report.title);
    if let Some(reference) = &report.reference {
        let _ = writeln!(out, "  reference: {reference}");
    } else if let Some(why) = &report.no_reference {
        let _ = writeln!(out, "  no reference, so no errors and no order: {why}");
    }
    let cross = style.paint("✗", "1;31");
    for failure in &report.failed {
        let _ = writeln!(out, "  {cross} {failure}");
        for line in &failure.stderr {
            let _ = writeln!(out, "      | {line}");
        }
    }
    // First what makes everything else be about another motion.
    for f in &report.files {
        for line in history::against(&f.finding) {
            let _ = writeln!(out, "  {cross} {}: {line}", f.file);
        }
    }
    out.push('\n');
    for f in &report.files {
        let _ = writeln!(out, "{}", style.paint(&f.file, "1"));
        for line in history::about(&f.finding) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out.push('\n');
    numbers::sizes(&mut out, report, style);
    if !report.keeps_energy {
        out.push_str(
            "  the torque of this case does work: energy is not conserved and not judged\n",
        );
    }
    if let Some(convergence) = &report.convergence {
        numbers::order(&mut out, convergence, style);
    } else if report.files.len() == 1 && report.reference.is_some() {
        out.push_str(
            "  one history alone shows no order: give one for each of several steps, to tell errors of the \
             step from another motion\n",
        );
    }
    if let Some(found) = &report.diagnosis {
        out.push_str(&diagnosis::text(found, style));
    }
    verdicts::text(&mut out, &report.verdicts, style);
    let outcome = report.outcome();
    let code = match outcome {
        Outcome::Passed => "1;32",
        Outcome::Undecided => "1;33",
        Outcome::Failed | Outcome::Incomplete => "1;31",
    };
    let word = style.paint(&outcome.to_string(), code);
    let _ = writeln!(out, "{word}  {}", report.summary());
    out
}

/// What follows the texts of several cases of one solver: a table of them, what they say together of what is wrong,
/// and how many passed. `solver` is its command.
pub fn several(solver: &str, reports: &[&Report], style: &Style) -> String {
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
        let verdict = match (report.complete(), report.passed()) {
            (false, _) => "INCOMPLETE",
            (_, true) => "passed",
            (_, false) => "FAILED",
        };
        table.push([
            report.case.clone(),
            format!("{judged} of {}", judged + report.failed.len()),
            report.order().map_or(String::new(), |p| format!("{p:.2}")),
            finest.map_or(String::new(), |(h, e)| {
                format!("{} at step {h}", brief(e.attitude.size.worst))
            }),
            verdict.into(),
        ]);
    }
    let passed = reports.iter().filter(|r| r.passed()).count();
    let cases = count(reports.len() as u64, "case");
    let together = diagnosis::evidence(&Report::evidence(reports), style);
    let table = table.render(style);
    format!("\n{table}{together}  {passed} of {cases} passed: {solver}\n")
}

/// The whole [`text`], without colours.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self, &Style::default()))
    }
}
