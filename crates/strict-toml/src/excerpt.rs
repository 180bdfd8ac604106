//! Excerpts of a file around a fault, safe to print: one line, clipped, without control characters.

use std::ops::Range;

/// Returns line and column of a byte, both from 1. Columns count characters; a byte order mark is not counted.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let offset = text.floor_char_boundary(offset);
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    let column = before[start..].chars().filter(|&c| c != '\u{feff}').count() + 1;
    (line, column)
}

/// Returns the character, or a replacement of a character that would move the cursor or reorder the text of a terminal, or that
/// XML has no place for.
pub fn harmless(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            '\u{fffd}'
        }
        '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// Returns at most `limit` characters of `text`, harmless, with an ellipsis if something is left out.
pub fn clip(text: &str, limit: usize) -> String {
    let mut out: String = text.chars().take(limit).map(harmless).collect();
    if text.chars().nth(limit).is_some() {
        out.push('…');
    }
    out
}

/// The line of a text where a fault starts, or a part of the line, safe to print.
///
/// ```
/// let excerpt = strict_toml::Excerpt::new("a = 1\nb = 22\n", &(10..12), 80);
/// assert_eq!((excerpt.line, &*excerpt.text, excerpt.mark), (2, "b = 22", 4..6));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// Shown part of the line, with an ellipsis where something is left out.
    pub text: String,
    /// Number of the line in the file, from 1.
    pub line: usize,
    /// Bytes of `text` to underline; never empty.
    pub mark: Range<usize>,
}

impl Excerpt {
    /// Makes the excerpt of the line where `span` starts: about `columns` characters around the span.
    pub fn new(text: &str, span: &Range<usize>, columns: usize) -> Self {
        let start = text.floor_char_boundary(span.start);
        let end = text.ceil_char_boundary(span.end.max(start));
        let from = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let rest = text[start..].split('\n').next().unwrap_or_default();
        let to = start + rest.strip_suffix('\r').unwrap_or(rest).len();
        let end = end.min(to);

        let before = text[from..start].trim_start_matches('\u{feff}');
        // A line that fits is shown whole; else a third of the room is for the text before the span.
        let whole = text[from..to].chars().nth(columns).is_none();
        let lead = if whole { columns } else { columns / 3 };
        let skipped = before
            .char_indices()
            .rev()
            .nth(lead.saturating_sub(1))
            .map_or(0, |(i, _)| i);
        let mut out = String::new();
        if skipped > 0 {
            out.push('…');
        }
        out.extend(before[skipped..].chars().map(harmless));
        let at = out.len();
        let mut room = if whole { columns } else { columns - lead };
        let mut marked = 0;
        for (i, c) in text[start..to].char_indices() {
            if room == 0 {
                out.push('…');
                break;
            }
            room -= 1;
            out.push(harmless(c));
            if start + i < end {
                marked = out.len() - at;
            }
        }
        if marked == 0 {
            // A span without characters still needs one that is underlined.
            if out.len() == at {
                out.push(' ');
            }
            marked = out[at..].chars().next().map_or(1, char::len_utf8);
        }
        let (line, _) = line_column(text, start);
        Self {
            text: out,
            line,
            mark: at..at + marked,
        }
    }
}
