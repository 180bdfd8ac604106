//! Checks a TOML tree against a schema and collects every fault.

mod choice;
mod numbers;

use std::ops::Range;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::excerpt::clip;
use crate::fault::{Fault, FaultKind};
use crate::key_spans::{anchor, below};
use crate::shape::{Shape, list};
use crate::words::{found, keys, meant, nearest};
use choice::ChoiceNotes;
use numbers::not_finite;

/// Number of faults beyond which no names are suggested: a suggestion takes long, and nobody reads so far.
const GUESSED: usize = 1000;

/// Returns all faults of the tree, in no particular order.
pub(crate) fn check(schema: &Value, root: &Spanned<DeValue<'_>>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut walk = Checker {
        path: String::new(),
        key: None,
        faults: &mut faults,
    };
    walk.value(&Shape::new(schema, schema), root);
    faults
}

/// Checker of a value: its path, the bytes of its key, and the faults so far.
pub(crate) struct Checker<'w> {
    pub(crate) path: String,
    pub(crate) key: Option<Range<usize>>,
    pub(crate) faults: &'w mut Vec<Fault>,
}

impl Checker<'_> {
    /// Returns the checker of a part of the value.
    pub(crate) fn at(&mut self, path: String, key: Option<Range<usize>>) -> Checker<'_> {
        let faults = &mut *self.faults;
        Checker { path, key, faults }
    }

    /// Adds a fault at `key`, shown at the value.
    fn fault(
        &mut self,
        kind: FaultKind,
        key: String,
        value: &Spanned<DeValue<'_>>,
        message: String,
        allowed: String,
    ) {
        let span = Some(anchor(self.key.as_ref(), value)).filter(|s| !s.is_empty());
        let fault = Fault::new(kind, key, span, message, allowed);
        self.faults.push(fault);
    }

    /// Adds the fault of a value that is not allowed; `hint` ends the message.
    pub(crate) fn found(
        &mut self,
        kind: FaultKind,
        value: &Spanned<DeValue<'_>>,
        hint: &str,
        allowed: String,
    ) {
        let message = format!("found {}{hint}", found(value.get_ref()));
        self.fault(kind, self.path.clone(), value, message, allowed);
    }

    /// Adds the fault of a key that the table does not have.
    pub(crate) fn missing(&mut self, name: &str, table: &Spanned<DeValue<'_>>, allowed: String) {
        let (key, message) = (below(&self.path, name), format!("missing key `{name}`"));
        self.fault(FaultKind::Missing, key, table, message, allowed);
    }

    /// Checks a value and all its parts.
    pub(crate) fn value(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>) {
        if let Some(number) = not_finite(value.get_ref()) {
            self.infinite(value, number);
        } else if !shape.accepts(value.get_ref()) {
            self.found(FaultKind::Type, value, "", shape.describe());
            self.finite(value);
        } else if let Some(allowed) = shape.constants() {
            self.constant(&allowed, ChoiceNotes::of(shape), value);
        } else if let (Some(tagged), DeValue::Table(table)) = (shape.tagged(), value.get_ref()) {
            self.tagged(&tagged, value, table);
        } else if !shape.alternatives().is_empty() {
            self.untagged(shape, value);
        } else {
            match value.get_ref() {
                DeValue::Table(table) => self.table(shape, value, table),
                DeValue::Array(array) => self.array(shape, value, array),
                DeValue::Integer(integer) => self.integer(shape, value, integer),
                DeValue::Float(float) => {
                    if let Ok(x) = float.as_str().parse() {
                        self.bounds(shape, value, x);
                    }
                }
                DeValue::String(text) => {
                    if text.chars().count() < shape.size("minLength").unwrap_or(0) {
                        self.found(FaultKind::Length, value, "", shape.describe());
                    }
                    if shape
                        .characters()
                        .is_some_and(|some| !text.contains(&*some))
                    {
                        self.found(FaultKind::Choice, value, "", shape.describe());
                    }
                }
                DeValue::Boolean(_) | DeValue::Datetime(_) => {}
            }
        }
    }

    fn table(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>, table: &DeTable<'_>) {
        let properties = shape.properties();
        let schema_of = |name: &str| properties.iter().find(|(n, _)| *n == name).map(|(_, s)| *s);
        let rest = shape.get("additionalProperties").filter(|s| s.is_object());
        let mut absent: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
        absent.retain(|name| !table.iter().any(|(key, _)| key.get_ref() == name));
        for (key, value) in table.iter() {
            let name: &str = key.get_ref();
            let mut walk = self.at(below(&self.path, name), Some(key.span()));
            match schema_of(name).or(rest) {
                Some(schema) => walk.value(&shape.inner(schema), value),
                None if shape.is_closed() => {
                    let few = walk.faults.len() < GUESSED;
                    let near = few.then(|| nearest(name, &absent)).flatten();
                    let message = format!("unknown key `{}`{}", clip(name, 40), meant(near));
                    let mut all: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
                    all.sort_unstable();
                    let (kind, span) = (FaultKind::Unknown, Some(key.span()));
                    let fault = Fault::new(kind, &*walk.path, span, message, keys(&all));
                    walk.faults.push(fault);
                    // A misspelt key is one mistake: it is not missing as well, and its value is checked as if it were spelt right.
                    if let Some(near) = near {
                        absent.retain(|name| *name != near);
                        if let Some(schema) = schema_of(near) {
                            walk.value(&shape.inner(schema), value);
                        }
                    }
                }
                None => walk.finite(value),
            }
        }
        for name in shape.required() {
            if absent.contains(&name) {
                let allowed = schema_of(name).map_or(String::new(), |s| shape.inner(s).describe());
                self.missing(name, value, allowed);
            }
        }
    }

    fn array(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>, array: &DeArray<'_>) {
        let n = array.len();
        let few = n < shape.size("minItems").unwrap_or(0);
        if few || shape.size("maxItems").is_some_and(|max| n > max) {
            self.found(FaultKind::Length, value, "", shape.describe());
        }
        let fixed: Vec<_> = list(shape.get("prefixItems")).collect();
        let items = shape.get("items").filter(|s| s.is_object());
        for (i, value) in array.iter().enumerate() {
            let mut walk = self.at(format!("{}[{i}]", self.path), None);
            match fixed.get(i).copied().or(items) {
                Some(schema) => walk.value(&shape.inner(schema), value),
                None => walk.finite(value),
            }
        }
    }

    /// Finds numbers that are not finite in a value that has no schema.
    pub(crate) fn finite(&mut self, value: &Spanned<DeValue<'_>>) {
        let any = Value::Bool(true);
        let shape = Shape::new(&any, &any);
        match value.get_ref() {
            DeValue::Table(table) => self.table(&shape, value, table),
            DeValue::Array(array) => self.array(&shape, value, array),
            single => {
                if let Some(number) = not_finite(single) {
                    self.infinite(value, number);
                }
            }
        }
    }

    fn infinite(&mut self, value: &Spanned<DeValue<'_>>, number: &str) {
        let (path, kind) = (self.path.clone(), FaultKind::NotFinite);
        let message = format!("found {number}, which is not finite");
        self.fault(kind, path, value, message, "finite numbers".into());
    }
}
