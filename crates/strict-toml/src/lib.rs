//! Reads TOML files strictly: all faults of a file at once, each with its file, line, column and key, what was found and what
//! is allowed.
//!
//! A type that derives `Deserialize` and `JsonSchema` is all that is needed. The file is checked against the schema of the
//! type, so that a user sees all mistakes of a file at once: unknown keys (with the key that was probably meant), missing
//! keys, wrong types, numbers out of bounds or not finite, arrays of a wrong length, unknown names, and errors of syntax.
//!
//! ```
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//! use strict_toml::{TomlDocument, FaultKind};
//!
//! #[derive(Debug, Deserialize, JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Run {
//!     #[schemars(extend("exclusiveMinimum" = 0.0))]
//!     end: f64,
//!     scheme: Scheme,
//! }
//! #[derive(Debug, Deserialize, JsonSchema)]
//! #[serde(rename_all = "snake_case")]
//! enum Scheme {
//!     Explicit,
//!     Implicit,
//! }
//!
//! let (run, document) = TomlDocument::read::<Run>("run.toml", "end = 2\nscheme = 'implicit'\n").unwrap();
//! assert_eq!(run.end, 2.0);
//! assert_eq!(document.line_of("scheme"), Some(2));
//!
//! let invalid = TomlDocument::read::<Run>("run.toml", "end = -1\nschem = 'implicit'\n").unwrap_err();
//! assert_eq!(
//!     invalid.to_string(),
//!     "run.toml:1:7: end: found the integer -1; allowed: a number greater than 0\n\
//!      run.toml:2:1: schem: unknown key `schem`; did you mean `scheme`?; \
//!      allowed: the keys `end`, `scheme`"
//! );
//! assert_eq!(invalid.faults()[1].kind, FaultKind::Unknown);
//! ```
//!
//! - [`TomlDocument::read`] reads a file as one type; [`TomlDocument::open`] checks it against any schema,
//!   and [`TomlDocument::take`] and [`TomlDocument::take_at`] then return its parts as several types. [`schema_of`] is the
//!   schema of a type.
//!   A `pattern` is a class of characters such as `[ =*]`: a string must have one of them.
//!   The keyword [`OTHER_NAMES`] beside an `enum` gives other names of its values, by which people look for them, and [`LISTED`] a
//!   command that lists them, which messages name in place of a long list.
//! - [`Faults`] collects what rules beyond a schema find, at the keys where they find it.
//! - [`InvalidFile`] is the error: all [`Fault`]s as data, with the text. It displays as plain lines; with [`Excerpt`] a
//!   program can quote the lines with faults in its own way.
//! - [`near`], [`nearest`], [`meant`], [`one_of`], [`short`] and [`values`] word messages as this crate does;
//!   [`clip`] and [`harmless`] make foreign text safe to print.
//!
//! The crate prints nothing and reads no files.

mod check;
mod describe;
mod document;
mod excerpt;
mod fault;
mod faults;
mod invalid;
mod key_spans;
mod keywords;
mod schema;
mod shape;
mod syntax;
mod words;

#[cfg(test)]
mod tests;

pub use document::TomlDocument;
pub use excerpt::{Excerpt, clip, harmless, line_column};
pub use fault::{Fault, FaultKind};
pub use faults::Faults;
pub use invalid::{InvalidFile, SHOWN};
pub use keywords::{LISTED, OTHER_NAMES};
pub use schema::{schema_of, unsupported};
pub use words::{meant, near, nearest, one_of, short, values};
