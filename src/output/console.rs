//! The report for people: a table of verdicts for each case, failures in full.

use super::{study, survey, words};
use crate::analysis::{Judged, Status, Verdict};
use crate::runner::{CaseReport, MapReport, SuiteReport};
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, Table};
use comfy_table::{ColumnConstraint, LineStyle, TableStyle};
use std::fmt::Write;

/// How the report is shown.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// With colours.
    pub color: bool,
    /// Columns of the terminal; natural width without it.
    pub width: Option<u16>,
    /// One line for each run instead of the tightest of each check.
    pub verbose: bool,
}

impl Look {
    pub(super) fn paint(&self, text: &str, code: &str) -> String {
        if self.color {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.into()
        }
    }
}

/// Rules above, below and under the header; none between rows.
const STYLE: TableStyle = TableStyle::new()
    .top_border(RULE)
    .header_separator(RULE)
    .bottom_border(RULE);
/// Below this many columns the table of verdicts would break its numbers: a list takes its place.
const NARROW: u16 = 130;
const RULE: LineStyle = LineStyle::none().fill('─').junction('─');

/// A table in the house style.
pub fn table(look: &Look, header: &[&str]) -> Table {
    let mut t = Table::new();
    t.load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(
            header
                .iter()
                .map(|h| Cell::new(h).add_attribute(Attribute::Bold)),
        );
    if let Some(w) = look.width {
        t.set_width(w);
    }
    if look.color {
        t.enforce_styling();
    } else {
        t.force_no_tty();
    }
    t
}

/// The whole report.
pub fn text(report: &SuiteReport, look: &Look) -> String {
    let mut out = String::new();
    for case in &report.cases {
        one_case(&mut out, case, look);
    }
    summary(&mut out, report, look);
    out
}

/// What went wrong, for `--quiet`: nothing if nothing did.
pub fn problems(report: &SuiteReport, look: &Look) -> String {
    let mut out = String::new();
    for case in &report.cases {
        let before = out.len();
        broken(&mut out, case, look);
        failed(&mut out, case, look);
        if out.len() > before {
            out.insert_str(before, &format!("{}\n", look.paint(&case.name, "1")));
        }
    }
    out
}

