//! The report for people: a table of verdicts for each case, failures in full.

use super::summary::Summary;
use super::tables::LadderRows;
use super::{Renderer, align_right, histories, scorecard, table, wrapped};
use crate::check::{CheckGroup, by_check, grouped};
use crate::run::{Case, Results};
use crate::study::{Finding, LadderTable};
use crate::text;
use comfy_table::{Attribute, Cell, Color, ColumnConstraint};
use std::fmt::Write;
use topsim_core::verdict::{Status, Verdict};

/// How the report is shown.
#[derive(Debug, Clone, Copy)]
pub struct TextStyle {
    /// With colours.
    pub color: bool,
    /// Columns of the terminal; natural width without it.
    pub width: Option<u16>,
    /// One line for each run instead of the tightest of each check.
    pub verbose: bool,
    /// What went wrong only: nothing if nothing did.
    pub quiet: bool,
}

impl TextStyle {
    pub(super) fn paint(&self, text: &str, code: &str) -> String {
        if self.color {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.into()
        }
    }
}

/// Where fewer columns are left to the names of checks, a list takes the place of the table of verdicts.
const LEAST_NAME: u16 = 24;

/// The report for people.
#[derive(Debug, Clone, Copy)]
pub struct Human(pub TextStyle);

impl Renderer for Human {
    fn render(&self, results: &Results) -> String {
        let Self(style) = self;
        let mut out = String::new();
        for case in results.cases() {
            if style.quiet {
                let before = out.len();
                broken(&mut out, case, style);
                failed(&mut out, case, style);
                if out.len() > before {
                    out.insert_str(
                        before,
                        &format!("{}\n", style.paint(&case.report.name, "1")),
                    );
                }
            } else {
                one_case(&mut out, case, style);
            }
        }
        if !style.quiet {
            scorecard::text(&mut out, results, style);
            histories::write(&mut out, results, style);
            summary(&mut out, results, style);
        }
        wrapped(&out, style.width)
    }
}

fn one_case(out: &mut String, case: Case, style: &TextStyle) {
    if !case.report.is_suite() {
        return;
    }
    let _ = writeln!(
        out,
        "{} · {}",
        style.paint(&case.report.name, "1"),
        case.report.title
    );
    let steps: u64 = case.artifacts.runs.iter().map(|r| r.run.effort.steps).sum();
    let runs = text::count(case.artifacts.runs.len() as u64, "run");
    let _ = writeln!(out, "  {runs}, {}", text::count(steps, "step"));
    let _ = match &case.artifacts.reference {
        Ok(r) => writeln!(out, "  reference: {}", r.provenance()),
        Err(why) => writeln!(out, "  no reference: {why}"),
    };
    for w in &case.report.warnings {
        let _ = writeln!(out, "  {} {w}", style.paint("note:", "33"));
    }
    broken(out, case, style);
    let (skipped, groups): (Vec<_>, Vec<_>) = by_check(&case.report.verdicts)
        .into_iter()
        .partition(CheckGroup::is_skipped);
    skip_notes(out, &skipped, style);
    let header = [
        "check", "runs", "tightest", "measured", "allowed", "digits", "verdict",
    ];
    let mut t = table(style, &header);
    for (v, runs) in groups.iter().flat_map(|g| shown(g, style)) {
        t.add_row(row(v, runs, style));
    }
    // Names of checks may wrap; a number broken in two is no number.
    for c in 1..header.len() {
        if let Some(column) = t.column_mut(c) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    align_right(&mut t, [1, 5]);
    // With a blank on both sides of each column.
    let others: u16 = t.column_max_content_widths()[1..]
        .iter()
        .map(|w| w + 2)
        .sum();
    let least = others + LEAST_NAME + 2;
    if style.width.is_some_and(|w| w < least) {
        for (v, _) in groups.iter().flat_map(|g| shown(g, style)) {
            list(out, v, style);
        }
    } else if !groups.is_empty() {
        let _ = writeln!(out, "{t}");
    }
    failed(out, case, style);
    for found in case.findings() {
        study(out, found, style);
    }
    out.push('\n');
}

/// The skipped checks, by the reason.
fn skip_notes(out: &mut String, skipped: &[CheckGroup], style: &TextStyle) {
    let reason = |g: &CheckGroup| g.tightest().detail.clone().unwrap_or_default();
    for (why, checks) in grouped(skipped.iter().map(|g| (reason(g), g.id))) {
        let (word, n) = (style.paint("skipped:", "33"), checks.len());
        let names = if style.verbose {
            format!(": {}", checks.join("; "))
        } else {
            String::new()
        };
        let _ = writeln!(out, "  {word} {}, {why}{names}", text::many(n, "check"));
    }
}

fn broken(out: &mut String, case: Case, style: &TextStyle) {
    for (noun, stem, why) in case.incomplete() {
        let noun = style.paint(&format!("{noun}:"), "31");
        let _ = writeln!(out, "  {noun} {stem} {why}");
    }
}

fn failed(out: &mut String, case: Case, style: &TextStyle) {
    let acceptable = case.report.acceptable();
    for v in case.report.verdicts.iter().filter(|v| !v.is_good()) {
        if acceptable && v.status == Status::Undecided {
            continue;
        }
        let status = style.paint(text::status(v), "1;31");
        let (title, sentence) = (text::title(v), text::sentence(v));
        let _ = writeln!(out, "  {status} {title}: {sentence}");
    }
}

/// The verdicts of a check that are shown, each with the number of runs it stands for.
fn shown<'a>(group: &CheckGroup<'a>, style: &TextStyle) -> Vec<(&'a Verdict, usize)> {
    if style.verbose {
        group.verdicts.iter().map(|v| (v, 1)).collect()
    } else {
        vec![(group.tightest(), group.verdicts.len())]
    }
}

