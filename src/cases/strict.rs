//! Holds a TOML tree against the schema of its mirror struct and collects every disagreement.

use std::ops::Range;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

use super::describe::{Shape, list, one_of, values};
use super::document::{anchor, below};
use super::excerpt::clip;
use super::problem::{Problem, Severity};

/// How the message about a missing key begins.
pub(crate) const MISSING: &str = "missing key";

/// Keywords that are checked, or say nothing about what is allowed.
const KNOWN: &[&str] = &[
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "default",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "oneOf",
    "prefixItems",
    "properties",
    "required",
    "title",
    "type",
    "unevaluatedProperties",
];

/// The keywords of a schema that [`Document::read`](super::Document::read) does not check: none,
/// for a mirror to be of use.
pub fn unsupported(schema: &Value) -> Vec<String> {
    let Some(map) = schema.as_object() else {
        return vec![];
    };
    let mut found = Vec::new();
    for (keyword, value) in map {
        match keyword.as_str() {
            "$defs" | "properties" => {
                found.extend(
                    value
                        .as_object()
                        .into_iter()
                        .flat_map(|m| m.values())
                        .flat_map(unsupported),
                );
            }
            "oneOf" | "anyOf" | "allOf" | "prefixItems" => {
                found.extend(list(Some(value)).flat_map(unsupported));
            }
            "items" | "additionalProperties" => found.extend(unsupported(value)),
            known if KNOWN.contains(&known) || known.starts_with("x-") => {}
            _ => found.push(keyword.clone()),
        }
    }
    found
}

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
struct Walk<'w> {
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
    fn here(&mut self, value: &Spanned<DeValue<'_>>, message: String, help: String) {
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
        let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
        let rest = shape.get("additionalProperties").filter(|s| s.is_object());
        for (key, value) in table.iter() {
            let name: &str = key.get_ref();
            let path = below(&self.path, name);
            let schema = properties
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, s)| *s)
                .or(rest);
            let mut walk = Walk {
                path,
                key: Some(key.span()),
                problems: &mut *self.problems,
            };
            match schema {
                Some(schema) => walk.value(&shape.inner(schema), value),
                None if shape.is_closed() => {
                    let message =
                        format!("unknown key `{}`{}", clip(name, 40), meant(name, &names));
                    let path = walk.path.clone();
                    walk.report(path, Some(key.span()), message, keys(&names));
                }
                None => walk.finite(value),
            }
        }
        let there = |name: &str| table.iter().any(|(key, _)| key.get_ref() == name);
        for name in shape.required().into_iter().filter(|name| !there(name)) {
            let schema = properties.iter().find(|(n, _)| *n == name).map(|(_, s)| *s);
            let help = schema.map_or("a value".to_owned(), |s| shape.inner(s).describe());
            self.missing(name, value, help);
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
            let hint = value
                .get_ref()
                .as_str()
                .map_or(String::new(), |s| meant(s, &names));
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

    fn integer(
        &mut self,
        shape: &Shape<'_>,
        value: &Spanned<DeValue<'_>>,
        integer: &DeInteger<'_>,
    ) {
        let (low, high) = match shape
            .get("format")
            .and_then(Value::as_str)
            .unwrap_or_default()
        {
            "uint8" => (0, u8::MAX.into()),
            "uint16" => (0, u16::MAX.into()),
            "uint32" => (0, u32::MAX.into()),
            "uint" | "uint64" => (0, u64::MAX.into()),
            "int8" => (i8::MIN.into(), i8::MAX.into()),
            "int16" => (i16::MIN.into(), i16::MAX.into()),
            "int32" => (i32::MIN.into(), i32::MAX.into()),
            _ => (i64::MIN.into(), i128::from(i64::MAX)),
        };
        match int(integer) {
            #[expect(clippy::cast_precision_loss, reason = "the nearest number is judged")]
            Some(i) if (low..=high).contains(&i) => self.bounds(shape, value, Some(i as f64)),
            _ => {
                let help = format!("integers from {low} to {high}");
                self.here(value, format!("found {}", found(value.get_ref())), help);
            }
        }
    }

    fn bounds(&mut self, shape: &Shape<'_>, value: &Spanned<DeValue<'_>>, x: Option<f64>) {
        let Some(x) = x else { return };
        let inside = shape.number("minimum").is_none_or(|b| x >= b)
            && shape.number("maximum").is_none_or(|b| x <= b)
            && shape.number("exclusiveMinimum").is_none_or(|b| x > b)
            && shape.number("exclusiveMaximum").is_none_or(|b| x < b);
        if !inside {
            self.here(
                value,
                format!("found {}", found(value.get_ref())),
                shape.describe(),
            );
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

fn int(integer: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn not_finite<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    let text = value.as_float()?.as_str();
    let finite = text.parse::<f64>().is_ok_and(f64::is_finite);
    (!finite).then_some(text)
}

/// What a value is, in words.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the string {:?}", clip(text, 40)),
        DeValue::Integer(i) => format!("the integer {}", clip(&i.to_string(), 40)),
        DeValue::Float(x) => format!("the number {}", clip(x.as_str(), 40)),
        DeValue::Boolean(b) => format!("the boolean {b}"),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::Array(array) if array.is_empty() => "an empty array".to_owned(),
        DeValue::Array(array) => format!("an array of {}", values(array.len())),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn keys(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|n| format!("`{n}`")).collect();
    if names.is_empty() {
        "no keys".to_owned()
    } else {
        format!("the keys {}", names.join(", "))
    }
}

/// "; did you mean `x`?", if there is a name near enough.
fn meant(word: &str, names: &[&str]) -> String {
    let near = |name: &&&str| distance(word, name);
    let found = names
        .iter()
        .min_by_key(near)
        .filter(|n| near(n) <= 1.max(word.len().min(24) / 3));
    found.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// Edits (insert, delete, replace, swap neighbours) between two words; case and `-` cost nothing.
fn distance(a: &str, b: &str) -> usize {
    let fold = |s: &str| -> Vec<char> {
        s.chars()
            .take(64)
            .map(|c| {
                if c == '-' {
                    '_'
                } else {
                    c.to_ascii_lowercase()
                }
            })
            .collect()
    };
    let (a, b) = (fold(a), fold(b));
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let differ = usize::from(a[i - 1] != b[j - 1]);
            let mut d = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + differ);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[i - 2][j - 2] + 1);
            }
            row.push(d);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
