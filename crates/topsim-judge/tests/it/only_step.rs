//! Solvers that can make one step alone: each problem is posed as the equivalent one with that step, and they are judged as any
//! other.

use super::protocol::{read, solver as example};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use topsim_case::builtin::BUILTIN;
use topsim_core::math::so3;
use topsim_judge::{
    Claims, FunctionFailure, Outcome, Problem, Reading, Report, RotState, RotationProblem, Solver,
    SolverFunction, Status, Trial, Watch, judge_solver,
};
use topsim_protocol::problem::{OnlyStep, ProblemChoice, ProblemForm, SolverProblem};

const ONLY: f64 = 1.0 / 60.0;

fn only() -> OnlyStep {
    OnlyStep::new(ONLY).unwrap()
}

#[test]
fn steps_are_read_as_they_are_meant() {
    for (text, step) in [
        ("0.01", 0.01),
        ("1/60", ONLY),
        ("0.0166667", ONLY),
        ("0.016666667", ONLY),
        ("0.00694444", 1.0 / 144.0),
        // Too few digits to be those of a third.
        ("0.0033", 0.0033),
        ("0.016", 0.016),
        ("0.0123456", 0.0123456),
        ("2.5", 2.5),
    ] {
        assert_eq!(text.parse::<OnlyStep>().unwrap().seconds(), step, "{text}");
    }
    for text in ["", "0", "-1", "1/0", "nan", "1/60 s", "inf", "a/b"] {
        assert!(text.parse::<OnlyStep>().is_err(), "{text}");
    }
    assert_eq!(only().to_string(), "1/60 s");
    assert_eq!(OnlyStep::new(0.01).unwrap().to_string(), "0.01 s");
}

/// Rows of the example solver, which is a map of the step: those of the equivalent problem are the same to rounding.
#[test]
fn the_equivalent_problem_of_each_case_has_its_rows() {
    let mut refused = Vec::new();
    for case in BUILTIN {
        let Some(problem) = Problem::builtin(case.name) else {
            continue;
        };
        // Coarse steps of some cases amplify what rounding leaves.
        let Some(grid) = problem.grids.iter().min_by(|a, b| a.h.total_cmp(&b.h)) else {
            continue;
        };
        let choice = ProblemChoice {
            steps: vec![grid.h],
            end: Some(problem.end.unwrap().min(grid.start + 10.0 * grid.h)),
            ..ProblemChoice::default()
        };
        let Ok(posed) = SolverProblem::all(&problem, &choice) else {
            continue;
        };
        let fast = match only().pose(&posed[0]) {
            Ok(fast) => fast,
            Err(why) => {
                refused.push((case.name, why));
                continue;
            }
        };
        let rows = |posed: &SolverProblem| {
            let mut rows: Vec<(f64, example::State)> = Vec::new();
            let posed = serde_json::to_value(posed).unwrap();
            example::solve(&read(&posed), |t, y| rows.push((t, *y)));
            rows
        };
        let factor = grid.h / ONLY;
        assert_eq!(fast.step, ONLY);
        let (slow, fast) = (rows(&posed[0]), rows(&fast));
        assert_eq!(slow.len(), fast.len());
        let size = slow.iter().flat_map(|(_, y)| &y[4..]);
        let size = size.fold(0.0, |a: f64, x| a.max(x.abs()));
        for ((t, a), (u, b)) in slow.iter().zip(&fast) {
            assert!((t - u * factor).abs() < 1e-12 * t.abs().max(1.0));
            let turn = (0..4).map(|i| (a[i] - b[i]).abs());
            let rate = (4..7).map(|i| (a[i] - b[i] / factor).abs() / size);
            let off = turn.chain(rate).fold(0.0, f64::max);
            assert!(off < 1e-10, "{} at {t}: {off:e}", case.name);
        }
    }
    let why = |(name, why): &(&str, &str)| {
        name.contains("coning")
            || why.contains("no number for its size")
            || why.contains("given rate")
    };
    assert!(refused.iter().all(why), "{refused:?}");
}

