//! The definition of a study, field by field, and the hash that identifies it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Definition of a study: everything that its numbers depend on, as text by the name of a field, and
/// nothing else (not how many machines or threads compute it).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Definition(BTreeMap<String, String>);

impl Definition {
    /// Returns the definition with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl ToString) -> Self {
        self.0.insert(field.into(), value.to_string());
        self
    }

    /// Returns the fields by their names.
    pub fn fields(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// Returns the canonical text: a line for each field in alphabetical order, line breaks escaped.
    fn text(&self) -> String {
        let line = |(k, v): (&String, &String)| format!("{} = {}\n", one_line(k), one_line(v));
        self.0.iter().map(line).collect()
    }

    /// Returns the SHA-256 of the canonical text.
    pub(crate) fn identity(&self) -> [u8; 32] {
        Sha256::digest(self.text()).into()
    }

    /// Returns the names of the fields that differ, in alphabetical order.
    pub fn differences<'a>(&'a self, other: &'a Self) -> BTreeSet<&'a str> {
        let names = self.0.keys().chain(other.0.keys());
        let changed = names.filter(|name| self.0.get(*name) != other.0.get(*name));
        changed.map(String::as_str).collect()
    }
}

fn one_line(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('=', "\\=")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_counts() {
        let a = Definition::default()
            .with("h", 0.002)
            .with("size", "300×300");
        let b = a.clone().with("h", 0.001).with("scheme", "poisson_strang");
        assert_ne!(a.identity(), b.identity());
        assert_eq!(a.identity(), a.clone().identity());
        assert_eq!(a.text(), "h = 0.002\nsize = 300×300\n");
        assert_eq!(a.differences(&b), BTreeSet::from(["h", "scheme"]));
        assert!(a.differences(&a).is_empty());
    }

    #[test]
    fn no_two_definitions_have_one_text() {
        let one = Definition::default().with("a", "1\nb = 2");
        let two = Definition::default().with("a", "1").with("b", "2");
        let three = Definition::default().with("a = 1\nb", "2");
        assert_ne!(one.text(), two.text());
        assert_ne!(three.text(), two.text());
    }
}
