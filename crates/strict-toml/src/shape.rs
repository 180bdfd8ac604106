//! JSON Schemas as shapes of values.

use serde_json::{Map, Value};
use toml::de::DeValue;

use crate::keywords::LISTED;

type Keywords = Map<String, Value>;

/// A schema with its references followed: all keyword objects that hold for a value at once.
#[derive(Debug, Clone)]
pub(crate) struct Shape<'a> {
    root: &'a Value,
    parts: Vec<&'a Keywords>,
    /// The alternatives of `oneOf` or `anyOf`, without `null`, which TOML does not have.
    pub(crate) choice: Vec<&'a Value>,
}

impl<'a> Shape<'a> {
    /// Returns the shape of a schema inside the document `root`.
    pub(crate) fn new(root: &'a Value, schema: &'a Value) -> Self {
        let mut shape = Self {
            root,
            parts: Vec::new(),
            choice: Vec::new(),
        };
        shape.add(schema);
        shape
    }

    fn add(&mut self, schema: &'a Value) {
        // A schema that refers to itself without a value in between never ends; no other schema has so many parts.
        let Some(part) = schema.as_object().filter(|_| self.parts.len() < 64) else {
            return;
        };
        self.parts.push(part);
        if let Some(target) = part.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(target.trim_start_matches('#'));
            target.into_iter().for_each(|schema| self.add(schema));
        }
        for schema in list(part.get("allOf")) {
            self.add(schema);
        }
        for schema in list(part.get("oneOf")).chain(list(part.get("anyOf"))) {
            if schema.get("type").and_then(Value::as_str) != Some("null") {
                self.choice.push(schema);
            }
        }
        // `Option<Union>` is a choice between the union and `null`, of which the union is left.
        if let [only] = self.choice[..] {
            self.choice.clear();
            self.add(only);
        }
    }

    /// Returns the shape of a schema inside this one.
    pub(crate) fn inner(&self, schema: &'a Value) -> Self {
        Self::new(self.root, schema)
    }

    /// Returns the alternatives, each together with the keywords that hold for all.
    pub(crate) fn alternatives(&self) -> Vec<Self> {
        let with = |schema: &&'a Value| {
            let mut shape = self.inner(schema);
            shape.parts.extend(&self.parts);
            shape
        };
        self.choice.iter().map(with).collect()
    }

    /// Returns the first value of a keyword.
    pub(crate) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.parts.iter().find_map(|part| part.get(keyword))
    }

    /// Returns the value of a keyword that is a number.
    pub(crate) fn number(&self, keyword: &str) -> Option<f64> {
        self.get(keyword)?.as_f64()
    }

    /// Returns the value of a keyword that is a count.
    pub(crate) fn size(&self, keyword: &str) -> Option<usize> {
        usize::try_from(self.get(keyword)?.as_u64()?).ok()
    }

    /// Returns the characters of which a string must have one.
    pub(crate) fn characters(&self) -> Option<Vec<char>> {
        class(self.get("pattern")?)
    }

    /// Returns the keys of a table with their schemas.
    pub(crate) fn properties(&self) -> Vec<(&'a str, &'a Value)> {
        let mut all: Vec<(&str, &Value)> = Vec::new();
        let maps = self
            .parts
            .iter()
            .filter_map(|p| p.get("properties")?.as_object());
        for (key, schema) in maps.flatten() {
            if !all.iter().any(|(k, _)| k == key) {
                all.push((key, schema));
            }
        }
        all
    }

    /// Returns the keys that a table must have.
    pub(crate) fn required(&self) -> Vec<&'a str> {
        let names = self.parts.iter().flat_map(|p| list(p.get("required")));
        let mut all: Vec<_> = names.filter_map(Value::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns whether keys that are not listed are errors.
    pub(crate) fn is_closed(&self) -> bool {
        let no = |k: &str| self.parts.iter().any(|p| p.get(k) == Some(&false.into()));
        no("additionalProperties") || no("unevaluatedProperties")
    }

    /// Returns the values of an enumeration, if the shape is one.
    pub(crate) fn constants(&self) -> Option<Vec<&'a Value>> {
        if let Some(value) = self.get("const") {
            return Some(vec![value]);
        }
        if let Some(values) = self.get("enum") {
            return Some(list(Some(values)).filter(|v| !v.is_null()).collect());
        }
        if self.choice.is_empty() {
            return None;
        }
        let each = self.choice.iter().map(|s| self.inner(s).constants());
        Some(each.collect::<Option<Vec<_>>>()?.concat())
    }

    /// Returns the command that lists the constants.
    pub(crate) fn listed(&self) -> Option<&'a str> {
        let own = self.get(LISTED).and_then(Value::as_str);
        own.or_else(|| self.choice.iter().find_map(|s| self.inner(s).listed()))
    }

    /// Returns the tables among the alternatives, if a key tells them apart. Other types may be allowed beside them.
    pub(crate) fn tagged(&self) -> Option<TaggedTables<'a>> {
        let mut tables = self.clone();
        if tables.tag().is_none() {
            tables
                .choice
                .retain(|s| self.inner(s).types() == ["object"]);
        }
        let (key, tags) = tables.tag()?;
        Some(TaggedTables { key, tags, tables })
    }

    /// Returns the key that tells the alternatives apart, with its value for each of them.
    fn tag(&self) -> Option<(&'a str, Vec<&'a Value>)> {
        let all: Vec<_> = self.choice.iter().map(|s| self.inner(s)).collect();
        let value = |shape: &Self, key: &str| {
            let schema = shape.properties().into_iter().find(|(k, _)| *k == key)?.1;
            let tag = schema.get("const").filter(|tag| tag.is_string());
            tag.filter(|_| shape.required().contains(&key))
        };
        all.first()?.properties().into_iter().find_map(|(key, _)| {
            let values: Option<Vec<_>> = all.iter().map(|s| value(s, key)).collect();
            Some((key, values?))
        })
    }

    /// Returns the JSON types that a value may have; none if the schema does not say.
    pub(crate) fn types(&self) -> Vec<&'a str> {
        match self.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
            _ => {
                let values = self.constants().unwrap_or_default();
                values.into_iter().map(json_type).collect()
            }
        }
    }

    /// Returns whether a value is of the right type, whatever its parts are.
    pub(crate) fn accepts(&self, value: &DeValue<'_>) -> bool {
        if !self.choice.is_empty() && self.get("type").is_none() {
            return self.choice.iter().any(|s| self.inner(s).accepts(value));
        }
        let types = self.types();
        let one_of = |names: &[&str]| types.iter().any(|t| names.contains(t));
        match value {
            DeValue::Datetime(_) => false,
            _ if types.is_empty() => true,
            DeValue::String(_) => one_of(&["string"]),
            DeValue::Integer(_) => one_of(&["integer", "number"]),
            DeValue::Float(_) => one_of(&["number"]),
            DeValue::Boolean(_) => one_of(&["boolean"]),
            DeValue::Array(_) => one_of(&["array"]),
            DeValue::Table(_) => one_of(&["object"]),
        }
    }
}

/// Tables that a key tells apart.
pub(crate) struct TaggedTables<'a> {
    pub(crate) key: &'a str,
    /// Value of the key for each table.
    pub(crate) tags: Vec<&'a Value>,
    /// Choice between the tables alone.
    pub(crate) tables: Shape<'a>,
}

/// Returns the characters of a pattern such as `[ =*]`, of which a string must have one; `None` of another pattern.
pub(crate) fn class(pattern: &Value) -> Option<Vec<char>> {
    let class = pattern.as_str()?.strip_prefix('[')?.strip_suffix(']')?;
    let plain = !class.is_empty() && !class.contains(['[', ']', '^', '\\', '-']);
    plain.then(|| class.chars().collect())
}

/// Returns the elements of an array keyword.
pub(crate) fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn json_type(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::Null => "null",
    }
}
