//! Reports and digits, by histories alone.

use super::*;

#[test]
fn a_missing_normalisation() {
    let report = run("judge_top", &right::never_normalised());
    blames(&report, "scheme/normalisation_missing");
}

#[test]
fn reports_are_named() {
    let quaternion = |order, signs| Written::Components { order, signs };
    for (id, report) in [
        (
            "reporting/transposed",
            quaternion([0, 1, 2, 3], [-1.0, 1.0, 1.0, 1.0]),
        ),
        ("reporting/transposed", Written::Transposed),
        (
            "reporting/quaternion_order",
            quaternion([1, 2, 3, 0], [1.0; 4]),
        ),
        ("reporting/rate_degrees", Written::Degrees),
        ("reporting/rate_frame", Written::RateInSpace),
        ("reporting/time_stamps", Written::LateStamps),
    ] {
        let solver = Solver {
            report,
            ..Solver::new(&[], Rule::Rk4)
        };
        blames(&run("judge_top", &solver), id);
    }
}

/// Right solvers at a floor: printed digits, single precision, a tolerance that does not follow the step.
#[test]
fn floors_are_no_other_motion() {
    let right = Solver::new(&[], Rule::Rk4);
    let solvers = [
        Solver {
            print: Print::Decimals(5),
            ..right.clone()
        },
        Solver {
            precision: Precision::State,
            ..right
        },
        // Its own steps, whatever is asked: 1e-5 rad off at each.
        Solver::new(
            &[],
            Rule::Every {
                rule: &Rule::Midpoint,
                step: 0.00125,
            },
        ),
    ];
    for case in ["judge_top", "judge_free", "judge_push", "judge_wobble"] {
        for solver in &solvers {
            let report = run(case, solver);
            let d = report.diagnosis.as_ref().unwrap();
            assert!(
                report.acceptable(),
                "{case}: {} {:?}",
                said(d),
                report.verdicts
            );
            assert!(d.causes.is_empty(), "{case}: {}", said(d));
        }
    }
}
