//! Writes a table as CSV.

use crate::Table;

/// Returns the table as CSV: its header, then its rows.
pub fn csv(table: &Table) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let mut lines = table.lines(true).into_iter();
    let written = lines.try_for_each(|line| out.write_record(line.iter().map(|l| l.1.plain())));
    written.expect("memory does not fail");
    let bytes = out.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("texts are UTF-8")
}
