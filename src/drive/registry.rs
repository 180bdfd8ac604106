//! The one table of schemes: each row describes a scheme and binds it to a body.

use super::experiment::{Experiment, bind};
use crate::models::AnyTop;
use crate::schemes::{
    Buss2, Catto, Described, Dmv, Dmv4, Dmv6, Dmv8, Dmv10, EulerGyro, ExactBm6, ExactStrang,
    ExactSuzuki4, Jolt, RigImp, RigNeg, RigPos, RotationScheme, SchemeInfo, Split3, SplitSym,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

/// Parameters of a scheme as the case file gives them.
pub type Parameters = toml::Table;

/// Binds a scheme with its parameters to a body.
pub type Bind = fn(&AnyTop, &Parameters) -> Result<Box<dyn Experiment>, Refusal>;

/// One scheme.
pub struct Row {
    /// Name, formula, claims, sources.
    pub info: SchemeInfo,
    /// Binds the scheme with its parameters to a body.
    pub bind: Bind,
    /// JSON Schema of the parameters.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// Why a scheme cannot be used as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// A parameter is unknown, of the wrong type or out of range.
    #[error("{0}")]
    Parameters(String),
}

/// All schemes, in the order of the documentation.
pub static SCHEMES: &[Row] = &[
    row::<RigPos>(),
    row::<RigNeg>(),
    row::<RigImp>(),
    row::<Dmv>(),
    row::<Dmv4>(),
    row::<Dmv6>(),
    row::<Dmv8>(),
    row::<Dmv10>(),
    row::<Split3>(),
    row::<SplitSym>(),
    row::<ExactStrang>(),
    row::<ExactSuzuki4>(),
    row::<ExactBm6>(),
    row::<EulerGyro>(),
    row::<Catto>(),
    row::<Jolt>(),
    row::<Buss2>(),
];

const fn row<S>() -> Row
where
    S: RotationScheme + Described + DeserializeOwned + JsonSchema + 'static,
{
    Row {
        info: S::INFO,
        bind: bind_row::<S>,
        schema: schema_of::<S>,
    }
}

fn schema_of<S: JsonSchema>(g: &mut SchemaGenerator) -> Schema {
    S::json_schema(g)
}

fn bind_row<S>(top: &AnyTop, parameters: &Parameters) -> Result<Box<dyn Experiment>, Refusal>
where
    S: RotationScheme + DeserializeOwned + 'static,
{
    let scheme: S = toml::Value::Table(parameters.clone())
        .try_into()
        .map_err(|e: toml::de::Error| Refusal::Parameters(e.message().to_string()))?;
    Ok(bind(scheme, top))
}

/// The row of a scheme.
pub fn find(name: &str) -> Option<&'static Row> {
    SCHEMES.iter().find(|r| r.info.name == name)
}

/// Names of all schemes.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEMES.iter().map(|r| r.info.name)
}
