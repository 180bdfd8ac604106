//! The cells of a heat map as an image.

use super::PlotError;
use super::canvas::Colour;
use super::ramp::{self, Mixer};
use super::span::Span;

/// Cells a side that the picture shows one by one; of more, several make a point of it.
const POINTS: u32 = 1000;
/// Colour of cells without a number.
pub const NONE: Colour = (255, 255, 255);
/// Part of the ramp that is not used: its brightest colours are hard to tell from white.
const BRIGHTEST: f64 = 0.1;
/// Levels of the ramp; the last code of the palette is for cells without a number.
pub const LEVELS: u8 = 255;

/// The cells as an image, the uppermost row first.
pub struct CellImage {
    width: u32,
    height: u32,
    /// Cells in a point of the image, along and across.
    block: [u32; 2],
    pixels: Pixels,
}

enum Pixels {
    /// Levels of the ramp, [`LEVELS`] for none.
    Levels(Vec<u8>),
    /// Red, green, blue.
    Colours(Vec<u8>),
}

impl CellImage {
    /// Colours the cells; `bar` tells which number has which.
    pub fn new(size: [u32; 2], value: impl Fn(u64) -> Option<f64>, bar: &Span) -> Self {
        let [columns, rows] = size;
        let block = size.map(|n| n.div_ceil(POINTS));
        let (width, height) = (columns.div_ceil(block[0]), rows.div_ceil(block[1]));
        let level = |cell: u64| match value(cell) {
            None => LEVELS,
            // What the bar cannot show lies below its lower end.
            Some(v) => {
                let f = bar.fraction(v).unwrap_or(0.0).clamp(0.0, 1.0);
                (f * f64::from(LEVELS - 1)).round() as u8
            }
        };
        let row_of = |r: u32| u64::from(r) * u64::from(columns);
        if block == [1, 1] {
            let row = |r: u32| (0..columns).map(move |c| row_of(r) + u64::from(c));
            let levels = (0..rows).rev().flat_map(row).map(level).collect();
            return Self {
                width,
                height,
                block,
                pixels: Pixels::Levels(levels),
            };
        }
        let mixer = Mixer::new();
        let cells = |p: u32, points: u32, all: u32| {
            let edge = |p: u32| (u64::from(p) * u64::from(all) / u64::from(points)) as u32;
            edge(p)..edge(p + 1)
        };
        let mut colours = Vec::with_capacity(3 * width as usize * height as usize);
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
                colours.extend([r, g, b]);
            }
        }
        Self {
            width,
            height,
            block,
            pixels: Pixels::Colours(colours),
        }
    }

    /// What the reader has to know.
    pub fn note(&self) -> String {
        match self.block {
            [1, 1] => String::new(),
            [x, y] => format!("each point is the mean colour of {x} × {y} cells"),
        }
    }

    /// The bytes of a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
        encoder.set_compression(png::Compression::High);
        let data = match &self.pixels {
            Pixels::Levels(levels) => {
                encoder.set_color(png::ColorType::Indexed);
                let codes = (0..=LEVELS).map(palette).flat_map(|(r, g, b)| [r, g, b]);
                encoder.set_palette(codes.collect::<Vec<u8>>());
                levels
            }
            Pixels::Colours(colours) => {
                encoder.set_color(png::ColorType::Rgb);
                colours
            }
        };
        let fail = |e: png::EncodingError| PlotError::Encode(e.to_string());
        let mut writer = encoder.write_header().map_err(fail)?;
        writer.write_image_data(data).map_err(fail)?;
        writer.finish().map_err(fail)?;
        Ok(out)
    }
}

fn palette(level: u8) -> Colour {
    if level == LEVELS { NONE } else { colour(level) }
}

/// Colour of a place on the bar.
pub fn colour(level: u8) -> Colour {
    let fraction = f64::from(level) / f64::from(LEVELS - 1);
    ramp::colour(BRIGHTEST + (1.0 - BRIGHTEST) * fraction)
}

/// As RFC 4648 has it.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let digit = DIGITS[(all >> (18 - 6 * k)) as usize & 63];
            out.push(if k > three.len() {
                '='
            } else {
                char::from(digit)
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
