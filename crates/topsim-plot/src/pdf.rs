//! SVG to PDF: paths and images, which are all that figures have once their text is outlines. Streams are compressed as a
//! PNG's are: the format shares its compression and its filters with that one.

use super::PlotError;
use super::outline::outlined;
use resvg::tiny_skia::{PathSegment, Point, Transform};
use resvg::usvg::{self, FillRule, LineCap, LineJoin, Paint};
use std::fmt::Write;

/// Points (1/72 inch) in a pixel of CSS.
const POINTS: f32 = 0.75;

/// A PDF file of one page with the drawing: the same drawing gives the same bytes.
///
/// # Errors
/// When `svg` is not a readable SVG document, or has what no figure has: gradients, images other than PNG.
pub fn pdf(svg: &str) -> Result<Vec<u8>, PlotError> {
    let tree = usvg::Tree::from_str(&outlined(svg)?, &usvg::Options::default())
        .map_err(|e| PlotError::UnreadableSvg(e.to_string()))?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let mut page = Page::default();
    // Upwards, in points.
    let flip = Transform::from_row(POINTS, 0.0, 0.0, -POINTS, 0.0, POINTS * height);
    page.draw(tree.root(), flip)?;
    page.file(POINTS * width, POINTS * height)
}

#[derive(Default)]
struct Page {
    content: String,
    /// Images as whole objects.
    images: Vec<Vec<u8>>,
}

impl Page {
    fn draw(&mut self, group: &usvg::Group, flip: Transform) -> Result<(), PlotError> {
        for node in group.children() {
            match node {
                usvg::Node::Group(group) => self.draw(group, flip)?,
                usvg::Node::Path(path) => self.path(path, flip)?,
                usvg::Node::Image(image) => {
                    let usvg::ImageKind::PNG(data) = image.kind() else {
                        return Err(PlotError::UnreadableSvg("an image that is no PNG".into()));
                    };
                    let size = image.size();
                    // An image fills the unit square, its first row on top.
                    let unit = Transform::from_row(
                        size.width(),
                        0.0,
                        0.0,
                        -size.height(),
                        0.0,
                        size.height(),
                    );
                    let place = unit.post_concat(image.abs_transform()).post_concat(flip);
                    let number = self.images.len();
                    self.put(format_args!("q {} cm /I{number} Do Q\n", matrix(place)));
                    self.images.push(image_object(data)?);
                }
                usvg::Node::Text(_) => {}
            }
        }
        Ok(())
    }

    fn put(&mut self, text: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.content.write_fmt(text);
    }

