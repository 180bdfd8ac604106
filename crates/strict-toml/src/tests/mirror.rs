//! A small mirror of a case file, with every shape the real mirrors use, for the tests.
#![allow(dead_code, missing_docs)]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

/// A case.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Title of the case.
    pub title: String,
    pub summary: Option<String>,
    #[serde(default)]
    pub references: Vec<String>,
    pub body: Body,
    /// The torque; none if left out.
    #[serde(default)]
    pub torque: Torque,
    pub run: Run,
    #[serde(default, rename = "check")]
    pub checks: Vec<Check>,
}

/// The body.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its inertia.
    pub inertia: Inertia,
    #[serde(default)]
    pub frame: Frame,
}

/// The inertia about the fixed point.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Inertia {
    /// Principal moments.
    Principal([f64; 3]),
    /// The full tensor, row by row.
    Full([[f64; 3]; 3]),
}

/// Frame of the components of a vector.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    #[default]
    Body,
    /// Axes fixed in space.
    Space,
}

/// The torque on the body.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(tag = "model", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Torque {
    /// No torque.
    #[default]
    None,
    /// Gravity at a lever.
    Gravity {
        /// M g
        weight: f64,
        lever: [f64; 3],
        #[serde(default = "up")]
        up: [f64; 3],
    },
    TwoWell(TwoWell),
}

fn up() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwoWell {
    #[schemars(range(min = 0.0))]
    pub depth: f64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub end: f64,
    #[schemars(length(min = 1), inner(range(min = 0.0)))]
    pub steps: Vec<f64>,
    pub sample: Option<f64>,
    pub jobs: Option<u32>,
    pub schemes: Vec<Scheme>,
    #[serde(default)]
    pub table: BTreeMap<String, f64>,
    #[serde(default)]
    pub plot: bool,
}

/// A scheme by name, or with its parameters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Scheme {
    Name(String),
    Table(SchemeTable),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemeTable {
    pub name: String,
    pub tolerance: Option<f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub runs: Option<Scheme>,
    pub frame: Option<Frame>,
    pub metric: Metric,
    pub tolerance: f64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Metric {
    ValueAt {
        quantity: String,
        time: f64,
    },
    Drift {
        quantity: String,
        expect: Option<Expect>,
    },
    Order,
    Range {
        between: (f64, f64),
        count: u8,
    },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    Pass,
    Fail,
}

/// Shapes beside those of the case: flattened structs, maps of tables, optional unions.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Loose {
    #[serde(flatten)]
    pub common: Common,
    #[serde(flatten)]
    pub torque: Torque,
    pub other: Option<Torque>,
    #[serde(default)]
    pub each: BTreeMap<String, Frame>,
    pub every: Option<Every>,
    pub count: Option<i8>,
    pub big: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Common {
    pub scale: f64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Every {
    Frame(Frame),
    Number(f64),
    Wanted(bool),
}
