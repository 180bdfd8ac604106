//! The table of a figure as a case file has it.

use super::{Draw, KINDS, Row, SharedKeys};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use strict_toml::Faults;

/// A `[[figure]]` of a case file.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct FigureTable(toml::Table);

impl FigureTable {
    /// The kind and what all kinds share; the schema has let the table pass, so a failure is a fault of its own.
    pub(super) fn read(
        &self,
        key: &str,
        faults: &mut Faults,
    ) -> Option<(Box<dyn Draw>, SharedKeys)> {
        let name = self.0.get("kind").and_then(toml::Value::as_str)?;
        let row = KINDS.iter().find(|row| row.name == name)?;
        let shared = toml::Value::Table(self.0.clone()).try_into();
        let both = (row.read)(self.0.clone()).and_then(|what| Ok((what, shared?)));
        let add = |e: toml::de::Error| faults.add(key, e.message(), "see `topsim schema case`");
        both.map_err(add).ok()
    }
}

fn schema(row: &Row, g: &mut SchemaGenerator) -> Value {
    let mut own = (row.fields)(g).to_value();
    let shared = SharedKeys::json_schema(g).to_value();
    own["type"] = "object".into();
    for (name, schema) in shared["properties"].as_object().into_iter().flatten() {
        own["properties"][name] = schema.clone();
    }
    own["properties"]["kind"] = json!({ "type": "string", "const": row.name });
    let mut required = vec![Value::from("kind")];
    required.extend(own["required"].as_array().into_iter().flatten().cloned());
    own["required"] = required.into();
    own
}

impl JsonSchema for FigureTable {
    fn schema_name() -> Cow<'static, str> {
        "FigureEntry".into()
    }

    /// The kinds side by side, so that `kind` tells them apart.
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<Value> = KINDS.iter().map(|row| schema(row, g)).collect();
        json_schema!({
            "type": "object",
            "description": "A figure of runs.",
            "oneOf": kinds,
            "unevaluatedProperties": false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_and_keys_of_its_own() {
        let all = |row: &Row| schema(row, &mut SchemaGenerator::default());
        let shared = SharedKeys::json_schema(&mut SchemaGenerator::default()).to_value();
        let shared = shared["properties"].as_object().unwrap();
        for (i, row) in KINDS.iter().enumerate() {
            assert!(KINDS[..i].iter().all(|other| other.name != row.name));
            let (keys, own) = (
                all(row),
                (row.fields)(&mut SchemaGenerator::default()).to_value(),
            );
            assert!(
                !keys["description"].as_str().unwrap().is_empty(),
                "{}",
                row.name
            );
            let own = own["properties"].as_object();
            let clash = own
                .into_iter()
                .flatten()
                .find(|(name, _)| shared.contains_key(*name));
            assert_eq!(clash, None, "{}", row.name);
        }
    }
}
