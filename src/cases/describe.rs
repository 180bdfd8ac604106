//! What is allowed and what was found, in words.

use serde_json::Value;
use toml::de::DeValue;

use super::excerpt::clip;
use super::shape::{Shape, list};

impl Shape<'_> {
    /// What is allowed, in words.
    pub(crate) fn describe(&self) -> String {
        self.words(false, 0)
    }

    fn words(&self, many: bool, depth: usize) -> String {
        let noun = |one: &str, plural: &str| {
            if many {
                plural.to_owned()
            } else {
                one.to_owned()
            }
        };
        if let Some(values) = self.constants() {
            return one_of(&values);
        }
        if let Some((key, values)) = self.tag() {
            let values: Vec<_> = values.iter().map(|v| format!("\"{v}\"")).collect();
            return format!(
                "{} with `{key}` = {}",
                noun("a table", "tables"),
                or(&values)
            );
        }
        if !self.choice.is_empty() && depth < 4 {
            let tables = self.tagged_tables();
            let mut all: Vec<_> = self
                .choice
                .iter()
                .filter(|s| tables.is_none() || self.inner(s).types() != ["object"])
                .map(|s| self.inner(s).words(many, depth + 1))
                .collect();
            all.dedup();
            if let Some((key, tags, tables)) = tables {
                // A list of names that stands there already is not repeated.
                let names: Vec<Value> = tags.iter().map(|t| Value::from(*t)).collect();
                all.push(if all == [one_of(&names.iter().collect::<Vec<_>>())] {
                    format!(
                        "{} with one of these as its `{key}`",
                        noun("a table", "tables")
                    )
                } else {
                    tables.words(many, depth)
                });
            }
            return or(&all);
        }
        let types: Vec<_> = self.types().into_iter().filter(|t| *t != "null").collect();
        let each = types.iter().map(|t| match *t {
            "number" => noun("a number", "numbers") + &self.bounds(),
            "integer" => noun("an integer", "integers") + &self.bounds(),
            "string" if self.size("minLength").is_some_and(|n| n > 0) => {
                noun("a string that is not empty", "strings that are not empty")
            }
            "string" => noun("a string", "strings"),
            "boolean" => "`true` or `false`".to_owned(),
            "array" => noun("an array", "arrays") + &self.elements(depth),
            _ => match self.get("additionalProperties") {
                Some(schema) if schema.is_object() && depth < 4 => {
                    format!(
                        "{} of {}",
                        noun("a table", "tables"),
                        self.inner(schema).words(true, depth + 1)
                    )
                }
                _ if depth == 0 && !self.required().is_empty() => {
                    format!("a table with {}", keys(&self.required()))
                }
                _ => noun("a table", "tables"),
            },
        });
        let each: Vec<_> = each.collect();
        if each.is_empty() {
            noun("a value", "values")
        } else {
            or(&each)
        }
    }

    fn elements(&self, depth: usize) -> String {
        let fixed: Vec<_> = list(self.get("prefixItems")).collect();
        if depth >= 4 {
            return String::new();
        }
        if !fixed.is_empty() {
            let each: Vec<_> = fixed
                .iter()
                .map(|s| self.inner(s).words(false, depth + 1))
                .collect();
            return format!(" of {}: {}", values(fixed.len()), each.join(", "));
        }
        let items = self.get("items").map(|s| self.inner(s));
        let (min, max) = (self.size("minItems").unwrap_or(0), self.size("maxItems"));
        let one = min == 1 && max == Some(1);
        let what = items.map_or("values".to_owned(), |s| s.words(!one, depth + 1));
        match max {
            Some(_) if one => format!(" of just {what}"),
            Some(max) if min == max => format!(" of {max} {what}"),
            Some(max) => format!(" of {min} to {max} {what}"),
            None if min > 0 => format!(" of {what}, at least {min}"),
            None => format!(" of {what}"),
        }
    }

    fn bounds(&self) -> String {
        let low = match (self.number("exclusiveMinimum"), self.number("minimum")) {
            (Some(x), _) => Some(format!("greater than {}", short(x))),
            (None, Some(x)) => Some(format!("not less than {}", short(x))),
            (None, None) => None,
        };
        let high = match (self.number("exclusiveMaximum"), self.number("maximum")) {
            (Some(x), _) => Some(format!("less than {}", short(x))),
            (None, Some(x)) => Some(format!("not greater than {}", short(x))),
            (None, None) => None,
        };
        let all: Vec<_> = low.into_iter().chain(high).collect();
        if all.is_empty() {
            String::new()
        } else {
            format!(" {}", all.join(" and "))
        }
    }
}

/// A number as people write it: 1e-16, not 0.0000000000000001.
pub(crate) fn short(x: f64) -> String {
    let (plain, scientific) = (x.to_string(), format!("{x:e}"));
    if plain.len() > scientific.len() + 2 {
        scientific
    } else {
        plain
    }
}

/// The values of an enumeration as they would be written.
pub(crate) fn one_of(values: &[&Value]) -> String {
    or(&values.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// "a, b or c".
fn or(all: &[String]) -> String {
    match all {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// "1 value", "2 values".
pub(crate) fn values(n: usize) -> String {
    format!("{n} value{}", if n == 1 { "" } else { "s" })
}

/// What a value is, in words.
pub(crate) fn found(value: &DeValue<'_>) -> String {
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

/// Names of keys.
pub(crate) fn keys(names: &[&str]) -> String {
    let list: Vec<_> = names.iter().map(|n| format!("`{n}`")).collect();
    match list.len() {
        0 => "no keys".to_owned(),
        1 => format!("the key {}", list[0]),
        _ => format!("the keys {}", list.join(", ")),
    }
}

/// The name that a word was probably meant to be.
pub(crate) fn nearest<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    let far = |name: &&&str| distance(word, name);
    let found = names.iter().min_by_key(far)?;
    let long = word.chars().count().min(found.chars().count());
    (far(&found) <= 1.max(long / 3) && far(&found) < long).then_some(found)
}

/// "; did you mean `x`?", if there is such a name.
pub(crate) fn meant(near: Option<&str>) -> String {
    near.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
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
