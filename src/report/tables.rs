//! Tables on the terminal.

use super::Look;
use comfy_table::{Attribute, Cell, ContentArrangement, LineStyle, Table, TableStyle};

/// Rules above, below and under the header; none between rows.
const STYLE: TableStyle = TableStyle::new()
    .top_border(RULE)
    .header_separator(RULE)
    .bottom_border(RULE);
const RULE: LineStyle = LineStyle::none().fill('─').junction('─');

/// An empty table with this header.
pub fn table(look: &Look, header: &[&str]) -> Table {
    let mut t = Table::new();
    t.load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(
            header
                .iter()
                .map(|h| Cell::new(h).add_attribute(Attribute::Bold)),
        );
    if let Some(w) = look.width {
        t.set_width(w);
    }
    if look.color {
        t.enforce_styling();
    } else {
        t.force_no_tty();
    }
    t
}
