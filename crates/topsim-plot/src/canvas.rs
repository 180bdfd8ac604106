//! A drawing surface with fractional coordinates on plotters' SVG backend, whose own coordinates are integers: everything
//! is drawn several times larger and shown through a `viewBox`.

use super::error::{PlotError, Result};
use base64::prelude::{BASE64_STANDARD, Engine};
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color as _, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle,
};

use super::font;
use super::plot::{layout_size, page_size};

/// Backend units in one unit of the figure.
const FINE: f64 = 8.0;
/// The backend divides text sizes by this number.
const BACKEND_SIZE_PER_EM: f64 = 1.24;
/// The backend's offset of a "top" anchored text from its baseline, in em.
const TOP_TO_BASELINE: f64 = 0.76;

/// Red, green and blue of a colour.
pub(crate) type Colour = (u8, u8, u8);

/// Returns the colour of a code such as `0x440154`.
pub(crate) const fn rgb(code: u32) -> Colour {
    let [_, red, green, blue] = code.to_be_bytes();
    (red, green, blue)
}

/// Returns the colour half way to white.
pub(crate) const fn lighter((red, green, blue): Colour) -> Colour {
    (
        127 + red.div_ceil(2),
        127 + green.div_ceil(2),
        127 + blue.div_ceil(2),
    )
}

/// Pen of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pen {
    pub(crate) colour: Colour,
    /// Width in units of the figure.
    pub(crate) width: f64,
}

impl Pen {
    pub(crate) const fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width }
    }
}

/// Point of the baseline of a text at which the text is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Start,
    Middle,
    End,
}

/// Colour of the text.
const INK: Colour = (34, 34, 34);

/// Typesetting of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    /// Size of the em in units of the figure.
    pub(crate) em: f64,
    pub(crate) align: Align,
    /// True if the text reads upwards.
    pub(crate) upright: bool,
}

impl Face {
    pub(crate) fn level(em: f64, align: Align) -> Self {
        let upright = false;
        Self { em, align, upright }
    }
}

/// A rectangle of the page: its left and right, and its top and bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: [f64; 2],
    pub(crate) y: [f64; 2],
}

impl Rect {
    pub(crate) fn width(&self) -> f64 {
        self.x[1] - self.x[0]
    }

    pub(crate) fn height(&self) -> f64 {
        self.y[1] - self.y[0]
    }

    pub(crate) fn centre(&self) -> [f64; 2] {
        [self.x, self.y].map(|[from, to]| 0.5 * (from + to))
    }

    /// Returns the place in the rectangle that is nearest to a place.
    pub(crate) fn nearest(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let ([left, right], [top, bottom]) = (self.x, self.y);
        [x.clamp(left, right), y.clamp(top, bottom)]
    }
}

/// Drawing surface; lengths are in units of the figure, and y points downwards.
pub(crate) struct Canvas<'a> {
    backend: SVGBackend<'a>,
    /// SVG elements under everything that is drawn, in units of the figure.
    ground: String,
}

/// Draws with `paint` on a white page and returns the SVG document. Title and description are for readers who do not see
/// it.
pub(crate) fn document(
    (size, scale): ([u32; 2], f64),
    title: &str,
    description: &str,
    paint: impl FnOnce(&mut Canvas) -> Result,
) -> Result<String> {
    if !font::register() {
        return Err(PlotError::Font);
    }
    let [width, height] = page_size(size);
    let layout = layout_size(size, scale);
    let [fine_width, fine_height] = layout.map(|side| libm::round(side * FINE) as u32);
    let mut svg = String::new();
    let ground = {
        let mut canvas = Canvas {
            backend: SVGBackend::with_string(&mut svg, (fine_width, fine_height)),
            ground: String::new(),
        };
        let page = Rect {
            x: [0.0, layout[0]],
            y: [0.0, layout[1]],
        };
        canvas.fill_rect(page, (255, 255, 255))?;
        paint(&mut canvas)?;
        canvas.backend.present().map_err(failure)?;
        canvas.ground
    };
    // The root keeps its viewBox and gets the nominal size. Joins are round, because mitred ones stick out of a dense line.
    let root = format!("width=\"{fine_width}\" height=\"{fine_height}\"");
    let nominal =
        format!("width=\"{width}\" height=\"{height}\" role=\"img\" stroke-linejoin=\"round\"");
    let mut svg = svg.replacen(&root, &nominal, 1);
    // The white rectangle is drawn first: title and description stand before it, the ground after it.
    let white = svg.find("<rect");
    let white = white.and_then(|at| Some((at, at + svg[at..].find("/>")? + 2)));
    let (before, after) = white.ok_or_else(|| failure("no page to draw on"))?;
    if !ground.is_empty() {
        let group = format!("\n<g transform=\"scale({FINE})\">{ground}</g>");
        svg.insert_str(after, &group);
    }
    let (title, description) = (escaped(title), escaped(description));
    let words = format!("<title>{title}</title>\n<desc>{description}</desc>\n");
    svg.insert_str(before, &words);
    Ok(svg)
}

