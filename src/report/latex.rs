//! Tables for LaTeX: the studies over step ladders, and the scorecard. They need no package but `inputenc` of an old
//! LaTeX.

use super::Renderer;
use super::scorecard::{Cards, LEGEND};
use super::tables::LadderRows;
use crate::run::Results;
use std::fmt::Write;

/// The tables of the report as LaTeX.
#[derive(Debug, Clone, Copy)]
pub struct Latex;

impl Renderer for Latex {
    fn render(&self, results: &Results) -> String {
        let mut out = String::new();
        for case in results.cases() {
            for found in case.findings() {
                if let Some(ladder) = &found.ladder {
                    let LadderRows { header, rows } = LadderRows::of(ladder);
                    let title = format!("{}: {} ({})", case.report.name, found.title, found.kind);
                    let header: Vec<&str> = header.iter().map(String::as_str).collect();
                    tabular(&mut out, &title, &header, &rows);
                }
            }
        }
        if let Some(cards) = Cards::of(results) {
            tabular(&mut out, "scorecard", &cards.header, &cards.rows);
            out.push_str("{\\footnotesize\n");
            for line in LEGEND {
                let _ = writeln!(out, "{}\\par", tex(line));
            }
            out.push_str("}\n");
        }
        if out.is_empty() {
            out.push_str("% This report has no study over a ladder of steps and no scorecard.\n");
        }
        out
    }
}

/// A table below a comment that says what it is.
fn tabular(out: &mut String, title: &str, header: &[&str], rows: &[Vec<String>]) {
    let numbers = "r".repeat(header.len().saturating_sub(1));
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let _ = writeln!(out, "% {}", title.replace('\n', " "));
    let _ = writeln!(out, "\\begin{{tabular}}{{l{numbers}}}\n\\hline");
    out.push_str(&line(header.iter().map(|cell| tex(cell)).collect()));
    out.push_str("\\hline\n");
    for row in rows {
        out.push_str(&line(row.iter().map(|cell| tex(cell)).collect()));
    }
    out.push_str("\\hline\n\\end{tabular}\n\n");
}

/// A cell, word by word: powers of ten are written as such.
fn tex(cell: &str) -> String {
    let words: Vec<String> = cell.split(' ').map(word).collect();
    words.join(" ")
}

fn word(text: &str) -> String {
    if let Some((digits, power)) = text.split_once('e')
        && digits.parse::<f64>().is_ok()
        && let Ok(power) = power.parse::<i32>()
    {
        return format!("${digits}\\cdot10^{{{power}}}$");
    }
    // What stands after a ^ is the exponent.
    let mut parts = text.split('^');
    let mut out: String = parts
        .next()
        .unwrap_or_default()
        .chars()
        .map(character)
        .collect();
    for part in parts {
        let ends = part.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '½' | '-')));
        let (power, rest) = part.split_at(ends.unwrap_or(part.len()));
        let power: String = power
            .chars()
            .map(|c| {
                if c == '½' {
                    "1/2".into()
                } else {
                    c.to_string()
                }
            })
            .collect();
        let _ = write!(out, "$^{{{power}}}$");
        out.extend(rest.chars().map(character));
    }
    out
}

fn character(c: char) -> String {
    match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '\\' => "\\textbackslash{}".into(),
        '~' => "\\textasciitilde{}".into(),
        '<' | '>' | '|' => format!("${c}$"),
        '−' => "$-$".into(),
        '–' => "--".into(),
        '—' => "---".into(),
        '±' => "$\\pm$".into(),
        '½' => "$\\frac12$".into(),
        'Π' => "$\\Pi$".into(),
        'Ω' => "$\\Omega$".into(),
        'Φ' => "$\\Phi$".into(),
        'ᵀ' => "$^T$".into(),
        '²' => "$^2$".into(),
        '³' => "$^3$".into(),
        '°' => "$^\\circ$".into(),
        '·' => "$\\cdot$".into(),
        'ε' => "$\\varepsilon$".into(),
        'π' => "$\\pi$".into(),
        'ω' => "$\\omega$".into(),
        'Λ' => "$\\Lambda$".into(),
        'λ' => "$\\lambda$".into(),
        c => c.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_what_latex_reads() {
        for (cell, expected) in [
            ("rig_pos", "rig\\_pos"),
            ("1.23e-7", "$1.23\\cdot10^{-7}$"),
            ("−h^2.00 (50 % & more)", "$-$h$^{2.00}$ (50 \\% \\& more)"),
            ("ten 1e3 at e", "ten $1\\cdot10^{3}$ at e"),
        ] {
            assert_eq!(tex(cell), expected, "{cell}");
        }
    }

    #[test]
    fn a_table_has_as_many_cells_in_each_line() {
        let mut out = String::new();
        let rows = [vec!["rig_pos".to_string(), "0.5".into()]];
        tabular(&mut out, "a study", &["scheme", "h=0.1"], &rows);
        let expected = "% a study\n\\begin{tabular}{lr}\n\\hline\nscheme & h=0.1 \\\\\n\\hline\n\
                        rig\\_pos & 0.5 \\\\\n\\hline\n\\end{tabular}\n\n";
        assert_eq!(out, expected);
    }
}
