//! JSON Schemas of types, and the keywords of a schema that are checked.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::shape::{class, list};

/// Returns the schema of a type, as [`TomlDocument::read`](crate::TomlDocument::read) uses it.
pub fn schema_of<T: JsonSchema>() -> Value {
    SchemaGenerator::default()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Keywords that are checked, or that restrict nothing.
const KNOWN: &str = "$defs $ref $schema additionalProperties allOf anyOf const default deprecated \
    description enum examples exclusiveMaximum exclusiveMinimum format items maxItems maximum minItems \
    minLength minimum oneOf prefixItems properties required title type unevaluatedProperties";

/// Returns the keywords of a schema that [`TomlDocument::open`](crate::TomlDocument::open) does not check. A schema without
/// such keywords is checked completely, which a test of each type that is read should assert.
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
            "pattern" if class(value).is_some() => {}
            known if KNOWN.split(' ').any(|k| k == known) || known.starts_with("x-") => {}
            _ => found.push(keyword.clone()),
        }
    }
    found
}
