//! A scheme in a case file: a name, or a table with its parameters.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use strict_toml::OTHER_NAMES;
use topsim_core::integration::{ALIASES, Parameter, Parameters, registry};

/// A scheme with its label and parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemeEntry {
    /// Name in the registry.
    pub name: String,
    /// Label in outputs; the name without it.
    pub label: Option<String>,
    /// Parameters.
    pub parameters: Parameters,
}

impl<'de> Deserialize<'de> for SchemeEntry {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Name(String),
            Table {
                name: String,
                label: Option<String>,
                #[serde(flatten)]
                parameters: BTreeMap<String, Parameter>,
            },
        }
        Ok(match Written::deserialize(d)? {
            Written::Name(name) => Self {
                name,
                label: None,
                parameters: Parameters::default(),
            },
            Written::Table {
                name,
                label,
                parameters,
            } => Self {
                name,
                label,
                parameters: Parameters(parameters),
            },
        })
    }
}

impl JsonSchema for SchemeEntry {
    fn schema_name() -> Cow<'static, str> {
        "SchemeEntry".into()
    }

    /// Made from the registry, so that parameters are checked and completed like any other key.
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = registry::names().collect();
        let others = ALIASES.iter().map(|a| (a.name.into(), a.scheme.into()));
        let others: serde_json::Map<String, Value> = others.collect();
        let mut alternatives = vec![serde_json::json!({
            "type": "string",
            "description": "A scheme with its default parameters.",
            "enum": names,
            OTHER_NAMES: others,
        })];
        for row in registry::SCHEMES {
            let schema = (row.schema)(g);
            let mut properties = serde_json::Map::new();
            properties.insert("name".into(), serde_json::json!({ "const": row.info.name }));
            properties.insert(
                "label".into(),
                serde_json::json!({ "type": "string", "description": "Label in outputs." }),
            );
            if let Some(own) = schema.get("properties").and_then(|p| p.as_object()) {
                properties.extend(own.clone());
            }
            alternatives.push(serde_json::json!({
                "type": "object",
                "description": row.info.title,
                "properties": properties,
                "required": ["name"],
                "additionalProperties": false,
            }));
        }
        json_schema!({ "anyOf": alternatives })
    }
}
