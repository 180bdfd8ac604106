//! Places of the keys of a file.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

/// The bytes to point at of each key path such as `run.steps[1]`.
#[derive(Debug, Clone)]
pub(crate) struct KeySpans(BTreeMap<String, Range<usize>>);

impl KeySpans {
    /// Finds all keys below the root table.
    pub(crate) fn new(root: &Spanned<DeValue<'_>>) -> Self {
        let mut places = BTreeMap::new();
        index(&mut places, "", root);
        Self(places)
    }

    /// Returns the span of a key that the file has.
    pub(crate) fn exact(&self, key: &str) -> Option<Range<usize>> {
        self.0.get(key).cloned()
    }

    /// Returns the span of a key, or of its nearest ancestor that the file has.
    pub(crate) fn nearest(&self, key: &str) -> Option<Range<usize>> {
        let mut key = key;
        loop {
            if let Some(span) = self.0.get(key) {
                return Some(span.clone());
            }
            key = &key[..key.rfind(['.', '['])?];
        }
    }

    /// Returns the key with the smallest span around a span.
    pub(crate) fn around(&self, span: &Range<usize>) -> Option<&str> {
        self.0
            .iter()
            .filter(|(_, p)| p.start <= span.start && span.end <= p.end)
            .min_by_key(|(_, p)| p.len())
            .map(|(key, _)| key.as_str())
    }
}

fn index(places: &mut BTreeMap<String, Range<usize>>, path: &str, value: &Spanned<DeValue<'_>>) {
    match value.get_ref() {
        DeValue::Table(table) => {
            for (key, value) in table.iter() {
                let path = below(path, key.get_ref());
                places.insert(path.clone(), anchor(Some(&key.span()), value));
                index(places, &path, value);
            }
        }
        DeValue::Array(array) => {
            for (i, value) in array.iter().enumerate() {
                let path = format!("{path}[{i}]");
                places.insert(path.clone(), anchor(None, value));
                index(places, &path, value);
            }
        }
        _ => {}
    }
}

/// Returns the bytes to point at for a value: a table under its own header is shown by its name.
pub(crate) fn anchor(key: Option<&Range<usize>>, value: &Spanned<DeValue<'_>>) -> Range<usize> {
    let span = value.span();
    match (value.get_ref(), key) {
        (DeValue::Table(_), Some(key)) if span.start <= key.start => key.clone(),
        _ => span,
    }
}

/// Returns the path of a key below another, quoted where TOML needs quotes.
pub(crate) fn below(path: &str, key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let quoted = if !key.is_empty() && key.chars().all(bare) {
        key.to_owned()
    } else {
        format!("{key:?}")
    };
    if path.is_empty() {
        quoted
    } else {
        format!("{path}.{quoted}")
    }
}
