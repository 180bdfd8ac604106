//! Members, numbers, quantiles, and wrong schemes against the shipped checks.

use super::plan::{EnsemblePlan, FAILED, StepAngle, error_of, number_of};
use super::summary::Cloud;
use super::*;
use crate::check::{Context, evaluate};
use crate::study::StudyTable;
use crate::suite::{Suite, builtin};
use strict_toml::{Faults, TomlDocument};
use topsim_core::integration::Parameters;
use topsim_core::integration::{Experiment, Refusal};
use topsim_core::math::Vec3;
use topsim_core::models::{Model, Quantity};
use topsim_core::reference::NoReference;
use topsim_core::schemes::wrong::{Original, Twin, TwinFault};
use topsim_core::verdict::SourceKind;

const FAMILIES: [Family; 3] = [
    Family::FreeAsymmetric,
    Family::HeavySymmetric,
    Family::Damped,
];

#[test]
fn a_member_is_a_function_of_seed_family_and_number() {
    let rate = |family: Family, seed, k| family.member(seed, k).rate;
    for family in FAMILIES {
        assert_eq!(rate(family, 1, 7), rate(family, 1, 7));
        let all = [rate(family, 1, 7), rate(family, 2, 7), rate(family, 1, 8)];
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
    }
    let of = |family: Family| match family.member(1, 0).model {
        Model::Top(top) => top.initial.omega,
        _ => panic!("a top"),
    };
    assert_ne!(of(Family::FreeAsymmetric), of(Family::Damped));
}

/// Along the closed form, over several turns: no rate is above the largest, and that of a free body is reached.
#[test]
fn the_largest_rate_is_the_largest() {
    for family in FAMILIES {
        let mut nearest = 0.0_f64;
        for k in 0..200 {
            let member = family.member(3, k);
            let form = family.form().closed_form(&member.model, 0.0);
            let form = form.unwrap().unwrap();
            let first = form.columns().position("W1").unwrap();
            let mut row = vec![0.0; form.columns().width()];
            let mut largest = 0.0_f64;
            for i in 0..2000 {
                form.row(0.02 * f64::from(i), &mut row);
                largest = largest.max(Vec3::from_row_slice(&row[first..first + 3]).norm());
            }
            let part = largest / member.rate;
            assert!(part <= 1.0 + 1e-12, "{family:?} {k}: {part}");
            assert!(form.error_of(12.0, Quantity::Attitude) < 1e-10);
            if family == Family::FreeAsymmetric {
                assert!(part > 0.95, "{k}: {part}");
            }
            nearest = nearest.max(part);
        }
        assert!(nearest > 0.999, "{family:?}: {nearest}");
    }
}

#[test]
fn numbers_keep_six_digits_of_an_error_and_its_order() {
    for error in [1e-19, 3.7e-15, 2.5e-7, 0.1, 1.0, 3.1] {
        let back = error_of(f64::from(number_of(error))).unwrap();
        assert!((back / error - 1.0).abs() < 1.2e-6, "{error} {back}");
    }
    assert!(number_of(0.0) >= 0 && number_of(1e-7) < number_of(1.001e-7));
    assert_eq!([f64::NAN, f64::INFINITY].map(number_of), [FAILED; 2]);
    assert_eq!(error_of(f64::from(FAILED)), None);
}

#[test]
fn step_angles_divide_the_run() {
    let rung = StepAngle::new(0.1, 12.0).unwrap();
    assert_eq!((rung.steps, rung.stops.len()), (120, 8));
    assert_eq!(rung.stops[..2], [15, 30]);
    // If there are few steps, the error is taken after each of them once.
    assert_eq!(StepAngle::new(4.0, 12.0).unwrap().stops, [1, 2, 3]);
    for bad in [0.7, 0.0, -0.1, f64::NAN, 13.0, 1e-12] {
        assert_eq!(StepAngle::new(bad, 12.0), None, "{bad}");
    }
}

/// 21 errors 1e-10 … 1e10, by hand: the quantiles are on the line between neighbours in their logarithms.
#[test]
fn quantiles_count_failed_runs_as_the_worst() {
    let errors = (0..=20).map(|i| 10_f64.powi(i - 18));
    let numbers: Vec<i32> = errors.map(number_of).collect();
    let near = |found: Option<f64>, wanted: f64| (found.unwrap() / wanted - 1.0).abs() < 3e-6;
    let cloud = Cloud::of(numbers.clone(), 1.0, None);
    for (found, wanted) in cloud.quantiles.into_iter().zip([1e-17, 1e-13, 1e-8, 1e-3]) {
        assert!(near(found, wanted), "{found:?} {wanted}");
    }
    assert_eq!((cloud.failed, cloud.survival), (0, 19.0 / 21.0));
    // The six best of them fail.
    let mut failing = numbers;
    failing[..6].fill(FAILED);
    let cloud = Cloud::of(failing, 1.0, None);
    assert!(near(cloud.quantiles[2], 1e-2), "{cloud:?}");
    assert_eq!(
        (cloud.quantiles[3], cloud.quantiles[4], cloud.largest),
        (None, None, None)
    );
    assert_eq!((cloud.failed, cloud.survival), (6, 13.0 / 21.0));
}

