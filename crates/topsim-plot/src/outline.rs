//! Text as outlines of glyphs, so that the renderer needs no text layout of its own, which would be a quarter of all code
//! that is compiled.

use super::error::{PlotError, Result};
use super::font;
use ab_glyph::{Font, FontRef, OutlineCurve, Point};
use resvg::usvg::roxmltree::{Document, Node};
use std::fmt::Write;

/// Replaces every text of a document by a path.
///
/// # Errors
/// [`PlotError::UnreadableSvg`], [`PlotError::Font`].
pub(crate) fn outlined(svg: &str) -> Result<String> {
    let document = Document::parse(svg).map_err(|e| PlotError::UnreadableSvg(e.to_string()))?;
    let font = font::glyphs().ok_or(PlotError::Font)?;
    let mut out = String::with_capacity(2 * svg.len());
    let mut copied = 0;
    for text in document.descendants().filter(|n| n.has_tag_name("text")) {
        out += &svg[copied..text.range().start];
        let fill = text.attribute("fill").unwrap_or("#000000");
        let transform = text.attribute("transform").unwrap_or_default();
        let outline = outline(&font, text);
        let _ = write!(
            out,
            r#"<path transform="{transform}" fill="{fill}" d="{outline}"/>"#
        );
        copied = text.range().end;
    }
    out += &svg[copied..];
    Ok(out)
}

/// Returns the path of one line of text, in the units of its document.
fn outline(font: &FontRef, text: Node) -> String {
    let number = |name: &str| text.attribute(name).and_then(|v| v.parse().ok());
    let size: f32 = number("font-size").unwrap_or(16.0);
    let scale = size / font.units_per_em().unwrap_or(1.0);
    let ems = |v: &str| v.strip_suffix("em").and_then(|v| v.parse::<f32>().ok());
    let dy = text.attribute("dy").and_then(ems).unwrap_or(0.0) * size;
    let words: Vec<&str> = text.text().unwrap_or_default().split_whitespace().collect();
    let glyphs: Vec<_> = words.join(" ").chars().map(|c| font.glyph_id(c)).collect();
    let mut pen = 0.0;
    let mut before = None;
    let places: Vec<f32> = glyphs
        .iter()
        .map(|&glyph| {
            pen += before.map_or(0.0, |b| font.kern_unscaled(b, glyph));
            before = Some(glyph);
            let place = pen;
            pen += font.h_advance_unscaled(glyph);
            place
        })
        .collect();
    let shift = match text.attribute("text-anchor") {
        Some("middle") => -0.5 * pen,
        Some("end") => -pen,
        _ => 0.0,
    };
    let (x, y) = (number("x").unwrap_or(0.0), number("y").unwrap_or(0.0) + dy);
    let mut path = String::new();
    for (glyph, place) in glyphs.iter().zip(places) {
        let at = |p: Point| {
            let right = x + (p.x + place + shift) * scale;
            format!("{right:.2} {:.2} ", y - p.y * scale)
        };
        let mut last = None;
        for curve in font.outline(*glyph).iter().flat_map(|o| &o.curves) {
            let (command, points): (_, &[Point]) = match curve {
                OutlineCurve::Line(a, b) => ('L', &[*a, *b]),
                OutlineCurve::Quad(a, b, c) => ('Q', &[*a, *b, *c]),
                OutlineCurve::Cubic(a, b, c, d) => ('C', &[*a, *b, *c, *d]),
            };
            if last != Some(points[0]) {
                let _ = write!(path, "M{}", at(points[0]));
            }
            path.push(command);
            path.extend(points[1..].iter().map(|p| at(*p)));
            last = points.last().copied();
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_paths_and_the_rest_stays() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg"><rect/><text x="10" y="20" dy="0.5em" text-anchor="end" font-size="8" fill="#222222">
 l
</text><text>&amp;</text></svg>"##;
        let out = outlined(svg).unwrap();
        assert!(out.starts_with(r##"<svg xmlns="http://www.w3.org/2000/svg"><rect/><path transform="" fill="#222222" d="M"##));
        assert!(!out.contains("<text") && !out.contains("&amp;"));
        // DejaVu Sans: l is a bar from 193 to 377 of 569 units, 1556 high, of 2048 an em.
        let path = out.split("d=\"").nth(1).unwrap();
        let numbers: Vec<f32> = path[..path.find('"').unwrap()]
            .split(|c: char| !(c.is_ascii_digit() || c == '.'))
            .filter_map(|n| n.parse().ok())
            .collect();
        let side = |k: usize, least: bool| {
            let all = numbers.iter().skip(k).step_by(2).copied();
            if least {
                all.fold(f32::INFINITY, f32::min)
            } else {
                all.fold(0.0, f32::max)
            }
        };
        let em = 8.0 / 2048.0;
        for (found, exact) in [
            (side(0, true), 10.0 - (569.0 - 193.0) * em),
            (side(0, false), 10.0 - (569.0 - 377.0) * em),
            (side(1, true), 24.0 - 1556.0 * em),
            (side(1, false), 24.0),
        ] {
            assert!((found - exact).abs() < 0.02, "{found} against {exact}");
        }
    }
}