/// Escapes a text for XML.
fn escaped(text: &str) -> String {
    let text = font::clean(text).replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

fn failure(error: impl std::fmt::Display) -> PlotError {
    PlotError::Draw(error.to_string())
}

fn units(value: f64) -> i32 {
    (value * FINE).round() as i32
}

fn at([x, y]: [f64; 2]) -> (i32, i32) {
    (units(x), units(y))
}

fn shape(colour: Colour, width: f64) -> ShapeStyle {
    let (r, g, b) = colour;
    ShapeStyle {
        color: RGBColor(r, g, b).to_rgba(),
        filled: false,
        stroke_width: units(width).max(1) as u32,
    }
}

impl Canvas<'_> {
    /// Draws an open line through `points`; fewer than two draw nothing.
    pub(crate) fn path(&mut self, points: &[[f64; 2]], pen: Pen) -> Result {
        let mut fine: Vec<(i32, i32)> = points.iter().map(|p| at(*p)).collect();
        fine.dedup();
        if fine.len() < 2 {
            return Ok(());
        }
        let style = shape(pen.colour, pen.width);
        self.backend.draw_path(fine, &style).map_err(failure)
    }

    /// Draws a filled polygon.
    pub(crate) fn fill(&mut self, corners: &[[f64; 2]], colour: Colour) -> Result {
        let style = shape(colour, 0.0);
        let fine: Vec<(i32, i32)> = corners.iter().map(|p| at(*p)).collect();
        self.backend.fill_polygon(fine, &style).map_err(failure)
    }

    /// Draws a filled rectangle.
    pub(crate) fn fill_rect(&mut self, rect: Rect, colour: Colour) -> Result {
        let style = shape(colour, 0.0);
        let [from, to] = [0, 1].map(|i| at([rect.x[i], rect.y[i]]));
        self.backend
            .draw_rect(from, to, &style, true)
            .map_err(failure)
    }

    /// Draws the outline of a rectangle.
    pub(crate) fn outline(&mut self, rect: Rect, pen: Pen) -> Result {
        let ([left, right], [top, bottom]) = (rect.x, rect.y);
        let (start, end) = ([left, top], [left, top - 0.5]);
        let path = [start, [right, top], [right, bottom], [left, bottom], end];
        self.path(&path, pen)
    }

    /// Puts a PNG image under everything that is drawn.
    pub(crate) fn image(&mut self, area: Rect, png: &[u8]) {
        self.ground += &format!(
            r#"<image x="{:.3}" y="{:.3}" width="{:.3}" height="{:.3}" preserveAspectRatio="none" image-rendering="optimizeSpeed" href="data:image/png;base64,{}"/>"#,
            area.x[0],
            area.y[0],
            area.width(),
            area.height(),
            BASE64_STANDARD.encode(png),
        );
    }

    /// Draws a filled disc.
    pub(crate) fn disc(&mut self, centre: [f64; 2], radius: f64, colour: Colour) -> Result {
        let style = shape(colour, 0.0);
        let radius = units(radius).max(1) as u32;
        self.backend
            .draw_circle(at(centre), radius, &style, true)
            .map_err(failure)
    }

    /// Draws one line of text whose baseline passes through `point`.
    pub(crate) fn text(&mut self, text: &str, point: [f64; 2], face: Face) -> Result {
        if text.is_empty() {
            return Ok(());
        }
        let (r, g, b) = INK;
        let colour = RGBColor(r, g, b);
        let horizontal = match face.align {
            Align::Start => HPos::Left,
            Align::Middle => HPos::Center,
            Align::End => HPos::Right,
        };
        let size = face.em * FINE * BACKEND_SIZE_PER_EM;
        let font = FontDesc::new(FontFamily::Name(font::FAMILY), size, FontStyle::Normal);
        let [x, y] = point;
        let lift = TOP_TO_BASELINE * face.em;
        // Turned text is turned about its anchor, so its baseline lies to the right of it.
        let (transform, anchor) = if face.upright {
            (FontTransform::Rotate270, [x - lift, y])
        } else {
            (FontTransform::None, [x, y - lift])
        };
        let style = TextStyle::from(font.transform(transform))
            .color(&colour)
            .pos(Pos::new(horizontal, VPos::Top));
        self.backend
            .draw_text(&font::clean(text), &style, at(anchor))
            .map_err(failure)
    }
}
