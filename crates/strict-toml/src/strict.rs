//! Holds a TOML tree against a schema and collects every disagreement.

use std::ops::Range;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::excerpt::clip;
use crate::fault::{Fault, FaultKind};
use crate::numbers::not_finite;
use crate::places::{anchor, below};
use crate::shape::{Shape, list};
use crate::words::{found, keys, meant, nearest};

/// All faults of the tree, in no particular order.
pub(crate) fn check(schema: &Value, root: &Spanned<DeValue<'_>>) -> Vec<Fault> {
    let mut faults = Vec::new();
    Walk {
        path: String::new(),
        key: None,
        faults: &mut faults,
    }
    .value(&Shape::new(schema, schema), root);
    faults
}

/// Where the walk is: the path, the bytes of the key, what was found so far.
pub(crate) struct Walk<'w> {
    pub(crate) path: String,
    pub(crate) key: Option<Range<usize>>,
    pub(crate) faults: &'w mut Vec<Fault>,
}

impl Walk<'_> {
    /// A fault of the value the walk is at.
    pub(crate) fn here(
        &mut self,
        kind: FaultKind,
        value: &Spanned<DeValue<'_>>,
        message: String,
        allowed: String,
    ) {
        let span = Some(anchor(self.key.as_ref(), value)).filter(|s| !s.is_empty());
        let fault = Fault::new(kind, &*self.path, span, message, allowed);
        self.faults.push(fault);
    }

    /// A key that the table the walk is at does not have.
    pub(crate) fn missing(&mut self, name: &str, table: &Spanned<DeValue<'_>>, allowed: String) {
        let span = Some(anchor(self.key.as_ref(), table)).filter(|s| !s.is_empty());
        let (key, message) = (below(&self.path, name), format!("missing key `{name}`"));
        let fault = Fault::new(FaultKind::Missing, key, span, message, allowed);
        self.faults.push(fault);
    }

    /// Judges a value and all that it contains.
    pub(crate) fn value(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>) {
        if let Some(number) = not_finite(value.get_ref()) {
            self.infinite(value, number);
        } else if !shape.accepts(value.get_ref()) {
            let message = format!("found {}", found(value.get_ref()));
            self.here(FaultKind::Type, value, message, shape.describe());
            self.finite(value);
        } else if let Some(allowed) = shape.constants() {
            self.constant(&allowed, value);
        } else if let (Some((key, tags)), DeValue::Table(table)) = (shape.tag(), value.get_ref()) {
            self.tagged(shape, key, &tags, value, table);
        } else if let (Some((key, tags, tables)), DeValue::Table(table)) =
            (shape.tagged_tables(), value.get_ref())
        {
            self.tagged(&tables, key, &tags, value, table);
        } else if !shape.alternatives().is_empty() {
            self.untagged(shape, value);
        } else {
            match value.get_ref() {
                DeValue::Table(table) => self.table(shape, value, table),
                DeValue::Array(array) => self.array(shape, value, array),
                DeValue::Integer(integer) => self.integer(shape, value, integer),
                DeValue::Float(float) => self.bounds(shape, value, float.as_str().parse().ok()),
                DeValue::String(text)
                    if text.chars().count() < shape.size("minLength").unwrap_or(0) =>
                {
                    let message = format!("found {}", found(value.get_ref()));
                    self.here(FaultKind::Length, value, message, shape.describe());
                }
                _ => {}
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
            let mut walk = Walk {
                path: below(&self.path, name),
                key: Some(key.span()),
                faults: &mut *self.faults,
            };
            match schema_of(name).or(rest) {
                Some(schema) => walk.value(&shape.inner(schema), value),
                None if shape.is_closed() => {
                    let near = nearest(name, &absent);
                    let message = format!("unknown key `{}`{}", clip(name, 40), meant(near));
                    let all: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
                    let span = Some(key.span());
                    let fault =
                        Fault::new(FaultKind::Unknown, &*walk.path, span, message, keys(&all));
                    walk.faults.push(fault);
                    // One mistake: not missing as well, and its value is judged as if spelt right.
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
            let message = format!("found {}", found(value.get_ref()));
            self.here(FaultKind::Length, value, message, shape.describe());
        }
        let fixed: Vec<_> = list(shape.get("prefixItems")).collect();
        let items = shape.get("items").filter(|s| s.is_object());
        for (i, value) in array.iter().enumerate() {
            let path = format!("{}[{i}]", self.path);
            let mut walk = Walk {
                path,
                key: None,
                faults: &mut *self.faults,
            };
            match fixed.get(i).copied().or(items) {
                Some(schema) => walk.value(&shape.inner(schema), value),
                None => walk.finite(value),
            }
        }
    }

    /// Looks for numbers that are not finite in a value that no schema speaks of.
    pub(crate) fn finite(&mut self, value: &Spanned<DeValue<'_>>) {
        let any = Value::Bool(true);
        match value.get_ref() {
            DeValue::Table(_) | DeValue::Array(_) => {
                let shape = Shape::new(&any, &any);
                match value.get_ref() {
                    DeValue::Table(table) => self.table(&shape, value, table),
                    DeValue::Array(array) => self.array(&shape, value, array),
                    _ => {}
                }
            }
            single => {
                if let Some(number) = not_finite(single) {
                    self.infinite(value, number);
                }
            }
        }
    }

    fn infinite(&mut self, value: &Spanned<DeValue<'_>>, number: &str) {
        let message = format!("found {number}, which is not finite");
        self.here(
            FaultKind::NotFinite,
            value,
            message,
            "finite numbers".into(),
        );
    }
}
