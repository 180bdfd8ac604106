//! Tables of aligned columns, with rules above and below the header and at the end.

use super::Style;
use super::wrap::{broken, visible};
use std::fmt::Write;

/// The side on which the texts of a column stand.
#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Right,
}

/// A table of `N` columns.
pub(super) struct Table<const N: usize> {
    header: [(Align, &'static str); N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(super) fn new(header: [(Align, &'static str); N]) -> Self {
        Self {
            header,
            rows: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        let rows = self.rows.iter().map(move |row| row[column].as_str());
        rows.chain([self.header[column].1])
    }

    /// Widths of the columns: the widest become narrower until the table fits, as far as no word has to be broken.
    fn widths(&self, room: Option<u16>) -> [usize; N] {
        let most = |c: usize| self.cells(c).map(visible).max().unwrap_or(0);
        let word = |text: &str| text.split(' ').map(visible).max().unwrap_or(0);
        let least = |c: usize| self.cells(c).map(word).max().unwrap_or(0);
        let mut widths: [usize; N] = std::array::from_fn(most);
        let Some(room) = room else { return widths };
        // A space on each side of a cell, and one between two.
        let room = usize::from(room).saturating_sub(3 * N - 1);
        while widths.iter().sum::<usize>() > room {
            let can = (0..N).filter(|c| widths[*c] > least(*c));
            let Some(widest) = can.max_by_key(|c| widths[*c]) else {
                break;
            };
            widths[widest] -= 1;
        }
        widths
    }

    /// The table, with a newline at its end.
    pub(super) fn render(&self, style: &Style) -> String {
        let widths = self.widths(style.width);
        let rule = "─".repeat(widths.iter().sum::<usize>() + 3 * N - 1);
        let mut out = format!("{rule}\n");
        self.row(&mut out, &self.header.map(|(_, text)| text), &widths, |s| {
            style.paint(s, "1")
        });
        let _ = writeln!(out, "{rule}");
        for row in &self.rows {
            let row: [&str; N] = std::array::from_fn(|c| row[c].as_str());
            self.row(&mut out, &row, &widths, str::to_string);
        }
        let _ = writeln!(out, "{rule}");
        out
    }

    /// The table without its rules, with a newline at its end.
    pub(super) fn short(&self, style: &Style) -> String {
        let widths = self.widths(style.width);
        let mut out = String::new();
        let plain = str::to_string;
        self.row(&mut out, &self.header.map(|(_, text)| text), &widths, plain);
        let header = out.lines().count();
        for row in &self.rows {
            let row: [&str; N] = std::array::from_fn(|c| row[c].as_str());
            self.row(&mut out, &row, &widths, plain);
        }
        let lines = out.lines().enumerate().map(|(k, line)| {
            let line = line.trim_end();
            if k < header {
                format!(" {}\n", style.paint(line, "1"))
            } else {
                format!(" {line}\n")
            }
        });
        lines.collect()
    }

    /// A row, on as many lines as its highest cell needs.
    fn row(
        &self,
        out: &mut String,
        cells: &[&str; N],
        widths: &[usize; N],
        paint: impl Fn(&str) -> String,
    ) {
        let cells: [Vec<String>; N] = std::array::from_fn(|c| broken(cells[c], widths[c], 0));
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let padded: [String; N] = std::array::from_fn(|c| {
                let Some(text) = cells[c].get(line) else {
                    return " ".repeat(widths[c] + 2);
                };
                let space = " ".repeat(widths[c].saturating_sub(visible(text)));
                paint(&match self.header[c].0 {
                    Align::Left => format!(" {text}{space} "),
                    Align::Right => format!(" {space}{text} "),
                })
            });
            let _ = writeln!(out, "{}", padded.join(" "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: Option<u16>, color: bool) -> String {
        let mut table = Table::new([(Align::Left, "quantity"), (Align::Right, "worst")]);
        table.push(["energy drift (J)".into(), "1.5".into()]);
        table.push(["ω".into(), "-12.25".into()]);
        let verbose = false;
        table.render(&Style {
            color,
            width,
            verbose,
        })
    }

    #[test]
    fn columns_are_aligned() {
        let rule = "─".repeat(27);
        let expected = format!(
            "{rule}\n quantity            worst \n{rule}\n energy drift (J)      1.5 \n ω                  -12.25 \n{rule}\n"
        );
        assert_eq!(shown(None, false), expected);
        let bold = shown(None, true);
        let header = "\u{1b}[1m quantity         \u{1b}[0m \u{1b}[1m  worst \u{1b}[0m";
        assert_eq!(bold.lines().nth(1), Some(header));
    }

    #[test]
    fn a_table_too_wide_breaks_its_texts_and_no_number() {
        let rule = "─".repeat(23);
        let expected = format!(
            "{rule}\n quantity        worst \n{rule}\n energy drift      1.5 \n (J)                   \n ω              -12.25 \n{rule}\n"
        );
        assert_eq!(shown(Some(23), false), expected);
        let narrowest = shown(Some(1), false);
        let rows = " energy        1.5 \n drift             \n (J)               \n";
        assert!(narrowest.contains(rows), "{narrowest}");
    }
}