    fn path(&mut self, path: &usvg::Path, flip: Transform) -> Result<(), PlotError> {
        self.put(format_args!(
            "q {} cm\n",
            matrix(path.abs_transform().post_concat(flip))
        ));
        if let Some(fill) = path.fill() {
            self.put(format_args!("{} rg\n", colour(fill.paint())?));
        }
        if let Some(stroke) = path.stroke() {
            let cap = match stroke.linecap() {
                LineCap::Butt => 0,
                LineCap::Round => 1,
                LineCap::Square => 2,
            };
            let join = match stroke.linejoin() {
                LineJoin::Round => 1,
                LineJoin::Bevel => 2,
                LineJoin::Miter | LineJoin::MiterClip => 0,
            };
            let (ink, wide) = (colour(stroke.paint())?, stroke.width().get());
            self.put(format_args!("{ink} RG {wide} w {cap} J {join} j\n"));
        }
        let mut last = Point::zero();
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(p) => self.put(format_args!("{} {} m\n", p.x, p.y)),
                PathSegment::LineTo(p) => self.put(format_args!("{} {} l\n", p.x, p.y)),
                PathSegment::QuadTo(c, p) => {
                    // The same curve as a cubic.
                    let two_thirds = |from: f32, control: f32| from + (control - from) * 2.0 / 3.0;
                    let (a, b) = (two_thirds(last.x, c.x), two_thirds(last.y, c.y));
                    let (d, e) = (two_thirds(p.x, c.x), two_thirds(p.y, c.y));
                    self.put(format_args!("{a} {b} {d} {e} {} {} c\n", p.x, p.y));
                }
                PathSegment::CubicTo(a, b, p) => {
                    let (ax, ay, bx, by) = (a.x, a.y, b.x, b.y);
                    self.put(format_args!("{ax} {ay} {bx} {by} {} {} c\n", p.x, p.y));
                }
                PathSegment::Close => self.put(format_args!("h\n")),
            }
            if let PathSegment::MoveTo(p)
            | PathSegment::LineTo(p)
            | PathSegment::QuadTo(_, p)
            | PathSegment::CubicTo(_, _, p) = segment
            {
                last = p;
            }
        }
        let even_odd = path.fill().is_some_and(|f| f.rule() == FillRule::EvenOdd);
        let paint = match (path.fill().is_some(), path.stroke().is_some()) {
            (true, true) if even_odd => "B*",
            (true, true) => "B",
            (true, false) if even_odd => "f*",
            (true, false) => "f",
            (false, true) => "S",
            (false, false) => "n",
        };
        self.put(format_args!("{paint} Q\n"));
        Ok(())
    }

    /// The file: catalogue, pages, page, content, images.
    fn file(self, width: f32, height: f32) -> Result<Vec<u8>, PlotError> {
        let images: String = (0..self.images.len())
            .map(|i| format!("/I{i} {} 0 R ", i + 5))
            .collect();
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R \
             /Resources << /XObject << {images}>> >> >>"
        );
        let mut objects = vec![
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            page.into_bytes(),
            compressed(self.content.as_bytes())?,
        ];
        objects.extend(self.images);
        let mut out = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
        for (i, object) in objects.iter().enumerate() {
            let _ = writeln!(table, "{:010} 00000 n ", out.len());
            out.extend(format!("{} 0 obj\n", i + 1).bytes());
            out.extend(object);
            out.extend(b"\nendobj\n");
        }
        let (start, size) = (out.len(), objects.len() + 1);
        out.extend(table.bytes());
        out.extend(
            format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes(),
        );
        Ok(out)
    }
}

fn matrix(t: Transform) -> String {
    format!("{} {} {} {} {} {}", t.sx, t.ky, t.kx, t.sy, t.tx, t.ty)
}

fn colour(paint: &Paint) -> Result<String, PlotError> {
    let Paint::Color(c) = paint else {
        return Err(PlotError::UnreadableSvg("a paint that is no colour".into()));
    };
    let part = |x: u8| f32::from(x) / 255.0;
    Ok(format!(
        "{} {} {}",
        part(c.red),
        part(c.green),
        part(c.blue)
    ))
}

/// A stream object: its dictionary with these entries, and its bytes.
fn stream(entries: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = format!("<< {entries} /Length {} >>\nstream\n", bytes.len()).into_bytes();
    out.extend(bytes);
    out.extend(b"\nendstream");
    out
}

/// A stream of bytes, compressed as the only row of a grey image.
fn compressed(bytes: &[u8]) -> Result<Vec<u8>, PlotError> {
    let fail = |e: png::EncodingError| PlotError::Encode(e.to_string());
    let columns = u32::try_from(bytes.len()).map_err(|e| PlotError::Encode(e.to_string()))?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, columns, 1);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().map_err(fail)?;
    writer.write_image_data(bytes).map_err(fail)?;
    writer.finish().map_err(fail)?;
    let data = chunks(&file, b"IDAT").concat();
    Ok(stream(&filter(1, columns), &data))
}

/// How the data of a PNG with so many parts of a pixel, and pixels of a row, are read.
fn filter(colours: u32, columns: u32) -> String {
    format!(
        "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors {colours} /BitsPerComponent 8 /Columns {columns} >>"
    )
}

/// The contents of the chunks of a kind in a PNG file.
fn chunks<'a>(file: &'a [u8], kind: &[u8; 4]) -> Vec<&'a [u8]> {
    let mut found = Vec::new();
    let mut rest = file.get(8..).unwrap_or_default();
    while let Some((head, tail)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(contents) = tail.get(..length) else {
            break;
        };
        if head[4..] == *kind {
            found.push(contents);
        }
        // A checksum follows.
        rest = tail.get(length + 4..).unwrap_or_default();
    }
    found
}

