//! The table of a study as a case file has it.

use super::{KINDS, Kind};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;

/// A `[[study]]` of a case file.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct StudyTable(toml::Table);

impl StudyTable {
    /// Its kind.
    pub(super) fn kind(&self) -> Option<&'static Kind> {
        let name = self.0.get("kind").and_then(toml::Value::as_str)?;
        KINDS.iter().find(|k| k.name == name)
    }
    /// Its other keys.
    pub(super) fn fields(&self) -> toml::Table {
        let mut fields = self.0.clone();
        fields.remove("kind");
        fields
    }
    /// Whether it looks at the runs of its case.
    pub(crate) fn needs_runs(&self) -> bool {
        self.kind().is_none_or(|k| k.needs_runs)
    }
}

impl JsonSchema for StudyTable {
    fn schema_name() -> Cow<'static, str> {
        "StudyEntry".into()
    }

    /// The kinds side by side, so that `kind` tells them apart.
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<Value> = KINDS.iter().map(|k| k.schema(g)).collect();
        json_schema!({
            "type": "object",
            "description": "A study: a table, a CSV file and a figure; or a map, a scan, a region.",
            "oneOf": kinds,
            "unevaluatedProperties": false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own_and_stands_in_the_schema() {
        let schema = SchemaGenerator::default()
            .into_root_schema_for::<StudyTable>()
            .to_value();
        let kinds = schema["oneOf"].as_array().unwrap();
        let names: Vec<_> = kinds
            .iter()
            .map(|k| k["properties"]["kind"]["const"].as_str().unwrap())
            .collect();
        let rows: Vec<_> = KINDS.iter().map(|k| k.name).collect();
        assert_eq!(names, rows);
        for (i, kind) in KINDS.iter().enumerate() {
            assert!(KINDS[..i].iter().all(|k| k.name != kind.name));
            assert!(!kind.about().is_empty(), "{}", kind.name);
        }
    }
}
