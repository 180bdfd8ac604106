//! Figures as SVG and PNG: curves with marks, curves on an ellipsoid, and heat maps, drawn with one embedded font.
//!
//! A [`Plot`] (or a [`heat::Heat`]) describes axes and data; [`svg`] (or [`heat::svg`]) draws it as an SVG document,
//! and [`png()`] makes an image of that document. The same description gives the same bytes on every machine: no system
//! font is looked for, and elementary functions are those of `libm`. A [`surface::Surface`] describes curves on an
//! ellipsoid.
//!
//! ```
//! use topsim_plot::{Axis, Plot, Scale, Series, Style};
//! let plot = Plot {
//!     title: "Free body".into(),
//!     x: Axis::new("Time [s]", Scale::Linear),
//!     y: Axis::new("Energy [J]", Scale::Linear),
//!     series: vec![Series::new("h = 0.01 s", vec![[0.0, 1.0], [1.0, 1.5]], Style::Line)],
//!     ..Plot::default()
//! };
//! let svg = topsim_plot::svg(&plot)?;
//! let png = topsim_plot::png(&svg, 2.0)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), topsim_plot::PlotError>(())
//! ```

mod axis_range;
mod canvas;
mod cell_image;
mod chart;
mod curve;
mod decimate;
mod error;
mod font;
mod frame;
pub mod heat;
mod legend;
mod number;
mod outline;
mod plot;
mod ramp;
mod ranges;
mod raster;
mod slope;
pub mod surface;
mod ticks;

#[cfg(test)]
mod tests;

pub use chart::svg;
pub use decimate::decimate;
pub use error::PlotError;
pub use plot::{Axis, LARGEST, Mark, Plot, SIZE, SMALLEST, Scale, Series, SeriesGroup, Style};
pub use ranges::share_range;
pub use raster::png;
