//! Writes a table as CSV.

use crate::{Table, Text};

/// Returns the table as CSV: its header, then its rows.
pub fn csv(table: &Table) -> String {
    let mut out = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    let header = table.columns.iter().map(|column| column.header.clone());
    let rows = table.rows.iter().map(|row| row.iter().map(Text::plain));
    let written = out
        .write_record(header)
        .and_then(|()| rows.into_iter().try_for_each(|row| out.write_record(row)));
    written.expect("memory does not fail");
    let bytes = out.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("texts are UTF-8")
}
