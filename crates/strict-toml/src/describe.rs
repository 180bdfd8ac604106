//! Descriptions of what a schema allows.

use serde_json::Value;

use crate::shape::{Shape, TaggedTables, list};
use crate::words::{choice, keys, one_of, short, values};

impl Shape<'_> {
    /// Describes what is allowed.
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
            return choice(&values, self.listed());
        }
        let table = noun("a table", "tables");
        let tagged = self.tagged();
        let mut others = self.choice.clone();
        if let Some(TaggedTables { tables, .. }) = &tagged {
            others.retain(|s| !tables.choice.contains(s));
        }
        if !self.choice.is_empty() && (depth < 4 || others.is_empty()) {
            let words = |s: &&Value| self.inner(s).words(many, depth + 1);
            let mut all: Vec<_> = others.iter().map(words).collect();
            all.dedup();
            if let Some(TaggedTables { key, tags, .. }) = tagged {
                // A list of names is not repeated.
                let names = choice(&tags, None);
                let others = others.iter().filter_map(|s| self.inner(s).constants());
                let others = others.flatten().collect::<Vec<_>>();
                let stands_there = tags.iter().all(|tag| others.contains(tag));
                all.push(if stands_there {
                    format!("{table} with such a name as its `{key}`")
                } else {
                    format!("{table} with `{key}` = {names}")
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
            "string" => match list(self.get("examples")).next() {
                Some(example) => format!("{} such as {example}", noun("a string", "strings")),
                None => noun("a string", "strings"),
            },
            "boolean" => "`true` or `false`".to_owned(),
            "array" => noun("an array", "arrays") + &self.elements(depth),
            _ => match self.get("additionalProperties") {
                Some(schema) if schema.is_object() && depth < 4 => {
                    format!("{table} of {}", self.inner(schema).words(true, depth + 1))
                }
                _ if depth == 0 && !self.required().is_empty() => {
                    format!("a table with {}", keys(&self.required()))
                }
                _ => table.clone(),
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
            let each = fixed.iter().map(|s| self.inner(s).words(false, depth + 1));
            let each: Vec<_> = each.collect();
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
        let bound = |keyword, than| Some(format!("{than} than {}", short(self.number(keyword)?)));
        let low = bound("exclusiveMinimum", " greater").or_else(|| bound("minimum", " not less"));
        let high = bound("exclusiveMaximum", " less").or_else(|| bound("maximum", " not greater"));
        let all: Vec<_> = low.into_iter().chain(high).collect();
        all.join(" and")
    }
}
