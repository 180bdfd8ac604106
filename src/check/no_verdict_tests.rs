//! What cannot be measured or trusted is never a pass, and no evidence of a known defect.

use super::*;
use crate::drive::{EventKind, EventSpec, Grid, Probes, Run, bind};
use crate::math::{Mat3, Vec3};
use crate::models::{AnyTop, Free, Inertia, RotState, TorqueModel};
use crate::reference::{RowReference, free_body};
use crate::schemes::RigNeg;

fn top() -> AnyTop {
    AnyTop {
        inertia: Inertia::diagonal(Vec3::new(1.0, 2.0, 2.5)).unwrap(),
        torque: TorqueModel::Free(Free),
        initial: RotState {
            att: Mat3::identity(),
            omega: Vec3::new(0.5, 3.0, 0.2),
        },
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

fn check(measure: &str, allow: &str, expect: &str) -> CheckSpec {
    let text = format!(
        "name = \"c\"\nmeasure = {{ {measure} }}\nallow = {{ {allow} }}\nkind = \"exact\"\nsource = \"s\"\n\
         expect = \"{expect}\"\nreason = \"r\"\n"
    );
    toml::from_str(&text).unwrap()
}

fn statuses(runs: &[Run], reference: &dyn RowReference, check: CheckSpec) -> Vec<Status> {
    let steps = ["0.04", "0.02", "0.01"];
    // Probes as good or bad as the run's own last row.
    let probes: Vec<Probes> = runs
        .iter()
        .map(|run| Probes {
            back: Some(Ok(run.row(run.times.len() - 1).to_vec())),
            symplectic_defect: Some(Ok(run.rows[run.rows.len() - 1])),
            seconds: None,
        })
        .collect();
    let benches: Vec<Bench> = runs
        .iter()
        .zip(&probes)
        .zip(steps)
        .map(|((run, probes), step)| Bench {
            scheme: "rig_neg",
            step,
            run,
            probes,
        })
        .collect();
    let baseline = Baseline {
        columns: runs[0].columns.names().map(String::from).collect(),
        runs: self::runs()
            .iter()
            .zip(steps)
            .map(|(r, step)| Baseline::take("rig_neg", step, r))
            .collect(),
    };
    let specs = events();
    let cx = Context {
        runs: &benches,
        reference: Ok(reference),
        events: &specs,
        baseline: Some(&baseline),
        maps: &[],
    };
    let judged = judge(&[check], &cx);
    judged[0].verdicts.iter().map(|v| v.status).collect()
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
        // From the middle on, in samples and in what was followed.
        let half = run.rows.len() / 2;
        run.rows[half..].fill(f64::NAN);
        for t in &mut run.tracks {
            (t.min, t.max, t.slope) = (f64::NAN, f64::NAN, f64::NAN);
        }
    }
    for (measure, allow) in WIDE {
        let on_good = statuses(&good, &*reference, check(measure, allow, "pass"));
        assert!(
            on_good.iter().all(|s| *s == Status::Pass),
            "{measure}: {on_good:?}"
        );
        for expect in ["pass", "fail"] {
            let on_bad = statuses(&bad, &*reference, check(measure, allow, expect));
            assert!(
                on_bad.iter().all(|s| *s == Status::Fail),
                "{measure}, expected to {expect}: {on_bad:?}"
            );
        }
    }
}

#[test]
fn a_reference_worse_than_the_tolerance_gives_no_verdict() {
    struct Blurred(Box<dyn RowReference>);
    impl RowReference for Blurred {
        fn provenance(&self) -> String {
            "blurred".into()
        }
        fn row(&self, t: f64, row: &mut [f64]) {
            self.0.row(t, row);
        }
        fn error(&self, _: f64, _: &str) -> f64 {
            1e-2
        }
    }
    let reference = Blurred(free_body(&top().into(), 0.0).unwrap());
    let error = "metric = \"error\", quantity = \"attitude\", at = \"end\"";
    let runs = runs();
    let all = |allow: &str, expect: &str| statuses(&runs, &reference, check(error, allow, expect));
    // The finest run is off by less than 1e-2: whether by more than 5e-3, such a reference cannot say.
    let finest = |allow: &str, expect: &str| all(allow, expect)[2];
    for expect in ["pass", "fail"] {
        assert_eq!(finest("max = 5e-3", expect), Status::Fail);
    }
    // Nor whether it is off at all; but not by one.
    for expect in ["pass", "fail"] {
        assert_eq!(finest("min = 1e-9", expect), Status::Fail);
    }
    assert_eq!(finest("min = 1.0", "fail"), Status::ExpectedFail);
    assert_eq!(finest("max = 2e-2", "pass"), Status::Pass);
    assert_eq!(finest("max = 2e-2", "fail"), Status::UnexpectedPass);
}

#[test]
fn a_known_defect_must_show_itself() {
    let reference = free_body(&top().into(), 0.0).unwrap();
    let runs = runs();
    let error = "metric = \"error\", quantity = \"attitude\", at = \"end\"";
    let shown = statuses(&runs, &*reference, check(error, "max = 1e-9", "fail"));
    assert!(
        shown.iter().all(|s| *s == Status::ExpectedFail),
        "{shown:?}"
    );
    let missing = statuses(&runs, &*reference, {
        let mut c = check(error, "max = 1e-9", "fail");
        c.runs.schemes = Some(vec!["nobody".into()]);
        c
    });
    assert_eq!(missing, [Status::Fail]);
}
