//! A check as a tolerance file has it. This type is the file format: serde reads it and the JSON
//! Schema is made from it.

use super::{AllowTable, Metric, Selection};
use schemars::JsonSchema;
use serde::Deserialize;
use topsim_core::verdict::SourceKind;

/// One check: which runs, what is measured, what is allowed, and where the number comes from.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What it says, for people.
    pub name: String,
    /// What is measured.
    pub measure: Metric,
    /// What is allowed.
    pub allow: AllowTable,
    /// Which runs; all without it.
    #[serde(default)]
    pub runs: Selection,
    /// Where the allowed number comes from.
    pub kind: SourceKind,
    /// The document or derivation the number comes from; required for `published` and `exact`.
    pub source: Option<String>,
    /// The program that gives the number, and how it was run; required for `computed`, and only there.
    pub how: Option<String>,
    /// Whether the check is expected to pass (default) or, for a known defect, to fail.
    #[serde(default)]
    pub expect: Expect,
    /// Why it is expected to fail; required with `expect = "fail"`.
    pub reason: Option<String>,
    /// Why the tolerance is what it is.
    pub note: Option<String>,
    /// Why it is not judged this time.
    #[serde(skip)]
    pub skipped: Option<SkipReason>,
}

/// Why a check is not judged where only a part of a case is run.
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

/// Whether a check should pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// It should pass.
    #[default]
    Pass,
    /// A known defect: it should fail, and passing is an error.
    Fail,
}