/// Returns the studies of a built-in case.
fn studies(case: &str) -> (Suite, Vec<EnsemblePlan>) {
    let source = builtin(case).unwrap();
    let suite = Suite::read(&source).unwrap_or_else(|_| panic!("{case}"));
    let text: toml::Table = source.case.text.parse().unwrap();
    let (_, doc) =
        TomlDocument::read::<serde_json::Map<String, serde_json::Value>>("case.toml", "").unwrap();
    let mut faults = Faults::new(&doc);
    let ensembles = text["study"].as_array().unwrap().iter().map(|table| {
        let StudyTable::Ensemble(table) = table.clone().try_into().unwrap() else {
            panic!("{case} has a study of another kind");
        };
        let mut reader = TableReader {
            key: "study".into(),
            problem: &suite.problem,
            warnings: &mut Vec::new(),
            faults: &mut faults,
        };
        ensemble(table, &mut reader).unwrap()
    });
    let ensembles = ensembles.collect();
    (suite, ensembles)
}

/// Checks that fail with these studies.
fn failures(suite: &Suite, studies: &[EnsemblePlan]) -> Vec<(SourceKind, String)> {
    let mut context = Context {
        runs: &[],
        reference: Err(NoReference::Unasked),
        events: &[],
        baseline: None,
        numbers: &[],
    };
    let make = |study: &EnsemblePlan| {
        let input = StudyInput {
            title: "",
            runs: &context,
            place: None,
            progress: &(),
            stop: &|| None,
        };
        study.make(&input).asked_for().unwrap()
    };
    let numbers: Vec<_> = studies.iter().map(make).collect();
    context.numbers = &numbers;
    let verdicts = evaluate(&suite.checks, &context);
    assert_eq!(verdicts.len(), suite.checks.len());
    let failed = verdicts.into_iter().filter(|v| !v.is_good());
    failed.map(|v| (v.provenance.unwrap().kind, v.id)).collect()
}

type Planted<'a> = &'a [(&'a str, Wrong)];
type Wrong = fn(&Model, &Parameters) -> Result<Experiment, Refusal>;

macro_rules! twin {
    ($fault:ident) => {
        (stringify!($fault), {
            let wrong: Wrong = |model, _| {
                let (of, fault) = (Original::Neg, TwinFault::$fault);
                Twin { of, fault }.bind(model)
            };
            wrong
        })
    };
}

/// Each fault of `rig_neg` is rejected by checks of the case, and nothing fails without one.
#[test]
fn wrong_schemes_are_rejected() {
    let cases: [(&str, usize, Planted); 2] = [
        (
            "ensemble_free",
            0,
            &[
                twin!(GyroscopicRow),
                twin!(LeftMultiplication),
                twin!(FastClock),
            ],
        ),
        (
            "ensemble_tops",
            0,
            &[
                twin!(TorqueSign),
                twin!(SpaceTorqueInBody),
                twin!(LaggedTorque),
            ],
        ),
    ];
    for (case, study, wrong) in cases {
        let (suite, mut ensembles) = studies(case);
        assert_eq!(failures(&suite, &ensembles), [], "{case}");
        let plan: &mut EnsemblePlan = &mut ensembles[study];
        plan.schemes.retain(|s| s.entry.label() == "rig_neg");
        let right = suite.checks.len();
        let mut only = suite;
        only.checks.retain(|c| {
            let asked = c.measure.needs().study;
            asked.is_some_and(|(_, number)| number.contains("(rig_neg"))
        });
        assert!(!only.checks.is_empty() && only.checks.len() < right);
        for (fault, bind) in [twin!(None)].iter().chain(wrong) {
            ensembles[study].schemes[0].bind = *bind;
            let failed = failures(&only, &ensembles[study..=study]);
            assert_eq!(failed.is_empty(), *fault == "None", "{case} {fault}");
        }
    }
}

/// Threads share the members; the numbers are the same.
#[test]
fn the_number_of_threads_does_not_matter() {
    let (_, mut ensembles) = studies("ensemble_tops");
    ensembles[0].table.members = 130;
    let context = Context {
        runs: &[],
        reference: Err(NoReference::Unasked),
        events: &[],
        baseline: None,
        numbers: &[],
    };
    let csv = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let input = StudyInput {
            title: "",
            runs: &context,
            place: None,
            progress: &(),
            stop: &|| None,
        };
        let found = pool.build().unwrap().install(|| ensembles[0].make(&input));
        let mut text = Vec::new();
        (found.files[0].write)(&mut text).unwrap();
        text
    };
    assert!(csv(1) == csv(3));
}
