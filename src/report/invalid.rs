//! Draws a file with faults for a terminal: each fault with file, line, column and key, with the offending
//! text underlined, and with what is allowed.

use std::fmt::Write as _;

use document::hanging;
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use strict_toml::{Excerpt, InvalidFile, SHOWN, harmless};

/// Draws the faults: for each a line `file:line:column: key: message`, the offending text underlined, and what is allowed;
/// then their number. The drawing is made for at least 40 columns.
pub fn render(file: &InvalidFile, color: bool, width: usize) -> String {
    let width = width.clamp(40, 240);
    let (theme, bold, plain) = if color {
        (GraphicalTheme::unicode(), "\u{1b}[1m", "\u{1b}[0m")
    } else {
        (GraphicalTheme::unicode_nocolor(), "", "")
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width)
        .with_links(false)
        .without_syntax_highlighting()
        .without_cause_chain();
    let mut out = String::new();
    for fault in file.faults().iter().take(SHOWN) {
        let _ = writeln!(out, "{bold}{}{plain}", file.headline(fault));
        if let Some(span) = &fault.span {
            let snippet = Snippet(Excerpt::new(file.text(), span, width - 12));
            let mut drawn = String::new();
            // Writing to a string fails only if the drawing fails; the fault is then shown without it.
            if handler.render_report(&mut drawn, &snippet).is_ok() {
                // The handler wraps and indents its message; the headline above must stay one line
                // from column one, so only the snippet is taken.
                for line in drawn.lines().skip(1) {
                    out.push_str(line.trim_end());
                    out.push('\n');
                }
            }
        }
        if let Some(allowed) = &fault.allowed {
            let words: Vec<&str> = allowed.split_whitespace().collect();
            let words: String = words.join(" ").chars().map(harmless).collect();
            // The width is at most 240.
            out += &hanging(&words, width as u16, "  allowed: ", "           ");
            out.push('\n');
        }
        out.push('\n');
    }
    out.push_str(&file.summary());
    out.push('\n');
    out
}

/// A line of the file as a diagnostic, as the handler needs it. Its message takes one line, which is not shown.
#[derive(Debug, thiserror::Error)]
#[error("-")]
struct Snippet(Excerpt);

impl Diagnostic for Snippet {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let mark = LabeledSpan::underline(self.0.mark.clone());
        Some(Box::new(std::iter::once(mark)))
    }
}

impl SourceCode for Snippet {
    fn read_span<'a>(
        &'a self,
        _span: &SourceSpan,
        _before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let text = &self.0.text;
        let whole = SourceSpan::from(0..text.len());
        let line = self.0.line - 1;
        let contents = MietteSpanContents::new(text.as_bytes(), whole, line, 0, 1);
        Ok(Box::new(contents))
    }
}

#[cfg(test)]
mod tests;