/// Defect of a step.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    Torque,
    Gyroscopic,
}

/// The derivative of attitude, as a rotation vector of the step, and rate.
fn acceleration(p: &RotationProblem, t: f64, y: &RotState, wrong: Wrong) -> topsim_judge::Vec3 {
    let gyroscopic = p.momentum(&y.omega).cross(&y.omega);
    let torque = p.torque_on(t, y);
    p.rate(&match wrong {
        Wrong::Nothing => gyroscopic + torque,
        Wrong::Torque => gyroscopic + torque * 1.05,
        Wrong::Gyroscopic => torque - gyroscopic,
    })
}

/// Runge and Kutta's rule of order 4 on the quaternion, with a hard-coded step.
fn rk4(wrong: Wrong) -> impl FnMut(&RotationProblem, f64, f64, &mut RotState) {
    move |p, t, _, y| {
        let h = ONLY;
        let q0 = so3::quat_from_matrix(&y.att);
        let slope = |t: f64, q: &[f64; 4], w: &topsim_judge::Vec3| {
            let att = so3::matrix_from_quat(q);
            let [s, x, y, z] = q.map(|c| 0.5 * c);
            let dq = [
                -x * w.x - y * w.y - z * w.z,
                s * w.x + y * w.z - z * w.y,
                s * w.y + z * w.x - x * w.z,
                s * w.z + x * w.y - y * w.x,
            ];
            (dq, acceleration(p, t, &RotState { att, omega: *w }, wrong))
        };
        let w0 = y.omega;
        let at = |k: &([f64; 4], topsim_judge::Vec3), c: f64| {
            let q: [f64; 4] = std::array::from_fn(|i| q0[i] + c * k.0[i]);
            (q, w0 + k.1 * c)
        };
        let k1 = slope(t, &q0, &w0);
        let (q, w) = at(&k1, 0.5 * h);
        let k2 = slope(t + 0.5 * h, &q, &w);
        let (q, w) = at(&k2, 0.5 * h);
        let k3 = slope(t + 0.5 * h, &q, &w);
        let (q, w) = at(&k3, h);
        let k4 = slope(t + h, &q, &w);
        let q = std::array::from_fn(|i| {
            q0[i] + h / 6.0 * (k1.0[i] + 2.0 * (k2.0[i] + k3.0[i]) + k4.0[i])
        });
        y.att = so3::matrix_from_quat(&q);
        y.omega = w0 + (k1.1 + (k2.1 + k3.1) * 2.0 + k4.1) * (h / 6.0);
    }
}

/// Semi-implicit Euler with a hard-coded step: the rate first.
fn euler(wrong: Wrong) -> impl FnMut(&RotationProblem, f64, f64, &mut RotState) {
    move |p, t, _, y| {
        y.omega += acceleration(p, t, y, wrong) * ONLY;
        y.att *= so3::exp(&(y.omega * ONLY));
    }
}

fn failed(report: &Report) -> Vec<String> {
    let failed = report
        .verdicts
        .iter()
        .filter(|v| v.status == Status::Failed);
    failed.map(|v| v.id.to_string()).collect()
}

#[test]
fn without_the_option_the_cause_says_how_to_judge_it() {
    let report = Trial::case("judge_top")
        .unwrap()
        .stepper(rk4(Wrong::Nothing))
        .unwrap();
    assert_eq!(report.outcome(), Outcome::Failed, "{report}");
    assert!(
        failed(&report).contains(&"scheme/fixed_step".into()),
        "{report}"
    );
    let causes = &report.diagnosis.as_ref().unwrap().causes;
    assert!(
        causes[0].advice().contains("--only-step 0.0166667"),
        "{report}"
    );
}

