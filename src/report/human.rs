//! The report for people: a table of verdicts for each case, failures in full.

use super::{Case, Item, Renderer, Report, histories, scorecard, table, words};
use crate::check::{CheckGroup, by_check};
use crate::study::{Finding, LadderTable};
use comfy_table::{Attribute, Cell, CellAlignment, Color, ColumnConstraint};
use std::fmt::Write;
use topsim_core::verdict::{Status, Verdict};

/// How the report is shown.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// With colours.
    pub color: bool,
    /// Columns of the terminal; natural width without it.
    pub width: Option<u16>,
    /// One line for each run instead of the tightest of each check.
    pub verbose: bool,
    /// What went wrong only: nothing if nothing did.
    pub quiet: bool,
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

/// Below this many columns the table of verdicts would break its numbers: a list takes its place.
const NARROW: u16 = 130;

/// The report for people.
#[derive(Debug, Clone, Copy)]
pub struct Human(pub Look);

impl Renderer for Human {
    fn render(&self, report: &Report) -> String {
        let Self(look) = self;
        let mut out = String::new();
        for case in &report.cases {
            if look.quiet {
                let before = out.len();
                broken(&mut out, case, look);
                failed(&mut out, case, look);
                if out.len() > before {
                    out.insert_str(before, &format!("{}\n", look.paint(&case.name, "1")));
                }
            } else {
                one_case(&mut out, case, look);
            }
        }
        if !look.quiet {
            scorecard::text(&mut out, report, look);
            histories::write(&mut out, report, look);
            summary(&mut out, report, look);
        }
        out
    }
}

