//! Syntax errors of the parser as faults.

use std::ops::Range;

use toml::de::Error;

use crate::excerpt::clip;
use crate::fault::{Fault, FaultKind};

/// Adds the syntax errors, at most one for each line, and removes other faults that a syntax error may have caused.
pub(crate) fn add(faults: &mut Vec<Fault>, text: &str, errors: &[Error]) {
    let mut errors: Vec<_> = errors
        .iter()
        .map(|e| (e.span().unwrap_or(0..0), classify(e)))
        .collect();
    errors.sort_by_key(|(span, _)| span.start);
    // A key given twice leaves the rest of the tree as it is.
    let first = errors.iter().find(|(_, m)| m.sort != Sort::Duplicate);
    if let Some((span, _)) = first {
        let start = text.floor_char_boundary(span.start);
        let line = text[..start].rfind('\n').map_or(0, |i| i + 1);
        faults.retain(|f| {
            f.kind != FaultKind::Missing && f.span.as_ref().is_some_and(|s| s.end <= line)
        });
    }
    let mut last = None;
    for (span, mistake) in errors {
        let start = text.floor_char_boundary(span.start);
        // Errors are sorted, so that it is enough to compare with the last one.
        if last.is_none_or(|last: usize| text[last..start].contains('\n')) {
            faults.push(mistake.fault(text, span));
            if mistake.sort == Sort::OpenArray {
                break;
            }
        }
        last = Some(start);
    }
}

/// A syntax error in words of its own.
#[derive(Debug, PartialEq, Eq)]
struct Mistake<'e> {
    sort: Sort,
    found: &'e str,
    wanted: &'e str,
}

/// Effect of a syntax error on the rest of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A key or a table that is given twice; the rest of the tree is intact.
    Duplicate,
    /// An array that goes on without a comma. An array that is left open swallows the rest of the text, so that all later errors
    /// are the same mistake.
    OpenArray,
    /// Any other error.
    Other,
}

/// Reads the message of the parser, which gives no codes. A test holds the messages, so that another version of the parser
/// with other messages is noticed.
fn classify(error: &Error) -> Mistake<'_> {
    let message = error.message();
    let (found, wanted) = message.split_once(", expected ").unwrap_or((message, ""));
    let (sort, found, wanted) = match (found, wanted) {
        ("duplicate key", _) => (Sort::Duplicate, found, "each key or table once"),
        ("string values must be quoted", _) => (Sort::Other, found, "a string in quotes"),
        ("invalid basic string", "`\"`") => (Sort::Other, "a string without its end", wanted),
        ("missing comma between array elements", _) => (
            Sort::OpenArray,
            "the array is not closed before this, or a comma is missing",
            "`,` or `]`",
        ),
        (_, "key") => (Sort::Other, found, "a line such as `key = value`"),
        (_, "nothing") => (Sort::Other, found, ""),
        _ => (Sort::Other, found, wanted),
    };
    Mistake {
        sort,
        found,
        wanted,
    }
}

impl Mistake<'_> {
    fn fault(&self, text: &str, span: Range<usize>) -> Fault {
        let (kind, message) = match self.sort {
            Sort::Duplicate => {
                let key = clip(text.get(span.clone()).unwrap_or_default(), 40);
                (FaultKind::Duplicate, format!("duplicate key `{key}`"))
            }
            _ if let Some((value, wanted)) = number_wanted(text, &span) => {
                let message = format!("not TOML: found `{}`", clip(value, 40));
                return Fault::new(FaultKind::Syntax, "", Some(span), message, wanted);
            }
            _ => (FaultKind::Syntax, format!("not TOML: {}", self.found)),
        };
        Fault::new(kind, "", Some(span), message, self.wanted)
    }
}

