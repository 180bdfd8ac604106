//! One wrong thing in a file, as data.

use std::ops::Range;

/// What sort of fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// The text is not TOML.
    Syntax,
    /// A key or a table stands in the file twice.
    Duplicate,
    /// A required key is missing.
    Missing,
    /// A key that the schema does not know.
    Unknown,
    /// A value of another type.
    Type,
    /// A value that is none of those allowed.
    Choice,
    /// An array or a string with too few or too many elements.
    Length,
    /// A number outside its bounds or those of its type.
    Range,
    /// A number that is NaN, infinite, or too large to be represented.
    NotFinite,
    /// The schema allows the value, but the type's own `Deserialize` refuses it.
    Refused,
    /// A rule beyond the schema is broken; see [`Document::fault`](crate::Document::fault).
    Rule,
    /// The file as a whole cannot be used; see [`InvalidFile::plain`](crate::InvalidFile::plain).
    File,
}

/// One wrong thing in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What sort of fault it is.
    pub kind: FaultKind,
    /// Dotted path of the key, such as `run.steps[2]`; empty for the file as a whole.
    pub key: String,
    /// The offending bytes of the text, if there are any.
    pub span: Option<Range<usize>>,
    /// What was found, in words.
    pub message: String,
    /// What is allowed, in words.
    pub allowed: Option<String>,
}

impl Fault {
    /// A fault; `allowed` may be empty.
    pub(crate) fn new(
        kind: FaultKind,
        key: impl Into<String>,
        span: Option<Range<usize>>,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            key: key.into(),
            span,
            message: message.into(),
            allowed: Some(allowed.into()).filter(|a| !a.is_empty()),
        }
    }

    /// The first of the offending bytes; the start of the text if there are none.
    pub(crate) fn start(&self) -> usize {
        self.span.as_ref().map_or(0, |s| s.start)
    }
}
