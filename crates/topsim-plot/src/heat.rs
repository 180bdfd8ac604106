//! Heat maps: a plane of cells whose colours say a number on a colour bar, or that there is none.

use super::axis_range::AxisRange;
use super::canvas::{self, Align, Canvas, Face, Pen, Rect};
use super::cell_image::{CellImage, LEVELS, NONE, colour};
use super::error::{PlotError, Result};
use super::font;
use super::frame::{self, PlotFrame, SMALL};
use super::plot::{Axis, Plot};
use super::ticks;

/// Width between the frame and the colour bar.
const BAR_GAP: f64 = 22.0;
const BAR_WIDTH: f64 = 18.0;
/// Height of the legend below the frame.
const BELOW: f64 = 30.0;
/// Side of the square that shows the colour of cells without a number.
const SWATCH: f64 = 15.0;
const EDGE: Pen = Pen::new((90, 90, 90), 1.0);

/// A heat map.
pub struct Heat<'a> {
    /// Title above the frame; may be empty.
    pub title: String,
    /// Horizontal axis with its range.
    pub x: Axis,
    /// Vertical axis with its range.
    pub y: Axis,
    /// Colour bar with its range.
    pub bar: Axis,
    /// Number of cells in a row, and number of rows.
    pub size: [u32; 2],
    /// Returns the number of a cell; cells are counted row by row from the lower left.
    pub value: &'a (dyn Fn(u64) -> Option<f64> + 'a),
    /// Meaning of a cell without a number, in words.
    pub none: String,
}

/// Draws the map as an SVG document with an image of the cells. The same map gives the same bytes.
///
/// # Errors
/// [`PlotError`] of the drawing backend and of the encoder.
pub fn svg(heat: &Heat) -> Result<String, PlotError> {
    let span = |axis: &Axis| AxisRange::new(axis.scale, axis.range, axis.range, 0.0);
    let bar = span(&heat.bar);
    let plot = Plot {
        title: heat.title.clone(),
        x: heat.x.clone(),
        y: heat.y.clone(),
        ..Plot::default()
    };
    let bar_ticks = ticks::choose(&bar, |t| frame::rows_fit(t, 400.0));
    let widest = frame::widths(&bar_ticks).into_iter().fold(0.0, f64::max);
    let beside = BAR_GAP + BAR_WIDTH + 9.0 + widest + 10.0 + 15.0;
    let frame = PlotFrame::new(&plot, span(&heat.x), span(&heat.y), beside, BELOW);
    let cells = CellImage::new(heat.size, heat.value, &bar);
    let image = cells.png()?;
    let description = format!(
        "A map: {} by colour, over {} and {}.",
        heat.bar.label, heat.x.label, heat.y.label
    );
    canvas::document(
        (plot.size, plot.scale),
        &heat.title,
        &description,
        |canvas| {
            canvas.image(frame.area, &image);
            frame.draw_axes(canvas, &plot)?;
            draw_bar(canvas, &frame, &bar_ticks, &heat.bar.label, widest)?;
            draw_legend(canvas, &frame, plot.page(), &heat.none, &cells.note())
        },
    )
}

fn draw_bar(
    canvas: &mut Canvas,
    frame: &PlotFrame,
    ticks: &ticks::Ticks,
    label: &str,
    widest: f64,
) -> Result {
    let height = frame.area.height();
    let left = frame.area.x[1] + BAR_GAP;
    let right = left + BAR_WIDTH;
    let (x, bottom) = ([left, right], frame.area.y[1]);
    for level in (0..LEVELS).rev() {
        // Each level reaches down to the end, so that no seam shows between two.
        let tall = height * f64::from(level + 1) / f64::from(LEVELS);
        let y = [bottom - tall, bottom];
        canvas.fill_rect(Rect { x, y }, colour(level))?;
    }
    canvas.outline(Rect { x, ..frame.area }, EDGE)?;
    for tick in &ticks.major {
        let y = bottom - tick.at * height;
        canvas.path(&[[right, y], [right + 5.0, y]], EDGE)?;
        let place = [right + 9.0, y + 0.36 * SMALL];
        canvas.text(&tick.label, place, Face::level(SMALL, Align::Start))?;
    }
    for at in &ticks.minor {
        let y = bottom - at * height;
        canvas.path(&[[right, y], [right + 2.5, y]], EDGE)?;
    }
    let place = [right + 9.0 + widest + 18.0, bottom - 0.5 * height];
    let face = Face {
        em: 15.0,
        align: Align::Middle,
        upright: true,
    };
    canvas.text(label, place, face)
}

