//! Tables: those on the terminal, and the rows of a study for all renderers.

use super::TextStyle;
use crate::study::LadderTable;
use crate::text;
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
        t.style_text_only();
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

/// The text with lines that are no longer than the width, where there is one: longer ones are broken between words and
/// go on a little to the right of where they began. Rules of tables fit already.
pub fn wrapped(text: &str, width: Option<u16>) -> String {
    let Some(width) = width else {
        return text.into();
    };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let end = &line[line.trim_end_matches('\n').len()..];
        let words = line.trim_end();
        if textwrap::core::display_width(words) <= width.into() {
            out.push_str(words);
            out.push_str(end);
            continue;
        }
        let begins = words.len() - words.trim_start().len();
        let indent = " ".repeat(begins + 2);
        let options = textwrap::Options::new(width.into())
            .subsequent_indent(&indent)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        out.push_str(&textwrap::wrap(words, options).join("\n"));
        out.push_str(end);
    }
    out
}

/// A study over the ladder as rows: schemes down, steps across, and what the runs of a scheme say together.
pub(super) struct LadderRows {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl LadderRows {
    /// The first number of each run.
    pub(super) fn of(of: &LadderTable) -> Self {
        let mut steps: Vec<&str> = Vec::new();
        for p in of.lines.iter().flat_map(|l| &l.points) {
            if !steps.contains(&p.step.as_str()) {
                steps.push(&p.step);
            }
        }
        let mut header = vec!["scheme".to_string()];
        header.extend(steps.iter().map(|s| format!("h={s}")));
        if !of.summary.is_empty() {
            header.push(of.summary.clone());
        }
        let rows = of.lines.iter().map(|line| {
            let mut row = vec![line.scheme.clone()];
            row.extend(steps.iter().map(|s| {
                let point = line.points.iter().find(|p| p.step == *s);
                point.map_or_else(String::new, |p| match &p.values {
                    Ok(v) if of.work.is_some() => {
                        format!("{} at {}", text::brief(v[0]), text::brief(p.x))
                    }
                    Ok(v) => text::brief(v[0]),
                    Err(_) => "—".into(),
                })
            }));
            if !of.summary.is_empty() {
                row.push(line.summary.clone());
            }
            row
        });
        Self {
            rows: rows.collect(),
            header,
        }
    }
}
