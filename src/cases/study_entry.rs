//! A study in a case file: over the step ladder of the runs, or a map of its own.

use crate::analysis::Study;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// A study.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum StudyEntry {
    /// Escape times over a plane of starts.
    EscapeMap(Box<EscapeMapTable>),
    /// Over the step ladder of the runs.
    Ladder(Study),
}

/// Name of the kind.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EscapeMapKind {
    /// A map of escape times.
    EscapeMap,
}

fn strang() -> String {
    "poisson_strang".into()
}

/// Escape times of a Levitron over a plane of starts: r = (x, 0, z_s + z), upright, at rest, with
/// the spin of the case. A start escapes at the first step after which its distance from the
/// equilibrium exceeds the escape radius.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EscapeMapTable {
    /// Kind of the study.
    pub kind: EscapeMapKind,
    /// Its name, for files and checks.
    pub name: String,
    /// The window; cells are centred in it.
    pub window: WindowTable,
    /// Cells along x and along z.
    pub size: [u32; 2],
    /// T, s: what has not escaped by then survives.
    pub end: f64,
    /// Step, s.
    pub step: f64,
    /// One of the `poisson_*` schemes (default poisson_strang).
    #[serde(default = "strang")]
    pub scheme: String,
    /// Escape radius, m (default the smaller of the base's radius and z_s).
    pub escape_radius: Option<f64>,
    /// Single starts [x, z], m, whose escape times are wanted too.
    #[serde(default)]
    pub probes: Vec<[f64; 2]>,
}

/// A window of starts, m.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WindowTable {
    /// From and to, distance from the axis.
    pub x: [f64; 2],
    /// From and to, height above the equilibrium.
    pub z: [f64; 2],
}

impl JsonSchema for StudyEntry {
    fn schema_name() -> Cow<'static, str> {
        "StudyEntry".into()
    }

    /// The kinds side by side, so that `kind` tells them apart; those over the ladder share `runs`
    /// and `drawn`.
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        let ladder = Study::json_schema(g).to_value();
        let shared = ladder["properties"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        let mut kinds: Vec<Value> = ladder["oneOf"].as_array().cloned().unwrap_or_default();
        for kind in &mut kinds {
            if let Some(own) = kind["properties"].as_object_mut() {
                own.extend(shared.clone());
            }
        }
        let mut map = EscapeMapTable::json_schema(g).to_value();
        map["properties"]["kind"] = json!({ "type": "string", "const": "escape_map" });
        kinds.push(map);
        json_schema!({
            "type": "object",
            "description": "A study: a table, a CSV file and a figure; or a map.",
            "oneOf": kinds,
            "unevaluatedProperties": false,
        })
    }
}