fn draw_legend(
    canvas: &mut Canvas,
    frame: &PlotFrame,
    [width, height]: [f64; 2],
    none: &str,
    note: &str,
) -> Result {
    let (left, y) = (frame.area.x[0], height - 12.0);
    let face = |align| Face::level(SMALL, align);
    let swatch = Rect {
        x: [left, left + SWATCH],
        y: [y - 12.0, y - 12.0 + SWATCH],
    };
    canvas.fill_rect(swatch, NONE)?;
    canvas.outline(swatch, EDGE)?;
    let edge = width - 14.0;
    let room = edge - left - SWATCH - 8.0 - font::width(note, SMALL) - 16.0;
    let text = font::fit(none, SMALL, room.max(30.0));
    canvas.text(&text, [left + SWATCH + 8.0, y], face(Align::Start))?;
    canvas.text(note, [edge, y], face(Align::End))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;
    use crate::canvas::Colour;
    use resvg::tiny_skia::Pixmap;

    fn map<'a>(size: [u32; 2], value: &'a dyn Fn(u64) -> Option<f64>) -> Heat<'a> {
        let range = |axis: Axis, lo, hi| Axis {
            range: Some((lo, hi)),
            ..axis
        };
        Heat {
            title: "A map".into(),
            x: range(Axis::new("x [m]", Scale::Linear), 0.0, 0.012),
            y: range(Axis::new("z − z_s [m]", Scale::Linear), -0.01, 0.01),
            bar: range(Axis::new("Escape time [s]", Scale::Log10), 0.1, 20.0),
            size,
            value,
            none: "not escaped within 20 s".into(),
        }
    }

    /// Returns the drawing's colour at a fraction of the frame, from the lower left.
    fn shown(svg: &str, x: f64, y: f64) -> Colour {
        let number = |name: &str| -> f64 {
            let at = svg.find("<image").unwrap();
            let rest = &svg[at..];
            let from = rest.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
            rest[from..].split('"').next().unwrap().parse().unwrap()
        };
        let png = crate::png(svg, 2.0).unwrap();
        let pixmap = Pixmap::decode_png(&png).unwrap();
        let at_x = 2.0 * (number("x") + x * number("width"));
        let at_y = 2.0 * (number("y") + (1.0 - y) * number("height"));
        let p = pixmap.pixel(at_x as u32, at_y as u32).unwrap();
        (p.red(), p.green(), p.blue())
    }

    #[test]
    fn every_cell_is_in_its_place() {
        let value = |cell: u64| match cell {
            0 => Some(0.1),
            2 => Some(20.0),
            3 => Some(0.0),
            4 => Some(1e9),
            _ => None,
        };
        let svg = svg(&map([3, 2], &value)).unwrap();
        let (first, last) = (colour(0), colour(LEVELS - 1));
        assert_eq!(shown(&svg, 0.16, 0.25), first);
        assert_eq!(shown(&svg, 0.5, 0.25), NONE);
        assert_eq!(shown(&svg, 0.84, 0.25), last);
        assert_eq!(shown(&svg, 0.16, 0.75), first);
        assert_eq!(shown(&svg, 0.5, 0.75), last);
        assert_eq!(shown(&svg, 0.84, 0.75), NONE);
        assert!(svg.contains("Escape time [s]") && svg.contains("not escaped"));
    }

    #[test]
    fn few_survivors_do_not_vanish_in_a_large_map() {
        // One cell in four, and they lie at even places only.
        let lone = |cell: u64| {
            let (column, row) = (cell % 2000, cell / 2000);
            (column % 2 == 1 || row % 2 == 1).then_some(20.0)
        };
        let svg = svg(&map([2000, 2000], &lone)).unwrap();
        assert!(svg.contains("mean colour of 2 × 2 cells"));
        let mixed = shown(&svg, 0.4, 0.3);
        let dark = colour(LEVELS - 1);
        assert!(mixed.0 > dark.0 + 20 && mixed.0 < 255, "{mixed:?}");
        assert!(svg.len() < 300_000, "{}", svg.len());
    }

    /// `cargo test -- --ignored a_picture_to_look_at`
    #[test]
    #[ignore = "writes a file to be looked at"]
    fn a_picture_to_look_at() {
        for n in [300_u32, 1000, 2000] {
            let value = |cell: u64| {
                let (i, j) = (cell % u64::from(n), cell / u64::from(n));
                let at = |k: u64| (k as f64 + 0.5) / f64::from(n);
                let c = (-2.0 + 2.5 * at(i), -1.2 + 2.4 * at(j));
                let mut z = (0.0_f64, 0.0_f64);
                for k in 1..2000 {
                    z = (z.0 * z.0 - z.1 * z.1 + c.0, 2.0 * z.0 * z.1 + c.1);
                    if z.0 * z.0 + z.1 * z.1 > 4.0 {
                        return Some(f64::from(k) * 0.1);
                    }
                }
                None
            };
            let svg = svg(&map([n, n], &value)).unwrap();
            let png = crate::png(&svg, 2.0).unwrap();
            let dir = std::env::temp_dir();
            eprintln!("{n}: svg {} bytes, png {} bytes", svg.len(), png.len());
            std::fs::write(dir.join(format!("heat_{n}.svg")), svg).unwrap();
            std::fs::write(dir.join(format!("heat_{n}.png")), png).unwrap();
        }
    }
}
