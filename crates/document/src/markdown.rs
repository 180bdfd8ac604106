//! Documents as GitHub Flavored Markdown.

use crate::{Block, ListItem, Markup, Span, Text};

/// Markdown, as GitHub shows it.
#[derive(Debug, Clone, Copy)]
pub struct Markdown;

impl Markup for Markdown {
    fn block(&self, block: &Block) -> String {
        match block {
            Block::Heading(level, text) => {
                let marks = "#".repeat(usize::from(*level).clamp(1, 6));
                let text: String = text.spans.iter().map(characters).collect();
                format!("{marks} {text}")
            }
            Block::Paragraph(text) => at_start(&self.text(text)),
            Block::List(items) => {
                let line = |text: &Text, depth| {
                    let text = at_start(&self.text(text));
                    format!("{}- {text}", "  ".repeat(depth))
                };
                ListItem::lines(items, 0, &line).join("\n")
            }
            Block::Table(table) => {
                let lines = table.joined(self, " | ").into_iter();
                let mut lines: Vec<String> = lines.map(|l| format!("| {l} |")).collect();
                lines.insert(1, format!("|{}", table.sides("---|", "--:|")));
                lines.join("\n")
            }
            Block::Preformatted(lines) => {
                let fence = "`".repeat(longest_run(lines).max(2) + 1);
                format!("{fence}text\n{}\n{fence}", lines.trim_end())
            }
        }
    }

    fn span(&self, span: &Span) -> String {
        let mut out = characters(span);
        // Emphasised text must not begin or end with a blank.
        if span.strong && !span.text.trim().is_empty() {
            let (begin, end) = (out.len() - out.trim_start().len(), out.trim_end().len());
            out = format!("{}**{}**{}", &out[..begin], &out[begin..end], &out[end..]);
        }
        match &span.link {
            Some(address) => format!("[{out}](<{}>)", address.replace(['<', '>', '\\'], "")),
            None => out,
        }
    }
}

/// Writes a span without its emphasis.
fn characters(span: &Span) -> String {
    if !span.code {
        return escaped(&span.text);
    }
    let fence = "`".repeat(longest_run(&span.text) + 1);
    let space = if fence.len() > 1 { " " } else { "" };
    let text = span.text.replace('|', "\\|");
    format!("{fence}{space}{text}{space}{fence}")
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut last = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        let special = match c {
            '\\' | '`' | '<' | '|' | '$' => true,
            // Before one of these characters a bracket would end the text of a link.
            ']' => matches!(next, '(' | '['),
            // An underscore within a word and an asterisk between blanks have no meaning in Markdown.
            '_' => !(last.is_alphanumeric() && next.is_alphanumeric()),
            '*' => !(last == ' ' && next == ' '),
            '~' => last == '~' || next == '~',
            '&' => next == '#' || next.is_alphabetic(),
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(c);
        last = c;
    }
    out
}

/// Escapes the beginning of a text that would begin a list, a heading or a quotation.
fn at_start(text: &str) -> String {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &text[..text.len() - rest.len()];
    let marks = if number.is_empty() { "#>+-=[" } else { ".)" };
    if rest.starts_with(|c| marks.contains(c)) {
        format!("{number}\\{rest}")
    } else {
        text.into()
    }
}
