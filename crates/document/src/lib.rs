//! Documents as data, and their formats: a [`Document`] holds headings, paragraphs, lists, tables and preformatted text, and
//! each implementation of [`Markup`] writes it in one format.
//!
//! ```
//! use document::{Console, Document, Markdown, Markup, Table, bad, left, right};
//!
//! let mut table = Table::new([left("scheme"), right("order")]);
//! table.push(["rig_pos", "2.00"]);
//! let mut said = Document::default();
//! said.paragraph(bad("FAILED").then("  one of two"));
//! said.table(table);
//! let terminal = Console { color: false, width: Some(80) };
//! assert!(terminal.render(&said).starts_with("FAILED  one of two\n"));
//! assert!(Markdown.render(&said).contains("| rig_pos | 2.00 |"));
//! ```

mod csv;
mod html;
mod latex;
mod markdown;
mod table;
mod terminal;
mod text;

pub use csv::csv;
pub use html::Html;
pub use latex::Latex;
pub use markdown::Markdown;
pub use table::{Table, TableColumn, left, right};
pub use terminal::{Console, hanging, wrapped};
pub use text::{Role, Span, Text, bad, caution, code, good, link, marked, strong};

/// A document, from its first block to its last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// The blocks, in the order in which they are read.
    pub blocks: Vec<Block>,
}

/// A part of a document that stands alone.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading and its level, from 1.
    Heading(u8, Text),
    /// A paragraph of one or more sentences.
    Paragraph(Text),
    /// An unordered list.
    List(Vec<ListItem>),
    /// A table.
    Table(Table),
    /// Lines that are kept unchanged.
    Preformatted(String),
}

/// An item of a list with the items below it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListItem {
    /// The text of the item itself.
    pub text: Text,
    /// The items that belong to it.
    pub below: Vec<ListItem>,
}

impl ListItem {
    /// Makes an item with items below it.
    pub fn new<T: Into<Text>>(text: impl Into<Text>, below: impl IntoIterator<Item = T>) -> Self {
        Self {
            text: text.into(),
            below: below.into_iter().map(Self::from).collect(),
        }
    }

    /// Returns the number of items in it, itself included.
    pub fn size(&self) -> usize {
        1 + self.below.iter().map(Self::size).sum::<usize>()
    }

    /// Returns a line for each item and for those below it, which are one deeper.
    fn lines(items: &[Self], depth: usize, line: &dyn Fn(&Text, usize) -> String) -> Vec<String> {
        let of = |item: &Self| {
            let below = Self::lines(&item.below, depth + 1, line);
            std::iter::once(line(&item.text, depth)).chain(below)
        };
        items.iter().flat_map(of).collect()
    }
}

impl<T: Into<Text>> From<T> for ListItem {
    fn from(text: T) -> Self {
        let (text, below) = (text.into(), Vec::new());
        Self { text, below }
    }
}

impl Document {
    /// Tests whether the document has no blocks.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a heading of a level from 1.
    pub fn heading(&mut self, level: u8, text: impl Into<Text>) {
        self.blocks.push(Block::Heading(level, text.into()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Text>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds an item to the list at the end of the document, or begins a list.
    pub fn item(&mut self, item: impl Into<ListItem>) {
        match self.blocks.last_mut() {
            Some(Block::List(items)) => items.push(item.into()),
            _ => self.blocks.push(Block::List(vec![item.into()])),
        }
    }

    /// Adds items to the list at the end of the document, or begins a list; without items it begins none.
    pub fn items<T: Into<ListItem>>(&mut self, items: impl IntoIterator<Item = T>) {
        items.into_iter().for_each(|item| self.item(item));
    }

    /// Adds a table, if it has rows.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds lines that are kept unchanged.
    pub fn preformatted(&mut self, lines: impl AsRef<str>) {
        self.blocks
            .push(Block::Preformatted(text::clean(lines.as_ref(), '\n')));
    }

    /// Adds all blocks of another document; a list at its beginning continues one at the end of this document.
    pub fn append(&mut self, other: Self) {
        for block in other.blocks {
            match block {
                Block::List(items) => self.items(items),
                block => self.blocks.push(block),
            }
        }
    }
}

/// A format of documents.
pub trait Markup {
    /// Returns a part of a text.
    fn span(&self, span: &Span) -> String;

    /// Returns a block without the end of its last line.
    fn block(&self, block: &Block) -> String;

    /// Tests whether an empty line stands between two blocks.
    fn is_apart(&self, _before: &Block, _block: &Block) -> bool {
        true
    }

    /// Returns a text within a line.
    fn text(&self, text: &Text) -> String {
        text.spans.iter().map(|span| self.span(span)).collect()
    }

    /// Returns the document in this format.
    fn render(&self, document: &Document) -> String {
        let mut out = String::new();
        let mut before = None;
        for block in &document.blocks {
            if before.is_some_and(|before| self.is_apart(before, block)) {
                out.push('\n');
            }
            out += &self.block(block);
            out.push('\n');
            before = Some(block);
        }
        out
    }
}

#[cfg(test)]
mod tests;
