//! Solvers that are functions of this process.

use std::sync::atomic::AtomicBool;
use std::time::Duration;
use topsim_case::Problem;
use topsim_judge::{
    Claims, FunctionAnswer, FunctionFailure, Outcome, Reading, Report, Solver, SolverFunction,
    Watch, judge_solver,
};
use topsim_protocol::problem::ProblemForm;
use topsim_protocol::solver::FailureKind;

fn judged(answer: impl Fn(&str) -> FunctionAnswer + Send + Sync + 'static) -> Report {
    let problem = Problem::builtin("judge_free").unwrap();
    let solver = Solver {
        program: SolverFunction::new("mine", answer).into(),
        form: ProblemForm::Json,
        time_limit: Duration::from_secs(60),
        jobs: Some(1),
        claims: Claims::default(),
        only_step: None,
        tolerance: None,
    };
    let watch = Watch {
        interrupt: &AtomicBool::new(false),
        ended: &|_| (),
    };
    let reading = Reading::default();
    let judged = judge_solver(&[problem], &<_>::default(), &solver, &reading, &watch);
    let mut judged = judged.unwrap();
    assert_eq!(judged.solver, "mine");
    judged.cases.remove(0)
}

#[test]
fn what_a_function_raises_and_refuses_is_told_of_each_step() {
    let report = judged(|_| {
        Err(FunctionFailure::Failed {
            message: "raised ValueError: no".into(),
            lines: vec!["line 3".into()],
        })
    });
    assert_eq!(report.outcome(), Outcome::Incomplete);
    let first = &report.failed[0];
    assert_eq!(first.kind, FailureKind::Crash);
    assert_eq!(first.message, "raised ValueError: no");
    assert_eq!(first.stderr, ["line 3"]);

    let report = judged(|_| Err(FunctionFailure::Skipped("no free bodies".into())));
    assert_eq!(report.outcome(), Outcome::Skipped);
    assert_eq!(report.failed[0].message, "no free bodies");

    let report = judged(|_| Ok("no table".into()));
    assert_eq!(report.failed[0].kind, FailureKind::Garbage);
}

#[test]
fn a_function_is_given_the_problem_and_its_rows_are_judged() {
    // A body that stands still: row 0 is right, the motion is another one.
    let report = judged(|problem| {
        let problem: serde_json::Value = serde_json::from_str(problem).unwrap();
        let of = |from: &serde_json::Value| {
            let numbers = from.as_array().unwrap().iter();
            numbers.map(|x| format!(",{x}")).collect::<String>()
        };
        let initial = &problem["initial"];
        let state = of(&initial["quaternion"]) + &of(&initial["angular_velocity_body"]);
        let times = problem["times"].as_array().unwrap().iter();
        let rows: String = times.map(|t| format!("{t}{state}\n")).collect();
        Ok(format!("t,qw,qx,qy,qz,W1,W2,W3\n{rows}"))
    });
    assert!(report.failed.is_empty() && report.measured);
    assert_eq!(report.outcome(), Outcome::Failed);
    assert!(report.files[0].start.as_ref().unwrap().matches());
}
