//! The legend, outside the frame: below the frame if three rows are enough and all colours differ, else beside it, each
//! label at the height where its line ends.

use super::canvas::{self, Align, Canvas, Colour, Face, Pen, Rect};
use super::curve::{self, Look};
use super::error::Result;
use super::font;
use super::frame::SMALL;
use super::plot::{Scale, Series};

/// Width of a symbol.
const SYMBOL: f64 = 34.0;
/// Width between a symbol and its label.
const GAP: f64 = 8.0;
/// Width between columns.
const BETWEEN: f64 = 26.0;
/// Height of a row.
const ROW: f64 = 20.0;
/// Largest number of rows below the frame.
const ROWS_BELOW: usize = 3;
/// Width of the lines from the ends of series to their labels.
const LEADER: f64 = 14.0;
/// Largest width of a legend beside the frame.
const BESIDE: f64 = 270.0;

/// Symbol before a label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LegendSymbol {
    /// Line and marker of a series.
    Series {
        look: Look,
        line: bool,
        markers: bool,
        /// End of the series on the page, if anything of the series is seen.
        end: Option<[f64; 2]>,
    },
    /// Dash pattern of a reference line.
    Reference(&'static [f64]),
    /// Colour of a filled area.
    Area(Colour),
}

/// Label of the legend.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LegendLabel {
    /// Text that is cut if it is too long.
    name: String,
    /// Text behind the name that is never cut.
    note: String,
}

impl LegendLabel {
    pub(crate) fn new(name: &str, note: impl Into<String>) -> Self {
        Self {
            name: font::clean(name),
            note: note.into(),
        }
    }
}

/// Layout of the legend.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Legend {
    page: [f64; 2],
    /// Labels, row by row.
    texts: Vec<String>,
    /// Width of each column.
    columns: Vec<f64>,
    below: bool,
    /// True if no label is left out.
    whole: bool,
}

/// Describes the points of a series that cannot be drawn at all; empty if there are none.
pub(crate) fn note(series: &Series, x: Scale, y: Scale) -> String {
    let count = |test: &dyn Fn(&[f64; 2]) -> bool| series.points.iter().filter(|p| test(p)).count();
    let lost = count(&|p| !is_finite(p));
    let shown = |p: &[f64; 2]| is_shown((x, p[0])) && is_shown((y, p[1]));
    match lost {
        _ if lost == series.points.len() => " (no finite values)".into(),
        _ if count(&shown) == 0 => " (nothing above 0)".into(),
        0 => String::new(),
        1 => " (1 point not finite)".into(),
        n => format!(" ({n} points not finite)"),
    }
}

fn is_finite(p: &[f64; 2]) -> bool {
    p[0].is_finite() && p[1].is_finite()
}

/// Tests whether a scale shows a number.
fn is_shown((scale, value): (Scale, f64)) -> bool {
    value.is_finite() && (scale == Scale::Linear || value > 0.0)
}

impl Legend {
    /// Lays the labels out on a page of a given size. `crowded` labels stand beside the frame, where their lines end.
    pub(crate) fn new(page: [f64; 2], labels: &[LegendLabel], crowded: bool) -> Self {
        let [width, height] = page;
        let texts = |room: f64| -> Vec<String> {
            let text = |label: &LegendLabel| {
                let room = room - SYMBOL - GAP - font::width(&label.note, SMALL);
                font::fit(&label.name, SMALL, room.max(30.0)) + &label.note
            };
            labels.iter().map(text).collect()
        };
        let room = width - 48.0;
        let mut all = texts(room);
        // The legend has as few rows as the page allows, as even as possible.
        let below = (1..=ROWS_BELOW).find_map(|rows| {
            let columns = columns(&all, all.len().div_ceil(rows).max(1));
            (!crowded && total(&columns) <= room + 1.0).then_some(columns)
        });
        let mut whole = true;
        if below.is_none() {
            all = texts(BESIDE.min(0.4 * width));
            let most = (((height - 130.0) / ROW) as usize).max(2);
            whole = all.len() <= most;
            if !whole {
                let more = format!("… and {} more", all.len() + 1 - most);
                all.truncate(most - 1);
                all.push(more);
            }
        }
        Self {
            page,
            below: below.is_some(),
            columns: below.unwrap_or_else(|| columns(&all, 1)),
            texts: all,
            whole,
        }
    }

    fn rows(&self) -> usize {
        self.texts.len().div_ceil(self.columns.len().max(1))
    }

    /// Returns the room that the legend takes beside and below the frame.
    pub(crate) fn room(&self) -> (f64, f64) {
        match (self.texts.is_empty(), self.below) {
            (true, _) => (0.0, 0.0),
            (false, true) => (0.0, self.rows() as f64 * ROW + 10.0),
            (false, false) => (total(&self.columns) + 8.0 + LEADER, 0.0),
        }
    }

