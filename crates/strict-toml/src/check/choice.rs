//! Checks of values against alternatives: an enumeration, tables that a tag tells apart, an untagged union.

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::fault::{Fault, FaultKind};
use crate::key_spans::below;
use crate::keywords::OTHER_NAMES;
use crate::shape::{Shape, TaggedTables};
use crate::words::{choice, meant, near, one_of};

use super::Checker;
use super::numbers::{int, not_finite};

/// Notes of a schema on the values of an enumeration.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ChoiceNotes<'a> {
    /// Other names of values, by which people look for them.
    pub others: Option<&'a Map<String, Value>>,
    /// Command that lists the values.
    pub listed: Option<&'a str>,
}

impl<'a> ChoiceNotes<'a> {
    /// Returns the notes beside the values of a shape.
    pub(super) fn of(shape: &Shape<'a>) -> Self {
        Self {
            others: shape.get(OTHER_NAMES).and_then(Value::as_object),
            listed: shape.listed(),
        }
    }
}

impl Checker<'_> {
    /// Checks a value against an enumeration.
    pub(super) fn constant(
        &mut self,
        allowed: &[&Value],
        notes: ChoiceNotes<'_>,
        value: &Spanned<DeValue<'_>>,
    ) {
        let same = |v: &&Value| match value.get_ref() {
            DeValue::String(text) => v.as_str() == Some(text),
            DeValue::Boolean(b) => v.as_bool() == Some(*b),
            DeValue::Integer(i) => v.as_i64().is_some_and(|v| int(i) == Some(v.into())),
            DeValue::Float(x) => v.as_f64().is_some_and(|v| x.as_str().parse() == Ok(v)),
            _ => false,
        };
        if !allowed.iter().any(same) {
            let names: Vec<_> = allowed.iter().filter_map(|v| v.as_str()).collect();
            let near = value.get_ref().as_str().map_or_else(Vec::new, |s| {
                let other = notes.others.and_then(|o| o.get(s)?.as_str());
                other.map_or_else(|| near(s, &names), |other| vec![other])
            });
            let allowed = choice(allowed, notes.listed);
            self.found(FaultKind::Choice, value, &meant(near), allowed);
        }
    }

    /// Checks a table whose tag says which alternative it is.
    pub(super) fn tagged(
        &mut self,
        TaggedTables { key, tags, tables }: &TaggedTables<'_>,
        value: &Spanned<DeValue<'_>>,
        table: &DeTable<'_>,
    ) {
        match table.iter().find(|(k, _)| k.get_ref() == key) {
            None => self.missing(key, value, one_of(tags)),
            Some((name, tag)) => {
                let text = tag.get_ref().as_str();
                if let Some(chosen) = tags.iter().position(|t| t.as_str() == text) {
                    return self.value(&tables.alternatives()[chosen], value);
                }
                let path = below(&self.path, key);
                self.at(path, Some(name.span()))
                    .constant(tags, ChoiceNotes::default(), tag);
            }
        }
        // Without the tag only the rules that hold for every choice can be checked.
        self.finite(value);
    }

    /// Checks a value against the alternative that it is nearest to.
    pub(super) fn untagged(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>) {
        let mut best: Option<((usize, usize), Vec<Fault>)> = None;
        let mut all = shape.alternatives();
        all.retain(|s| s.accepts(value.get_ref()));
        for shape in &all {
            let before = self.faults.len();
            self.value(shape, value);
            let faults = self.faults.split_off(before);
            let score = (misfits(shape, value.get_ref()), faults.len());
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, faults));
            }
        }
        for mut fault in best.map(|(_, faults)| faults).unwrap_or_default() {
            if fault.key == self.path && not_finite(value.get_ref()).is_none() {
                fault.allowed = Some(shape.describe());
            }
            self.faults.push(fault);
        }
    }
}

/// Counts the direct parts of a value that do not fit an alternative.
fn misfits(shape: &Shape<'_>, value: &DeValue<'_>) -> usize {
    let items = shape.get("items").map(|s| shape.inner(s));
    match (value, items) {
        (DeValue::Array(array), Some(items)) => {
            array.iter().filter(|v| !items.accepts(v.get_ref())).count()
        }
        (DeValue::Table(table), _) => {
            let known = shape.properties();
            table
                .iter()
                .filter(|(key, _)| !known.iter().any(|(k, _)| k == key.get_ref()))
                .count()
        }
        _ => 0,
    }
}
