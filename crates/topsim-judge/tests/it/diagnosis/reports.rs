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

/// Six digits do not hide rows that are stamped late.
#[test]
fn rows_of_few_digits_that_are_late_are_named() {
    let solver = Solver {
        report: Written::LateStamps,
        print: Print::Digits(7),
        ..Solver::new(&[], Rule::Rk4)
    };
    blames(&run("judge_top", &solver), "reporting/time_stamps");
}

/// A motion that has come back to its start begins there, and is not late.
#[test]
fn a_history_that_begins_after_a_period_is_not_late() {
    let mut source = topsim_case::builtin::find("judge_free").unwrap().source();
    for (old, new) in [
        (
            "[[2.2, -0.4, 0.3], [-0.4, 3.0, 0.5], [0.3, 0.5, 1.6]]",
            "[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]",
        ),
        ("[1.2, -1.3, -1.1]", "[0.0, 0.0, 6.283185307179586]"),
    ] {
        assert!(source.text.contains(old), "{old}");
        source.text = source.text.replace(old, new);
    }
    let plan = || Problem::read(&source).unwrap();
    let later = |(h, text): (f64, String)| {
        let (header, rows) = text.split_once('\n').unwrap();
        let time = |row: &&str| row.split(',').next().unwrap().parse::<f64>().unwrap() > 0.99;
        let rows: Vec<&str> = rows.lines().filter(time).collect();
        (h, format!("{header}\n{}\n", rows.join("\n")))
    };
    let all = histories(&plan(), &[0.02, 0.01, 0.005], &Solver::new(&[], Rule::Rk4));
    let report = judged(plan(), all.into_iter().map(later).collect());
    let d = report.diagnosis.as_ref().unwrap();
    assert!(d.causes.is_empty() && report.acceptable(), "{}", said(d));
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
