//! Tables: columns of texts or numbers, and rows of cells.

use crate::{ListItem, Markup, Text};

/// A column of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableColumn {
    /// The name of the column.
    pub header: Text,
    /// True for numbers, which stand on the right side.
    pub is_number: bool,
    /// True if its cells may be broken between two words.
    pub breaks: bool,
    /// True if a terminal, which has little room, leaves it out.
    pub on_paper_only: bool,
}

impl TableColumn {
    /// Returns the column with cells that stay on one line.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.breaks = false;
        self
    }
}

/// Returns a column of texts.
pub fn left(header: impl Into<Text>) -> TableColumn {
    TableColumn {
        header: header.into(),
        breaks: true,
        ..TableColumn::default()
    }
}

/// Returns a column of numbers.
pub fn right(header: impl Into<Text>) -> TableColumn {
    let mut column = left(header).whole();
    column.is_number = true;
    column
}

/// A table: a header, and rows below it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// The columns, from left to right.
    pub columns: Vec<TableColumn>,
    /// The rows: a cell for each column.
    pub rows: Vec<Vec<Text>>,
    /// True if a terminal shows it without rules.
    pub compact: bool,
    /// The list that takes its place in a terminal without room for it; without one, each row is an item.
    pub narrow: Vec<ListItem>,
}

/// The cells of a line of a table, each with its column.
pub(crate) type Line<'a> = Vec<(&'a TableColumn, &'a Text)>;

impl Table {
    /// Makes a table without rows.
    pub fn new(columns: impl IntoIterator<Item = TableColumn>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Returns the table without rules in a terminal.
    #[must_use]
    pub fn compact(mut self) -> Self {
        self.compact = true;
        self
    }

    /// Adds a row; cells that are not given are empty.
    pub fn push<T: Into<Text>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let mut row: Vec<Text> = cells.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), Text::default());
        self.rows.push(row);
    }

    /// Returns the header and the rows, on paper or in a terminal.
    pub(crate) fn lines(&self, on_paper: bool) -> Vec<Line<'_>> {
        let header = self.columns.iter().map(|c| &c.header).collect();
        let rows = self.rows.iter().map(|row| row.iter().collect());
        let shown = |line: Vec<_>| {
            let mut cells: Line = self.columns.iter().zip(line).collect();
            cells.retain(|(c, _)| on_paper || !c.on_paper_only);
            cells
        };
        std::iter::once(header).chain(rows).map(shown).collect()
    }

    /// Returns the header and the rows as texts, with a text between two cells.
    pub(crate) fn joined(&self, markup: &impl Markup, between: &str) -> Vec<String> {
        let line = |line: Line| {
            let cells: Vec<_> = line.iter().map(|(_, text)| markup.text(text)).collect();
            cells.join(between)
        };
        self.lines(true).into_iter().map(line).collect()
    }

    /// Returns the sides of the columns in the words of a format.
    pub(crate) fn sides(&self, left: &str, right: &str) -> String {
        let side = |c: &TableColumn| if c.is_number { right } else { left };
        self.columns.iter().map(side).collect()
    }

    /// Returns the list that takes the place of the table.
    pub(crate) fn as_list(&self) -> Vec<ListItem> {
        if !self.narrow.is_empty() {
            return self.narrow.clone();
        }
        let item = |line: Line| {
            let mut cells = line.into_iter();
            let first = cells.next().map(|(_, cell)| cell.clone());
            let below = cells.filter(|(_, cell)| !cell.plain().is_empty());
            let below = below.map(|(c, cell)| c.header.clone().then(": ").then(cell.clone()));
            ListItem::new(first.unwrap_or_default(), below)
        };
        self.lines(false).into_iter().skip(1).map(item).collect()
    }
}
