//! The legend, outside the frame: under it if three rows do and all colours differ, else beside it, each label at
//! the height where its line ends.

use super::canvas::{self, Align, Canvas, Colour, Face, Pen};
use super::curve::{self, Look};
use super::font;
use super::frame::SMALL;
use super::{PlotError, Scale, Series};

const KEY: f64 = 34.0;
const GAP: f64 = 8.0;
const BETWEEN: f64 = 26.0;
const ROW: f64 = 20.0;
/// Rows under the frame, at most.
const ROWS_BELOW: usize = 3;
/// Room for the lines from the ends of series to their labels.
const LEADER: f64 = 14.0;
/// Width beside the frame, at most.
const BESIDE: f64 = 270.0;

/// What is drawn before a label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Key {
    /// A series.
    Series {
        /// How it is drawn.
        look: Look,
        /// Whether it has a line.
        line: bool,
        /// Whether it has markers.
        markers: bool,
        /// Where it ends, if anything of it is seen.
        end: Option<[f64; 2]>,
    },
    /// A reference line with this dash pattern.
    Reference(&'static [f64]),
    /// A filled area of this colour.
    Area(Colour),
}

/// A label.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The text; cut if it is too long.
    pub label: String,
    /// What the text must not hide; never cut.
    pub note: String,
}

/// Edges of what the legend belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edges {
    /// Left.
    pub left: f64,
    /// Right.
    pub right: f64,
    /// Upper.
    pub top: f64,
    /// Lower.
    pub bottom: f64,
}

/// The legend, laid out.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    page: [f64; 2],
    /// The labels, row by row.
    texts: Vec<String>,
    /// Width of each column.
    columns: Vec<f64>,
    below: bool,
    /// Whether all labels are there.
    whole: bool,
}

/// What of a series the axes cannot show, in words; empty if they show everything.
pub fn note(series: &Series, x: Scale, y: Scale) -> String {
    let count = |test: &dyn Fn(&[f64; 2]) -> bool| series.points.iter().filter(|p| test(p)).count();
    let finite = |p: &[f64; 2]| p[0].is_finite() && p[1].is_finite();
    let hidden =
        |p: &[f64; 2]| (x == Scale::Log10 && p[0] <= 0.0) || (y == Scale::Log10 && p[1] <= 0.0);
    let lost = count(&|p| !finite(p));
    if lost == series.points.len() {
        return " (no finite values)".to_owned();
    }
    let under = count(&|p| finite(p) && hidden(p));
    let words = |(n, what)| match n {
        0 => None,
        1 => Some(format!("1 point {what}")),
        n => Some(format!("{n} points {what}")),
    };
    let parts = [(lost, "not finite"), (under, "≤ 0 not drawn")];
    match &parts.into_iter().filter_map(words).collect::<Vec<_>>()[..] {
        [] => String::new(),
        words => format!(" ({})", words.join(", ")),
    }
}

impl Legend {
    /// Lays the items out on a page of this size; `crowded` ones stand beside the frame, where their lines end.
    pub fn new(page: [f64; 2], items: &[Item], crowded: bool) -> Legend {
        let [width, height] = page;
        let texts = |room: f64| -> Vec<String> {
            let text = |item: &Item| {
                let room = room - KEY - GAP - font::width(&item.note, SMALL);
                font::fit(&item.label, SMALL, room.max(30.0)) + &item.note
            };
            items.iter().map(text).collect()
        };
        let room = width - 48.0;
        let mut all = texts(room);
        // As few rows as the page allows, then as even as they can be.
        let below = (1..=ROWS_BELOW).find_map(|rows| {
            let columns = columns(&all, all.len().div_ceil(rows).max(1));
            (!crowded && total(&columns) <= room + 1.0).then_some(columns)
        });
        if let Some(columns) = below {
            return Legend {
                page,
                texts: all,
                columns,
                below: true,
                whole: true,
            };
        }
        all = texts(BESIDE.min(0.4 * width));
        let most = (((height - 130.0) / ROW) as usize).max(2);
        let whole = all.len() <= most;
        if !whole {
            let more = format!("… and {} more", all.len() + 1 - most);
            all.truncate(most - 1);
            all.push(more);
        }
        Legend {
            page,
            columns: columns(&all, 1),
            texts: all,
            below: false,
            whole,
        }
    }

    fn rows(&self) -> usize {
        self.texts.len().div_ceil(self.columns.len().max(1))
    }

    /// Room to be left beside and below the frame.
    pub fn room(&self) -> (f64, f64) {
        match (self.texts.is_empty(), self.below) {
            (true, _) => (0.0, 0.0),
            (false, true) => (0.0, self.rows() as f64 * ROW + 10.0),
            (false, false) => (total(&self.columns) + 8.0 + LEADER, 0.0),
        }
    }

    /// Draws the legend beside or below what it belongs to, each label with its key.
    pub fn draw(&self, canvas: &mut Canvas, edges: Edges, keys: &[Key]) -> Result<(), PlotError> {
        let width = total(&self.columns);
        let [page, height] = self.page;
        if !self.below {
            let x = page - width - 14.0;
            for (i, y) in self.heights(edges, keys).into_iter().enumerate() {
                if let Some(Key::Series {
                    look,
                    end: Some(end),
                    ..
                }) = keys.get(i).filter(|_| self.whole)
                {
                    let from = [end[0] + curve::MARKER + 3.0, end[1]];
                    let leader = Pen::new(canvas::lighter(look.colour), 0.8);
                    canvas.path(&[from, [x - 5.0, y]], leader)?;
                }
                self.entry(canvas, i, [x, y], keys)?;
            }
            return Ok(());
        }
        let centred = 0.5 * (edges.left + edges.right) - 0.5 * width;
        let left = centred.min(page - 20.0 - width).max(20.0);
        let top = height - 12.0 - self.rows() as f64 * ROW;
        for i in 0..self.texts.len() {
            let (row, column) = (i / self.columns.len(), i % self.columns.len());
            let before: f64 = self.columns[..column].iter().map(|c| c + BETWEEN).sum();
            let y = top + (row as f64 + 0.5) * ROW;
            self.entry(canvas, i, [left + before, y], keys)?;
        }
        Ok(())
    }

