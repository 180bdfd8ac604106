//! The filter that all printed text passes: nothing but colours and weights reaches the terminal as a command.

use strict_toml::harmless;

/// First characters of a control sequence; those that set the look of text end in `m` (select graphic rendition).
const BEGIN: &str = "\u{1b}[";

/// Removes from a text everything that a terminal would obey, except colours, weight, slant and underlines. All that is
/// printed passes here, so titles, names and paths need no care elsewhere.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let kept = match c {
            '\u{1b}' => style(rest).unwrap_or(0),
            '\n' | '\t' => 1,
            _ => 0,
        };
        if kept > 0 {
            out.push_str(&rest[..kept]);
        } else {
            out.push(harmless(c));
        }
        rest = &rest[kept.max(c.len_utf8())..];
    }
    out
}

/// Returns the length of the sequence at the beginning of a text that sets colours, weight, slant or underlines, if there is
/// one. Sequences that hide a text, swap its colours or make it blink do not count.
fn style(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix(BEGIN)?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    if !parameters[end..].starts_with('m') {
        return None;
    }
    // A parameter that is left out means 0.
    let number = |n: &str| if n.is_empty() { Ok(0) } else { n.parse::<u8>() };
    let mut numbers = parameters[..end].split(';').map(|n| number(n).ok());
    while let Some(n) = numbers.next() {
        match n? {
            // A colour is given by its number in the palette, or by red, green and blue: these are no parameters.
            38 | 48 | 58 => match numbers.next()?? {
                5 => _ = numbers.next()??,
                2 => _ = (numbers.next()??, numbers.next()??, numbers.next()??),
                _ => return None,
            },
            0..=4 | 21..=24 | 30..=37 | 39..=47 | 49 | 59 | 90..=97 | 100..=107 => {}
            _ => return None,
        }
    }
    Some(BEGIN.len() + end + 1)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[track_caller]
    fn kept(parameters: &str) -> bool {
        let sequence = format!("\u{1b}[{parameters}m");
        let text = format!("a{sequence}b\u{1b}[0m");
        let shown = plain(&text);
        assert!(shown == text || shown == format!("a\u{fffd}[{parameters}mb\u{1b}[0m"));
        shown == text
    }

    #[test]
    fn colours_of_any_kind_pass() {
        for n in 0..=255 {
            for ground in [38, 48, 58] {
                assert!(kept(&format!("{ground};5;{n}")));
                assert!(kept(&format!("{ground};2;{n};5;{n}")));
                assert!(kept(&format!("1;{ground};5;{n};4;{ground};2;8;7;{n};22")));
            }
        }
        for style in [
            "", "0", "1", "01", "1;31", "2", "3;4", "33;44", "97", "107", "1;;32",
        ] {
            assert!(kept(style), "{style}");
        }
    }

    #[test]
    fn what_hides_text_or_blinks_or_is_no_style_does_not_pass() {
        for style in [
            "5", "6", "7", "8", "05", "1;8", "8;1", "38;5;1;8", "38;8;5", "28",
        ] {
            assert!(!kept(style), "{style}");
        }
        for style in [
            "38",
            "38;5",
            "38;2;1;2",
            "38;2;1;2;256",
            "38;5;256",
            "1000",
            "4:3",
            "?1",
            "1 ",
        ] {
            assert!(!kept(style), "{style}");
        }
        let others = [
            "\u{1b}",
            "\u{1b}[",
            "\u{1b}[31",
            "\u{1b}[2J",
            "\u{1b}]0;a\u{7}",
            "\u{1b}[é",
            "\r",
        ];
        for text in others {
            assert!(!plain(text).contains(['\u{1b}', '\u{7}', '\r']), "{text:?}");
        }
        assert_eq!(plain("ä\tb\nc\u{202e}"), "ä\tb\nc\u{fffd}");
    }
}
