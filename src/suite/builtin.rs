//! The tolerance files and baselines of the built-in cases, embedded in the binary.

use super::{SourceText, SuiteSource};
use topsim_case::builtin::{self, Builtin};

macro_rules! tolerances {
    ($($name:literal $($judging:ident)?),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../expected/", $name, ".toml")))),+]
    };
}

macro_rules! baselines {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../expected/", $name, ".baseline.csv")))),+]
    };
}

/// The tolerance file of each built-in case.
static EXPECTED: &[(&str, &str)] = topsim_case::builtin_cases!(tolerances);

/// The baseline of each built-in case that has one: where the checks do not cover every run and the motion is not chaotic.
static BASELINES: &[(&str, &str)] = baselines![
    "heavy_top",
    "pinned_bar",
    "free_asymmetric",
    "heavy_asymmetric",
    "hnw_forced",
    "t_handle",
    "tossed_book",
    "bruls_heavy_top",
];

fn text(of: &[(&str, &str)], name: &str, end: &str) -> Option<SourceText> {
    let (_, text) = of.iter().find(|row| row.0 == name)?;
    Some(SourceText {
        path: format!("builtin:expected/{name}.{end}"),
        text: (*text).into(),
    })
}

fn source(case: &Builtin) -> SuiteSource {
    SuiteSource {
        case: case.source(),
        expected: text(EXPECTED, case.name, "toml"),
        baseline: text(BASELINES, case.name, "baseline.csv"),
    }
}

/// Returns the built-in suites in the order in which they are listed and run.
pub fn builtins() -> impl Iterator<Item = SuiteSource> {
    builtin::BUILTIN.iter().map(source)
}

/// Returns the built-in suite of this name.
pub fn builtin(name: &str) -> Option<SuiteSource> {
    builtin::find(name).map(source)
}

#[cfg(test)]
mod tests;