fn one_case(out: &mut String, case: &Case, look: &Look) {
    let suite = |i: &Item| matches!(i, Item::Run(_) | Item::Study(_));
    if !case.items.iter().any(suite) {
        return;
    }
    let _ = writeln!(out, "{} · {}", look.paint(&case.name, "1"), case.title);
    let steps: u64 = case.runs().map(|r| r.run.effort.steps).sum();
    let _ = writeln!(
        out,
        "  {}, {}",
        words::count(case.runs().count() as u64, "run"),
        words::count(steps, "step")
    );
    let _ = match &case.reference {
        Ok(r) => writeln!(out, "  reference: {}", r.provenance()),
        Err(why) => writeln!(out, "  no reference: {why}"),
    };
    for w in &case.warnings {
        let _ = writeln!(out, "  {} {w}", look.paint("note:", "33"));
    }
    broken(out, case, look);
    let groups = by_check(&case.verdicts);
    if look.width.is_some_and(|w| w < NARROW) {
        for g in &groups {
            list(out, g, look);
        }
    } else if !groups.is_empty() {
        let header = [
            "check", "runs", "tightest", "measured", "allowed", "digits", "verdict",
        ];
        let mut t = table(look, &header);
        for g in &groups {
            if look.verbose {
                for v in g.verdicts {
                    t.add_row(row(v, "1", look));
                }
            } else {
                t.add_row(row(g.tightest(), &g.verdicts.len().to_string(), look));
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
    for found in case.findings() {
        study(out, found, look);
    }
    out.push('\n');
}

fn broken(out: &mut String, case: &Case, look: &Look) {
    for item in &case.items {
        let (word, name, why) = match item {
            Item::Run(r) => ("run:", r.stem(), r.outcome().err().map(|e| e.to_string())),
            Item::Study(f) => {
                let why = f.outcome.as_ref().err().map(ToString::to_string);
                ("study:", f.stem.clone(), why)
            }
            Item::Card(_) | Item::Histories(_) => continue,
        };
        if let Some(why) = why {
            let _ = writeln!(out, "  {} {name} {why}", look.paint(word, "31"));
        }
    }
}

fn failed(out: &mut String, case: &Case, look: &Look) {
    for v in case.verdicts.iter().filter(|v| !v.is_good()) {
        let _ = writeln!(
            out,
            "  {} {}: {}",
            look.paint(words::status(v), "1;31"),
            words::title(v),
            words::sentence(v)
        );
    }
}

/// On a narrow terminal: two lines a check.
fn list(out: &mut String, group: &CheckGroup, look: &Look) {
    let shown = if look.verbose {
        group.verdicts.iter().collect()
    } else {
        vec![group.tightest()]
    };
    for v in shown {
        let code = if v.is_good() { "32" } else { "1;31" };
        let _ = writeln!(out, "{} {}", look.paint(words::status(v), code), v.id);
        let digits = match words::digits(v).as_str() {
            "" => String::new(),
            d => format!(" ({d} digits)"),
        };
        let _ = writeln!(
            out,
            "     {}: {}, allowed {}{digits}",
            subject(v),
            words::measured(v),
            v.allowed_text
        );
    }
}

fn subject(v: &Verdict) -> String {
    match words::run(v) {
        run if run.is_empty() => "none".into(),
        run => run,
    }
}

fn row(v: &Verdict, runs: &str, look: &Look) -> Vec<Cell> {
    let status = Cell::new(words::status(v));
    let status = match (look.color, v.is_good(), v.status) {
        (false, ..) => status,
        (_, true, Status::Passed) => status.fg(Color::Green),
        (_, true, _) => status.fg(Color::Yellow),
        (_, false, _) => status.fg(Color::Red).add_attribute(Attribute::Bold),
    };
    vec![
        Cell::new(&v.id),
        Cell::new(runs),
        Cell::new(subject(v)),
        Cell::new(words::measured(v)),
        Cell::new(&v.allowed_text),
        Cell::new(words::digits(v)),
        status,
    ]
}

/// A study: one line, its numbers, or with `--verbose` its table.
fn study(out: &mut String, found: &Finding, look: &Look) {
    match &found.ladder {
        Some(table) if look.verbose => ladder(out, found, table, look),
        Some(table) => {
            let schemes = words::count(table.lines.len() as u64, "scheme");
            let _ = writeln!(
                out,
                "  study: {} of {schemes}: {}.csv",
                found.title, found.stem
            );
        }
        None => {
            let seconds = found.wall.as_secs_f64();
            let _ = writeln!(
                out,
                "  {} {}: {}; {seconds:.1} s",
                found.kind.replace('_', " "),
                found.name.as_deref().unwrap_or_default(),
                found.title
            );
            // Numbers of single places are many.
            let shown = |n: &&crate::check::Number| look.verbose || n.headline;
            let numbers = found.numbers.iter().filter(shown).map(|n| match &n.value {
                Ok(x) => format!("{} = {} {}", n.name, words::number(*x), n.unit),
                Err(why) => format!("{}: {why}", n.name),
            });
            let numbers: Vec<String> = numbers.map(|n| n.trim_end().to_string()).collect();
            for line in numbers.chunks(4) {
                let _ = writeln!(out, "    {}", line.join(", "));
            }
        }
    }
}

/// Schemes down, steps across; the first number of each run, and what they say together.
fn ladder(out: &mut String, found: &Finding, of: &LadderTable, look: &Look) {
    let _ = writeln!(out, "  study: {}", found.title);
    let mut steps: Vec<&str> = Vec::new();
    for p in of.lines.iter().flat_map(|l| &l.points) {
        if !steps.contains(&p.step.as_str()) {
            steps.push(&p.step);
        }
    }
    let mut header = vec!["scheme".to_string()];
    header.extend(steps.iter().map(|s| format!("h={s}")));
    if !of.summary.is_empty() {
        header.push(of.summary.into());
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut t = table(look, &header);
    for line in &of.lines {
        let mut row = vec![line.scheme.clone()];
        for s in &steps {
            let p = line.points.iter().find(|p| p.step == *s);
            row.push(p.map_or_else(String::new, |p| match &p.values {
                Ok(v) if of.work.is_some() => {
                    format!("{} at {}", words::brief(v[0]), words::brief(p.x))
                }
                Ok(v) => words::brief(v[0]),
                Err(_) => "—".into(),
            }));
        }
        if !of.summary.is_empty() {
            row.push(line.summary.clone());
        }
        t.add_row(row);
    }
    for c in 1..=steps.len() {
        if let Some(column) = t.column_mut(c) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let _ = writeln!(out, "{t}");
    let mut said: Vec<String> = Vec::new();
    let missing = of.lines.iter().flat_map(|l| &l.points);
    for why in missing.filter_map(|p| p.values.as_ref().err()) {
        let why = why.to_string();
        if !said.contains(&why) {
            let _ = writeln!(out, "  —: {why}");
            said.push(why);
        }
    }
}

fn summary(out: &mut String, report: &Report, look: &Look) {
    let suites = report.cases.iter();
    let suites: Vec<&Case> = suites
        .filter(|c| c.runs().next().is_some() || c.findings().next().is_some())
        .collect();
    if suites.is_empty() {
        return;
    }
    let checks: Vec<CheckGroup> = suites.iter().flat_map(|c| by_check(&c.verdicts)).collect();
    let verdicts: usize = checks.iter().map(|g| g.verdicts.len()).sum();
    let bad = checks.iter().filter(|g| !g.is_good()).count();
    let is_known = |v: &Verdict| v.status == Status::Failed && v.known_defect.is_some();
    let known = checks.iter().filter(|g| g.verdicts.iter().any(is_known));
    let known = known.count();
    let runs: usize = suites.iter().map(|c| c.runs().count()).sum();
    let broken_runs = suites.iter().flat_map(|c| c.runs());
    let broken_runs = broken_runs.filter(|r| r.outcome().is_err()).count();
    let broken_studies = suites.iter().flat_map(|c| c.findings());
    let broken_studies = broken_studies.filter(|f| f.outcome.is_err()).count();
    let complete = broken_runs + broken_studies == 0;
    let word = if checks.is_empty() && complete {
        look.paint("NOT JUDGED", "1;33")
    } else if bad == 0 && complete {
        look.paint("PASSED", "1;32")
    } else {
        look.paint("FAILED", "1;31")
    };
    let _ = write!(
        out,
        "{word}  {} checks ({verdicts} verdicts) on {runs} runs: {} passed, {bad} failed",
        checks.len(),
        checks.len() - bad,
    );
    if known > 0 {
        let _ = write!(out, ", {known} with a known defect");
    }
    for (broken, what) in [(broken_runs, "run"), (broken_studies, "study")] {
        if broken > 0 {
            let _ = write!(out, "; {} not completed", words::many(broken, what));
        }
    }
    out.push('\n');
}
