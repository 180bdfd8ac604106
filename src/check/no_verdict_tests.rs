//! Tests that a number which cannot be measured or trusted is never a pass, and no evidence of a known defect.

use super::*;
use std::time::Duration;
use topsim_core::integration::{EventKind, EventSpec, Grid, Run, StepFacts, bind};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{AnyTop, Columns, Inertia, NoTorque, Quantity, RotState, TorqueModel};
use topsim_core::reference::{RowReference, free_body};
use topsim_core::schemes::RigNeg;
use topsim_core::verdict::Fineness;
use topsim_core::verdict::Status::{self, Failed, Passed, Undecided};

fn top() -> AnyTop {
    AnyTop {
        inertia: Inertia::diagonal(Vec3::new(1.0, 2.0, 2.5)).unwrap(),
        torque: TorqueModel::NoTorque(NoTorque),
        initial: RotState {
            att: Mat3::identity(),
            omega: Vec3::new(0.5, 3.0, 0.2),
        }
        .into(),
    }
}

fn events() -> Vec<EventSpec> {
    vec![EventSpec {
        name: "flip".into(),
        column: 10,
        level: 0.0,
        kind: EventKind::Cross,
    }]
}

fn runs() -> Vec<Run> {
    [0.04, 0.02, 0.01]
        .map(|h| {
            bind(RigNeg {}, &top().into()).unwrap().run(
                &Grid::new(0.0, 8.0, h, 0.08),
                &events(),
                &|_| None,
            )
        })
        .to_vec()
}

fn check(measure: &str, allow: &str, expect: &str) -> Check {
    let text = format!(
        "name = \"c\"\nmeasure = {{ {measure} }}\nallow = {{ {allow} }}\nkind = \"exact\"\nsource = \"s\"\n\
         expect = \"{expect}\"\nreason = \"r\"\n"
    );
    toml::from_str(&text).unwrap()
}

/// Status of a verdict, and true if it is put down to a known defect.
type Outcome = (Status, bool);

const PASS: Outcome = (Passed, false);
const FAIL: Outcome = (Failed, false);
const NO_VERDICT: Outcome = (Undecided, false);
const EXPECTED_FAIL: Outcome = (Failed, true);
const UNEXPECTED_PASS: Outcome = (Passed, true);

fn outcomes(runs: &[Run], reference: &dyn RowReference, check: Check) -> Vec<Outcome> {
    let steps = ["0.04", "0.02", "0.01"];
    let labelled: Vec<SchemeRun> = runs
        .iter()
        .zip(steps)
        .map(|(run, step)| SchemeRun {
            scheme: "rig_neg".into(),
            scheme_name: "rig_neg".into(),
            fineness: Fineness::Step(step.into()),
            guest: false,
            run: run.clone(),
            // These facts are as good or as bad as the last row of the run.
            step_facts: StepFacts {
                back: Some(Ok(run.row(run.times.len() - 1).to_vec())),
                symplectic_defect: Some(Ok(run.rows[run.rows.len() - 1])),
                evaluations: Some(Ok([1, 1])),
                seconds: None,
            },
            wall: Duration::ZERO,
        })
        .collect();
    let baseline = Baseline {
        columns: runs[0].columns.names().map(String::from).collect(),
        runs: self::runs()
            .iter()
            .zip(steps)
            .map(|(r, step)| BaselineRun::take("rig_neg", &Fineness::Step(step.into()), r))
            .collect(),
    };
    let specs = events();
    let cx = Context {
        runs: &labelled,
        reference: Ok(reference),
        events: &specs,
        baseline: Some(&baseline),
        numbers: &[],
    };
    let verdicts = evaluate(&[check], &cx);
    let groups = by_check(&verdicts);
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0].verdicts, verdicts);
    assert_eq!(
        groups[0].is_good(),
        verdicts.iter().all(topsim_core::verdict::Verdict::is_good)
    );
    let defect = |v: &topsim_core::verdict::Verdict| {
        assert!(v.known_defect.as_ref().is_none_or(|reason| reason == "r"));
        (v.status, v.known_defect.is_some())
    };
    verdicts.iter().map(defect).collect()
}