/// Returns a number that is not written as TOML wants it, and how it should be; `None` where a mistake is not about a number.
fn number_wanted<'t>(text: &'t str, span: &Range<usize>) -> Option<(&'t str, &'static str)> {
    let rest = text.get(span.start..)?;
    // The value that the parser stopped in begins after a sign that opens or parts values.
    let before = text.get(..span.start)?;
    let begin = before.rfind([',', '[', '=', '\n']).map_or(0, |at| at + 1);
    let end = span.start + rest.find([',', ']', '}', '#', '\n']).unwrap_or(rest.len());
    let value = text.get(begin..end)?.trim();
    let number = value.trim_start_matches(['-', '+']);
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let wanted = match number {
        _ if number.contains(['/', '*', '^']) => "a number such as 0.0167; nothing is calculated",
        _ if number.split_whitespace().count() > 1 => "a comma between numbers",
        _ => "a number such as 0.0025, with a point and without a unit",
    };
    Some((value, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml::de::DeTable;

    /// The message of the first error, and what is made of it.
    fn first(text: &str) -> (String, Sort, String, String) {
        let (_, errors) = DeTable::parse_recoverable(text);
        let error = errors.first().unwrap_or_else(|| panic!("{text:?} is TOML"));
        let Mistake {
            sort,
            found,
            wanted,
        } = classify(error);
        (error.message().into(), sort, found.into(), wanted.into())
    }

    #[test]
    fn mistakes_in_numbers_say_how_numbers_are_written() {
        for (text, wanted) in [
            ("a = [0.0025 0.005]", Some("a comma between numbers")),
            (
                "a = 1/60",
                Some("a number such as 0.0167; nothing is calculated"),
            ),
            (
                "a = 2.0s",
                Some("a number such as 0.0025, with a point and without a unit"),
            ),
            (
                "a = [0,0025, 1.0]",
                Some("a number such as 0.0025, with a point and without a unit"),
            ),
            ("a = word", None),
            ("a = \"open\nb = 1", None),
        ] {
            let (_, errors) = DeTable::parse_recoverable(text);
            let span = errors[0].span().unwrap();
            let found = number_wanted(text, &span).map(|(_, wanted)| wanted);
            assert_eq!(found, wanted, "{text}");
        }
    }

    #[test]
    fn the_words_of_the_parser_are_known() {
        let unquoted = "string values must be quoted, expected literal string";
        let quoted = "string values must be quoted";
        let duplicate = (
            "duplicate key",
            Sort::Duplicate,
            "duplicate key",
            "each key or table once",
        );
        let other = |message, found, wanted| (message, Sort::Other, found, wanted);
        let in_quotes = other(unquoted, quoted, "a string in quotes");
        let no_end = "a string without its end";
        let open = "the array is not closed before this, or a comma is missing";
        for (text, (message, sort, found, wanted)) in [
            ("a = 1\na = 2", duplicate),
            ("[a]\n[a]", duplicate),
            ("a = { b = 1, b = 2 }", duplicate),
            ("a = word", in_quotes),
            ("a = ", in_quotes),
            ("a = [1 2]", in_quotes),
            (
                "a = \"open\nb = 1",
                other("invalid basic string, expected `\"`", no_end, "`\"`"),
            ),
            (
                "a = [1\nb = 2",
                (
                    "missing comma between array elements, expected `,`",
                    Sort::OpenArray,
                    open,
                    "`,` or `]`",
                ),
            ),
            (
                "} = 1",
                other(
                    "invalid key-value pair, expected key",
                    "invalid key-value pair",
                    "a line such as `key = value`",
                ),
            ),
            (
                "a = = 1",
                other("extra `=`, expected nothing", "extra `=`", ""),
            ),
            (
                "a = 1 ]",
                other(
                    "unexpected key or value, expected newline, `#`",
                    "unexpected key or value",
                    "newline, `#`",
                ),
            ),
            (
                "a",
                other(
                    "key with no value, expected `=`",
                    "key with no value",
                    "`=`",
                ),
            ),
            (
                "a = 'open",
                other(
                    "invalid literal string, expected `'`",
                    "invalid literal string",
                    "`'`",
                ),
            ),
            (
                "a = {b = 1",
                other(
                    "unclosed inline table, expected `}`",
                    "unclosed inline table",
                    "`}`",
                ),
            ),
        ] {
            let told = (message.into(), sort, found.into(), wanted.into());
            assert_eq!(first(text), told, "{text:?}");
        }
    }
}
