//! A check as a tolerance file has it. This type is the file format: serde reads it and the JSON
//! Schema is made from it.

use super::{AllowTable, Metric, Selection};
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::verdict::SourceKind;

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

/// One check: its runs, the measured number, the allowed values and their source.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Name of the check, for people.
    pub name: String,
    /// Measured number.
    pub measure: Metric,
    /// Allowed values of the number.
    pub allow: AllowTable,
    /// Selection of the runs; all without it.
    #[serde(default)]
    pub runs: Selection,
    /// Kind of source that the allowed number comes from.
    pub kind: SourceKind,
    /// The document or derivation the number comes from; required for `published` and `exact`, and not needed for `chosen`.
    pub source: Option<String>,
    /// The program that gives the number, and how it was run; required for `computed`, and only there.
    pub how: Option<String>,
    /// Expected outcome: `pass` (default) or, for a known defect, `fail`.
    #[serde(default)]
    pub expect: Expect,
    /// Reason of the expected failure; required with `expect = "fail"`.
    pub reason: Option<String>,
    /// Reason for the size of the tolerance.
    pub note: Option<String>,
    /// Reason why it is not judged this time.
    #[serde(skip)]
    pub skipped: Option<SkipReason>,
}

/// Reason why a check is not judged where only a part of a case is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// Its runs are not made.
    #[error("none of its runs is made")]
    NoRun,
    /// Only some steps of its ladders are made.
    #[error("its ladders of steps are made in part only")]
    PartOfLadder,
    /// Its study is not made.
    #[error("its study is not made")]
    NoStudy,
}

/// Expected outcome of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// It should pass.
    #[default]
    Pass,
    /// A known defect: it should fail, and passing is an error.
    Fail,
}
