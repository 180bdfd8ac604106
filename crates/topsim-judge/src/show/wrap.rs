//! Long lines broken at spaces.

use std::fmt::Write;

/// A narrower terminal is left to break lines by itself.
const NARROWEST: usize = 40;

/// Characters that are seen: colours are not.
pub(super) fn visible(text: &str) -> usize {
    let mut escaped = false;
    let seen = text.chars().filter(|c| {
        let begins = *c == '\u{1b}';
        let hidden = escaped || begins;
        escaped = begins || escaped && *c != 'm';
        !hidden
    });
    seen.count()
}

/// A line as lines of at most `width` characters; all but the first begin with `indent` spaces. A longer word stays
/// whole.
pub(super) fn broken(line: &str, width: usize, indent: usize) -> Vec<String> {
    if visible(line) <= width {
        return vec![line.into()];
    }
    let text = line.trim_start_matches(' ');
    let mut out = Vec::new();
    let mut current = line[..line.len() - text.len()].to_string();
    let mut begun = false;
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        if begun && visible(&current) + 1 + visible(word) > width {
            out.push(std::mem::replace(&mut current, " ".repeat(indent)));
        } else if begun {
            current.push(' ');
        }
        current.push_str(word);
        begun = true;
    }
    out.push(current);
    out
}

/// Lines longer than the terminal go on below, two columns further in.
pub(super) fn wrapped(text: &str, width: Option<u16>) -> String {
    let Some(width) = width.map(usize::from).filter(|w| *w >= NARROWEST) else {
        return text.into();
    };
    let mut out = String::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        for part in broken(line, width, indent + 2) {
            let _ = writeln!(out, "{part}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_go_on_further_in() {
        let text = "  one two three four five six seven eight nine ten\nshort\n";
        let said = wrapped(text, Some(40));
        assert_eq!(
            said,
            "  one two three four five six seven\n    eight nine ten\nshort\n"
        );
        assert_eq!(wrapped(text, None), text);
        assert_eq!(wrapped(text, Some(39)), text);
    }

    #[test]
    fn words_stay_whole_and_colours_take_no_room() {
        assert_eq!(broken("a 123456789 b", 5, 0), ["a", "123456789", "b"]);
        let painted = "\u{1b}[1;31mred\u{1b}[0m and";
        assert_eq!(visible(painted), 7);
        assert_eq!(broken(painted, 7, 0), [painted]);
        assert_eq!(broken("κατά λόγο", 5, 1), ["κατά", " λόγο"]);
    }
}
