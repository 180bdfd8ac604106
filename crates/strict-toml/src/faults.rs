//! Faults of rules beyond the schema.

use crate::document::TomlDocument;
use crate::fault::Fault;
use crate::invalid::InvalidFile;

/// The faults that rules of a caller have found in a file so far.
///
/// ```
/// use serde_json::json;
/// use strict_toml::{TomlDocument, Faults};
///
/// let schema = json!({ "type": "object" });
/// let document = TomlDocument::open("span.toml", "start = 3\nend = 2\n", &schema).unwrap();
/// let mut faults = Faults::new(&document);
/// faults.add("end", "an end before the start", "a number greater than 3");
/// let invalid = faults.into_result().unwrap_err();
/// assert_eq!(
///     invalid.to_string(),
///     "span.toml:2:7: end: an end before the start; allowed: a number greater than 3"
/// );
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Faults<'a> {
    /// File that is checked.
    pub doc: &'a TomlDocument,
    /// Faults found so far.
    pub list: Vec<Fault>,
}

impl<'a> Faults<'a> {
    /// Makes an empty list.
    pub fn new(doc: &'a TomlDocument) -> Self {
        Self {
            doc,
            list: Vec::new(),
        }
    }

    /// Adds a fault at a key; see [`TomlDocument::fault`].
    pub fn add(&mut self, key: &str, found: impl Into<String>, allowed: impl Into<String>) {
        self.list.push(self.doc.fault(key, found, allowed));
    }

    /// Returns whether no fault was found so far.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Ends the collection.
    ///
    /// # Errors
    /// All faults, if there are any.
    pub fn into_result(self) -> Result<(), InvalidFile> {
        if self.list.is_empty() {
            Ok(())
        } else {
            Err(self.doc.reject(self.list))
        }
    }
}
