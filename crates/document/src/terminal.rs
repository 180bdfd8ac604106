//! Documents for a terminal, or as plain text in a file for people.

use crate::{Alignment, Block, ListItem, Markup, Role, Span, Table, TableColumn, Text};
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle,
    Table as Drawn, TableStyle, Width,
};
use std::fmt::Write;
use textwrap::core::display_width;

/// A terminal, or a text file for people.
#[derive(Debug, Clone, Copy, Default)]
pub struct Console {
    /// Whether it shows colours.
    pub color: bool,
    /// The number of its columns; without it, lines are as long as they are.
    pub width: Option<u16>,
}

/// Columns before the items of a list.
const INDENT: usize = 2;
/// Columns by which the items below an item are indented further: to the words after its mark.
const DEEPER: usize = 4;
/// Smallest width of a column of texts that may be broken; a table without that room is written as a list.
const LEAST_TEXT: usize = 24;
/// Blanks beside a cell of a table, on both sides together.
const PADDING: usize = 2;

/// Style with rules above the table, below the header and below the table, and none between rows.
const RULED: TableStyle = TableStyle::new()
    .top_border(RULE)
    .header_separator(RULE)
    .bottom_border(RULE);
const RULE: LineStyle = LineStyle::none().fill('─').junction('─');

impl Markup for Console {
    fn block(&self, out: &mut String, block: &Block, before: Option<&Block>) {
        let apart = match (block, before) {
            (_, None) => false,
            (Block::Heading(..), _) => true,
            (Block::Paragraph(_), Some(before)) => {
                !matches!(before, Block::Heading(..) | Block::Paragraph(_))
            }
            _ => false,
        };
        if apart {
            out.push('\n');
        }
        match block {
            Block::Heading(_, text) | Block::Paragraph(text) => self.line(out, text, 0),
            Block::List(items) => self.list(out, items, INDENT),
            Block::Table(table) => self.table(out, table),
            Block::Preformatted(lines) => {
                for line in lines.lines() {
                    let _ = writeln!(out, "{:INDENT$}{}", "", line.trim_end());
                }
            }
        }
    }
}

impl Console {
    /// Returns the columns of the terminal on standard output, if it is one.
    pub fn output_width() -> Option<u16> {
        Drawn::new().width()
    }

    /// Returns the columns of the terminal on standard error, if it is one.
    pub fn error_width() -> Option<u16> {
        Drawn::new().use_stderr().width()
    }

    fn line(self, out: &mut String, text: &Text, indent: usize) {
        let painted: String = text.spans.iter().map(|span| self.painted(span)).collect();
        let line = format!("{:indent$}{painted}", "");
        out.push_str(&wrapped(line.trim_end(), self.width));
        out.push('\n');
    }

    fn list(self, out: &mut String, items: &[ListItem], indent: usize) {
        for item in items {
            self.line(out, &item.text, indent);
            self.list(out, &item.below, indent + DEEPER);
        }
    }

    fn painted(self, span: &Span) -> String {
        let mut codes = Vec::new();
        if self.color && span.strong {
            codes.push("1");
        }
        if self.color {
            codes.extend(match span.role {
                Role::Plain => None,
                Role::Good => Some("32"),
                Role::Caution => Some("33"),
                Role::Bad => Some("31"),
            });
        }
        let text = characters(span);
        if codes.is_empty() {
            text
        } else {
            format!("\u{1b}[{}m{text}\u{1b}[0m", codes.join(";"))
        }
    }

