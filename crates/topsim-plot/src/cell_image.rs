//! The cells of a heat map as an image.

use super::axis_range::AxisRange;
use super::canvas::Colour;
use super::error::Result;
use super::ramp::{self, Mixer};
use super::raster;

/// Largest number of cells along a side that are shown one by one; of more, several make a point of the image.
const POINTS: u32 = 1000;
/// Colour of cells without a number.
pub(crate) const NONE: Colour = (255, 255, 255);
/// Part of the ramp that is not used, since its brightest colours are hard to tell from white.
const BRIGHTEST: f64 = 0.1;
/// Number of levels of the ramp. The code after them in the palette is that of cells without a number.
pub(crate) const LEVELS: u8 = 255;

/// Image of the cells, the uppermost row first.
pub(crate) struct CellImage {
    width: u32,
    height: u32,
    /// Number of cells in a point of the image, in a row and in a column.
    block: [u32; 2],
    /// Level of the ramp of each point, or [`LEVELS`], where points are single cells; else red, green and blue of each point.
    data: Vec<u8>,
}

impl CellImage {
    /// Colours the cells by their place on the bar.
    pub(crate) fn new(size: [u32; 2], value: impl Fn(u64) -> Option<f64>, bar: &AxisRange) -> Self {
        let [columns, rows] = size;
        let block = size.map(|n| n.div_ceil(POINTS));
        let (width, height) = (columns.div_ceil(block[0]), rows.div_ceil(block[1]));
        let level = |cell: u64| match value(cell) {
            None => LEVELS,
            // Numbers that the bar cannot show lie below its lower end.
            Some(v) => {
                let f = bar.fraction(v).unwrap_or(0.0).clamp(0.0, 1.0);
                (f * f64::from(LEVELS - 1)).round() as u8
            }
        };
        let row_of = |r: u32| u64::from(r) * u64::from(columns);
        let mut data = Vec::new();
        if block == [1, 1] {
            let row = |r: u32| (0..columns).map(move |c| row_of(r) + u64::from(c));
            data.extend((0..rows).rev().flat_map(row).map(level));
        } else {
            let mixer = Mixer::new();
            let cells = |p: u32, points: u32, all: u32| {
                let edge = |p: u32| (u64::from(p) * u64::from(all) / u64::from(points)) as u32;
                edge(p)..edge(p + 1)
            };
            for r in (0..height).rev() {
                for c in 0..width {
                    let mut parts: Vec<(u8, u64)> = Vec::new();
                    for row in cells(r, height, rows) {
                        for column in cells(c, width, columns) {
                            let l = level(row_of(row) + u64::from(column));
                            match parts.iter_mut().find(|p| p.0 == l) {
                                Some(p) => p.1 += 1,
                                None => parts.push((l, 1)),
                            }
                        }
                    }
                    let parts: Vec<_> = parts.iter().map(|p| (palette(p.0), p.1)).collect();
                    let (r, g, b) = mixer.mean(&parts);
                    data.extend([r, g, b]);
                }
            }
        }
        Self {
            width,
            height,
            block,
            data,
        }
    }

    /// Says that points are means of several cells; empty if each cell is shown.
    pub(crate) fn note(&self) -> String {
        match self.block {
            [1, 1] => String::new(),
            [x, y] => format!("each point is the mean colour of {x} × {y} cells"),
        }
    }

    /// Encodes the image as a PNG file.
    pub(crate) fn png(&self) -> Result<Vec<u8>> {
        raster::encode(self.width, self.height, &self.data, |encoder| {
            encoder.set_compression(png::Compression::High);
            if self.block == [1, 1] {
                let codes = (0..=LEVELS).map(palette).flat_map(|(r, g, b)| [r, g, b]);
                encoder.set_color(png::ColorType::Indexed);
                encoder.set_palette(codes.collect::<Vec<u8>>());
            } else {
                encoder.set_color(png::ColorType::Rgb);
            }
        })
    }
}

fn palette(level: u8) -> Colour {
    if level == LEVELS { NONE } else { colour(level) }
}

/// Returns the colour of a level of the bar.
pub(crate) fn colour(level: u8) -> Colour {
    let fraction = f64::from(level) / f64::from(LEVELS - 1);
    ramp::colour(BRIGHTEST + (1.0 - BRIGHTEST) * fraction)
}