/// A PNG with a palette, or of red, green and blue, as an image of a PDF: its data are the same.
fn image_object(file: &[u8]) -> Result<Vec<u8>, PlotError> {
    let wrong = || PlotError::UnreadableSvg("an image of a kind that figures do not have".into());
    let header = chunks(file, b"IHDR")
        .pop()
        .filter(|h| h.len() == 13)
        .ok_or_else(wrong)?;
    let side = |at: usize| {
        u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    let (width, height) = (side(0), side(4));
    // Eight bits a part, not interlaced.
    let (space, colours) = match (header[8], header[9], header[12]) {
        (8, 2, 0) => ("/DeviceRGB".to_string(), 3),
        (8, 3, 0) => {
            let palette = chunks(file, b"PLTE").concat();
            let codes: String = palette.iter().map(|b| format!("{b:02x}")).collect();
            let last = (palette.len() / 3).saturating_sub(1);
            (format!("[/Indexed /DeviceRGB {last} <{codes}>]"), 1)
        }
        _ => return Err(wrong()),
    };
    let entries = format!(
        "/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace {space} /BitsPerComponent 8 {}",
        filter(colours, width)
    );
    Ok(stream(&entries, &chunks(file, b"IDAT").concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plot, Series, Style};

    /// Objects are where the table says, and streams are as long as they say.
    #[test]
    fn the_file_is_put_together_rightly() {
        let points = vec![[0.0, 1.0], [1.0, 2.0], [2.0, 0.5]];
        let plot = Plot {
            series: vec![Series::new("a", points, Style::LineMarkers)],
            ..Plot::default()
        };
        let svg = crate::svg(&plot).expect("a figure");
        let file = pdf(&svg).expect("a file");
        assert_eq!(file, pdf(&svg).expect("again"));
        let text = String::from_utf8_lossy(&file);
        assert!(text.contains("/MediaBox [0 0 600 450]"));
        let find = |from: usize, what: &[u8]| {
            let at = file[from..].windows(what.len()).position(|w| w == what);
            from + at.expect("it is there")
        };
        let table = find(0, b"\nxref\n") + 1;
        let tail = std::str::from_utf8(&file[table..]).expect("text");
        assert!(tail.ends_with(&format!("startxref\n{table}\n%%EOF\n")));
        let entries = tail.lines().skip(3).take_while(|l| l.ends_with(" n "));
        let places: Vec<usize> = entries.map(|l| l[..10].parse().expect("a place")).collect();
        assert_eq!(places.len(), 4);
        for (i, place) in places.iter().enumerate() {
            assert!(file[*place..].starts_with(format!("{} 0 obj\n", i + 1).as_bytes()));
        }
        let length = find(places[3], b"/Length ") + 8;
        let digits = file[length..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let length: usize = text_of(&file[length..length + digits])
            .parse()
            .expect("a length");
        let start = find(places[3], b"stream\n") + 7;
        assert!(file[start + length..].starts_with(b"\nendstream"));
    }

    fn text_of(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).expect("text")
    }

    #[test]
    fn what_is_compressed_reads_back() {
        let text = b"0 0 m 1 1 l S ".repeat(500);
        let object = compressed(&text).expect("a stream");
        assert!(object.len() < text.len() / 4);
        // The same data in a PNG of one row.
        let start = object
            .windows(7)
            .position(|w| w == b"stream\n")
            .expect("data")
            + 7;
        let data = &object[start..object.len() - b"\nendstream".len()];
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, text.len() as u32, 1);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_chunk(png::chunk::IDAT, data).expect("data");
        drop(writer);
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .expect("an image");
        let mut back = vec![0; text.len()];
        reader.next_frame(&mut back).expect("pixels");
        assert_eq!(back, text);
    }

    #[test]
    fn what_figures_do_not_have_is_an_error() {
        assert!(pdf("not svg").is_err());
        let gradient = r##"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><rect width="5" height="5" fill="url(#a)"/></svg>"##;
        assert!(matches!(pdf(gradient), Err(PlotError::UnreadableSvg(_))));
    }
}
