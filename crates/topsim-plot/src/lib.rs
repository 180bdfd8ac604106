//! Figures as SVG, PNG and PDF: curves with marks, curves on an ellipsoid, and heat maps, drawn with one embedded font.
//!
//! A [`Plot`] (or a [`heat::Heat`]) is a description of axes and data; [`svg`] (or [`heat::svg`])
//! makes an SVG document of it, and [`png()`] an image or [`pdf()`] a page of that. The same description gives the same
//! bytes on every machine: no system font is looked for, and elementary functions are `libm`'s.
//!
//! A [`surface::Surface`] has curves on an ellipsoid instead.
//!
//! The frame (axes, grid, labels), the series, the legend and the marks are drawn by separate
//! modules; another kind of figure can use the frame with its own contents.
//!
//! ```
//! use topsim_plot::{Axis, Plot, Scale, Series, Style};
//! let plot = Plot {
//!     title: "Free body".into(),
//!     x: Axis::new("Time [s]", Scale::Linear),
//!     y: Axis::new("Energy [J]", Scale::Linear),
//!     series: vec![Series {
//!         label: "h = 0.01 s".into(),
//!         points: vec![[0.0, 1.0], [1.0, 1.5]],
//!         style: Style::Line,
//!     }],
//!     ..Plot::default()
//! };
//! let svg = topsim_plot::svg(&plot)?;
//! let png = topsim_plot::png(&svg, 2.0)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), topsim_plot::PlotError>(())
//! ```

mod canvas;
mod cell_image;
mod curve;
mod decimate;
mod error;
mod font;
mod frame;
pub mod heat;
mod legend;
mod number;
mod outline;
mod pdf;
mod ramp;
mod raster;
mod slope;
mod span;
pub mod surface;
mod ticks;

#[cfg(test)]
mod tests;

pub use decimate::decimate;
pub use error::PlotError;
pub use pdf::pdf;
pub use raster::png;

use canvas::{Colour, Page};
use curve::{Look, Trace};
use frame::Frame;
use legend::{Edges, Item, Key, Legend};
use span::Span;

/// A figure with two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Title above the frame; may be empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The data, drawn in this order.
    pub series: Vec<Series>,
    /// Reference lines and slope triangles.
    pub marks: Vec<Mark>,
    /// Width and height of the page, pixels at scale 1; at least [`SMALLEST`] and at most [`LARGEST`] are drawn.
    pub size: [u32; 2],
}

/// Width and height of a figure that says nothing of its own.
pub const SIZE: [u32; 2] = [800, 600];
/// The smallest width and height of a figure.
pub const SMALLEST: u32 = 240;
/// The largest width and height of a figure.
pub const LARGEST: u32 = 8000;

fn page(size: [u32; 2]) -> [u32; 2] {
    size.map(|side| side.clamp(SMALLEST, LARGEST))
}

impl Default for Plot {
    fn default() -> Self {
        let axis = || Axis::new("", Scale::Linear);
        Self {
            title: String::new(),
            x: axis(),
            y: axis(),
            series: Vec::new(),
            marks: Vec::new(),
            size: SIZE,
        }
    }
}

impl Plot {
    fn page(&self) -> [f64; 2] {
        page(self.size).map(f64::from)
    }

    fn description(&self) -> String {
        let labels: Vec<&str> = self.series.iter().map(|s| &*s.label).collect();
        format!(
            "{} over {}: {}.",
            self.y.label,
            self.x.label,
            labels.join("; ")
        )
    }
}

/// Gives figures of one quantity the vertical range that shows the data of all of them.
pub fn share_range(plots: &mut [Plot]) {
    let with_data = plots.iter().filter(|p| shown(p).next().is_some());
    let spans: Vec<Span> = with_data.map(|p| spans(p).1).collect();
    let Some(one) = spans.first() else { return };
    let least = spans.iter().map(|s| s.lo).fold(f64::INFINITY, f64::min);
    let most = spans.iter().map(|s| s.hi).fold(f64::NEG_INFINITY, f64::max);
    let range = (one.value(least), one.value(most));
    for plot in plots {
        plot.y.range = Some(range);
    }
}

/// The points that both axes can show.
fn shown(plot: &Plot) -> impl Iterator<Item = &[f64; 2]> {
    let points = plot.series.iter().flat_map(|s| s.points.iter());
    points.filter(|p| {
        span::coordinate(plot.x.scale, p[0]).is_some()
            && span::coordinate(plot.y.scale, p[1]).is_some()
    })
}

/// One axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Quantity and unit: `Time [s]`.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// The range to show; from the data if `None` or if the axis cannot show it.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis that takes its range from the data.
    pub fn new(label: impl Into<String>, scale: Scale) -> Axis {
        Axis {
            label: label.into(),
            scale,
            range: None,
        }
    }
}

