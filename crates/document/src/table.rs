//! Tables: columns with a side, rows of cells.

use crate::{ListItem, Text};

/// The side on which the cells of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    /// The left side, for texts, which may be broken into lines.
    Left,
    /// The right side, for numbers, which are never broken.
    Right,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// The name of the column.
    pub header: String,
    /// The side on which its cells stand.
    pub alignment: Alignment,
    /// Whether its cells may be broken between two words.
    pub breaks: bool,
    /// Whether a terminal, which has little room, leaves it out.
    pub on_paper_only: bool,
}

impl TableColumn {
    /// Returns the column with cells that stay on one line.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.breaks = false;
        self
    }

    /// Returns the column as one that a terminal leaves out.
    #[must_use]
    pub fn on_paper_only(mut self) -> Self {
        self.on_paper_only = true;
        self
    }
}

/// Returns a column of texts.
pub fn left(header: impl Into<Text>) -> TableColumn {
    TableColumn {
        header: header.into().plain(),
        alignment: Alignment::Left,
        breaks: true,
        on_paper_only: false,
    }
}

/// Returns a column of numbers.
pub fn right(header: impl Into<Text>) -> TableColumn {
    TableColumn {
        alignment: Alignment::Right,
        breaks: false,
        ..left(header)
    }
}

/// A table: a header, and rows below it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The columns, from left to right.
    pub columns: Vec<TableColumn>,
    /// The rows: a cell for each column.
    pub rows: Vec<Vec<Text>>,
    /// Whether a terminal shows it without rules.
    pub compact: bool,
    /// The list that takes its place in a terminal without room for it; without one, each row is an item.
    pub narrow: Vec<ListItem>,
}

impl Table {
    /// Makes a table without rows.
    pub fn new(columns: impl IntoIterator<Item = TableColumn>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
            compact: false,
            narrow: Vec::new(),
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

    /// Returns the list that takes the place of the table.
    pub(crate) fn as_list(&self) -> Vec<ListItem> {
        if !self.narrow.is_empty() {
            return self.narrow.clone();
        }
        let item = |row: &Vec<Text>| {
            let mut cells = row.iter().zip(&self.columns);
            let first = cells.next().map(|(cell, _)| cell.clone());
            let told = cells.filter(|(cell, column)| {
                !(column.on_paper_only || cell.spans.is_empty() || cell.plain().is_empty())
            });
            let below = told.map(|(cell, column)| {
                Text::from(format!("{}: ", column.header)).then(cell.clone())
            });
            ListItem::new(first.unwrap_or_default(), below)
        };
        self.rows.iter().map(item).collect()
    }
}
