//! The embedded font. It gives plotters text metrics and the renderer outlines, so that no system font is looked for and
//! figures have the same bytes on every machine.

use ab_glyph::FontRef;
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::sync::OnceLock;

/// Font family written into figures: the embedded font, a font of similar metrics, then any.
pub(crate) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// Height of a line over the em: ascent + descent in the font's `hhea` table. The metrics library takes the height of a
/// line for the size of a font, SVG the em.
const LINE_PER_EM: f64 = (1901.0 + 483.0) / 2048.0;

static BYTES: &[u8] = include_bytes!("../assets/fonts/DejaVuSans-subset.ttf");

/// Registers the font for text metrics, once. Returns false if the bytes of the font cannot be read.
pub(crate) fn register() -> bool {
    static DONE: OnceLock<bool> = OnceLock::new();
    *DONE.get_or_init(|| register_font(FAMILY, FontStyle::Normal, BYTES).is_ok())
}

/// Returns the glyphs of the font; `None` if its bytes cannot be read.
pub(crate) fn glyphs() -> Option<FontRef<'static>> {
    FontRef::try_from_slice(BYTES).ok()
}

/// Returns the width of `text` set at `em`, in the unit of `em`.
pub(crate) fn width(text: &str, em: f64) -> f64 {
    // The metrics library rounds widths to integers, so it is asked at a large size.
    const FINE: f64 = 1000.0;
    register();
    let size = FINE * LINE_PER_EM;
    let font = FontDesc::new(FontFamily::Name(FAMILY), size, FontStyle::Normal);
    match font.layout_box(text) {
        Ok(((x0, _), (x1, _))) => f64::from(x1 - x0) / FINE * em,
        // If there are no metrics, a plausible guess still gives a legible figure.
        Err(_) => 0.6 * em * text.chars().count() as f64,
    }
}

/// Replaces by spaces the characters that XML forbids, that a line cannot hold, or that reorder what is written.
pub(crate) fn clean(text: &str) -> String {
    let reorders = |c| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let bad = |c: char| c.is_control() || reorders(c) || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(bad, " ")
}

/// Replaces the middle of `text` by an ellipsis if the text is wider than `room` at `em`: names of schemes often differ at
/// their ends only.
pub(crate) fn fit(text: &str, em: f64, room: f64) -> String {
    if text.len() <= 2000 && width(text, em) <= room {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    // No room holds more than 400 characters.
    let mut kept = chars.len().min(400);
    loop {
        kept = kept.saturating_sub(1);
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let head: String = chars[..head].iter().collect();
        let tail: String = chars[chars.len() - tail..].iter().collect();
        let cut = format!("{}…{}", head.trim_end(), tail.trim_start());
        if kept == 0 || width(&cut, em) <= room {
            return cut;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_is_readable_and_measures() {
        assert!(register());
        assert!(glyphs().is_some());
        // DejaVu Sans: the digit's advance is 1303 of 2048 units.
        assert!((width("0000", 2048.0) / 4.0 - 1303.0).abs() < 3.0);
        assert!(width("⁻³", 10.0) > 0.0);
    }

    #[test]
    fn text_is_cut_to_its_room() {
        assert_eq!(fit("short", 12.0, 100.0), "short");
        let cut = fit(&"long ".repeat(300), 12.0, 100.0);
        assert!(cut.contains('…') && width(&cut, 12.0) <= 100.0);
        assert_eq!(clean("a\u{0}b\nc"), "a b c");
    }
}
