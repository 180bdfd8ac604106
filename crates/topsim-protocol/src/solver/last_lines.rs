//! The last lines of a text that may be long.

use std::collections::VecDeque;
use strict_toml::clip;

/// Bytes kept.
const KEPT: usize = 4096;
/// Lines shown.
const LINES: usize = 12;
/// Characters shown of a line.
const LINE: usize = 200;

/// The last few kilobytes of what was written.
#[derive(Default)]
pub(super) struct LastLines {
    bytes: VecDeque<u8>,
    cut: bool,
}

impl LastLines {
    pub(super) fn push(&mut self, new: &[u8]) {
        let new = if new.len() > KEPT {
            self.cut = true;
            &new[new.len() - KEPT..]
        } else {
            new
        };
        let over = (self.bytes.len() + new.len()).saturating_sub(KEPT);
        self.cut |= over > 0;
        self.bytes.drain(..over);
        self.bytes.extend(new);
    }

    /// The last lines, harmless to show.
    pub(super) fn lines(&self) -> Vec<String> {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let mut lines: Vec<String> = text
            .lines()
            .skip(usize::from(self.cut))
            .map(|l| clip(l.trim_end(), LINE))
            .filter(|l| !l.is_empty())
            .collect();
        if lines.is_empty() && !bytes.is_empty() {
            // One line without end.
            lines.extend(text.lines().last().map(|l| clip(l, LINE)));
        }
        lines.split_off(lines.len().saturating_sub(LINES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_in_bounded_memory() {
        let mut last = LastLines::default();
        assert!(last.lines().is_empty());
        for i in 0..100_000 {
            last.push(format!("line {i}\n").as_bytes());
            assert!(last.bytes.len() <= KEPT);
        }
        assert_eq!(last.lines().len(), LINES);
        assert_eq!(last.lines().last().unwrap(), "line 99999");
        last.push(&[b'x'; 3 * KEPT]);
        assert_eq!(last.bytes.len(), KEPT);
        let shown = last.lines();
        assert_eq!(shown.len(), 1);
        assert!(shown[0].starts_with("xxx") && shown[0].chars().count() == LINE + 1);
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let mut last = LastLines::default();
        last.push(b"\x1b[31mred\x07\n\xff\xfe\ttab");
        assert_eq!(
            last.lines(),
            ["\u{fffd}[31mred\u{fffd}", "\u{fffd}\u{fffd} tab"]
        );
    }
}
