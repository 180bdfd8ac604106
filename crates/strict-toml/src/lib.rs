//! Reads a TOML file strictly: every fault at once, each with its file, line, column and key, what
//! was found and what is allowed.
//!
//! A type that derives `Deserialize` and `JsonSchema` is all that is needed. The file is held against
//! the schema of the type, so that a user sees all mistakes of a file in one go: unknown keys
//! (with the key that was probably meant), missing ones, wrong types, numbers out of bounds or not finite,
//! arrays of a wrong length, unknown names, and errors of syntax beside them.
//!
//! ```
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//! use strict_toml::{Document, FaultKind};
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
//! let (run, document) = Document::read::<Run>("run.toml", "end = 2\nscheme = 'implicit'\n").unwrap();
//! assert_eq!(run.end, 2.0);
//! assert_eq!(document.line_of("scheme"), Some(2));
//!
//! let invalid = Document::read::<Run>("run.toml", "end = -1\nschem = 'implicit'\n").unwrap_err();
//! assert_eq!(
//!     invalid.to_string(),
//!     "run.toml:1:7: end: found the integer -1; allowed: a number greater than 0\n\
//!      run.toml:2:1: schem: unknown key `schem`; did you mean `scheme`?; \
//!      allowed: the keys `end`, `scheme`"
//! );
//! assert_eq!(invalid.faults()[1].kind, FaultKind::Unknown);
//! ```
//!
//! - [`Document::read`] reads a file as one type; [`Document::open`] checks it against any schema,
//!   and [`Document::take`] and [`Document::take_at`] then give its parts as several types.
//!   [`schema_of`] and [`substitute`] put such a schema together.
//!   The keyword [`OTHER_NAMES`] beside an `enum` gives other names of its values, by which people look for them.
//! - [`Faults`] collects what rules beyond a schema find, at the keys where they find it.
//! - [`InvalidFile`] is the error: all [`Fault`]s as data, with the text. Displayed it is plain lines;
//!   with [`Excerpt`] a program can quote the lines at fault as it likes.
//! - [`nearest`], [`meant`], [`one_of`], [`short`] and [`values`] word messages as this crate does;
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
mod places;
mod schema;
mod shape;
mod syntax;
mod words;

#[cfg(test)]
mod tests;

pub use document::Document;
pub use excerpt::{Excerpt, clip, harmless, line_column};
pub use fault::{Fault, FaultKind};
pub use faults::Faults;
pub use invalid::{InvalidFile, SHOWN};
pub use schema::{OTHER_NAMES, schema_of, substitute, unsupported};
pub use words::{meant, nearest, one_of, short, values};
