//! Times at which a run is looked at.

use schemars::JsonSchema;
use serde::Deserialize;

/// A time of a run.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RunTime {
    /// Named time.
    Named(NamedTime),
    /// The first sample at or after this time, s; it must come within one step of it.
    Time(f64),
    /// The sample with the largest error between two times (metrics `error` and `order` only).
    Within(SpanPart),
}

/// A part of the span.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpanPart {
    /// First and last time of the part, s.
    pub worst: [f64; 2],
}

/// Named times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NamedTime {
    /// The initial state.
    Start,
    /// The last step.
    End,
    /// The sample with the largest error (metric `error` only).
    Worst,
}

/// Returns the default time.
pub(crate) fn at_end() -> RunTime {
    RunTime::Named(NamedTime::End)
}