    /// Draws the legend beside or below an area, each label with its symbol.
    pub(crate) fn draw(&self, canvas: &mut Canvas, area: Rect, symbols: &[LegendSymbol]) -> Result {
        let width = total(&self.columns);
        let [page, height] = self.page;
        if !self.below {
            let x = page - width - 14.0;
            for (i, y) in self.heights(area, symbols).into_iter().enumerate() {
                if let Some(LegendSymbol::Series {
                    look,
                    end: Some(end),
                    ..
                }) = symbols.get(i).filter(|_| self.whole)
                {
                    let from = [end[0] + curve::MARKER + 3.0, end[1]];
                    let leader = Pen::new(canvas::lighter(look.colour), 0.8);
                    canvas.path(&[from, [x - 5.0, y]], leader)?;
                }
                self.entry(canvas, i, [x, y], symbols)?;
            }
            return Ok(());
        }
        let centred = area.centre()[0] - 0.5 * width;
        let left = centred.min(page - 20.0 - width).max(20.0);
        let top = height - 12.0 - self.rows() as f64 * ROW;
        for i in 0..self.texts.len() {
            let (row, column) = (i / self.columns.len(), i % self.columns.len());
            let before: f64 = self.columns[..column].iter().map(|c| c + BETWEEN).sum();
            let y = top + (row as f64 + 0.5) * ROW;
            self.entry(canvas, i, [left + before, y], symbols)?;
        }
        Ok(())
    }

    /// Returns the height of each label beside the frame: as near to the end of its line as the other labels allow.
    fn heights(&self, area: Rect, symbols: &[LegendSymbol]) -> Vec<f64> {
        let end = |i: usize| match symbols.get(i) {
            Some(LegendSymbol::Series { end, .. }) if self.whole => end.map(|e| e[1]),
            _ => None,
        };
        let count = self.texts.len();
        let ends: Vec<Option<f64>> = (0..count).map(end).collect();
        let mut order: Vec<usize> = (0..count).collect();
        let last = |i: usize| ends[i].unwrap_or(f64::INFINITY);
        order.sort_by(|&a, &b| last(a).total_cmp(&last(b)));
        let top = area.y[0] + 0.5 * ROW;
        let bottom = (area.y[1] - 0.5 * ROW).max(top + count as f64 * ROW);
        // Labels without an end stand after the others.
        let none = ends.iter().all(Option::is_none);
        let lost = if none { top } else { bottom };
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
        symbols: &[LegendSymbol],
    ) -> Result {
        let shown = self.whole || index + 1 < self.texts.len();
        if let Some(symbol) = symbols.get(index).filter(|_| shown) {
            draw_symbol(canvas, *symbol, [x, y])?;
        }
        let place = [x + SYMBOL + GAP, y + 0.36 * SMALL];
        canvas.text(&self.texts[index], place, Face::level(SMALL, Align::Start))
    }
}

fn draw_symbol(canvas: &mut Canvas, symbol: LegendSymbol, [x, y]: [f64; 2]) -> Result {
    let sample = [[x, y], [x + SYMBOL, y]];
    match symbol {
        LegendSymbol::Area(colour) => {
            let half = 0.3 * ROW;
            let (x, y) = ([x, x + SYMBOL], [y - half, y + half]);
            canvas.fill_rect(Rect { x, y }, colour)
        }
        LegendSymbol::Reference(dash) => curve::dashed(canvas, &sample, REFERENCE, dash),
        LegendSymbol::Series {
            look,
            line,
            markers,
            ..
        } => {
            if line {
                // The sample has the full width even if the data are drawn thin, to show the colour.
                curve::stroke(canvas, &sample, look, false)?;
            }
            if markers {
                curve::marker(canvas, [x + 0.5 * SYMBOL, y], curve::MARKER, look)?;
            }
            Ok(())
        }
    }
}

/// Returns the places at least `gap` apart between two ends, in their order, that are nearest to the wanted ones in the
/// sense of least squares: wanted places that are too close to each other share their mean.
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

/// Returns the widths of the columns when `count` entries make a row.
fn columns(texts: &[String], count: usize) -> Vec<f64> {
    let mut widths = vec![0.0_f64; count.min(texts.len())];
    for (i, text) in texts.iter().enumerate() {
        let width = &mut widths[i % count];
        *width = width.max(SYMBOL + GAP + font::width(text, SMALL));
    }
    widths
}

fn total(columns: &[f64]) -> f64 {
    let sum: f64 = columns.iter().map(|c| c + BETWEEN).sum();
    (sum - BETWEEN).max(0.0)
}

/// Pen of reference lines.
pub(crate) const REFERENCE: Pen = Pen::new((90, 90, 90), 1.3);

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
