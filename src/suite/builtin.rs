//! The tolerance files and baselines of the built-in cases, embedded in the binary.

use super::{SuiteSource, Text};
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

/// Baselines, where the checks do not cover every run and the motion is not chaotic.
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

fn text(of: &[(&str, &str)], name: &str, end: &str) -> Option<Text> {
    let (_, text) = of.iter().find(|row| row.0 == name)?;
    Some(Text {
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

/// The built-in suites, in the order they are listed and run.
pub fn builtins() -> impl Iterator<Item = SuiteSource> {
    builtin::BUILTIN.iter().map(source)
}

/// The built-in suite of that name.
pub fn builtin(name: &str) -> Option<SuiteSource> {
    builtin::find(name).map(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;
    use std::collections::BTreeSet;
    use topsim_core::integration::{Parameters, registry};
    use topsim_core::models::reduced::AnyPotential;
    use topsim_core::models::{AnyTop, Model, TorqueModel};

    #[test]
    fn every_baseline_belongs_to_a_case() {
        for (name, _) in BASELINES {
            assert!(builtin(name).unwrap().baseline.is_some(), "{name}");
        }
        assert!(builtins().all(|source| source.expected.is_some()));
    }

    /// The torque of a body, or the potential of reduced ones.
    fn torque(model: &Model) -> String {
        let name = |torque: &TorqueModel| {
            let written = serde_json::to_value(torque).unwrap();
            written["model"].as_str().unwrap().to_string()
        };
        match model {
            Model::Top(top) => name(&top.torque),
            Model::Jointed(jointed) => name(&AnyTop::from(jointed.top().clone()).torque),
            Model::Reduced(reduced) => match reduced.potential {
                AnyPotential::Uniform(_) => "uniform".into(),
                AnyPotential::Levitron(_) => "levitron".into(),
                AnyPotential::Dipoles(_) => "dipoles".into(),
            },
            Model::GivenRate(problem) => {
                let written = serde_json::to_value(&problem.rate).unwrap();
                written["model"].as_str().unwrap().to_string()
            }
        }
    }

    /// Every scheme meets every torque that it serves in a run whose error is held against a reference. A pair is legal
    /// where the scheme binds to a shipped body with that torque.
    #[test]
    fn every_legal_pair_of_scheme_and_torque_has_a_check_of_its_error() {
        let suites: Vec<Suite> = builtins()
            .map(|source| Suite::read(&source).unwrap_or_else(|_| panic!("not valid")))
            .collect();
        let mut legal = BTreeSet::new();
        let mut checked = BTreeSet::new();
        for suite in &suites {
            let model = &suite.problem.model;
            let torque = torque(model);
            for row in registry::SCHEMES {
                if (row.bind)(model, &Parameters::default()).is_ok() {
                    legal.insert((row.info.name.to_string(), torque.clone()));
                }
            }
            let errors = suite
                .checks
                .iter()
                .filter(|c| ["error", "order", "limit"].contains(&c.measure.name()));
            for check in errors {
                let jobs = suite.problem.jobs.iter();
                for job in jobs.filter(|j| check.runs.takes(&j.scheme, j.grid.h)) {
                    checked.insert((job.scheme_name.clone(), torque.clone()));
                }
            }
        }
        assert!(legal.len() > 250, "{}", legal.len());
        let unchecked: Vec<_> = legal.difference(&checked).collect();
        assert!(unchecked.is_empty(), "{unchecked:?}");
    }
}
