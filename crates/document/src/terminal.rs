//! Documents for a terminal, or as plain text in a file for people.

use crate::{Block, ListItem, Markup, Span, Table, TableColumn, Text};
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle,
    Table as Drawn, TableStyle, Width,
};
use textwrap::core::display_width;

/// A terminal, or a text file for people.
#[derive(Debug, Clone, Copy, Default)]
pub struct Console {
    /// True if it shows colours.
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

/// Style without rules.
const BARE: TableStyle = TableStyle::new();

/// Colours of texts by their roles: the code of each, and its name in tables.
const COLORS: [Option<(&str, Color)>; 4] = [
    None,
    Some(("32", Color::DarkGreen)),
    Some(("33", Color::DarkYellow)),
    Some(("31", Color::DarkRed)),
];

impl Markup for Console {
    fn is_apart(&self, before: &Block, block: &Block) -> bool {
        let follows = matches!(before, Block::Heading(..) | Block::Paragraph(_));
        matches!(block, Block::Heading(..)) || matches!(block, Block::Paragraph(_)) && !follows
    }

    fn block(&self, block: &Block) -> String {
        match block {
            Block::Heading(_, text) | Block::Paragraph(text) => self.line(text, 0),
            Block::List(items) => self.list(items, INDENT),
            Block::Table(table) => self.table(table),
            Block::Preformatted(lines) => {
                let line = |line: &str| format!("{:INDENT$}{}", "", line.trim_end());
                lines.lines().map(line).collect::<Vec<_>>().join("\n")
            }
        }
    }

    fn span(&self, span: &Span) -> String {
        let mark = if span.code { "`" } else { "" };
        let address = span.link.iter().map(|address| format!(" ({address})"));
        let text = format!("{mark}{}{mark}{}", span.text, address.collect::<String>());
        let strong = span.strong.then_some("1");
        let color = COLORS[span.role as usize].map(|c| c.0);
        let codes: Vec<&str> = strong.into_iter().chain(color).collect();
        if codes.is_empty() || !self.color {
            return text;
        }
        format!("\u{1b}[{}m{text}\u{1b}[0m", codes.join(";"))
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

    fn line(self, text: &Text, indent: usize) -> String {
        let line = format!("{:indent$}{}", "", self.text(text));
        wrapped(line.trim_end(), self.width)
    }

    fn list(self, items: &[ListItem], indent: usize) -> String {
        let line = |text: &Text, depth| self.line(text, indent + DEEPER * depth);
        ListItem::lines(items, 0, &line).join("\n")
    }

    fn table(self, table: &Table) -> String {
        let lines = table.lines(false);
        let least = |k: usize| least(lines.iter().map(|line| line[k])) + PADDING;
        let least: Vec<usize> = (0..lines[0].len()).map(least).collect();
        // A blank stands between two columns.
        let needed = least.iter().sum::<usize>() + least.len() - 1;
        if self.width.is_some_and(|width| needed > width.into()) {
            return self.list(&table.as_list(), 0);
        }
        let mut drawn = Drawn::new();
        drawn.load_style(if table.compact { BARE } else { RULED });
        drawn.set_content_arrangement(ContentArrangement::Dynamic);
        if let Some(width) = self.width {
            drawn.set_width(width);
        }
        drawn.style_text_only();
        if self.color {
            drawn.enforce_styling();
        } else {
            drawn.force_no_tty();
        }
        let mut cells = lines.iter().map(|l| l.iter().map(|(_, text)| cell(text)));
        let header = cells.next().into_iter().flatten();
        drawn.set_header(header.map(|cell| cell.add_attribute(Attribute::Bold)));
        drawn.add_rows(cells);
        let columns = lines[0].iter().zip(least);
        for (((column, _), least), drawn) in columns.zip(drawn.column_iter_mut()) {
            if column.is_number {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
            drawn.set_constraint(if column.breaks {
                let least = u16::try_from(least).unwrap_or(u16::MAX);
                ColumnConstraint::LowerBoundary(Width::Fixed(least))
            } else {
                ColumnConstraint::ContentWidth
            });
        }
        let lines = drawn.lines().map(|line| line.trim_end().to_string());
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Returns the width below which a column cannot be read.
fn least<'a>(cells: impl Iterator<Item = (&'a TableColumn, &'a Text)>) -> usize {
    let (mut content, mut word, mut breaks) = (0, LEAST_TEXT, false);
    for (column, text) in cells {
        let text = shown(text);
        content = content.max(display_width(&text));
        word = text.split(' ').map(display_width).fold(word, usize::max);
        breaks = column.breaks;
    }
    if breaks { content.min(word) } else { content }
}

fn shown(text: &Text) -> String {
    Console::default().text(text)
}

/// Makes a cell with the colour and weight of its first span.
fn cell(text: &Text) -> Cell {
    let mut cell = Cell::new(shown(text));
    let first = text.spans.first().cloned().unwrap_or_default();
    if let Some((_, color)) = COLORS[first.role as usize] {
        cell = cell.fg(color);
    }
    if first.strong {
        cell = cell.add_attribute(Attribute::Bold);
    }
    cell
}

/// Returns the text with lines that are no longer than the width, where there is one: longer ones are broken between
/// words and go on a little to the right of where they began.
pub fn wrapped(text: &str, width: Option<u16>) -> String {
    let Some(width) = width else {
        return text.into();
    };
    let line = |line: &str| {
        let begins = line.trim_end().len() - line.trim().len();
        hanging(line.trim_end(), width, "", &" ".repeat(begins + INDENT))
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the text on lines of at most a width; `first` stands before the first line, `later` before the others.
pub fn hanging(text: &str, width: u16, first: &str, later: &str) -> String {
    let options = textwrap::Options::new(width.into())
        .initial_indent(first)
        .subsequent_indent(later)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::wrap(text, options).join("\n")
}
