//! Schemes in a case file: a name, a table with parameters, or claims that several schemes make.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use strict_toml::{Faults, LISTED, OTHER_NAMES, meant, nearest};
use topsim_core::integration::{
    ALIASES, PROPERTIES, Parameter, Parameters, QUANTITIES, SchemeSelector, claims, registry,
};

/// A scheme with its label and parameters, or claims without them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SchemeEntry {
    /// Name in the registry, or claims.
    pub name: String,
    /// Label in outputs (default the name).
    pub label: Option<String>,
    /// Parameters of the scheme.
    pub parameters: Parameters,
}

impl SchemeEntry {
    fn with_defaults(name: String) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    /// Returns the label in outputs.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }

    /// Returns the schemes of a list, each with the index of its entry. Claims stand for the schemes that make them, in the
    /// order of the registry, without schemes that the list has already or names itself. Claims that no scheme makes, and
    /// names that no scheme has, are faults.
    pub fn expanded(list: &[Self], key: &str, faults: &mut Faults) -> Vec<(usize, Self)> {
        let named = |entry: &&Self| registry::find(&entry.name).is_some();
        let own: Vec<&str> = list.iter().filter(named).map(Self::label).collect();
        let mut out: Vec<(usize, Self)> = Vec::new();
        for (i, entry) in list.iter().enumerate() {
            if named(&entry) {
                out.push((i, entry.clone()));
                continue;
            }
            let selector = SchemeSelector::new(&*entry.name);
            let names: Vec<_> = selector.rows().map(|row| row.info.name).collect();
            if names.is_empty() {
                let known: Vec<_> = registry::names().collect();
                let found = no_claim(&selector, &known)
                    .unwrap_or_else(|| format!("no scheme fits \"{}\"", entry.name));
                let allowed = format!("a name of `topsim list schemes`, or {}", claims_allowed());
                faults.add(&format!("{key}[{i}]"), found, allowed);
            }
            for name in names {
                if !own.contains(&name) && out.iter().all(|(_, e)| e.label() != name) {
                    out.push((i, Self::with_defaults(name.into())));
                }
            }
        }
        out
    }
}

/// Describes the part of a selector that is neither a claim nor a name, with the claim or name that was probably meant.
pub fn no_claim(selector: &SchemeSelector, names: &[&str]) -> Option<String> {
    let part = selector.unknown()?;
    let (words, relation) = part.split_at(part.find(['<', '>', '=']).unwrap_or(part.len()));
    let words = words.trim();
    let known: Vec<&str> = if relation.is_empty() {
        let properties = PROPERTIES.iter().map(|p| p.words);
        properties.chain(names.iter().copied()).collect()
    } else {
        QUANTITIES.iter().map(|q| q.words).collect()
    };
    let near = nearest(words, &known).filter(|near| *near != words);
    let near = near.map(|near| format!("{near} {relation}").trim().to_string());
    Some(format!(
        "no claim or name of schemes: \"{part}\"{}",
        meant(near.as_deref())
    ))
}

/// Describes the claims that are allowed.
pub fn claims_allowed() -> String {
    let each: Vec<String> = claims().map(|claim| format!("`{claim}`")).collect();
    format!(
        "claims ({}), joined by `and`, each reversed by `not`",
        each.join(", ")
    )
}

impl<'de> Deserialize<'de> for SchemeEntry {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum NameOrTable {
            Name(String),
            Table {
                name: String,
                label: Option<String>,
                #[serde(flatten)]
                parameters: BTreeMap<String, Parameter>,
            },
        }
        Ok(match NameOrTable::deserialize(d)? {
            NameOrTable::Name(name) => Self::with_defaults(name),
            NameOrTable::Table {
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

    /// Makes the schema from the registry, so that parameters are checked and completed like any other key.
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        let words = PROPERTIES.iter().map(|p| p.words);
        let words = words.filter(|claim| !claim.contains(' '));
        let names: Vec<&str> = registry::names().chain(words).collect();
        let others = ALIASES.iter().map(|a| (a.name.into(), a.scheme.into()));
        let others: serde_json::Map<String, Value> = others.collect();
        let mut alternatives = vec![
            serde_json::json!({
                "type": "string",
                "description": "A scheme with its default parameters, or all schemes that make a claim.",
                "enum": names,
                OTHER_NAMES: others,
                LISTED: "topsim list schemes",
            }),
            serde_json::json!({
                "type": "string",
                "description": "All schemes that make claims: joined by `and`, each reversed by `not`.",
                "pattern": "[ =<>≤≥*,]",
                "examples": ["order = 2 and not symplectic", "any body"],
            }),
        ];
        for row in registry::SCHEMES {
            let schema = (row.schema)(g);
            let mut properties = serde_json::json!({
                "name": { "const": row.info.name },
                "label": { "type": "string", "description": "Label in outputs." },
            });
            let own = schema.get("properties").and_then(Value::as_object);
            if let (Some(all), Some(own)) = (properties.as_object_mut(), own) {
                all.extend(own.clone());
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
