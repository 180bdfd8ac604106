//! JSON Schemas: of a type, put together from parts, and what of them is checked.

use std::collections::BTreeMap;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::shape::list;

/// Keyword beside an `enum`: an object of other names of its values, by which people look for them. Messages lead from these to
/// the values; as values they are refused.
pub const OTHER_NAMES: &str = "x-other-names";

/// The schema of a type, as [`Document::read`](crate::Document::read) uses it.
pub fn schema_of<T: JsonSchema>() -> Value {
    SchemaGenerator::default()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Gives a key of the root table another schema: `part`, a schema of its own such as that of
/// [`schema_of`], replaces what `schema` says of the values at `key`. So one crate can leave a key
/// open, and another one that knows its values can close it.
///
/// The definitions of `part` are added to those of `schema`; another one of the same name gets a
/// number. The description, the default and the examples that `schema` gives the key are kept unless
/// `part` has its own.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use strict_toml::{Document, schema_of, substitute};
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct File {
///     title: String,
///     /// Whoever draws them knows more.
///     #[serde(default)]
///     figures: Vec<serde_json::Value>,
/// }
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Figure {
///     quantity: String,
/// }
///
/// let mut schema = schema_of::<File>();
/// substitute(&mut schema, "figures", schema_of::<Vec<Figure>>());
///
/// let text = "title = 'Top'\n[[figures]]\nquantity = 'H'\n";
/// let document = Document::open("top.toml", text, &schema).unwrap();
/// assert_eq!(document.take::<File>().unwrap().title, "Top");
/// let figures: Vec<Figure> = document.take_at("figures").unwrap().unwrap_or_default();
/// assert_eq!(figures[0].quantity, "H");
///
/// let invalid = Document::open("top.toml", &text.replace("quantity", "quality"), &schema);
/// assert_eq!(invalid.unwrap_err().faults()[0].key, "figures[0].quality");
/// ```
///
/// # Panics
/// If one of the two schemas is no object.
pub fn substitute(schema: &mut Value, key: &str, part: Value) {
    let Value::Object(schema) = schema else {
        panic!("the schema of a table is an object");
    };
    let Value::Object(mut part) = part else {
        panic!("the schema of a key is an object");
    };
    let mut definitions = object(part.remove("$defs"));
    part.remove("$schema");
    let title = part.remove("title");
    let mut part = Value::Object(part);

    // A part that contains itself becomes a definition, since `#` will be another schema.
    if refers(&part, ROOT) || definitions.values().any(|d| refers(d, ROOT)) {
        let title = title.as_ref().and_then(Value::as_str).unwrap_or(key);
        let name = fresh(title, |name| definitions.contains_key(name));
        definitions.insert(name.clone(), part);
        part = json!({ "$ref": pointer(&name) });
        let names = BTreeMap::from([(ROOT.to_owned(), pointer(&name))]);
        definitions.values_mut().for_each(|d| rename(d, &names));
    }

    let mut all = object(schema.remove("$defs"));
    let names = renamed(&all, &definitions);
    rename(&mut part, &names);
    let mut part = object(Some(part));
    for (name, mut definition) in definitions {
        rename(&mut definition, &names);
        let new = names.get(&pointer(&name));
        let new = new.map_or(&*name, |p| &p[pointer("").len()..]).to_owned();
        all.entry(new).or_insert(definition);
    }
    if !all.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(all));
    }

    let properties = schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(properties) = properties else {
        panic!("the properties of a table are an object");
    };
    let before = object(properties.remove(key));
    for keyword in ["default", "deprecated", "description", "examples"] {
        if let Some(value) = before.get(keyword) {
            part.entry(keyword).or_insert_with(|| value.clone());
        }
    }
    properties.insert(key.to_owned(), Value::Object(part));
}

/// How a schema refers to itself as a whole.
const ROOT: &str = "#";

fn pointer(name: &str) -> String {
    format!("#/$defs/{name}")
}

fn object(value: Option<Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// A name that is not taken: the one given, or it with a number.
fn fresh(name: &str, taken: impl Fn(&str) -> bool) -> String {
    std::iter::once(name.to_owned())
        .chain((2..).map(|i| format!("{name}{i}")))
        .find(|name| !taken(name))
        .unwrap_or_default()
}

/// New references for those definitions that say something else than one of the same name, or
/// refer to one that does.
fn renamed(all: &Map<String, Value>, added: &Map<String, Value>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::<String, String>::new();
    loop {
        let differs = |(name, definition): &(&String, &Value)| {
            let other = all.get(name.as_str());
            let refers_to_one = names.keys().any(|n| refers(definition, n));
            !names.contains_key(&pointer(name))
                && other.is_some_and(|o| o != *definition || refers_to_one)
        };
        let Some((name, _)) = added.iter().find(differs) else {
            return names;
        };
        let taken = |new: &str| {
            all.contains_key(new)
                || added.contains_key(new)
                || names.values().any(|p| *p == pointer(new))
        };
        let new = pointer(&fresh(name, taken));
        names.insert(pointer(name), new);
    }
}

/// Whether a schema contains a reference.
fn refers(schema: &Value, reference: &str) -> bool {
    match schema {
        Value::Object(map) => map.iter().any(|(keyword, value)| {
            keyword == "$ref" && value == reference || refers(value, reference)
        }),
        Value::Array(values) => values.iter().any(|v| refers(v, reference)),
        _ => false,
    }
}

/// Replaces references.
fn rename(schema: &mut Value, names: &BTreeMap<String, String>) {
    match schema {
        Value::Object(map) => {
            for (keyword, value) in map.iter_mut() {
                let new = value.as_str().and_then(|reference| names.get(reference));
                match new {
                    Some(new) if keyword == "$ref" => *value = new.as_str().into(),
                    _ => rename(value, names),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|v| rename(v, names)),
        _ => {}
    }
}

/// Keywords that are checked, or say nothing about what is allowed.
const KNOWN: &str = "$defs $ref $schema additionalProperties allOf anyOf const default deprecated \
    description enum examples exclusiveMaximum exclusiveMinimum format items maxItems maximum minItems \
    minLength minimum oneOf prefixItems properties required title type unevaluatedProperties";

/// The keywords of a schema that [`Document::open`](crate::Document::open) does not check. A schema
/// without any is checked completely, which a test of each type that is read should assert.
pub fn unsupported(schema: &Value) -> Vec<String> {
    let Some(map) = schema.as_object() else {
        return vec![];
    };
    let mut found = Vec::new();
    for (keyword, value) in map {
        match keyword.as_str() {
            "$defs" | "properties" => {
                let parts = value.as_object().into_iter().flat_map(Map::values);
                found.extend(parts.flat_map(unsupported));
            }
            "oneOf" | "anyOf" | "allOf" | "prefixItems" => {
                found.extend(list(Some(value)).flat_map(unsupported));
            }
            "items" | "additionalProperties" => found.extend(unsupported(value)),
            known if KNOWN.split(' ').any(|k| k == known) || known.starts_with("x-") => {}
            _ => found.push(keyword.clone()),
        }
    }
    found
}
