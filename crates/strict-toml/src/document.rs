//! TOML files read strictly: all faults of a file at once, or its contents with their places.

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::excerpt::line_column;
use crate::fault::{Fault, FaultKind};
use crate::invalid::InvalidFile;
use crate::key_spans::{KeySpans, below};
use crate::schema::{schema_of, unsupported};
use crate::{check, syntax};

/// A file that agrees with its schema, with the place of every key. Rules beyond the schema report their faults by
/// [`Faults`](crate::Faults), or by [`TomlDocument::fault`] and [`TomlDocument::reject`].
#[derive(Debug, Clone)]
pub struct TomlDocument {
    name: String,
    text: String,
    spans: KeySpans,
}

impl TomlDocument {
    /// Reads `text` as a `T`. `name` is the file as the user gave it.
    ///
    /// # Errors
    /// All faults of the file at once. After a syntax error only the lines before it are checked, since the error may have
    /// swallowed the lines after it.
    ///
    /// # Panics
    /// Panics in debug builds if the schema of `T` uses a keyword that is not checked; see
    /// [`unsupported`].
    pub fn read<T: DeserializeOwned + JsonSchema>(
        name: &str,
        text: &str,
    ) -> Result<(T, Self), InvalidFile> {
        let (root, document) = Self::checked(name, text, &schema_of::<T>())?;
        let contents = document.deserialize(root, "")?;
        Ok((contents, document))
    }

    /// Checks `text` against a JSON Schema; [`take`](Self::take) and [`take_at`](Self::take_at)
    /// then return the contents, as often and as many types as needed.
    ///
    /// ```
    /// use serde_json::json;
    /// use strict_toml::TomlDocument;
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": { "steps": { "type": "array", "items": { "type": "number" } } },
    ///     "additionalProperties": false,
    /// });
    /// let document = TomlDocument::open("run.toml", "steps = [0.1, 0.2]", &schema).unwrap();
    /// assert_eq!(document.take_at::<Vec<f64>>("steps").unwrap(), Some(vec![0.1, 0.2]));
    /// assert_eq!(document.take_at::<Vec<f64>>("others").unwrap(), None);
    ///
    /// let invalid = TomlDocument::open("run.toml", "steps = [0.1, true]", &schema).unwrap_err();
    /// assert_eq!(
    ///     invalid.to_string(),
    ///     "run.toml:1:15: steps[1]: found the boolean true; allowed: a number"
    /// );
    /// ```
    ///
    /// # Errors
    /// Fails as [`TomlDocument::read`] does.
    ///
    /// # Panics
    /// Panics as [`TomlDocument::read`] does.
    pub fn open(name: &str, text: &str, schema: &Value) -> Result<Self, InvalidFile> {
        Self::checked(name, text, schema).map(|(_, document)| document)
    }

    /// Returns the whole file as a `T`. The text is parsed anew.
    ///
    /// # Errors
    /// The first value that the `Deserialize` of the type refuses, at its place.
    pub fn take<T: DeserializeOwned>(&self) -> Result<T, InvalidFile> {
        self.deserialize(self.root(), "")
    }

    /// Returns the value of a key of the root table as a `T`; `None` if the file does not have the key. The text is parsed anew.
    ///
    /// # Errors
    /// Fails as [`TomlDocument::take`] does.
    pub fn take_at<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, InvalidFile> {
        let root = self.root();
        let value = root.get_ref().get(key).cloned();
        let read = value.map(|value| self.deserialize(value, &below("", key)));
        read.transpose()
    }

    /// Returns the name of the file as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the contents of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the fault of a broken rule at a key such as `body.inertia`, `run.steps[1]` or `check[3].value`: what was found,
    /// and what is allowed (which may be empty). A key that the file does not have is shown at its nearest ancestor.
    pub fn fault(&self, key: &str, found: impl Into<String>, allowed: impl Into<String>) -> Fault {
        let span = self.spans.nearest(key);
        Fault::new(FaultKind::Rule, key, span, found, allowed)
    }

    /// Returns the line of a key, from 1, or of its nearest ancestor.
    pub fn line_of(&self, key: &str) -> Option<usize> {
        let span = self.spans.nearest(key)?;
        Some(line_column(&self.text, span.start).0)
    }

    /// Returns whether the file has a key.
    pub fn has(&self, key: &str) -> bool {
        self.spans.exact(key).is_some()
    }

    /// Returns the text of the value of a key as it is written, if the file has the key.
    pub fn text_of(&self, key: &str) -> Option<&str> {
        self.text.get(self.spans.exact(key)?)
    }

    /// Returns the file with these faults.
    pub fn reject(&self, faults: Vec<Fault>) -> InvalidFile {
        InvalidFile::new(&self.name, &self.text, faults)
    }

    /// Returns the tree of a file that agrees with its schema.
    fn checked<'t>(
        name: &str,
        text: &'t str,
        schema: &Value,
    ) -> Result<(Spanned<DeValue<'t>>, Self), InvalidFile> {
        debug_assert_eq!(
            unsupported(schema),
            Vec::<String>::new(),
            "schema of {name}"
        );
        let (root, errors) = parse(text);
        let mut faults = check::check(schema, &root);
        syntax::add(&mut faults, text, &errors);
        let document = Self {
            name: name.to_owned(),
            text: text.to_owned(),
            spans: KeySpans::new(&root),
        };
        if faults.is_empty() {
            Ok((root, document))
        } else {
            Err(document.reject(faults))
        }
    }

    fn root(&self) -> Spanned<DeValue<'_>> {
        let (root, errors) = parse(&self.text);
        debug_assert!(errors.is_empty(), "a document is made of valid TOML only");
        root
    }

    /// Returns a value of the file, which stands at `key` or below, as a `T`.
    fn deserialize<T: DeserializeOwned>(
        &self,
        value: Spanned<DeValue<'_>>,
        key: &str,
    ) -> Result<T, InvalidFile> {
        T::deserialize(value.into_deserializer()).map_err(|error| {
            let span = error.span().filter(|s| !s.is_empty());
            let at = span.as_ref().and_then(|s| self.spans.around(s));
            let key = at.unwrap_or(key);
            let span = span.or_else(|| self.spans.exact(key));
            let fault = Fault::new(FaultKind::Refused, key, span, error.message(), "");
            self.reject(vec![fault])
        })
    }
}

/// Returns the tree of a text as far as it can be read, and the errors of its syntax.
fn parse(text: &str) -> (Spanned<DeValue<'_>>, Vec<toml::de::Error>) {
    let (tree, errors) = DeTable::parse_recoverable(text);
    // The root has no span of its own: a fault of the root is a fault of the whole file.
    let root = Spanned::new(0..0, DeValue::Table(tree.into_inner()));
    (root, errors)
}
