//! The frame of a figure: margins, grid, ticks, axis labels and title, without the data.

use super::axis_range::AxisRange;
use super::canvas::{Align, Canvas, Colour, Face, Pen, Rect};
use super::error::Result;
use super::font;
use super::plot::{Plot, Scale};
use super::ticks::{self, Ticks};

/// Em of the tick labels, the legend and the notes.
pub(crate) const SMALL: f64 = 13.0;
const LABEL: f64 = 15.0;
const TITLE: f64 = 17.0;
const BORDER: Colour = (90, 90, 90);
const GRID: Colour = (225, 225, 225);
const FINE_GRID: Colour = (241, 241, 241);
const TICK: f64 = 5.0;

/// Place of the data on the page, with the axes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlotFrame {
    pub(crate) area: Rect,
    /// Range of the horizontal axis.
    pub(crate) x: AxisRange,
    /// Range of the vertical axis.
    pub(crate) y: AxisRange,
    x_ticks: Ticks,
    y_ticks: Ticks,
}

/// Describes the negative numbers that logarithmic axes leave out; empty if there are none. Zeros, such as a drift at the start, need no
/// word.
fn remark(plot: &Plot) -> String {
    let points = plot.series.iter().flat_map(|s| &s.points);
    let is_negative = |scale, value| scale == Scale::Log10 && value < 0.0;
    let left_out =
        |p: &&[f64; 2]| is_negative(plot.x.scale, p[0]) || is_negative(plot.y.scale, p[1]);
    match points.filter(left_out).count() {
        0 => String::new(),
        1 => "1 point below 0 is not drawn".into(),
        n => format!("{n} points below 0 are not drawn"),
    }
}

impl PlotFrame {
    /// Lays the frame out, with `beside` of the page left free at its right and `below` under it.
    pub(crate) fn new(plot: &Plot, x: AxisRange, y: AxisRange, beside: f64, below: f64) -> Self {
        let [width, height] = plot.page();
        let bottom = height - below - 12.0 - label_room(&plot.x.label) - SMALL - TICK - 6.0;
        let bottom = bottom.max(100.0);
        let y_ticks = ticks::choose(&y, |t| rows_fit(t, bottom - 50.0));
        let title = if plot.title.is_empty() { 18.0 } else { 46.0 };
        let top = title + if y_ticks.note.is_some() { 16.0 } else { 0.0 };
        let widest = widths(&y_ticks).into_iter().fold(0.0, f64::max);
        let left = (14.0 + label_room(&plot.y.label) + widest + TICK + 4.0).max(40.0);
        let mut right = (width - beside - 24.0).max(left + 40.0);
        let x_ticks = ticks::choose(&x, |t| columns_fit(t, right - left));
        // A label under the last tick may stand out to the right.
        if let (Some(tick), Some(label)) = (x_ticks.major.last(), widths(&x_ticks).last()) {
            let over = left + tick.at * (right - left) + 0.5 * label;
            right -= (over + 10.0 - (width - beside)).max(0.0);
        }
        let right = right.max(left + 40.0);
        Self {
            area: Rect {
                x: [left, right],
                y: [top, bottom],
            },
            x,
            y,
            x_ticks,
            y_ticks,
        }
    }

    /// Returns the place of a data point, perhaps outside the frame; `None` if the axes cannot show the point.
    pub(crate) fn place(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let (x, y) = (self.x.fraction(x)?, self.y.fraction(y)?);
        Some([self.across(x), self.up(y)])
    }

    /// Returns whether a place lies within the frame.
    pub(crate) fn holds(&self, [x, y]: [f64; 2]) -> bool {
        const SLACK: f64 = 0.01;
        let nearest = self.area.nearest([x, y]);
        (nearest[0] - x).abs() <= SLACK && (nearest[1] - y).abs() <= SLACK
    }

    /// Returns the horizontal place of a fraction of the horizontal axis.
    pub(crate) fn across(&self, fraction: f64) -> f64 {
        self.area.x[0] + fraction * self.area.width()
    }

    /// Returns the vertical place of a fraction of the vertical axis.
    pub(crate) fn up(&self, fraction: f64) -> f64 {
        self.area.y[1] - fraction * self.area.height()
    }

    /// Draws the grid, which lies under the data.
    pub(crate) fn draw_grid(&self, canvas: &mut Canvas) -> Result {
        let ([left, right], [top, bottom]) = (self.area.x, self.area.y);
        let places = |t: &Ticks| t.major.iter().map(|t| t.at).collect::<Vec<f64>>();
        let (x, y) = (&self.x_ticks, &self.y_ticks);
        let layers = [
            (FINE_GRID, x.minor.clone(), y.minor.clone()),
            (GRID, places(x), places(y)),
        ];
        for (colour, xs, ys) in layers {
            let pen = Pen::new(colour, 1.0);
            for x in xs.into_iter().map(|x| self.across(x)) {
                canvas.path(&[[x, top], [x, bottom]], pen)?;
            }
            for y in ys.into_iter().map(|y| self.up(y)) {
                canvas.path(&[[left, y], [right, y]], pen)?;
            }
        }
        Ok(())
    }