/// Kind of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Even.
    Linear,
    /// Decimal logarithm; shows positive values only.
    Log10,
}

/// One set of data.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// Its points, in the units of the axes. One that is not finite breaks the line.
    pub points: Vec<[f64; 2]>,
    /// How it is drawn.
    pub style: Style,
}

impl Series {
    /// Named data, drawn in a style.
    pub fn new(label: impl Into<String>, points: Vec<[f64; 2]>, style: Style) -> Self {
        let label = label.into();
        Self {
            label,
            points,
            style,
        }
    }
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A line through the points.
    Line,
    /// A marker at each point.
    Markers,
    /// Both.
    LineMarkers,
}

/// What is drawn besides the data.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Mark {
    /// A horizontal reference line. The vertical range grows to show it unless that would
    /// flatten the data; then the legend says that it is off the scale.
    Horizontal {
        /// Its height, in the unit of the vertical axis.
        y: f64,
        /// Its name in the legend.
        label: String,
    },
    /// A vertical reference line, drawn where the range shows it.
    Vertical {
        /// Its place, in the unit of the horizontal axis.
        x: f64,
        /// Its name in the legend.
        label: String,
    },
    /// A filled polygon behind everything else. Corners outside the frame are moved to its border.
    Area {
        /// Its corners, in the units of the axes; those that the axes cannot show are left out.
        corners: Vec<[f64; 2]>,
        /// Its name in the legend.
        label: String,
    },
    /// A triangle of this slope, on two logarithmic axes, placed off the data (and left out if
    /// no place is free).
    Slope {
        /// The slope: the order of convergence.
        order: f64,
        /// Index of the series to put it near to; any if `None`.
        near: Option<usize>,
    },
}

/// Padding of an automatic range at either end, in lengths of the range.
const PAD: f64 = 0.05;
/// A reference line may make the range this many times longer.
const GROWTH: f64 = 4.0;

/// Draws the figure: an SVG document. The same plot gives the same bytes.
///
/// # Errors
/// When a slope triangle is asked for where it has no meaning, or the drawing backend fails.
pub fn svg(plot: &Plot) -> Result<String, PlotError> {
    let (x, y) = spans(plot);
    // Beyond the colours labels at the ends of the lines are easier to follow than a list.
    let count = plot.series.len();
    let crowded = count > 0 && curve::repeats(count - 1);
    let legend = Legend::new(plot.page(), &items(plot, [&x, &y]), crowded);
    let (beside, below) = legend.room();
    let frame = Frame::new(plot, x, y, beside, below);
    let trace = |(i, s)| Trace::new(&frame, s, curve::repeats(i).then_some(i));
    let traces: Vec<Trace> = plot.series.iter().enumerate().map(trace).collect();
    let page = Page {
        size: page(plot.size),
        title: &plot.title,
        description: plot.description(),
        ground: String::new(),
    };
    canvas::document(&page, |canvas| {
        let areas = plot.marks.iter().filter_map(|m| match m {
            Mark::Area { corners, .. } => Some(corners),
            _ => None,
        });
        for (i, corners) in areas.enumerate() {
            let inside = |[x, y]: [f64; 2]| {
                let x = x.clamp(frame.left, frame.right);
                [x, y.clamp(frame.top, frame.bottom)]
            };
            let corners = corners.iter().filter_map(|c| frame.place(*c));
            canvas.fill(&corners.map(inside).collect::<Vec<_>>(), shade(i))?;
        }
        frame.draw_grid(canvas)?;
        let looks = plot.series.iter().enumerate();
        let looks: Vec<Look> = looks.map(|(i, s)| curve::look(i, s.style)).collect();
        for (look, trace) in looks.iter().zip(&traces) {
            trace.draw_lines(canvas, *look)?;
        }
        for (look, trace) in looks.iter().zip(&traces) {
            trace.draw_markers(canvas, *look)?;
        }
        let mut obstacles = None;
        let mut references = 0;
        for mark in &plot.marks {
            match mark {
                Mark::Horizontal { .. } | Mark::Vertical { .. } => {
                    let dash = reference_dash(references);
                    references += 1;
                    if let Some(line) = reference_line(&frame, mark) {
                        curve::dashed(canvas, &line, legend::REFERENCE, dash)?;
                    }
                }
                Mark::Area { .. } => {}
                Mark::Slope { order, near } => {
                    let taken = obstacles.get_or_insert_with(|| slope::obstacles(&traces));
                    slope::draw(canvas, &frame, *order, *near, taken)?;
                }
            }
        }
        frame.draw_axes(canvas, plot)?;
        let edges = Edges {
            left: frame.left,
            right: frame.right,
            top: frame.top,
            bottom: frame.bottom,
        };
        legend.draw(canvas, edges, &keys(plot, &looks, &traces))
    })
}

