//! SVG to PNG, with the embedded font only.

use resvg::{tiny_skia, usvg};

use super::error::{PlotError, Result};
use super::outline::outlined;

/// Longest side of an image in pixels. A longer one is a mistake and costs gigabytes.
const MAX_SIDE: f32 = 16384.0;

/// Renders `svg` at `scale` pixels for each of its units as a PNG file.
///
/// # Errors
/// [`PlotError`] of a document that is not readable SVG, and of a scale at which a side of the image has no pixel or more
/// than 16384.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PlotError> {
    let tree = usvg::Tree::from_str(&outlined(svg)?, &usvg::Options::default())
        .map_err(|e| PlotError::UnreadableSvg(e.to_string()))?;
    let (width, height) = (tree.size().width() * scale, tree.size().height() * scale);
    let good = |side: f32| (0.5..=MAX_SIDE).contains(&side);
    if !(good(width) && good(height)) {
        return Err(PlotError::ImageSize { width, height });
    }
    let mut pixmap = tiny_skia::Pixmap::new(width.round() as u32, height.round() as u32)
        .ok_or(PlotError::ImageSize { width, height })?;
    let scaled = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, scaled, &mut pixmap.as_mut());
    draw_images(tree.root(), scale, &mut pixmap)?;
    let pixels = pixmap.data().chunks_exact(4);
    if pixels.clone().any(|p| p[3] != u8::MAX) {
        return pixmap.encode_png().map_err(failure);
    }
    let mut rgb = Vec::with_capacity(3 * pixels.len());
    pixels.for_each(|p| rgb.extend_from_slice(&p[..3]));
    // A figure has large areas of one colour: without a filter level 3 makes smaller files than the default, in less than
    // half of the time.
    encode(pixmap.width(), pixmap.height(), &rgb, |encoder| {
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_filter(png::Filter::NoFilter);
        encoder.set_deflate_compression(png::DeflateCompression::Level(3));
    })
}

/// Encodes an image as a PNG file.
pub(crate) fn encode(
    width: u32,
    height: u32,
    data: &[u8],
    set: impl FnOnce(&mut png::Encoder<&mut Vec<u8>>),
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    set(&mut encoder);
    let mut writer = encoder.write_header().map_err(failure)?;
    writer.write_image_data(data).map_err(failure)?;
    writer.finish().map_err(failure)?;
    Ok(out)
}

fn failure(why: png::EncodingError) -> PlotError {
    PlotError::Encode(why.to_string())
}

/// Draws the images of a document. The renderer would draw them only with decoders of three more formats, which no figure
/// has. Images lie on white ground and under lines: drawn last, their colours are multiplied with what is there.
fn draw_images(group: &usvg::Group, scale: f32, pixmap: &mut tiny_skia::Pixmap) -> Result {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => draw_images(group, scale, pixmap)?,
            usvg::Node::Image(image) => {
                let usvg::ImageKind::PNG(data) = image.kind() else {
                    continue;
                };
                let picture = tiny_skia::Pixmap::decode_png(data)
                    .map_err(|e| PlotError::UnreadableSvg(e.to_string()))?;
                let paint = tiny_skia::PixmapPaint {
                    blend_mode: tiny_skia::BlendMode::Multiply,
                    quality: tiny_skia::FilterQuality::Nearest,
                    opacity: 1.0,
                };
                let place = image.abs_transform().post_scale(scale, scale);
                pixmap.draw_pixmap(0, 0, picture.as_ref(), &paint, place, None);
            }
            usvg::Node::Path(_) | usvg::Node::Text(_) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_input_is_an_error() {
        assert!(matches!(
            png("not svg", 1.0),
            Err(PlotError::UnreadableSvg(_))
        ));
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"/>"#;
        assert!(png(svg, 2.0).is_ok());
        // An image with a ground and one without are read back as they were drawn.
        for (ground, pixel) in [
            ("<rect width=\"8\" height=\"6\" fill=\"#fff\"/>", [255; 4]),
            ("", [0; 4]),
        ] {
            let svg = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"6\">{ground}<rect width=\"2\" height=\"2\" fill=\"#f00\"/></svg>"
            );
            let read = tiny_skia::Pixmap::decode_png(&png(&svg, 2.0).unwrap()).unwrap();
            assert_eq!((read.width(), read.height()), (16, 12));
            assert_eq!(read.data()[..4], [255, 0, 0, 255]);
            assert_eq!(read.data()[read.data().len() - 4..], pixel);
        }
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e6] {
            assert!(matches!(png(svg, scale), Err(PlotError::ImageSize { .. })));
        }
    }
}
