//! `results.json`: the report as it is.

use super::Renderer;
use crate::run::{Report, Results};
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;
use strict_toml::harmless;

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

/// Returns JSON for files: indented, with a newline at its end. Characters that a terminal would obey stand as escapes.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("plain data always serialises");
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c == '\n' || harmless(c) == c {
            out.push(c);
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
    }
    out.push('\n');
    out
}
