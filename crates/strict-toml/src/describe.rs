//! What a schema allows, in words.

use serde_json::Value;

use crate::shape::{Shape, list};
use crate::words::{keys, one_of, short, values};

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
                one_of(&values)
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
            return one_of(&all);
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
            one_of(&each)
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
