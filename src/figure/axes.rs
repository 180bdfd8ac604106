//! Axes of figures as cases ask for them.

use super::Reader;
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::short;
use topsim_plot::{Axis, Scale};

/// An axis of a figure.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AxisTable {
    /// Range, from and to, in the unit of the axis (default: what shows all data).
    pub range: Option<[f64; 2]>,
    /// True for a logarithmic axis (default: for errors only).
    log: Option<bool>,
}

impl AxisTable {
    pub(super) fn check(&self, name: &str, reader: &mut Reader) {
        let Some([from, to]) = self.range else { return };
        let key = format!("{name}.range");
        let found = || format!("a range from {} to {}", short(from), short(to));
        if !(to > from) {
            reader.fault(&key, found(), "two numbers, the second above the first");
        } else if self.log == Some(true) && from <= 0.0 {
            reader.fault(&key, found(), "a range above 0 on a logarithmic axis");
        }
    }

    pub(super) fn apply(&self, axis: &mut Axis) {
        if let Some([from, to]) = self.range {
            axis.range = Some((from, to));
        }
        if let Some(log) = self.log {
            axis.scale = if log { Scale::Log10 } else { Scale::Linear };
        }
    }
}