    fn table(self, out: &mut String, table: &Table) {
        let shown: Vec<usize> = (0..table.columns.len())
            .filter(|c| !table.columns[*c].on_paper_only)
            .collect();
        let needed: usize = shown.iter().map(|c| least(table, *c) + PADDING).sum();
        if self.width.is_some_and(|width| needed > width.into()) {
            self.list(out, &table.as_list(), 0);
            return;
        }
        let mut drawn = Drawn::new();
        drawn.load_style(if table.compact {
            TableStyle::new()
        } else {
            RULED
        });
        drawn.set_content_arrangement(ContentArrangement::Dynamic);
        if let Some(width) = self.width {
            drawn.set_width(width);
        }
        if self.color {
            drawn.enforce_styling();
            drawn.style_text_only();
        } else {
            drawn.force_no_tty();
        }
        let columns: Vec<&TableColumn> = shown.iter().map(|c| &table.columns[*c]).collect();
        let header = columns.iter().map(|c| &c.header);
        drawn.set_header(header.map(|h| Cell::new(h).add_attribute(Attribute::Bold)));
        for row in &table.rows {
            drawn.add_row(shown.iter().map(|c| cell(&row[*c])));
        }
        for (k, c) in shown.iter().enumerate() {
            let Some(column) = drawn.column_mut(k) else {
                continue;
            };
            if table.columns[*c].alignment == Alignment::Right {
                column.set_cell_alignment(CellAlignment::Right);
            }
            column.set_constraint(if table.columns[*c].breaks {
                let width = least(table, *c) + PADDING;
                let width = u16::try_from(width).unwrap_or(u16::MAX);
                ColumnConstraint::LowerBoundary(Width::Fixed(width))
            } else {
                ColumnConstraint::ContentWidth
            });
        }
        for line in drawn.lines() {
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
}

/// Returns the width below which a column of a table cannot be read.
fn least(table: &Table, c: usize) -> usize {
    let column = &table.columns[c];
    let cells = || {
        let rows = table.rows.iter().map(|row| shown(&row[c]));
        rows.chain([column.header.clone()])
    };
    let content = cells().map(|cell| display_width(&cell)).max();
    let content = content.unwrap_or(0);
    if !column.breaks {
        return content;
    }
    let word = |cell: String| cell.split(' ').map(display_width).max().unwrap_or(0);
    let longest = cells().map(word).max().unwrap_or(0);
    content.min(longest.max(LEAST_TEXT))
}

fn shown(text: &Text) -> String {
    text.spans.iter().map(characters).collect()
}

/// Makes a cell with the colour and weight of its first span.
fn cell(text: &Text) -> Cell {
    let cell = Cell::new(shown(text));
    let Some(first) = text.spans.first() else {
        return cell;
    };
    let cell = match first.role {
        Role::Plain => cell,
        Role::Good => cell.fg(Color::DarkGreen),
        Role::Caution => cell.fg(Color::DarkYellow),
        Role::Bad => cell.fg(Color::DarkRed),
    };
    if first.strong {
        cell.add_attribute(Attribute::Bold)
    } else {
        cell
    }
}

fn characters(span: &Span) -> String {
    let text = if span.code {
        format!("`{}`", span.text)
    } else {
        span.text.clone()
    };
    match &span.link {
        Some(address) => format!("{text} ({address})"),
        None => text,
    }
}

/// Returns the text with lines that are no longer than the width, where there is one: longer ones are broken between
/// words and go on a little to the right of where they began.
pub fn wrapped(text: &str, width: Option<u16>) -> String {
    let Some(width) = width else {
        return text.into();
    };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let end = &line[line.trim_end_matches('\n').len()..];
        let words = line.trim_end();
        if display_width(words) <= width.into() {
            out.push_str(words);
            out.push_str(end);
            continue;
        }
        let begins = words.len() - words.trim_start().len();
        let indent = " ".repeat(begins + INDENT);
        out.push_str(&hanging(words, width, "", &indent));
        out.push_str(end);
    }
    out
}

/// Returns the text on lines of at most a width, each with what stands before it: `first`, then `later`.
pub fn hanging(text: &str, width: u16, first: &str, later: &str) -> String {
    let options = textwrap::Options::new(width.into())
        .initial_indent(first)
        .subsequent_indent(later)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::wrap(text, options).join("\n")
}
