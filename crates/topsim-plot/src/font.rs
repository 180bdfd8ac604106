//! The one embedded font: registered for text metrics (plotters) and read for outlines, so that no system font is ever
//! looked for and figures have the same bytes on every machine.

use ab_glyph::FontRef;
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::sync::OnceLock;

/// The `font-family` written into figures: the embedded font, one of like metrics, then any.
pub const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// Height of a line over the em (ascent + descent in the font's `hhea` table): the metrics
/// library takes the former for a size, SVG the latter.
const LINE_PER_EM: f64 = (1901.0 + 483.0) / 2048.0;

static BYTES: &[u8] = include_bytes!("../assets/fonts/DejaVuSans-subset.ttf");

/// Registers the font for text metrics, once; false if its bytes could not be read.
pub fn register() -> bool {
    static DONE: OnceLock<bool> = OnceLock::new();
    *DONE.get_or_init(|| register_font(FAMILY, FontStyle::Normal, BYTES).is_ok())
}

/// The glyphs of the font, unless its bytes cannot be read.
pub fn glyphs() -> Option<FontRef<'static>> {
    FontRef::try_from_slice(BYTES).ok()
}

/// Width of `text` set at `em` (the result has the unit of `em`).
pub fn width(text: &str, em: f64) -> f64 {
    // Asked for at a large size, because the answer is rounded to an integer.
    const FINE: f64 = 1000.0;
    register();
    let size = FINE * LINE_PER_EM;
    let font = FontDesc::new(FontFamily::Name(FAMILY), size, FontStyle::Normal);
    match font.layout_box(text) {
        Ok(((x0, _), (x1, _))) => f64::from(x1 - x0) / FINE * em,
        // Without metrics a plausible guess still gives a legible figure.
        Err(_) => 0.6 * em * text.chars().count() as f64,
    }
}

/// `text` with every character that XML forbids or a line cannot hold made a space.
pub fn clean(text: &str) -> String {
    let bad = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(bad, " ")
}

/// `text`, with an ellipsis for its middle if it is wider than `room` at `em`: names of schemes
/// often differ at their ends only.
pub fn fit(text: &str, em: f64, room: f64) -> String {
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
