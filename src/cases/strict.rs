//! Holds a TOML tree against the schema of its mirror struct and collects every disagreement.

use std::ops::Range;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::describe::{found, keys, meant, nearest, one_of};
use super::document::{anchor, below};
use super::excerpt::clip;
use super::numbers::{int, not_finite};
use super::problem::{Problem, Severity};
use super::shape::{Shape, list};

/// How the message about a missing key begins.
pub(crate) const MISSING: &str = "missing key";

/// All problems of the tree, in no particular order.
pub(crate) fn check(schema: &Value, root: &Spanned<DeValue<'_>>) -> Vec<Problem> {
    let mut problems = Vec::new();
    Walk {
        path: String::new(),
        key: None,
        problems: &mut problems,
    }
    .value(&Shape::new(schema, schema), root);
    problems
}

/// Where the walk is: the path, the bytes of the key, what was found so far.
pub(crate) struct Walk<'w> {
    path: String,
    key: Option<Range<usize>>,
    problems: &'w mut Vec<Problem>,
}

impl Walk<'_> {
    fn report(&mut self, key: String, span: Option<Range<usize>>, message: String, help: String) {
        let help = Some(help);
        self.problems.push(Problem {
            key,
            span,
            message,
            help,
            severity: Severity::Error,
        });
    }

    /// A problem with the value the walk is at.
    pub(crate) fn here(&mut self, value: &Spanned<DeValue<'_>>, message: String, help: String) {
        let span = Some(anchor(self.key.as_ref(), value));
        self.report(
            self.path.clone(),
            span.filter(|s| !s.is_empty()),
            message,
            help,
        );
    }

    fn value(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>) {
        if let Some(number) = not_finite(value.get_ref()) {
            self.here(
                value,
                format!("found {number}, which is not finite"),
                "finite numbers".into(),
            );
        } else if !shape.accepts(value.get_ref()) {
            self.here(
                value,
                format!("found {}", found(value.get_ref())),
                shape.describe(),
            );
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
                    self.here(
                        value,
                        format!("found {}", found(value.get_ref())),
                        shape.describe(),
                    );
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
                problems: &mut *self.problems,
            };
            match schema_of(name).or(rest) {
                Some(schema) => walk.value(&shape.inner(schema), value),
                None if shape.is_closed() => {
                    let near = nearest(name, &absent);
                    let message = format!("unknown key `{}`{}", clip(name, 40), meant(near));
                    let all: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
                    walk.report(walk.path.clone(), Some(key.span()), message, keys(&all));
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
                let help = schema_of(name).map_or(String::new(), |s| shape.inner(s).describe());
                self.missing(name, value, help);
            }
        }
    }

    fn missing(&mut self, name: &str, table: &Spanned<DeValue<'_>>, help: String) {
        let span = Some(anchor(self.key.as_ref(), table)).filter(|s| !s.is_empty());
        self.report(
            below(&self.path, name),
            span,
            format!("{MISSING} `{name}`"),
            help,
        );
    }

    fn array(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>, array: &DeArray<'_>) {
        let n = array.len();
        let few = n < shape.size("minItems").unwrap_or(0);
        if few || shape.size("maxItems").is_some_and(|max| n > max) {
            self.here(
                value,
                format!("found {}", found(value.get_ref())),
                shape.describe(),
            );
        }
        let fixed: Vec<_> = list(shape.get("prefixItems")).collect();
        let items = shape.get("items").filter(|s| s.is_object());
        for (i, value) in array.iter().enumerate() {
            let path = format!("{}[{i}]", self.path);
            let mut walk = Walk {
                path,
                key: None,
                problems: &mut *self.problems,
            };
            match fixed.get(i).copied().or(items) {
                Some(schema) => walk.value(&shape.inner(schema), value),
                None => walk.finite(value),
            }
        }
    }

    fn constant(&mut self, allowed: &[&Value], value: &Spanned<DeValue<'_>>) {
        let same = |v: &&Value| match value.get_ref() {
            DeValue::String(text) => v.as_str() == Some(text),
            DeValue::Boolean(b) => v.as_bool() == Some(*b),
            DeValue::Integer(i) => v.as_i64().is_some_and(|v| int(i) == Some(v.into())),
            DeValue::Float(x) => v.as_f64().is_some_and(|v| x.as_str().parse() == Ok(v)),
            _ => false,
        };
        if !allowed.iter().any(same) {
            let names: Vec<_> = allowed.iter().filter_map(|v| v.as_str()).collect();
            let near = value.get_ref().as_str().and_then(|s| nearest(s, &names));
            let hint = meant(near);
            self.here(
                value,
                format!("found {}{hint}", found(value.get_ref())),
                one_of(allowed),
            );
        }
    }

    fn tagged(
        &mut self,
        shape: &Shape<'_>,
        key: &str,
        tags: &[&str],
        value: &Spanned<DeValue<'_>>,
        table: &DeTable<'_>,
    ) {
        let tags_json: Vec<Value> = tags.iter().map(|t| Value::from(*t)).collect();
        let tags_json: Vec<&Value> = tags_json.iter().collect();
        match table.iter().find(|(k, _)| k.get_ref() == key) {
            None => self.missing(key, value, one_of(&tags_json)),
            Some((name, tag)) => {
                let chosen = tag
                    .get_ref()
                    .as_str()
                    .and_then(|t| tags.iter().position(|x| *x == t));
                if let Some(chosen) = chosen {
                    let alternatives = shape.alternatives();
                    return self.value(&alternatives[chosen], value);
                }
                let path = below(&self.path, key);
                let mut walk = Walk {
                    path,
                    key: Some(name.span()),
                    problems: &mut *self.problems,
                };
                walk.constant(&tags_json, tag);
            }
        }
        // Without the tag nothing more can be said, but for what holds everywhere.
        self.finite(value);
    }

    /// Judges by the alternative that the value comes nearest to.
    fn untagged(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>) {
        let mut best: Option<((usize, usize), Vec<Problem>)> = None;
        for shape in shape
            .alternatives()
            .iter()
            .filter(|s| s.accepts(value.get_ref()))
        {
            let mut problems = Vec::new();
            let (path, key) = (self.path.clone(), self.key.clone());
            Walk {
                path,
                key,
                problems: &mut problems,
            }
            .value(shape, value);
            let score = (misfits(shape, value.get_ref()), problems.len());
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, problems));
            }
        }
        for mut problem in best.map(|(_, problems)| problems).unwrap_or_default() {
            if problem.key == self.path && not_finite(value.get_ref()).is_none() {
                problem.help = Some(shape.describe());
            }
            self.problems.push(problem);
        }
    }

    /// Looks for numbers that are not finite in a value that no schema speaks of.
    fn finite(&mut self, value: &Spanned<DeValue<'_>>) {
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
                    self.here(
                        value,
                        format!("found {number}, which is not finite"),
                        "finite numbers".into(),
                    );
                }
            }
        }
    }
}

/// How many direct parts of a value do not fit an alternative.
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
