//! What is wrong in a file, and how it is shown: every problem with file, line, column and key.

use std::fmt::Write as _;
use std::ops::Range;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use super::excerpt::{Excerpt, clip, line_column};

/// Problems shown of one file; the rest are counted.
pub const SHOWN: usize = 50;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but probably says something else than meant.
    Warning,
}

/// One thing wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Dotted path of the key, such as `run.steps[2]`; empty for the file as a whole.
    pub key: String,
    /// The offending bytes of the text, if there are any.
    pub span: Option<Range<usize>>,
    /// What was found.
    pub message: String,
    /// What is allowed.
    pub help: Option<String>,
    /// How bad it is.
    pub severity: Severity,
}

impl Problem {
    /// The same problem as a warning.
    #[must_use]
    pub fn warning(self) -> Self {
        Self {
            severity: Severity::Warning,
            ..self
        }
    }
}

/// A file with problems, sorted by their position.
#[derive(Debug, thiserror::Error)]
#[error("{} in {name}", count(problems.len()))]
pub struct InvalidFile {
    name: String,
    text: String,
    problems: Vec<Problem>,
    shown: Vec<Shown>,
}

/// A problem ready to be drawn.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{header}")]
struct Shown {
    header: String,
    help: Option<String>,
    severity: Severity,
    excerpt: Option<Excerpt>,
}

fn count(n: usize) -> String {
    format!("{n} problem{}", if n == 1 { "" } else { "s" })
}

impl InvalidFile {
    /// The problems of the file `name` with the contents `text`, in any order.
    pub fn new(name: &str, text: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_cached_key(|p| (start(p), p.key.clone(), p.message.clone()));
        problems.dedup();
        let shown = show(name, text, &problems, 100);
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            problems,
            shown,
        }
    }

    /// A file of another format with one problem, named in words.
    pub fn plain(name: &str, why: &str) -> Self {
        let problem = Problem {
            key: String::new(),
            span: None,
            message: why.to_owned(),
            help: None,
            severity: Severity::Error,
        };
        Self::new(name, "", vec![problem])
    }

    /// The file as the user named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All problems, by position.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Draws the problems: a line `file:line:col: key: message` each, the offending text
    /// underlined, what is allowed; then their number. Never narrower than 40 columns.
    pub fn render(&self, color: bool, width: usize) -> String {
        let width = width.clamp(40, 240);
        let theme = if color {
            GraphicalTheme::unicode()
        } else {
            GraphicalTheme::unicode_nocolor()
        };
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(width)
            .with_links(false)
            .without_syntax_highlighting()
            .without_cause_chain();
        let (bold, plain) = if color {
            ("\u{1b}[1m", "\u{1b}[0m")
        } else {
            ("", "")
        };
        let mut out = String::new();
        for shown in show(&self.name, &self.text, &self.problems, width - 12) {
            let _ = writeln!(out, "{bold}{}{plain}", shown.header);
            if shown.excerpt.is_some() {
                let mut drawn = String::new();
                let snippet = Shown {
                    header: "-".into(),
                    help: None,
                    ..shown.clone()
                };
                // Writing to a string fails only if the drawing does: then do without.
                if handler.render_report(&mut drawn, &snippet).is_ok() {
                    // The handler wraps and indents its message; the header above must stay one
                    // line from column one, so only the snippet is taken.
                    for line in drawn.lines().skip(1) {
                        out.push_str(line.trim_end());
                        out.push('\n');
                    }
                }
            }
            if let Some(help) = &shown.help {
                wrap(&mut out, "allowed: ", help, width);
            }
            out.push('\n');
        }
        let _ = write!(out, "{self}");
        if self.problems.len() > SHOWN {
            let _ = write!(out, " (the first {SHOWN} are shown)");
        }
        out.push('\n');
        out
    }
}

fn start(problem: &Problem) -> usize {
    problem.span.as_ref().map_or(0, |s| s.start)
}

fn show(name: &str, text: &str, problems: &[Problem], columns: usize) -> Vec<Shown> {
    let shown = |p: &Problem| {
        let (line, column) = line_column(text, start(p));
        let mut header = format!("{}:{line}:{column}: ", clip(name, 1000));
        if !p.key.is_empty() {
            let _ = write!(header, "{}: ", clip(&p.key, 120));
        }
        if p.severity == Severity::Warning {
            header.push_str("warning: ");
        }
        header.push_str(&clip(&p.message, 1000));
        Shown {
            header,
            help: p.help.clone(),
            severity: p.severity,
            excerpt: p
                .span
                .as_ref()
                .map(|span| Excerpt::new(text, span, columns)),
        }
    };
    problems.iter().take(SHOWN).map(shown).collect()
}

/// Writes words up to the width, following lines under the first word.
fn wrap(out: &mut String, head: &str, text: &str, width: usize) {
    let indent = 2 + head.len();
    let _ = write!(out, "  {head}");
    let mut at = indent;
    for (i, word) in text.split_whitespace().enumerate() {
        let long = word.chars().count();
        if i > 0 && at + 1 + long > width {
            let _ = write!(out, "\n{:indent$}", "");
            at = indent;
        } else if i > 0 {
            out.push(' ');
            at += 1;
        }
        out.extend(word.chars().map(super::excerpt::harmless));
        at += long;
    }
    out.push('\n');
}

impl Diagnostic for InvalidFile {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.shown.iter().map(|s| s as &dyn Diagnostic)))
    }
}

impl Diagnostic for Shown {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|h| Box::new(format!("allowed: {h}")) as Box<_>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|e| e as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let mark = self.excerpt.as_ref()?.mark.clone();
        Some(Box::new(std::iter::once(LabeledSpan::underline(mark))))
    }
}