#[test]
fn right_ones_have_their_order_and_scheme() {
    for case in ["judge_top", "judge_free"] {
        let trial = |claim: &str| {
            let claims: Claims = claim.parse().unwrap();
            let trial = Trial::case(case).unwrap().claiming(&claims);
            trial.only_step(ONLY).unwrap()
        };
        let report = trial("order=4,scheme=rk4")
            .stepper(rk4(Wrong::Nothing))
            .unwrap();
        assert_eq!(report.outcome(), Outcome::Passed, "{report}");
        let claims = "order=1,scheme=semi_implicit_euler";
        let report = trial(claims).stepper(euler(Wrong::Nothing)).unwrap();
        assert_eq!(report.outcome(), Outcome::Passed, "{report}");
        let report = trial("order=2").stepper(euler(Wrong::Nothing)).unwrap();
        assert_eq!(failed(&report), ["claim/order"], "{report}");
    }
}

#[test]
fn wrong_ones_have_their_cause() {
    for (wrong, id) in [
        (Wrong::Torque, "model/torque_factor"),
        (Wrong::Gyroscopic, "model/gyroscopic_reversed"),
    ] {
        let trial = || Trial::case("judge_top").unwrap().only_step(ONLY).unwrap();
        for report in [trial().stepper(rk4(wrong)), trial().stepper(euler(wrong))] {
            let report = report.unwrap();
            assert!(failed(&report).contains(&id.to_string()), "{report}");
        }
    }
}

#[test]
fn images_that_turn_faster_are_no_test_of_one_step() {
    let trial = Trial::case("judge_top")
        .unwrap()
        .relations()
        .only_step(ONLY)
        .unwrap();
    let report = trial.stepper(rk4(Wrong::Nothing)).unwrap();
    let relations = &report.relations.as_ref().unwrap().relations;
    let of = |relation| relations.iter().find(|r| r.relation == relation).unwrap();
    use topsim_relations::{Holding, Relation};
    let told = &of(Relation::TimeScale).holding;
    assert!(matches!(told, Holding::NotApplicable { .. }), "{report}");
    let turned = &of(Relation::SpaceTurn).holding;
    assert!(matches!(turned, Holding::Exactly { .. }), "{report}");
}

/// The example solver, which makes steps of 1/60 s whatever it is asked for.
fn program(text: &str) -> Result<String, FunctionFailure> {
    let mut problem: serde_json::Value = serde_json::from_str(text).unwrap();
    if problem["torque"]["model"] == "opaque" {
        return Err(FunctionFailure::Skipped("no such torque".into()));
    }
    problem["step"] = ONLY.into();
    let mut out = String::from("t,qw,qx,qy,qz,W1,W2,W3\n");
    example::solve(&read(&problem), |t, y| {
        let numbers: Vec<String> = y.iter().map(f64::to_string).collect();
        writeln!(out, "{t},{}", numbers.join(",")).unwrap();
    });
    Ok(out)
}

#[test]
fn programs_are_judged_so_too() {
    let problems =
        ["judge_top", "judge_damped", "coning"].map(|name| Problem::builtin(name).unwrap());
    let solver = Solver {
        program: SolverFunction::new("fixed", program).into(),
        form: ProblemForm::Json,
        time_limit: Duration::from_secs(60),
        jobs: Some(1),
        claims: Claims::order(4.0),
        only_step: Some(only()),
        tolerance: None,
    };
    let watch = Watch {
        interrupt: &AtomicBool::new(false),
        ended: &|_| (),
    };
    let choice = ProblemChoice::default();
    let judged = judge_solver(&problems, &choice, &solver, &Reading::default(), &watch).unwrap();
    let outcomes: Vec<_> = judged.cases.iter().map(Report::outcome).collect();
    let said = judged.cases.iter().map(Report::to_string);
    let said = said.collect::<Vec<_>>().join("\n");
    assert_eq!(
        outcomes,
        [Outcome::Passed, Outcome::Passed, Outcome::Skipped],
        "{said}"
    );
    assert!(said.contains("only step, 1/60 s"), "{said}");
}
