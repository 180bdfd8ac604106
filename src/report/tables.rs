//! Tables on the terminal.

use super::TextStyle;
use comfy_table::{
    Attribute, Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle,
};

/// Rules above, below and under the header; none between rows.
const STYLE: TableStyle = TableStyle::new()
    .top_border(RULE)
    .header_separator(RULE)
    .bottom_border(RULE);
const RULE: LineStyle = LineStyle::none().fill('─').junction('─');

/// An empty table with this header.
pub fn table(style: &TextStyle, header: &[&str]) -> Table {
    let mut t = Table::new();
    t.load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(
            header
                .iter()
                .map(|h| Cell::new(h).add_attribute(Attribute::Bold)),
        );
    if let Some(w) = style.width {
        t.set_width(w);
    }
    if style.color {
        t.enforce_styling();
    } else {
        t.force_no_tty();
    }
    t
}

/// Sets columns of numbers to the right.
pub fn align_right(table: &mut Table, columns: impl IntoIterator<Item = usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