/// A reference line from side to side; `None` of a mark that is none, or lies outside the frame.
fn reference_line(frame: &Frame, mark: &Mark) -> Option<[[f64; 2]; 2]> {
    let inside = |fraction: &f64| (0.0..=1.0).contains(fraction);
    match mark {
        Mark::Horizontal { y, .. } => {
            let at = frame.bottom - frame.y.fraction(*y).filter(inside)? * frame.height();
            Some([[frame.left, at], [frame.right, at]])
        }
        Mark::Vertical { x, .. } => {
            let at = frame.left + frame.x.fraction(*x).filter(inside)? * frame.width();
            Some([[at, frame.top], [at, frame.bottom]])
        }
        Mark::Area { .. } | Mark::Slope { .. } => None,
    }
}

/// Areas are light, so that the grid and the data are seen over them.
fn shade(index: usize) -> Colour {
    const SHADES: [Colour; 2] = [(206, 226, 243), (252, 229, 205)];
    SHADES[index % SHADES.len()]
}

/// Reference lines differ in their dashes only; a full line might be taken for data.
fn reference_dash(index: usize) -> &'static [f64] {
    curve::DASHES[1 + index % (curve::DASHES.len() - 1)]
}

/// The ranges of the axes.
fn spans(plot: &Plot) -> (Span, Span) {
    let (sx, sy) = (plot.x.scale, plot.y.scale);
    // Time histories fill their frame from side to side; markers need room at the ends.
    let lines = plot.series.iter().all(|s| s.style == Style::Line);
    let side = if lines { 0.0 } else { PAD };
    let x = span::extent(sx, shown(plot).map(|p| p[0]));
    let mut y = span::extent(sy, shown(plot).map(|p| p[1]));
    for mark in &plot.marks {
        if let Mark::Horizontal { y: value, .. } = mark
            && let Some(v) = span::coordinate(sy, *value)
        {
            let grown = y.map_or((v, v), |(lo, hi)| (v.min(lo), v.max(hi)));
            let length = |(lo, hi): (f64, f64)| 0.5 * hi - 0.5 * lo;
            if y.is_none_or(|old| old.0 == old.1 || length(grown) <= GROWTH * length(old)) {
                y = Some(grown);
            }
        }
    }
    (
        Span::new(sx, plot.x.range, x, side),
        Span::new(sy, plot.y.range, y, PAD),
    )
}

/// The labels of the legend.
fn items(plot: &Plot, [x, y]: [&Span; 2]) -> Vec<Item> {
    let series = plot.series.iter().map(|s| Item {
        label: font::clean(&s.label),
        note: legend::note(s, plot.x.scale, plot.y.scale),
    });
    let lines = plot.marks.iter().filter_map(|m| match m {
        Mark::Horizontal { y: value, label } => Some((y.fraction(*value), label)),
        Mark::Vertical { x: value, label } => Some((x.fraction(*value), label)),
        Mark::Area { .. } | Mark::Slope { .. } => None,
    });
    let lines = lines.map(|(fraction, label)| Item {
        label: font::clean(label),
        note: match fraction {
            Some(f) if (0.0..=1.0).contains(&f) => String::new(),
            Some(_) => " (off the scale)".to_owned(),
            None => " (cannot be shown)".to_owned(),
        },
    });
    let areas = plot.marks.iter().filter_map(|m| match m {
        Mark::Area { label, .. } => Some(label),
        _ => None,
    });
    let areas = areas.map(|label| Item {
        label: font::clean(label),
        note: String::new(),
    });
    series.chain(lines).chain(areas).collect()
}

/// What stands before the labels, in the same order.
fn keys(plot: &Plot, looks: &[Look], traces: &[Trace]) -> Vec<Key> {
    let all = plot.series.iter().zip(looks).zip(traces);
    let series = all.map(|((series, look), trace)| Key::Series {
        look: match trace.dense {
            true => Look { dash: &[], ..*look },
            false => *look,
        },
        line: series.style != Style::Markers,
        markers: series.style != Style::Line || !trace.markers.is_empty(),
        end: trace.end(),
    });
    let count = |test: fn(&Mark) -> bool| plot.marks.iter().filter(|m| test(m)).count();
    let lines = count(|m| matches!(m, Mark::Horizontal { .. } | Mark::Vertical { .. }));
    let areas = count(|m| matches!(m, Mark::Area { .. }));
    let lines = (0..lines).map(|i| Key::Reference(reference_dash(i)));
    let areas = (0..areas).map(|i| Key::Area(shade(i)));
    series.chain(lines).chain(areas).collect()
}