    /// Draws border, ticks, labels and title, which lie over the data.
    pub(crate) fn draw_axes(&self, canvas: &mut Canvas, plot: &Plot) -> Result {
        let pen = Pen::new(BORDER, 1.0);
        let ([left, right], [top, bottom]) = (self.area.x, self.area.y);
        canvas.outline(self.area, pen)?;
        let small = |align| Face::level(SMALL, align);
        for (ticks, horizontal) in [(&self.x_ticks, true), (&self.y_ticks, false)] {
            let major = ticks.major.iter().map(|t| (t.at, TICK));
            let minor = ticks.minor.iter().map(|at| (*at, 0.5 * TICK));
            for (at, length) in major.chain(minor) {
                let line = if horizontal {
                    let x = self.across(at);
                    [[x, bottom], [x, bottom + length]]
                } else {
                    let y = self.up(at);
                    [[left - length, y], [left, y]]
                };
                canvas.path(&line, pen)?;
            }
        }
        let under = bottom + TICK + 3.0 + SMALL;
        for tick in &self.x_ticks.major {
            let place = [self.across(tick.at), under];
            canvas.text(&tick.label, place, small(Align::Middle))?;
        }
        for tick in &self.y_ticks.major {
            // Half the height of a digit is 0.36 em.
            let place = [left - TICK - 4.0, self.up(tick.at) + 0.36 * SMALL];
            canvas.text(&tick.label, place, small(Align::End))?;
        }
        if let Some(note) = &self.y_ticks.note {
            canvas.text(note, [left, top - 7.0], small(Align::Start))?;
        }
        let remark = remark(plot);
        if !remark.is_empty() {
            canvas.text(&remark, [right, top - 7.0], small(Align::End))?;
        }
        let mut room = self.area.width();
        let line = under + 7.0 + LABEL;
        if let Some(note) = &self.x_ticks.note {
            canvas.text(note, [right, line], small(Align::End))?;
            room -= 2.0 * (font::width(note, SMALL) + 10.0);
        }
        let centre = self.area.centre();
        heading(
            canvas,
            &plot.x.label,
            [centre[0], line],
            (LABEL, room),
            false,
        )?;
        let (place, room) = ([14.0 + LABEL * 0.8, centre[1]], self.area.height() + 30.0);
        heading(canvas, &plot.y.label, place, (LABEL, room), true)?;
        draw_title(canvas, &plot.title, plot.page()[0], centre[0])
    }
}

/// Draws the title over `centre` if it fits there. A long title is centred on the page, which has more room.
pub(crate) fn draw_title(canvas: &mut Canvas, title: &str, page: f64, centre: f64) -> Result {
    let wide = font::width(title, TITLE) > 2.0 * (page - 16.0 - centre).min(centre);
    let middle = if wide { 0.5 * page } else { centre };
    let room = page - 32.0;
    heading(canvas, title, [middle, 30.0], (TITLE, room), false)
}

/// Draws a text centred on a place. A text that does not fit its room is set smaller, then cut.
fn heading(
    canvas: &mut Canvas,
    text: &str,
    place: [f64; 2],
    (em, room): (f64, f64),
    upright: bool,
) -> Result {
    let em = em * (room / font::width(text, em).max(1.0)).clamp(0.6, 1.0);
    let align = Align::Middle;
    let face = Face { em, align, upright };
    canvas.text(&font::fit(text, em, room + 1.0), place, face)
}

fn label_room(label: &str) -> f64 {
    if label.is_empty() { 0.0 } else { LABEL + 9.0 }
}

pub(crate) fn widths(ticks: &Ticks) -> Vec<f64> {
    let width = |t: &ticks::Tick| font::width(&t.label, SMALL);
    ticks.major.iter().map(width).collect()
}

pub(crate) fn rows_fit(ticks: &Ticks, height: f64) -> bool {
    let far = |pair: &[ticks::Tick]| (pair[1].at - pair[0].at) * height >= 2.2 * SMALL;
    ticks.major.windows(2).all(far)
}

fn columns_fit(ticks: &Ticks, width: f64) -> bool {
    let widths = widths(ticks);
    (1..widths.len()).all(|i| {
        let gap = (ticks.major[i].at - ticks.major[i - 1].at) * width;
        gap >= (0.5 * (widths[i] + widths[i - 1]) + 14.0).max(48.0)
    })
}
