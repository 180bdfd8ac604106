//! A TOML file read strictly: all its problems at once, or its contents and where they stand.

use std::collections::BTreeMap;
use std::ops::Range;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::excerpt::{clip, line_column};
use super::problem::{InvalidFile, Problem, Severity};
use super::strict;

/// A file that was read, with the position of every key; validation that needs more than the
/// types says where with [`Document::problem`] and gives up with [`Document::reject`].
#[derive(Debug, Clone)]
pub struct Document {
    name: String,
    text: String,
    /// From key path to the bytes to point at.
    places: BTreeMap<String, Range<usize>>,
}

impl Document {
    /// Reads `text` as a `T`. `name` is the file as the user gave it.
    ///
    /// # Errors
    /// Every problem of the file at once. After a syntax error only what stands on the lines
    /// before it is judged, since what follows may have been swallowed.
    ///
    /// # Panics
    /// In debug builds, if the schema of `T` uses a keyword that is not checked.
    pub fn read<T: DeserializeOwned + JsonSchema>(
        name: &str,
        text: &str,
    ) -> Result<(T, Self), InvalidFile> {
        let schema = SchemaGenerator::default()
            .into_root_schema_for::<T>()
            .to_value();
        debug_assert_eq!(
            super::shape::unsupported(&schema),
            Vec::<String>::new(),
            "schema of {name}"
        );
        let (tree, errors) = DeTable::parse_recoverable(text);
        let root = Spanned::new(0..0, DeValue::Table(tree.into_inner()));
        let mut places = BTreeMap::new();
        index(&mut places, "", &root);
        let document = Self {
            name: name.to_owned(),
            text: text.to_owned(),
            places,
        };

        let mut problems = strict::check(&schema, &root);
        if !errors.is_empty() {
            document.spoil(&mut problems, &errors);
        }
        if !problems.is_empty() {
            return Err(document.reject(problems));
        }
        let table = match root.into_inner() {
            DeValue::Table(table) => Spanned::new(0..0, table),
            _ => unreachable!("the root is built as a table above"),
        };
        match T::deserialize(toml::de::Deserializer::from(table)) {
            Ok(contents) => Ok((contents, document)),
            Err(error) => {
                let span = error.span().filter(|s| !s.is_empty());
                let key = span
                    .as_ref()
                    .map(|s| document.key_at(s))
                    .unwrap_or_default();
                let message = error.message().to_owned();
                let problem = Problem {
                    key,
                    span,
                    message,
                    help: None,
                    severity: Severity::Error,
                };
                Err(document.reject(vec![problem]))
            }
        }
    }

    /// The file as the user named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The contents of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// An error at a key such as `body.inertia`, `run.steps[1]` or `check[3].value`. A key that
    /// the file does not have is shown at its nearest ancestor.
    pub fn problem(
        &self,
        key: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Problem {
        Problem {
            key: key.to_owned(),
            span: self.place(key),
            message: message.into(),
            help: Some(help.into()).filter(|h| !h.is_empty()),
            severity: Severity::Error,
        }
    }

    /// The line of a key, from 1, or of its nearest ancestor.
    pub fn line_of(&self, key: &str) -> Option<usize> {
        self.place(key)
            .map(|span| line_column(&self.text, span.start).0)
    }

    /// The text of a key's value as it is written, if the file has that key.
    pub fn text_of(&self, key: &str) -> Option<&str> {
        self.text.get(self.places.get(key)?.clone())
    }

    /// The file with these problems.
    pub fn reject(&self, problems: Vec<Problem>) -> InvalidFile {
        InvalidFile::new(&self.name, &self.text, problems)
    }

    fn place(&self, key: &str) -> Option<Range<usize>> {
        let mut key = key;
        loop {
            if let Some(span) = self.places.get(key) {
                return Some(span.clone());
            }
            key = &key[..key.rfind(['.', '['])?];
        }
    }

    /// The key whose place is the smallest around a span.
    fn key_at(&self, span: &Range<usize>) -> String {
        let around = |p: &Range<usize>| p.start <= span.start && span.end <= p.end;
        let found = self
            .places
            .iter()
            .filter(|(_, p)| around(p))
            .min_by_key(|(_, p)| p.len());
        found.map(|(key, _)| key.clone()).unwrap_or_default()
    }

    /// Adds the syntax errors, one a line, and keeps of the other problems only those that no
    /// syntax error can have caused.
    fn spoil(&self, problems: &mut Vec<Problem>, errors: &[toml::de::Error]) {
        let mut errors: Vec<_> = errors.iter().collect();
        errors.sort_by_key(|e| e.span().map_or(0, |s| s.start));
        // A key given twice leaves the rest of the tree as it is.
        let first = errors.iter().find(|e| !is_duplicate(e)).map(|e| {
            let start = self
                .text
                .floor_char_boundary(e.span().map_or(0, |s| s.start));
            self.text[..start].rfind('\n').map_or(0, |i| i + 1)
        });
        if let Some(first) = first {
            problems.retain(|p| {
                !p.message.starts_with(strict::MISSING)
                    && p.span.as_ref().is_some_and(|s| s.end <= first)
            });
        }
        let mut last = None;
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            let start = self.text.floor_char_boundary(span.start);
            // The errors are sorted: looking back to the last one only keeps this linear.
            if last.is_none_or(|last: usize| self.text[last..start].contains('\n')) {
                problems.push(self.syntax(error, span));
                // A bracket left open swallows what follows: all of it is one mistake.
                if error.message().starts_with(UNCLOSED) {
                    break;
                }
            }
            last = Some(start);
        }
    }

    fn syntax(&self, error: &toml::de::Error, span: Range<usize>) -> Problem {
        let (message, help) = if is_duplicate(error) {
            let key = self.text.get(span.clone()).unwrap_or_default();
            (
                format!("duplicate key `{}`", clip(key, 40)),
                "each key or table once".to_owned(),
            )
        } else {
            let (found, wanted) = error
                .message()
                .split_once(", expected ")
                .unwrap_or((error.message(), ""));
            let (found, wanted) = match (found, wanted) {
                ("string values must be quoted", _) => (found, "a string in quotes"),
                ("invalid basic string", "`\"`") => ("a string without its end", wanted),
                (UNCLOSED, _) => (
                    "the array is not closed before this, or a comma is missing",
                    "`,` or `]`",
                ),
                (_, "key") => (found, "a line such as `key = value`"),
                (_, "nothing") => (found, ""),
                _ => (found, wanted),
            };
            (format!("not TOML: {found}"), wanted.to_owned())
        };
        Problem {
            key: String::new(),
            span: Some(span),
            message,
            help: Some(help).filter(|h| !h.is_empty()),
            severity: Severity::Error,
        }
    }
}

/// What the parser says of an array that goes on without a comma.
const UNCLOSED: &str = "missing comma between array elements";

fn is_duplicate(error: &toml::de::Error) -> bool {
    error.message() == "duplicate key"
}

/// The bytes to point at for a value: a table under its own header is shown by its name.
pub(crate) fn anchor(key: Option<&Range<usize>>, value: &Spanned<DeValue<'_>>) -> Range<usize> {
    let span = value.span();
    match (value.get_ref(), key) {
        (DeValue::Table(_), Some(key)) if span.start <= key.start => key.clone(),
        _ => span,
    }
}

/// The path of a key below another, quoted where TOML would have to.
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
