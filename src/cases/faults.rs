//! What is wrong in a file beyond its types, collected.

use super::document::Document;
use super::problem::Problem;

/// Faults of one file so far.
pub(super) struct Faults<'a> {
    pub doc: &'a Document,
    pub list: Vec<Problem>,
}

impl Faults<'_> {
    pub fn add(&mut self, key: &str, found: impl Into<String>, allowed: impl Into<String>) {
        let p = self.doc.problem(key, found, allowed);
        self.list.push(p);
    }
}
