//! The tolerance file as it is written.

use super::Check;
use schemars::JsonSchema;
use serde::Deserialize;

/// The checks of a case.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToleranceFile {
    /// Name of the case the checks belong to.
    pub case: String,
    /// Remarks for readers.
    pub notes: Option<String>,
    /// The checks.
    #[serde(default)]
    pub check: Vec<Check>,
}
