//! A study in a case file: over the step ladder of the runs, or one with its own computations.

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
    /// Survival against the spin.
    SpinScan(Box<SpinScanTable>),
    /// The linearly stable region.
    StabilityRegion(StabilityRegionTable),
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

/// Name of the kind.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpinScanKind {
    /// Survival against the spin.
    SpinScan,
}

/// How many starts of a window survive at each spin: starts and escapes as in an escape map, but
/// for the spin. Linear theory says at which spins the equilibrium is stable.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpinScanTable {
    /// Kind of the study.
    pub kind: SpinScanKind,
    /// Its name, for files and checks.
    pub name: String,
    /// Spins, rev/s.
    pub spins: RangeTable,
    /// The window; starts are centred in its cells.
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
}

/// Name of the kind.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StabilityRegionKind {
    /// The linearly stable region.
    StabilityRegion,
}

/// Linear stability of a Levitron that hovers upright, in the plane of height and spin. At each
/// height the moment is such that it carries the mass there (or the mass such that the moment
/// does, with the moments of inertia in proportion: the region is the same). The field, Θ1/m and
/// Θ3/m are those of the case, and so are the spin and the height whose modes are told.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StabilityRegionTable {
    /// Kind of the study.
    pub kind: StabilityRegionKind,
    /// Its name, for files and checks.
    pub name: String,
    /// Heights of the equilibrium, m.
    pub heights: RangeTable,
    /// Spins, rev/s: of the plane, and of the modes at the case's own height.
    pub spins: RangeTable,
}

/// Equally spaced numbers.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RangeTable {
    /// The first.
    pub from: f64,
    /// The last.
    pub to: f64,
    /// How many, both ends among them.
    pub count: u32,
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
        for (kind, schema) in [
            ("escape_map", EscapeMapTable::json_schema(g)),
            ("spin_scan", SpinScanTable::json_schema(g)),
            ("stability_region", StabilityRegionTable::json_schema(g)),
        ] {
            let mut own = schema.to_value();
            own["properties"]["kind"] = json!({ "type": "string", "const": kind });
            kinds.push(own);
        }
        json_schema!({
            "type": "object",
            "description": "A study: a table, a CSV file and a figure; or a map, a scan, a region.",
            "oneOf": kinds,
            "unevaluatedProperties": false,
        })
    }
}
