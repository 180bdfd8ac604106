//! What the parser says of a text that is not TOML.

use std::ops::Range;

use toml::de::Error;

use crate::excerpt::clip;
use crate::fault::{Fault, FaultKind};

/// Adds the syntax errors, one a line, and keeps of the other faults only those that no syntax
/// error can have caused.
pub(crate) fn add(faults: &mut Vec<Fault>, text: &str, errors: &[Error]) {
    let mut errors: Vec<_> = errors
        .iter()
        .map(|e| (e.span().unwrap_or(0..0), classify(e)))
        .collect();
    errors.sort_by_key(|(span, _)| span.start);
    // A key given twice leaves the rest of the tree as it is.
    let first = errors.iter().find(|(_, m)| *m != Mistake::Duplicate);
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
        // The errors are sorted: looking back to the last one only keeps this linear.
        if last.is_none_or(|last: usize| text[last..start].contains('\n')) {
            let swallows = mistake == Mistake::OpenArray;
            faults.push(mistake.fault(text, span));
            if swallows {
                break;
            }
        }
        last = Some(start);
    }
}

/// A mistake in the syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mistake {
    /// A key or a table that was there before.
    Duplicate,
    /// A word where a value must stand.
    Unquoted,
    /// A string that the end of its line cuts off.
    OpenString,
    /// An array that goes on without a comma. An array left open swallows what follows, so that all
    /// later errors are the same mistake.
    OpenArray,
    /// Something that is no key where a key must stand.
    NoKey { found: String },
    /// Anything else, in the words of the parser.
    Other { found: String, wanted: String },
}

/// The only place that reads the words of the parser, which gives no codes. A test holds the words,
/// so that another version of the parser that words them differently is noticed.
fn classify(error: &Error) -> Mistake {
    let message = error.message();
    let (found, wanted) = message.split_once(", expected ").unwrap_or((message, ""));
    match (found, wanted) {
        ("duplicate key", _) => Mistake::Duplicate,
        ("string values must be quoted", _) => Mistake::Unquoted,
        ("invalid basic string", "`\"`") => Mistake::OpenString,
        ("missing comma between array elements", _) => Mistake::OpenArray,
        (_, "key") => Mistake::NoKey {
            found: found.to_owned(),
        },
        _ => Mistake::Other {
            found: found.to_owned(),
            wanted: if wanted == "nothing" { "" } else { wanted }.to_owned(),
        },
    }
}

impl Mistake {
    fn fault(self, text: &str, span: Range<usize>) -> Fault {
        let (found, wanted) = match self {
            Self::Duplicate => {
                let key = clip(text.get(span.clone()).unwrap_or_default(), 40);
                return Fault::new(
                    FaultKind::Duplicate,
                    "",
                    Some(span),
                    format!("duplicate key `{key}`"),
                    "each key or table once",
                );
            }
            Self::Unquoted => (
                "string values must be quoted".to_owned(),
                "a string in quotes".to_owned(),
            ),
            Self::OpenString => ("a string without its end".to_owned(), "`\"`".to_owned()),
            Self::OpenArray => (
                "the array is not closed before this, or a comma is missing".to_owned(),
                "`,` or `]`".to_owned(),
            ),
            Self::NoKey { found } => (found, "a line such as `key = value`".to_owned()),
            Self::Other { found, wanted } => (found, wanted),
        };
        let message = format!("not TOML: {found}");
        Fault::new(FaultKind::Syntax, "", Some(span), message, wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml::de::DeTable;

    /// The message of the first error, and what is made of it.
    fn first(text: &str) -> (String, Mistake) {
        let (_, errors) = DeTable::parse_recoverable(text);
        let error = errors.first().unwrap_or_else(|| panic!("{text:?} is TOML"));
        (error.message().to_owned(), classify(error))
    }

    #[test]
    fn the_words_of_the_parser_are_known() {
        let no_key = |found: &str| Mistake::NoKey {
            found: found.into(),
        };
        let other = |found: &str, wanted: &str| Mistake::Other {
            found: found.into(),
            wanted: wanted.into(),
        };
        let unquoted = "string values must be quoted, expected literal string";
        for (text, message, mistake) in [
            ("a = 1\na = 2", "duplicate key", Mistake::Duplicate),
            ("[a]\n[a]", "duplicate key", Mistake::Duplicate),
            ("a = { b = 1, b = 2 }", "duplicate key", Mistake::Duplicate),
            ("a = word", unquoted, Mistake::Unquoted),
            ("a = ", unquoted, Mistake::Unquoted),
            ("a = [1 2]", unquoted, Mistake::Unquoted),
            (
                "a = \"open\nb = 1",
                "invalid basic string, expected `\"`",
                Mistake::OpenString,
            ),
            (
                "a = [1\nb = 2",
                "missing comma between array elements, expected `,`",
                Mistake::OpenArray,
            ),
            (
                "} = 1",
                "invalid key-value pair, expected key",
                no_key("invalid key-value pair"),
            ),
            (
                "a = = 1",
                "extra `=`, expected nothing",
                other("extra `=`", ""),
            ),
            (
                "a = 1 ]",
                "unexpected key or value, expected newline, `#`",
                other("unexpected key or value", "newline, `#`"),
            ),
            (
                "a",
                "key with no value, expected `=`",
                other("key with no value", "`=`"),
            ),
            (
                "a = 'open",
                "invalid literal string, expected `'`",
                other("invalid literal string", "`'`"),
            ),
            (
                "a = {b = 1",
                "unclosed inline table, expected `}`",
                other("unclosed inline table", "`}`"),
            ),
        ] {
            assert_eq!(first(text), (message.to_owned(), mistake), "{text:?}");
        }
    }
}
