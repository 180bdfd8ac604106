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

/// Returns the torque of a body, or the potential of reduced ones.
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
            let plans = suite.problem.plans.iter();
            for plan in plans.filter(|p| check.runs.takes(p)) {
                checked.insert((plan.scheme_name.clone(), torque.clone()));
            }
        }
    }
    assert!(legal.len() > 250, "{}", legal.len());
    let unchecked: Vec<_> = legal.difference(&checked).collect();
    assert!(unchecked.is_empty(), "{unchecked:?}");
}
