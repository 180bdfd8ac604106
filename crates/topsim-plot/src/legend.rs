//! The legend: outside the frame, under it if three rows do, else beside it.

use super::canvas::{Align, Canvas, Colour, Face, Pen};
use super::curve::{self, Look, Trace};
use super::font;
use super::frame::{Frame, HEIGHT, SMALL, WIDTH};
use super::{PlotError, Scale, Series, Style};

const KEY: f64 = 34.0;
const GAP: f64 = 8.0;
const BETWEEN: f64 = 26.0;
const ROW: f64 = 20.0;
/// Rows under the frame, at most.
const ROWS_BELOW: usize = 3;
/// Width beside the frame, at most.
const BESIDE: f64 = 270.0;

/// What is drawn before a label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Key {
    /// The series of this index.
    Series(usize, Look, Style),
    /// A horizontal reference line with this dash pattern.
    Reference(&'static [f64]),
    /// A filled area of this colour.
    Area(Colour),
    /// Nothing.
    None,
}

/// One line of the legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What is drawn before the label.
    pub key: Key,
    /// The label; cut if it is too long.
    pub label: String,
    /// What the label must not hide; never cut.
    pub note: String,
}

/// The legend, laid out.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    rows: Vec<Vec<(Key, String)>>,
    /// Width of each column.
    columns: Vec<f64>,
    below: bool,
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
    /// Lays the items out.
    pub fn new(items: &[Item]) -> Legend {
        let page = f64::from(WIDTH) - 48.0;
        let entries = |room: f64| -> Vec<(Key, String)> {
            let text = |item: &Item| {
                let room = room - KEY - GAP - font::width(&item.note, SMALL);
                font::fit(&item.label, SMALL, room.max(30.0)) + &item.note
            };
            items.iter().map(|i| (i.key, text(i))).collect()
        };
        let mut all = entries(page);
        // As few rows as the page allows, then as even as they can be.
        let below = (1..=ROWS_BELOW).find_map(|rows| {
            let columns = columns(&all, all.len().div_ceil(rows).max(1));
            (total(&columns) <= page + 1.0).then_some(columns)
        });
        if let Some(columns) = below {
            let rows = all.chunks(columns.len().max(1)).map(<[_]>::to_vec);
            return Legend {
                rows: rows.collect(),
                columns,
                below: true,
            };
        }
        all = entries(BESIDE);
        let most = ((f64::from(HEIGHT) - 130.0) / ROW) as usize;
        if all.len() > most {
            let more = format!("… and {} more", all.len() + 1 - most);
            all.truncate(most - 1);
            all.push((Key::None, more));
        }
        Legend {
            columns: columns(&all, 1),
            rows: all.chunks(1).map(<[_]>::to_vec).collect(),
            below: false,
        }
    }

    /// Room to be left beside and below the frame.
    pub fn room(&self) -> (f64, f64) {
        match (self.rows.is_empty(), self.below) {
            (true, _) => (0.0, 0.0),
            (false, true) => (0.0, self.rows.len() as f64 * ROW + 10.0),
            (false, false) => (total(&self.columns) + 8.0, 0.0),
        }
    }

    /// Draws the legend beside or below the frame.
    pub fn draw(
        &self,
        canvas: &mut Canvas,
        frame: &Frame,
        traces: &[Trace],
    ) -> Result<(), PlotError> {
        let width = total(&self.columns);
        let page = f64::from(WIDTH);
        let (left, top) = if self.below {
            let centred = 0.5 * (frame.left + frame.right) - 0.5 * width;
            let under = f64::from(HEIGHT) - 12.0 - self.rows.len() as f64 * ROW;
            (centred.min(page - 20.0 - width).max(20.0), under)
        } else {
            (page - width - 14.0, frame.top)
        };
        for (i, row) in self.rows.iter().enumerate() {
            for (j, (key, text)) in row.iter().enumerate() {
                let before: f64 = self.columns[..j].iter().map(|c| c + BETWEEN).sum();
                let x = left + before;
                let y = top + (i as f64 + 0.5) * ROW;
                self.draw_key(canvas, *key, [x, y], traces)?;
                let place = [x + KEY + GAP, y + 0.36 * SMALL];
                canvas.text(text, place, Face::level(SMALL, Align::Start))?;
            }
        }
        Ok(())
    }

    fn draw_key(
        &self,
        canvas: &mut Canvas,
        key: Key,
        [x, y]: [f64; 2],
        traces: &[Trace],
    ) -> Result<(), PlotError> {
        let line = [[x, y], [x + KEY, y]];
        match key {
            Key::None => Ok(()),
            Key::Area(colour) => {
                let height = 0.6 * ROW;
                canvas.fill_rect(x, y - 0.5 * height, KEY, height, colour)
            }
            Key::Reference(dash) => curve::dashed(canvas, &line, REFERENCE, dash),
            Key::Series(index, look, style) => {
                let trace = traces.get(index);
                let dense = trace.is_some_and(|t| t.dense && style == Style::Line);
                if style != Style::Markers {
                    let full = Look {
                        dash: if dense { &[] } else { look.dash },
                        ..look
                    };
                    // At its full width even if the data are drawn thin, to show the colour.
                    curve::stroke(canvas, &line, full, style, false)?;
                }
                let marked = trace.is_some_and(|t| !t.markers.is_empty());
                if style != Style::Line || marked {
                    curve::marker(canvas, [x + 0.5 * KEY, y], curve::MARKER, look)?;
                }
                Ok(())
            }
        }
    }
}

/// Widths of the columns when `count` entries make a row.
fn columns(entries: &[(Key, String)], count: usize) -> Vec<f64> {
    let mut widths = vec![0.0_f64; count.min(entries.len())];
    for (i, (_, text)) in entries.iter().enumerate() {
        let width = &mut widths[i % count];
        *width = width.max(KEY + GAP + font::width(text, SMALL));
    }
    widths
}

fn total(columns: &[f64]) -> f64 {
    let sum: f64 = columns.iter().map(|c| c + BETWEEN).sum();
    (sum - BETWEEN).max(0.0)
}

/// The pen of horizontal reference lines.
pub const REFERENCE: Pen = Pen::new((90, 90, 90), 1.3);