/// Colour of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Good,
    Known,
    Bad,
}

impl Tone {
    fn of(v: &Verdict) -> Self {
        match (v.is_good(), v.status) {
            (true, Status::Passed) => Self::Good,
            (true, _) => Self::Known,
            (false, _) => Self::Bad,
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::Good => "32",
            Self::Known => "33",
            Self::Bad => "1;31",
        }
    }
}

/// On a narrow terminal: two lines a check.
fn list(out: &mut String, v: &Verdict, style: &TextStyle) {
    let status = style.paint(text::status(v), Tone::of(v).code());
    let _ = writeln!(out, "{status} {}", v.id);
    let digits = match text::digits(v).as_str() {
        "" => String::new(),
        "exact" => " (exact)".into(),
        d => format!(" ({d} digits)"),
    };
    let (subject, measured) = (subject(v), text::measured(v));
    let _ = writeln!(
        out,
        "     {subject}: {measured}, allowed {}{digits}",
        v.allowed_text
    );
}

fn subject(v: &Verdict) -> String {
    match text::run(v) {
        run if run.is_empty() => "none".into(),
        run => run,
    }
}

fn row(v: &Verdict, runs: usize, style: &TextStyle) -> Vec<Cell> {
    let status = Cell::new(text::status(v));
    let status = match (style.color, Tone::of(v)) {
        (false, _) => status,
        (true, Tone::Good) => status.fg(Color::DarkGreen),
        (true, Tone::Known) => status.fg(Color::DarkYellow),
        (true, Tone::Bad) => status.fg(Color::DarkRed).add_attribute(Attribute::Bold),
    };
    vec![
        Cell::new(&v.id),
        Cell::new(runs),
        Cell::new(subject(v)),
        Cell::new(text::measured(v)),
        Cell::new(&v.allowed_text),
        Cell::new(text::digits(v)),
        status,
    ]
}

/// A study: one line, its numbers, or with `--verbose` its table.
fn study(out: &mut String, found: &Finding, style: &TextStyle) {
    match &found.ladder {
        Some(table) if style.verbose => ladder(out, found, table, style),
        Some(table) => {
            let schemes = text::count(table.lines.len() as u64, "scheme");
            let (title, stem) = (&found.title, &found.stem);
            let _ = writeln!(out, "  study: {title} of {schemes}: {stem}.csv");
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
            let shown = |n: &&crate::check::Number| style.verbose || n.headline;
            let numbers = found.numbers.iter().filter(shown).map(|n| match &n.value {
                Ok(x) => format!("{} = {} {}", n.name, text::number(*x), n.unit),
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
fn ladder(out: &mut String, found: &Finding, of: &LadderTable, style: &TextStyle) {
    let _ = writeln!(out, "  study: {}", found.title);
    let LadderRows { header, rows } = LadderRows::of(of);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut t = table(style, &header);
    t.add_rows(rows);
    let numbers = header.len() - usize::from(!of.summary.is_empty());
    align_right(&mut t, 1..numbers);
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

fn summary(out: &mut String, results: &Results, style: &TextStyle) {
    if let Some(summary) = Summary::of(results) {
        let code = match summary.passed {
            Some(true) => "1;32",
            Some(false) => "1;31",
            None => "1;33",
        };
        let word = style.paint(summary.word(), code);
        let _ = writeln!(out, "{word}  {}", summary.text);
    }
}
