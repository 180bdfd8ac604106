//! `results.json`: the report as it is.

use super::Renderer;
use crate::run::{Report, Results};
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;

/// The report as JSON: the contents of `results.json`.
#[derive(Debug, Clone, Copy)]
pub struct Json;

impl Renderer for Json {
    fn render(&self, results: &Results) -> String {
        pretty(&results.report)
    }
}

/// Returns the JSON Schema of `results.json`.
pub fn results_schema() -> Value {
    // Fields that are always written are required in this schema.
    let settings = SchemaSettings::default().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<Report>();
    schema.to_value()
}

/// Returns JSON for files: indented, with a newline at its end.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data always serialises");
    text.push('\n');
    text
}
