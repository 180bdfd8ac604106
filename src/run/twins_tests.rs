//! Runs deliberately wrong schemes (twins) on the shipped cases: each must fail some check that is not a mere regression,
//! and each kind of check must reject some twin.

use super::{Options, execute};
use crate::check::{Metric, by_check};
use crate::suite::{Suite, builtin};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use strum::VariantNames;
use topsim_core::schemes::wrong::{LawFault, Original, Twin, TwinFault, WrongLaw};
use topsim_core::verdict::SourceKind;

/// The cases made for the three schemes of [`TWINNED`], and the case of the whole catalogue.
const CASES: [&str; 6] = [
    "heavy_top",
    "pinned_bar",
    "free_asymmetric",
    "heavy_asymmetric",
    "hnw_forced",
    "catalogue",
];
/// The schemes that have wrong twins.
const TWINNED: [&str; 3] = ["rig_pos", "rig_neg", "rig_imp"];

/// The cases whose torques [`LawFault`] makes wrong, each with the faults that it rejects.
const LAWS: [(&str, &[LawFault]); 5] = [
    ("damped_body", &[LawFault::OfRate, LawFault::WithoutRate]),
    ("breathing_body", &[LawFault::WithoutRate, LawFault::Late]),
    (
        "gyrostat_spin_up",
        &[
            LawFault::RotorInSpace,
            LawFault::WithoutRate,
            LawFault::Late,
        ],
    ),
    ("swung_body", &[LawFault::Late, LawFault::Backwards]),
    ("pairs_gradient", &[LawFault::Late, LawFault::Backwards]),
];

/// Returns the checks of the case that fail with a wrong torque in `rkmk4` and are not mere regressions.
fn failures_of_law(case: &str, fault: LawFault) -> Vec<String> {
    let mut suite = Suite::read(&builtin(case).unwrap()).unwrap_or_else(|_| panic!("{case}"));
    suite.studies.clear();
    let problem = &mut suite.problem;
    problem.plans.retain(|p| p.scheme_name == "rkmk4");
    for plan in &mut problem.plans {
        plan.experiment = Arc::new(WrongLaw(fault).bind(&problem.model).unwrap());
    }
    let plans = &problem.plans;
    suite
        .checks
        .retain(|c| plans.iter().any(|p| c.runs.takes(p)));
    let options = Options::default();
    let results = execute(vec![suite], &options, &(), &AtomicBool::new(false)).unwrap();
    let mut out = Vec::new();
    for group in by_check(&results.report.cases[0].verdicts) {
        let v = group.tightest();
        if !group.is_good() && v.provenance.as_ref().unwrap().kind != SourceKind::Regression {
            out.push(v.id.to_string());
        }
    }
    out
}

#[test]
fn wrong_torques_are_rejected_by_the_cases_that_have_them() {
    for (case, faults) in LAWS {
        assert_eq!(failures_of_law(case, LawFault::None), [""; 0], "{case}");
        for &fault in faults {
            let failed = failures_of_law(case, fault);
            assert!(!failed.is_empty(), "{case} passes with {fault:?}");
        }
    }
}

/// Returns `(metric, kind, case: check)` for each check that fails with `twin` in place of the original scheme.
fn failures(twin: Twin) -> Vec<(String, SourceKind, String)> {
    let name = match twin.of {
        Original::Pos => "rig_pos",
        Original::Neg => "rig_neg",
        Original::Imp => "rig_imp",
    };
    let suites = CASES
        .iter()
        .map(|case| {
            let source = builtin(case).unwrap();
            let mut suite = Suite::read(&source).unwrap_or_else(|_| panic!("{case}"));
            suite.studies.clear();
            let problem = &mut suite.problem;
            problem.plans.retain(|p| TWINNED.contains(&&*p.scheme_name));
            let plans = &problem.plans;
            suite
                .checks
                .retain(|c| plans.iter().any(|p| c.runs.takes(p)));
            for plan in problem.plans.iter_mut().filter(|p| p.scheme_name == name) {
                plan.experiment = Arc::new(twin.bind(&problem.model).unwrap());
            }
            suite
        })
        .collect();
    let results = execute(suites, &Options::default(), &(), &AtomicBool::new(false)).unwrap();
    let mut out = Vec::new();
    for case in &results.report.cases {
        for group in by_check(&case.verdicts).iter().filter(|g| !g.is_good()) {
            let v = group.tightest();
            let kind = v.provenance.as_ref().unwrap().kind;
            out.push((v.metric.clone(), kind, format!("{}: {}", case.name, v.id)));
        }
    }
    out
}

const FAULTS: [TwinFault; 9] = [
    TwinFault::TorqueSign,
    TwinFault::SpaceTorqueInBody,
    TwinFault::LeftMultiplication,
    TwinFault::LaggedTorque,
    TwinFault::GyroscopicRow,
    TwinFault::FastClock,
    TwinFault::Wasteful,
    TwinFault::SpinsUp,
    TwinFault::Stretches,
];

#[test]
fn a_twin_without_fault_passes_everything() {
    for of in [Original::Pos, Original::Neg, Original::Imp] {
        let fault = TwinFault::None;
        assert_eq!(failures(Twin { of, fault }), [], "{of:?}");
    }
}

#[test]
fn every_wrong_twin_is_rejected_and_every_kind_of_check_rejects_one() {
    let mut twins: Vec<Twin> = FAULTS
        .iter()
        .flat_map(|&fault| {
            [Original::Pos, Original::Neg, Original::Imp].map(|of| Twin { of, fault })
        })
        .collect();
    twins.push(Twin {
        of: Original::Imp,
        fault: TwinFault::OneIteration,
    });
    let mut shown = String::new();
    let mut by_metric: BTreeMap<String, usize> = BTreeMap::new();
    for twin in twins {
        let failed = failures(twin);
        for (metric, ..) in &failed {
            *by_metric.entry(metric.clone()).or_default() += 1;
        }
        let sharp: Vec<&String> = failed
            .iter()
            .filter(|(_, kind, _)| *kind != SourceKind::Regression)
            .map(|(_, _, name)| name)
            .collect();
        // RIG_IMP uses the gyroscopic term in Newton's first guess only, and the iteration repairs the fault:
        // the result is right, and no check may fail.
        let harmless = twin.of == Original::Imp && twin.fault == TwinFault::GyroscopicRow;
        assert_eq!(sharp.is_empty(), harmless, "{twin:?}: {failed:?}");
        shown.push_str(&format!(
            "{:?} of {:?}: {} checks fail",
            twin.fault,
            twin.of,
            sharp.len()
        ));
        for name in sharp.iter().take(3) {
            shown.push_str(&format!("; {name}"));
        }
        shown.push('\n');
    }
    // Maps have no schemes of attitudes; tests/it/maps.rs tests the metric `study`.
    for metric in Metric::VARIANTS.iter().copied().filter(|m| *m != "study") {
        assert!(by_metric.contains_key(metric), "no twin fails `{metric}`");
    }
    insta::assert_snapshot!(shown);
}
