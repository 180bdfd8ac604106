//! Documents as LaTeX. They need no package except `inputenc` with an old LaTeX.

use crate::{Block, ListItem, Markup, Span};
use std::fmt::Write;

/// Characters with a meaning in LaTeX or unknown to an old one, each followed by its replacement.
const SYMBOLS: &str = r"&\& %\% $\$ #\# _\_ {\{ }\} \\textbackslash{} ~\textasciitilde{} <$<$ >$>$ |$|$ −$-$ –-- —--- …\dots{}
    ±$\pm$ ≤$\le$ ≥$\ge$ →$\to$ ✗$\times$ ✓$\surd$ ½$\frac12$ Π$\Pi$ Ω$\Omega$ Φ$\Phi$ ᵀ$^T$ ²$^2$ ³$^3$ °$^\circ$ ·$\cdot$
    ε$\varepsilon$ π$\pi$ ω$\omega$ Λ$\Lambda$ λ$\lambda$";

/// LaTeX: the body of a document.
#[derive(Debug, Clone, Copy)]
pub struct Latex;

impl Markup for Latex {
    fn block(&self, block: &Block) -> String {
        match block {
            Block::Heading(level, text) => {
                let below = "sub".repeat(usize::from(*level).clamp(1, 3) - 1);
                format!("\\{below}section*{{{}}}", self.text(text))
            }
            Block::Paragraph(text) => self.text(text),
            Block::List(items) => self.list(items),
            Block::Table(table) => {
                let mut lines = table.joined(self, " & ");
                let header = lines.remove(0);
                let rows: String = lines.iter().map(|l| format!("{l} \\\\\n")).collect();
                format!(
                    "\\begin{{tabular}}{{{}}}\n\\hline\n{header} \\\\\n\\hline\n{rows}\\hline\n\\end{{tabular}}",
                    table.sides("l", "r")
                )
            }
            Block::Preformatted(lines) => {
                let lines = lines.trim_end();
                let lines = lines.replace("\\end{verbatim}", "\\end {verbatim}");
                format!("\\begin{{verbatim}}\n{lines}\n\\end{{verbatim}}")
            }
        }
    }

    fn span(&self, span: &Span) -> String {
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
    }
}

impl Latex {
    fn list(self, items: &[ListItem]) -> String {
        // The empty group keeps a bracket at the start of the text from being read as the label of the item.
        let item = |item: &ListItem| {
            let line = format!("\\item {{}}{}\n", self.text(&item.text));
            match &item.below[..] {
                [] => line,
                below => format!("{line}{}\n", self.list(below)),
            }
        };
        let items: String = items.iter().map(item).collect();
        format!("\\begin{{itemize}}\n{items}\\end{{itemize}}")
    }
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
    let mut pairs = SYMBOLS.split_whitespace();
    let found = pairs.find_map(|pair| pair.strip_prefix(c));
    found.map_or_else(|| c.into(), Into::into)
}
