//! Solvers of a given rate, judged from the problem to the verdict.

use serde_json::Value;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use topsim_case::Problem;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_judge::{
    Claims, FunctionAnswer, FunctionFailure, Outcome, Reading, Report, Solver, SolverFunction,
    Watch, judge_solver,
};
use topsim_protocol::problem::{ProblemChoice, ProblemForm};

/// Updates of two increments with this weight of their cross product; the problem and the rows are what a program gets and prints.
fn two_samples(problem: &str, weight: f64) -> FunctionAnswer {
    let p: Value = serde_json::from_str(problem).unwrap();
    let of = |v: &Value| v.as_f64().unwrap();
    let rows = p["rate"]["increments"].as_array().unwrap().iter();
    let increments: Vec<Vec3> = rows.map(|r| Vec3::from_fn(|i, _| of(&r[i]))).collect();
    let mut att = Mat3::from_fn(|i, j| of(&p["initial"]["matrix"][i][j]));
    let mut wanted = p["times"].as_array().unwrap().iter().map(of).peekable();
    let mut out = String::from("t,R11,R12,R13,R21,R22,R23,R31,R32,R33\n");
    for n in 0..=p["steps"].as_u64().unwrap() {
        let t = of(&p["start"]) + n as f64 * of(&p["step"]);
        if wanted.next_if_eq(&t).is_some() {
            let numbers = so3::rows(&att).map(|x| x.to_string()).join(",");
            writeln!(out, "{t},{numbers}").unwrap();
        }
        for pair in increments
            .iter()
            .skip(12 * n as usize)
            .take(12)
            .collect::<Vec<_>>()
            .chunks(2)
        {
            att *= so3::exp(&(pair[0] + pair[1] + pair[0].cross(pair[1]) * weight));
        }
    }
    Ok(out)
}

fn judged(
    case: &str,
    claims: Claims,
    answer: impl Fn(&str) -> FunctionAnswer + Send + Sync + 'static,
) -> Report {
    let solver = Solver {
        program: SolverFunction::new("own", answer).into(),
        form: ProblemForm::Json,
        time_limit: Duration::from_secs(60),
        jobs: Some(1),
        claims,
        only_step: None,
        tolerance: None,
    };
    let watch = Watch {
        interrupt: &AtomicBool::new(false),
        ended: &|_| (),
    };
    let problems = [Problem::builtin(case).unwrap()];
    let judged = judge_solver(
        &problems,
        &ProblemChoice::default(),
        &solver,
        &Reading::default(),
        &watch,
    );
    judged.unwrap().cases.remove(0)
}

fn failed(report: &Report) -> Vec<String> {
    let failed = report
        .verdicts
        .iter()
        .filter(|v| v.status == topsim_judge::Status::Failed);
    failed.map(|v| v.id.to_string()).collect()
}

#[test]
fn a_right_solver_passes_on_every_case() {
    for case in ["coning", "coning_product", "gyro_axes"] {
        let report = judged(case, Claims::order(4.0), |p| two_samples(p, 2.0 / 3.0));
        assert_eq!(
            report.outcome(),
            Outcome::Passed,
            "{case}: {:?}",
            report.verdicts
        );
        assert!((report.order().unwrap() - 4.0).abs() < 0.1, "{case}");
    }
}

#[test]
fn a_missing_coning_term_fails_by_its_name_and_by_the_order() {
    let report = judged("coning_product", Claims::order(4.0), |p| {
        two_samples(p, 0.0)
    });
    assert_eq!(failed(&report), ["scheme/coning_term", "claim/order"]);
    assert!((report.order().unwrap() - 2.0).abs() < 0.05);
}

#[test]
fn a_solver_of_bodies_skips_the_case() {
    let report = judged("coning", Claims::default(), |_| {
        Err(FunctionFailure::Skipped("bodies only".into()))
    });
    assert_eq!(report.outcome(), Outcome::Skipped);
    assert_eq!(failed(&report), [] as [&str; 0]);
}
