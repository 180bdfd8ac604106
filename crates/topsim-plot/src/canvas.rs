//! A drawing surface with fractional coordinates on plotters' SVG backend, whose own are
//! integers: everything is drawn several times larger and shown through a `viewBox`.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color as _, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle,
};

use super::PlotError;
use super::font;

/// Backend units in one unit of the figure.
const FINE: f64 = 8.0;
/// The backend divides text sizes by this number.
const BACKEND_SIZE_PER_EM: f64 = 1.24;
/// The backend's offset of a "top" anchored text from its baseline, in em.
const TOP_TO_BASELINE: f64 = 0.76;

/// A colour, red, green, blue.
pub type Colour = (u8, u8, u8);

/// The colour of a code such as `0x440154`.
pub const fn rgb(code: u32) -> Colour {
    let [_, red, green, blue] = code.to_be_bytes();
    (red, green, blue)
}

/// Half way to white.
pub const fn lighter((red, green, blue): Colour) -> Colour {
    (
        127 + red.div_ceil(2),
        127 + green.div_ceil(2),
        127 + blue.div_ceil(2),
    )
}

/// A line's colour and width.
#[derive(Debug, Clone, Copy)]
pub struct Pen {
    /// Colour of the line.
    pub colour: Colour,
    /// Width in units of the figure.
    pub width: f64,
}

impl Pen {
    /// A pen of this colour and width.
    pub const fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width }
    }
}

/// Which point of a text is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// Colour of the text.
const INK: Colour = (34, 34, 34);

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// Size of the em in units of the figure.
    pub em: f64,
    /// Which point of the baseline is given.
    pub align: Align,
    /// Reads upwards.
    pub upright: bool,
}

impl Face {
    /// Level text.
    pub fn level(em: f64, align: Align) -> Self {
        let upright = false;
        Self { em, align, upright }
    }
}

/// The surface; lengths in units of the figure, y downwards.
pub struct Canvas<'a> {
    backend: SVGBackend<'a>,
}

/// A page: its size, and what a reader who cannot see it is told.
pub struct Page<'a> {
    /// Width and height in units of the figure.
    pub size: [u32; 2],
    /// The title of the document.
    pub title: &'a str,
    /// What the figure shows, in a sentence.
    pub description: String,
    /// An SVG element in units of the figure, which lies under everything that is drawn; may be empty.
    pub ground: String,
}

/// Draws with `paint` on a white page and gives the SVG document.
pub fn document(
    page: &Page,
    paint: impl FnOnce(&mut Canvas) -> Result<(), PlotError>,
) -> Result<String, PlotError> {
    if !font::register() {
        return Err(PlotError::Font);
    }
    let [width, height] = page.size;
    let (fine_width, fine_height) = (width * FINE as u32, height * FINE as u32);
    let mut svg = String::new();
    {
        let mut canvas = Canvas {
            backend: SVGBackend::with_string(&mut svg, (fine_width, fine_height)),
        };
        let (right, bottom) = (f64::from(width), f64::from(height));
        canvas.fill_rect(0.0, 0.0, right, bottom, (255, 255, 255))?;
        paint(&mut canvas)?;
        canvas.backend.present().map_err(draw)?;
    }
    // The root keeps its viewBox and gets the nominal size; round joins, because mitred ones
    // stick out of a dense line.
    let root = format!("width=\"{fine_width}\" height=\"{fine_height}\"");
    let nominal =
        format!("width=\"{width}\" height=\"{height}\" role=\"img\" stroke-linejoin=\"round\"");
    let mut svg = svg.replacen(&root, &nominal, 1);
    // The white rectangle is drawn first: words stand before it, the ground of the page after it.
    let white = svg.find("<rect");
    let white = white.and_then(|at| Some((at, at + svg[at..].find("/>")? + 2)));
    let (before, after) = white.ok_or_else(|| PlotError::Draw("no page to draw on".into()))?;
    if !page.ground.is_empty() {
        let group = format!("\n<g transform=\"scale({FINE})\">{}</g>", page.ground);
        svg.insert_str(after, &group);
    }
    let (title, description) = (escaped(page.title), escaped(&page.description));
    let words = format!("<title>{title}</title>\n<desc>{description}</desc>\n");
    svg.insert_str(before, &words);
    Ok(svg)
}

/// Text as XML may hold it.
fn escaped(text: &str) -> String {
    let text = font::clean(text).replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

fn draw(error: impl std::fmt::Display) -> PlotError {
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
    /// An open line through `points`; fewer than two draw nothing.
    pub fn path(&mut self, points: &[[f64; 2]], pen: Pen) -> Result<(), PlotError> {
        let mut fine: Vec<(i32, i32)> = points.iter().map(|p| at(*p)).collect();
        fine.dedup();
        if fine.len() < 2 {
            return Ok(());
        }
        let style = shape(pen.colour, pen.width);
        self.backend.draw_path(fine, &style).map_err(draw)
    }

    /// A filled polygon.
    pub fn fill(&mut self, corners: &[[f64; 2]], colour: Colour) -> Result<(), PlotError> {
        let style = shape(colour, 0.0);
        let fine: Vec<(i32, i32)> = corners.iter().map(|p| at(*p)).collect();
        self.backend.fill_polygon(fine, &style).map_err(draw)
    }

    /// A filled rectangle.
    pub fn fill_rect(
        &mut self,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        colour: Colour,
    ) -> Result<(), PlotError> {
        let style = shape(colour, 0.0);
        let (from, to) = (at([x, y]), at([x + width, y + height]));
        self.backend.draw_rect(from, to, &style, true).map_err(draw)
    }

    /// The outline of a rectangle.
    pub fn outline(&mut self, corners: [f64; 4], pen: Pen) -> Result<(), PlotError> {
        let [left, top, right, bottom] = corners;
        let (start, end) = ([left, top], [left, top - 0.5]);
        let path = [start, [right, top], [right, bottom], [left, bottom], end];
        self.path(&path, pen)
    }

    /// A filled disc.
    pub fn disc(&mut self, centre: [f64; 2], radius: f64, colour: Colour) -> Result<(), PlotError> {
        let style = shape(colour, 0.0);
        let radius = units(radius).max(1) as u32;
        self.backend
            .draw_circle(at(centre), radius, &style, true)
            .map_err(draw)
    }

    /// One line of text whose baseline passes through `point`.
    pub fn text(&mut self, text: &str, point: [f64; 2], face: Face) -> Result<(), PlotError> {
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
            .map_err(draw)
    }
}
