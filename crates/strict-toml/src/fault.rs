//! Faults of a file, as data.

use std::ops::Range;

/// The kind of a fault.
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
    /// A value that is not among those allowed.
    Choice,
    /// An array or a string with too few or too many elements.
    Length,
    /// A number outside its bounds or those of its type.
    Range,
    /// A number that is NaN, infinite, or too large to be represented.
    NotFinite,
    /// The schema allows the value, but the type's own `Deserialize` refuses it.
    Refused,
    /// A rule beyond the schema is broken; see [`TomlDocument::fault`](crate::TomlDocument::fault).
    Rule,
    /// The file as a whole cannot be used; see [`InvalidFile::plain`](crate::InvalidFile::plain).
    File,
}

/// A fault of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Dotted path of the key, such as `run.steps[2]`; empty for the file as a whole.
    pub key: String,
    /// Offending bytes of the text, if there are any.
    pub span: Option<Range<usize>>,
    /// Description of what was found.
    pub message: String,
    /// Description of what is allowed.
    pub allowed: Option<String>,
}

impl Fault {
    /// Makes a fault; `allowed` may be empty.
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

    /// Returns the first of the offending bytes; the start of the text if there are none.
    pub(crate) fn start(&self) -> usize {
        self.span.as_ref().map_or(0, |s| s.start)
    }
}
