//! Documents as GitHub Flavored Markdown.

use crate::{Alignment, Block, ListItem, Markup, Span, Table, Text};
use std::fmt::Write;

/// Markdown, as GitHub shows it.
#[derive(Debug, Clone, Copy)]
pub struct Markdown;

impl Markup for Markdown {
    fn block(&self, out: &mut String, block: &Block, before: Option<&Block>) {
        if before.is_some() {
            out.push('\n');
        }
        match block {
            Block::Heading(level, text) => {
                let marks = "#".repeat(usize::from(*level).clamp(1, 6));
                let text: String = text.spans.iter().map(characters).collect();
                let _ = writeln!(out, "{marks} {text}");
            }
            Block::Paragraph(text) => {
                let _ = writeln!(out, "{}", at_start(&inline(text)));
            }
            Block::List(items) => list(out, items, 0),
            Block::Table(table) => rows(out, table),
            Block::Preformatted(lines) => {
                let fence = "`".repeat(longest_run(lines).max(2) + 1);
                let _ = writeln!(out, "{fence}text\n{}\n{fence}", lines.trim_end());
            }
        }
    }
}

fn list(out: &mut String, items: &[ListItem], indent: usize) {
    for item in items {
        let text = at_start(&inline(&item.text));
        let _ = writeln!(out, "{:indent$}- {text}", "");
        list(out, &item.below, indent + 2);
    }
}

fn rows(out: &mut String, table: &Table) {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let header = table.columns.iter().map(|c| escaped(&c.header));
    out.push_str(&line(header.collect()));
    let sides = table.columns.iter().map(|c| match c.alignment {
        Alignment::Left => "---|",
        Alignment::Right => "--:|",
    });
    let _ = writeln!(out, "|{}", sides.collect::<String>());
    for row in &table.rows {
        out.push_str(&line(row.iter().map(inline).collect()));
    }
}

fn inline(text: &Text) -> String {
    let span = |span: &Span| {
        let mut out = characters(span);
        // Emphasised text must not begin or end with a blank.
        let inner = span.text.trim();
        if span.strong && !inner.is_empty() {
            let (begin, end) = (out.len() - out.trim_start().len(), out.trim_end().len());
            out = format!("{}**{}**{}", &out[..begin], &out[begin..end], &out[end..]);
        }
        match &span.link {
            Some(address) => format!("[{out}](<{}>)", address.replace(['<', '>', '\\'], "")),
            None => out,
        }
    };
    text.spans.iter().map(span).collect()
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
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
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
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.len() < text.len() && digits.starts_with(['.', ')']);
    if numbered {
        let number = &text[..text.len() - digits.len()];
        format!("{number}\\{digits}")
    } else if text.starts_with(['#', '>', '+', '-', '=', '[']) {
        format!("\\{text}")
    } else {
        text.into()
    }
}
