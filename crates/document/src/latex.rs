//! Documents as LaTeX. They need no package except `inputenc` with an old LaTeX.

use crate::{Alignment, Block, ListItem, Markup, Span, Table, Text};
use std::fmt::Write;

/// Characters that an old LaTeX does not know, each followed by its replacement.
const SYMBOLS: &str = "−$-$ –-- —--- …\\dots{} ±$\\pm$ ≤$\\le$ ≥$\\ge$ →$\\to$ ✗$\\times$ ✓$\\surd$ ½$\\frac12$ Π$\\Pi$ Ω$\\Omega$ \
    Φ$\\Phi$ ᵀ$^T$ ²$^2$ ³$^3$ °$^\\circ$ ·$\\cdot$ ε$\\varepsilon$ π$\\pi$ ω$\\omega$ Λ$\\Lambda$ λ$\\lambda$";

/// LaTeX: the body of a document.
#[derive(Debug, Clone, Copy)]
pub struct Latex;

impl Markup for Latex {
    fn block(&self, out: &mut String, block: &Block, before: Option<&Block>) {
        if before.is_some() {
            out.push('\n');
        }
        let _ = match block {
            Block::Heading(level, text) => {
                let command = match level {
                    0 | 1 => "section",
                    2 => "subsection",
                    _ => "subsubsection",
                };
                writeln!(out, "\\{command}*{{{}}}", inline(text))
            }
            Block::Paragraph(text) => writeln!(out, "{}", inline(text)),
            Block::List(items) => writeln!(out, "{}", list(items)),
            Block::Table(table) => writeln!(out, "{}", rows(table)),
            Block::Preformatted(lines) => {
                let lines = lines.replace("\\end{verbatim}", "\\end {verbatim}");
                let lines = lines.trim_end();
                writeln!(out, "\\begin{{verbatim}}\n{lines}\n\\end{{verbatim}}")
            }
        };
    }
}

fn list(items: &[ListItem]) -> String {
    let mut out = String::from("\\begin{itemize}\n");
    for item in items {
        // The empty group keeps a bracket at the start of the text from being read as the label of the item.
        let _ = writeln!(out, "\\item {{}}{}", inline(&item.text));
        if !item.below.is_empty() {
            let _ = writeln!(out, "{}", list(&item.below));
        }
    }
    out + "\\end{itemize}"
}

fn rows(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let sides = table.columns.iter().map(|c| match c.alignment {
        Alignment::Left => 'l',
        Alignment::Right => 'r',
    });
    let sides: String = sides.collect();
    let header = table.columns.iter().map(|c| escaped(&c.header));
    let mut out = format!(
        "\\begin{{tabular}}{{{sides}}}\n\\hline\n{}\\hline\n",
        line(header.collect())
    );
    for row in &table.rows {
        out += &line(row.iter().map(inline).collect());
    }
    out + "\\hline\n\\end{tabular}"
}

fn inline(text: &Text) -> String {
    let span = |span: &Span| {
        let mut out = escaped(&span.text);
        if span.code {
            out = format!("\\texttt{{{out}}}");
        }
        if span.strong {
            out = format!("\\textbf{{{out}}}");
        }
        match &span.link {
            Some(address) => format!("{out} (\\texttt{{{}}})", escaped(address)),
            None => out,
        }
    };
    text.spans.iter().map(span).collect()
}

/// Escapes a text word by word; powers of ten become formulas.
fn escaped(text: &str) -> String {
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn word(text: &str) -> String {
    if let Some((digits, power)) = text.split_once('e')
        && digits.parse::<f64>().is_ok()
        && let Ok(power) = power.parse::<i32>()
    {
        return format!("${digits}\\cdot10^{{{power}}}$");
    }
    // The text after a ^ is an exponent.
    let mut parts = text.split('^');
    let first = parts.next().unwrap_or_default();
    let mut out: String = first.chars().map(character).collect();
    for part in parts {
        let ends = part.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '½' | '-')));
        let (power, rest) = part.split_at(ends.unwrap_or(part.len()));
        let _ = write!(out, "$^{{{}}}$", power.replace('½', "1/2"));
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
        c => {
            let mut pairs = SYMBOLS.split_whitespace();
            let found = pairs.find_map(|pair| pair.strip_prefix(c));
            found.map_or_else(|| c.into(), Into::into)
        }
    }
}