    /// The height of each label beside the frame: as near to the end of its line as the others allow.
    fn heights(&self, edges: Edges, keys: &[Key]) -> Vec<f64> {
        let end = |i: usize| match keys.get(i) {
            Some(Key::Series { end, .. }) if self.whole => end.map(|e| e[1]),
            _ => None,
        };
        let count = self.texts.len();
        let ends: Vec<Option<f64>> = (0..count).map(end).collect();
        let mut order: Vec<usize> = (0..count).collect();
        let below = f64::INFINITY;
        order.sort_by(|&a, &b| {
            ends[a]
                .unwrap_or(below)
                .total_cmp(&ends[b].unwrap_or(below))
        });
        let top = edges.top + 0.5 * ROW;
        let bottom = (edges.bottom - 0.5 * ROW).max(top + count as f64 * ROW);
        // Without an end, after the others.
        let lost = if ends.iter().all(Option::is_none) {
            top
        } else {
            bottom
        };
        let wanted: Vec<f64> = order.iter().map(|&i| ends[i].unwrap_or(lost)).collect();
        let mut heights = vec![0.0; count];
        for (i, y) in order.into_iter().zip(spread(&wanted, ROW, [top, bottom])) {
            heights[i] = y;
        }
        heights
    }

    fn entry(
        &self,
        canvas: &mut Canvas,
        index: usize,
        [x, y]: [f64; 2],
        keys: &[Key],
    ) -> Result<(), PlotError> {
        if let Some(key) = keys
            .get(index)
            .filter(|_| self.whole || index + 1 < self.texts.len())
        {
            draw_key(canvas, *key, [x, y])?;
        }
        let place = [x + KEY + GAP, y + 0.36 * SMALL];
        canvas.text(&self.texts[index], place, Face::level(SMALL, Align::Start))
    }
}

fn draw_key(canvas: &mut Canvas, key: Key, [x, y]: [f64; 2]) -> Result<(), PlotError> {
    let sample = [[x, y], [x + KEY, y]];
    match key {
        Key::Area(colour) => {
            let height = 0.6 * ROW;
            canvas.fill_rect(x, y - 0.5 * height, KEY, height, colour)
        }
        Key::Reference(dash) => curve::dashed(canvas, &sample, REFERENCE, dash),
        Key::Series {
            look,
            line,
            markers,
            ..
        } => {
            if line {
                // At its full width even if the data are drawn thin, to show the colour.
                curve::stroke(canvas, &sample, look, false)?;
            }
            if markers {
                curve::marker(canvas, [x + 0.5 * KEY, y], curve::MARKER, look)?;
            }
            Ok(())
        }
    }
}

/// Places at least `gap` apart between two ends, in their order, that are nearest to the wanted ones in the sense of
/// least squares: wanted places that are too close to each other share their mean.
fn spread(wanted: &[f64], gap: f64, [first, last]: [f64; 2]) -> Vec<f64> {
    let room = last - gap * wanted.len().saturating_sub(1) as f64;
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for (i, want) in wanted.iter().enumerate() {
        let mut block = ((want - i as f64 * gap).min(room).max(first), 1.0);
        while let Some(before) = blocks.pop_if(|b| b.0 / b.1 > block.0 / block.1) {
            block = (block.0 + before.0, block.1 + before.1);
        }
        blocks.push(block);
    }
    let means = blocks
        .iter()
        .flat_map(|(sum, n)| std::iter::repeat_n(sum / n, *n as usize));
    means
        .enumerate()
        .map(|(i, mean)| mean + i as f64 * gap)
        .collect()
}

/// Widths of the columns when `count` entries make a row.
fn columns(texts: &[String], count: usize) -> Vec<f64> {
    let mut widths = vec![0.0_f64; count.min(texts.len())];
    for (i, text) in texts.iter().enumerate() {
        let width = &mut widths[i % count];
        *width = width.max(KEY + GAP + font::width(text, SMALL));
    }
    widths
}

fn total(columns: &[f64]) -> f64 {
    let sum: f64 = columns.iter().map(|c| c + BETWEEN).sum();
    (sum - BETWEEN).max(0.0)
}

/// The pen of reference lines.
pub const REFERENCE: Pen = Pen::new((90, 90, 90), 1.3);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_order_and_their_distance() {
        let ends = [0.0, 100.0];
        assert_eq!(spread(&[10.0, 50.0], 20.0, ends), [10.0, 50.0]);
        assert_eq!(spread(&[40.0, 40.0, 40.0], 20.0, ends), [20.0, 40.0, 60.0]);
        assert_eq!(spread(&[0.0, 1.0, 99.0], 20.0, ends), [0.0, 20.0, 99.0]);
        assert_eq!(spread(&[100.0, 100.0], 20.0, ends), [80.0, 100.0]);
        assert!(spread(&[], 20.0, ends).is_empty());
    }
}