/// Metrics with bounds so wide that only a number can be within them.
const WIDE: [(&str, &str); 16] = [
    (
        "metric = \"value\", quantity = \"R13\", at = 6.0",
        "min = -1e9, max = 1e9",
    ),
    (
        "metric = \"value\", quantity = \"W1\", at = \"end\"",
        "min = -1e9, max = 1e9",
    ),
    (
        "metric = \"extreme\", quantity = \"R13\", which = \"max\"",
        "max = 1e9",
    ),
    (
        "metric = \"extreme\", quantity = \"W1\", which = \"min\"",
        "min = -1e9",
    ),
    (
        "metric = \"max_drift\", quantity = \"attitude\"",
        "max = 1e9",
    ),
    ("metric = \"max_drift\", quantity = \"pi\"", "max = 1e9"),
    ("metric = \"drift_rate\", quantity = \"H\"", "max = 1e9"),
    (
        "metric = \"drift_rate\", quantity = \"H\", period = 0.9",
        "max = 1e9",
    ),
    (
        "metric = \"drift_power\", quantity = \"H\", period = 0.9",
        "min = -1e9, max = 1e9",
    ),
    ("metric = \"oscillation\", quantity = \"H\"", "max = 1e9"),
    (
        "metric = \"error\", quantity = \"attitude\", at = \"worst\"",
        "max = 1e9",
    ),
    (
        "metric = \"error\", quantity = \"W\", at = 6.0",
        "max = 1e9",
    ),
    (
        "metric = \"order\", quantity = \"W\"",
        "min = -1e9, max = 1e9",
    ),
    (
        "metric = \"reversibility\", quantity = \"attitude\"",
        "max = 1e9",
    ),
    ("metric = \"symplectic_defect\"", "max = 1e9"),
    ("metric = \"baseline\"", "max = 1e9"),
];

#[test]
fn every_metric_passes_wide_bounds_on_numbers_and_fails_them_on_nan() {
    let reference = free_body(&top().into(), 0.0).unwrap();
    let good = runs();
    let mut bad = good.clone();
    for run in &mut bad {
        // Samples and tracks are NaN from the middle on.
        let half = run.rows.len() / 2;
        run.rows[half..].fill(f64::NAN);
        for t in &mut run.tracks {
            (t.min, t.max, t.slope) = (f64::NAN, f64::NAN, f64::NAN);
        }
    }
    for (measure, allow) in WIDE {
        let on_good = outcomes(&good, &*reference, check(measure, allow, "pass"));
        assert!(on_good.iter().all(|s| *s == PASS), "{measure}: {on_good:?}");
        for expect in ["pass", "fail"] {
            let on_bad = outcomes(&bad, &*reference, check(measure, allow, expect));
            assert!(
                on_bad.iter().all(|s| *s == FAIL),
                "{measure}, expected to {expect}: {on_bad:?}"
            );
        }
    }
}

#[test]
fn a_reference_worse_than_the_tolerance_gives_no_verdict() {
    struct Blurred(Box<dyn RowReference>, f64);
    impl RowReference for Blurred {
        fn provenance(&self) -> String {
            "blurred".into()
        }
        fn row(&self, t: f64, row: &mut [f64]) {
            self.0.row(t, row);
        }
        fn columns(&self) -> &Columns {
            self.0.columns()
        }
        fn error_of(&self, _: f64, _: Quantity) -> f64 {
            self.1
        }
    }
    let blurred = |error| Blurred(free_body(&top().into(), 0.0).unwrap(), error);
    let reference = blurred(1e-2);
    let error = "metric = \"error\", quantity = \"attitude\", at = \"end\"";
    let runs = runs();
    let all = |allow: &str, expect: &str| outcomes(&runs, &reference, check(error, allow, expect));
    // The finest run is off by less than 1e-2; this reference cannot tell whether by more than 5e-3.
    let finest = |allow: &str, expect: &str| all(allow, expect)[2];
    for expect in ["pass", "fail"] {
        assert_eq!(finest("max = 5e-3", expect), NO_VERDICT);
    }
    // It cannot tell either whether the run is off at all, but it can tell that it is not off by 1.
    for expect in ["pass", "fail"] {
        assert_eq!(finest("min = 1e-9", expect), NO_VERDICT);
    }
    assert_eq!(finest("min = 1.0", "fail"), EXPECTED_FAIL);
    assert_eq!(finest("max = 2e-2", "pass"), PASS);
    assert_eq!(finest("max = 2e-2", "fail"), UNEXPECTED_PASS);
    // Nor can it tell an order, where its error hides those of the steps.
    for (error, outcome) in [(1e-2, NO_VERDICT), (1e-9, PASS)] {
        let order = "metric = \"order\", quantity = \"attitude\", at = \"end\"";
        let check = check(order, "value = 2.0, abs = 1.0", "pass");
        assert_eq!(outcomes(&runs, &blurred(error), check), [outcome]);
    }
    // A reference that does not know the quantity gives no verdict on it.
    for expect in ["pass", "fail"] {
        let check = check(error, "min = 1.0", expect);
        assert_eq!(outcomes(&runs, &blurred(f64::INFINITY), check), [FAIL; 3]);
    }
}

#[test]
fn a_known_defect_must_show_itself() {
    let reference = free_body(&top().into(), 0.0).unwrap();
    let runs = runs();
    let error = "metric = \"error\", quantity = \"attitude\", at = \"end\"";
    let shown = outcomes(&runs, &*reference, check(error, "max = 1e-9", "fail"));
    assert!(shown.iter().all(|s| *s == EXPECTED_FAIL), "{shown:?}");
    let missing = outcomes(&runs, &*reference, {
        let mut c = check(error, "max = 1e-9", "fail");
        c.runs.schemes = Some(vec!["nobody".to_string().into()]);
        c
    });
    assert_eq!(missing, [FAIL]);
}
