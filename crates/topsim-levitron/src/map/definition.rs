//! What a map is, field by field, and the number that stands for all of it.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The whole definition of a map: everything that its numbers depend on, as text by the name of a
/// field, and nothing else (not how many machines or threads compute it).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Definition(BTreeMap<String, String>);

/// A field that differs between two definitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub field: String,
    /// What the first says, if anything.
    pub first: Option<String>,
    /// What the second says.
    pub second: Option<String>,
}

impl Definition {
    /// With one field more.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl ToString) -> Self {
        self.0.insert(field.into(), value.to_string());
        self
    }

    /// Its fields by their names.
    pub fn fields(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// The canonical text: a line for each field in alphabetical order, line breaks escaped.
    pub fn text(&self) -> String {
        let line = |(k, v): (&String, &String)| format!("{} = {}\n", one_line(k), one_line(v));
        self.0.iter().map(line).collect()
    }

    /// SHA-256 of the canonical text.
    pub fn identity(&self) -> [u8; 32] {
        Sha256::digest(self.text().as_bytes()).into()
    }

    /// Fields that differ.
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let mut fields: Vec<&String> = self.0.keys().chain(other.0.keys()).collect();
        fields.sort();
        fields.dedup();
        fields
            .into_iter()
            .filter(|f| self.0.get(*f) != other.0.get(*f))
            .map(|f| Difference {
                field: f.clone(),
                first: self.0.get(f).cloned(),
                second: other.0.get(f).cloned(),
            })
            .collect()
    }
}

impl From<BTreeMap<String, String>> for Definition {
    fn from(fields: BTreeMap<String, String>) -> Self {
        Self(fields)
    }
}

fn one_line(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('=', "\\=")
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
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
        let d = a.differences(&b);
        let names: Vec<&str> = d.iter().map(|d| d.field.as_str()).collect();
        assert_eq!(names, ["h", "scheme"]);
        assert_eq!(d[1].first, None);
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