fn one_case(out: &mut String, case: &CaseReport, look: &Look) {
    let _ = writeln!(out, "{} · {}", look.paint(&case.name, "1"), case.title);
    let steps: u64 = case.runs.iter().map(|r| r.run.effort.steps).sum();
    let _ = writeln!(
        out,
        "  {}, {}",
        words::count(case.runs.len() as u64, "run"),
        words::count(steps, "step")
    );
    match &case.reference {
        Ok(r) => {
            let _ = writeln!(out, "  reference: {}", r.provenance());
        }
        Err(why) => {
            let _ = writeln!(out, "  no reference: {why}");
        }
    }
    for w in &case.warnings {
        let _ = writeln!(out, "  {} {w}", look.paint("note:", "33"));
    }
    broken(out, case, look);
    if look.width.is_some_and(|w| w < NARROW) {
        for j in &case.judged {
            list(out, j, look);
        }
    } else if !case.judged.is_empty() {
        let header = [
            "check", "runs", "tightest", "measured", "allowed", "digits", "verdict",
        ];
        let mut t = table(look, &header);
        for j in &case.judged {
            if look.verbose {
                for v in &j.verdicts {
                    t.add_row(row(v, "1", look));
                }
            } else {
                let v = j.tightest();
                t.add_row(row(v, &j.verdicts.len().to_string(), look));
            }
        }
        // Names of checks may wrap; a number broken in two is no number.
        for c in 1..7 {
            if let Some(column) = t.column_mut(c) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        for c in [1, 5] {
            if let Some(column) = t.column_mut(c) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let _ = writeln!(out, "{t}");
    }
    failed(out, case, look);
    for m in &case.maps {
        map(out, m);
    }
    for s in &case.surveys {
        survey::tell(out, s);
    }
    for found in &case.findings {
        if look.verbose {
            study::table(out, found, look);
        } else {
            study::mention(out, found);
        }
    }
    out.push('\n');
}

fn map(out: &mut String, m: &MapReport) {
    let (Some(s), plan) = (&m.summary, &m.plan) else {
        return;
    };
    let end = f64::from(plan.escape.steps) * plan.escape.h;
    let _ = writeln!(
        out,
        "  map {}: {} × {} cells, {} survive {end} s ({:.2} %)",
        plan.name,
        plan.x.cells,
        plan.z.cells,
        s.survivors,
        100.0 * s.fraction()
    );
    if let Some(q) = &s.quantiles {
        let times: Vec<String> = q.0.iter().map(|t| format!("{t:.3}")).collect();
        let _ = writeln!(
            out,
            "    escape times at 5/25/50/75/95 %: {} s; {:.2e} steps in all, {:.1} s",
            times.join("/"),
            s.made as f64,
            m.wall.as_secs_f64()
        );
    }
}

fn broken(out: &mut String, case: &CaseReport, look: &Look) {
    for m in &case.maps {
        if let Err(why) = m.outcome() {
            let _ = writeln!(out, "  {} {} {why}", look.paint("map:", "31"), m.plan.name);
        }
    }
    for s in &case.surveys {
        if let Err(why) = &s.found {
            let (kind, name) = (s.plan.kind(), s.plan.name());
            let _ = writeln!(out, "  {} {kind} {name} {why}", look.paint("study:", "31"));
        }
    }
    for r in &case.runs {
        if let Err(why) = r.outcome() {
            let _ = writeln!(out, "  {} {} {why}", look.paint("run:", "31"), r.stem());
        }
    }
}

fn failed(out: &mut String, case: &CaseReport, look: &Look) {
    for v in failures(&case.judged) {
        let _ = writeln!(
            out,
            "  {} {}: {}",
            look.paint(words::status(v.status), "1;31"),
            words::title(v),
            words::sentence(v)
        );
    }
}

/// On a narrow terminal: two lines a check.
fn list(out: &mut String, j: &Judged, look: &Look) {
    let tightest = [j.tightest()];
    let all: Vec<&Verdict> = j.verdicts.iter().collect();
    let shown: &[&Verdict] = if look.verbose { &all } else { &tightest };
    for v in shown {
        let code = if v.status.is_good() { "32" } else { "1;31" };
        let _ = writeln!(
            out,
            "{} {}",
            look.paint(words::status(v.status), code),
            v.check
        );
        let digits = match words::headroom(v).as_str() {
            "" => String::new(),
            d => format!(" ({d} digits)"),
        };
        let _ = writeln!(
            out,
            "     {}: {}, allowed {}{digits}",
            words::run(v),
            words::measured(v),
            v.allowed
        );
    }
}

fn failures(judged: &[Judged]) -> impl Iterator<Item = &Verdict> {
    judged
        .iter()
        .flat_map(|j| &j.verdicts)
        .filter(|v| !v.status.is_good())
}

fn row(v: &Verdict, runs: &str, look: &Look) -> Vec<Cell> {
    let status = Cell::new(words::status(v.status));
    let status = match (look.color, v.status) {
        (false, _) => status,
        (_, Status::Pass) => status.fg(Color::Green),
        (_, Status::ExpectedFail) => status.fg(Color::Yellow),
        _ => status.fg(Color::Red).add_attribute(Attribute::Bold),
    };
    vec![
        Cell::new(&v.check),
        Cell::new(runs),
        Cell::new(words::run(v)),
        Cell::new(words::measured(v)),
        Cell::new(&v.allowed),
        Cell::new(words::headroom(v)),
        status,
    ]
}

fn summary(out: &mut String, report: &SuiteReport, look: &Look) {
    let judged: Vec<&Judged> = report.cases.iter().flat_map(|c| &c.judged).collect();
    let verdicts: usize = judged.iter().map(|j| j.verdicts.len()).sum();
    let bad = judged.iter().filter(|j| !j.is_good()).count();
    let known = judged
        .iter()
        .filter(|j| j.verdicts.iter().any(|v| v.status == Status::ExpectedFail))
        .count();
    let runs: usize = report.cases.iter().map(|c| c.runs.len()).sum();
    let broken = report
        .cases
        .iter()
        .flat_map(|c| &c.runs)
        .filter(|r| r.outcome().is_err())
        .count();
    let word = if judged.is_empty() && broken == 0 {
        look.paint("NOT JUDGED", "1;33")
    } else if bad == 0 && broken == 0 {
        look.paint("PASSED", "1;32")
    } else {
        look.paint("FAILED", "1;31")
    };
    let _ = write!(
        out,
        "{word}  {} checks ({verdicts} verdicts) on {runs} runs: {} passed, {bad} failed",
        judged.len(),
        judged.len() - bad,
    );
    if known > 0 {
        let _ = write!(out, ", {known} with a known defect");
    }
    if broken > 0 {
        let _ = write!(out, "; {broken} runs not completed");
    }
    out.push('\n');
}
