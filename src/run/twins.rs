//! Deliberately wrong schemes against the shipped cases: each must fail some check that is not a
//! mere regression, and each kind of check must reject some twin.

use super::{Options, execute};
use crate::analysis::SourceKind;
use crate::cases::{BUILTIN, CasePlan};
use crate::drive::bind;
use crate::schemes::wrong::{Fault, Of, Twin};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// `(metric, kind, case: check)` of everything that failed with `twin` in the place of its model.
fn failures(twin: Twin) -> Vec<(&'static str, SourceKind, String)> {
    let name = match twin.of {
        Of::Pos => "rig_pos",
        Of::Neg => "rig_neg",
        Of::Imp => "rig_imp",
    };
    // The cases made for these three schemes, and what the catalogue's says of them.
    let catalogue = BUILTIN.iter().find(|b| b.name == "catalogue");
    let plans = BUILTIN
        .iter()
        .take(5)
        .chain(catalogue)
        .map(|b| {
            let mut plan = CasePlan::new(&b.source()).unwrap_or_else(|_| panic!("{}", b.name));
            plan.studies.clear();
            plan.jobs.retain(|j| j.scheme_name.starts_with("rig_"));
            let jobs = &plan.jobs;
            plan.checks
                .retain(|c| jobs.iter().any(|j| c.runs.takes(&j.scheme, j.grid.h)));
            for job in plan.jobs.iter_mut().filter(|j| j.scheme_name == name) {
                job.experiment = Arc::from(bind(twin, &plan.model).unwrap());
            }
            plan
        })
        .collect();
    let report = execute(plans, &Options::default(), &(), &AtomicBool::new(false)).unwrap();
    let mut out = Vec::new();
    for case in &report.cases {
        for judged in case.judged.iter().filter(|j| !j.is_good()) {
            let v = judged.tightest();
            out.push((v.metric, v.kind, format!("{}: {}", case.name, judged.name)));
        }
    }
    out
}

const FAULTS: [Fault; 9] = [
    Fault::TorqueSign,
    Fault::SpaceTorqueInBody,
    Fault::LeftMultiplication,
    Fault::LaggedTorque,
    Fault::GyroscopicRow,
    Fault::FastClock,
    Fault::Wasteful,
    Fault::SpinsUp,
    Fault::Stretches,
];

#[test]
fn a_twin_without_fault_passes_everything() {
    for of in [Of::Pos, Of::Neg, Of::Imp] {
        let fault = Fault::None;
        assert_eq!(failures(Twin { of, fault }), [], "{of:?}");
    }
}

#[test]
fn every_wrong_twin_is_rejected_and_every_kind_of_check_rejects_one() {
    let mut twins: Vec<Twin> = FAULTS
        .iter()
        .flat_map(|&fault| [Of::Pos, Of::Neg, Of::Imp].map(|of| Twin { of, fault }))
        .collect();
    twins.push(Twin {
        of: Of::Imp,
        fault: Fault::OneIteration,
    });
    let mut shown = String::new();
    let mut by_metric: BTreeMap<&str, usize> = BTreeMap::new();
    for twin in twins {
        let failed = failures(twin);
        for (metric, ..) in &failed {
            *by_metric.entry(metric).or_default() += 1;
        }
        let sharp: Vec<&String> = failed
            .iter()
            .filter(|(_, kind, _)| *kind != SourceKind::Regression)
            .map(|(_, _, name)| name)
            .collect();
        // RIG_IMP takes the gyroscopic term into Newton's first guess only, and Newton repairs it:
        // nothing is wrong with the result, and nothing must fail.
        let harmless = twin.of == Of::Imp && twin.fault == Fault::GyroscopicRow;
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
    // Maps have no schemes of attitudes: `study` is proven by tests/maps.rs.
    for metric in crate::analysis::METRICS.iter().filter(|m| **m != "study") {
        assert!(by_metric.contains_key(metric), "no twin fails `{metric}`");
    }
    insta::assert_snapshot!(shown);
}
