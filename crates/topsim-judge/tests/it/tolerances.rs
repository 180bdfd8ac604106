//! Solvers with a tolerance: errors against the tolerance, what is claimed of that, and no order.

use super::protocol::{read, solver as example};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use topsim_judge::{
    Claims, FunctionFailure, Outcome, Problem, Reading, Report, Solver, SolverFunction, Status,
    Watch, judge_solver,
};
use topsim_protocol::problem::{ProblemChoice, ProblemForm};
use wrong_solvers::adaptive::{ERRORS, NODES, ROWS};

/// Use that a solver makes of its tolerance.
#[derive(Clone, Copy)]
enum Control {
    Right,
    Ignored,
    Capped,
    Root,
    /// A tolerance that is used rightly, with a wrong torque.
    Torque,
}

/// Dormand and Prince's rule with a PI control of the step; it ends a step at each time that is wanted.
fn program(text: &str, control: Control) -> Result<String, FunctionFailure> {
    let mut problem: serde_json::Value = serde_json::from_str(text).unwrap();
    let asked = problem["tolerance"].as_f64().expect("a tolerance");
    let tolerance = match control {
        Control::Right | Control::Torque => asked,
        Control::Ignored => 1e-7,
        Control::Capped => asked.max(1e-6),
        Control::Root => asked.sqrt(),
    };
    if matches!(control, Control::Torque)
        && let Some(weight) = problem["torque"]["weight"].as_f64()
    {
        problem["torque"]["weight"] = (1.05 * weight).into();
    }
    let posed = read(&problem);
    let slope = |t: f64, y: &example::State| example::slope(&posed, t, y);
    let mut y = example::initial(&posed);
    let times = problem["times"].as_array().unwrap();
    let mut times = times.iter().map(|t| t.as_f64().unwrap());
    let mut t = times.next().unwrap();
    let mut out = String::from("t,qw,qx,qy,qz,W1,W2,W3\n");
    let row = |out: &mut String, t: f64, y: &example::State| {
        let numbers: Vec<String> = y.iter().map(f64::to_string).collect();
        writeln!(out, "{t},{}", numbers.join(",")).unwrap();
    };
    row(&mut out, t, &y);
    let (mut next, mut before) = (1e-3, 1.0_f64);
    for wanted in times {
        while t < wanted {
            let last = next >= wanted - t;
            let h = if last { wanted - t } else { next };
            let mut k = [[0.0; 7]; 7];
            let mut end = y;
            for i in 0..7 {
                end = std::array::from_fn(|n| {
                    y[n] + h * (0..i).map(|j| ROWS[i][j] * k[j][n]).sum::<f64>()
                });
                k[i] = slope(t + NODES[i] * h, &end);
            }
            let of = |n: usize| {
                let e: f64 = (0..7).map(|j| ERRORS[j] * k[j][n]).sum();
                (h * e / (tolerance * (1.0 + y[n].abs()))).powi(2)
            };
            let error = ((0..7).map(of).sum::<f64>() / 7.0).sqrt().max(1e-10);
            if error <= 1.0 {
                (t, y) = (if last { wanted } else { t + h }, end);
                let factor = 0.9 * error.powf(-0.14) * before.powf(0.08);
                // A step that was cut off says nothing of the next one.
                next = next.max(h)
                    * if last {
                        factor.clamp(1.0, 1.5)
                    } else {
                        factor.clamp(0.2, 5.0)
                    };
                before = error;
            } else {
                next = h * (0.9 * error.powf(-0.2)).max(0.2);
            }
        }
        row(&mut out, t, &y);
    }
    Ok(out)
}

fn judged(control: Control, tolerances: &[f64], claim: &str) -> Report {
    let claims: Claims = match claim {
        "" => Claims::default(),
        claim => claim.parse().unwrap(),
    };
    let solver = Solver {
        program: SolverFunction::new("adaptive", move |text| program(text, control)).into(),
        form: ProblemForm::Json,
        time_limit: Duration::from_secs(60),
        jobs: Some(1),
        claims,
        only_step: None,
        tolerance: tolerances.iter().copied().reduce(f64::min),
    };
    let watch = Watch {
        interrupt: &AtomicBool::new(false),
        ended: &|_| (),
    };
    let choice = ProblemChoice {
        tolerances: tolerances.to_vec(),
        ..ProblemChoice::default()
    };
    let problems = [Problem::builtin("judge_top").unwrap()];
    let judged = judge_solver(&problems, &choice, &solver, &Reading::default(), &watch);
    judged.unwrap().cases.remove(0)
}

const LADDER: [f64; 4] = [1e-4, 1e-6, 1e-8, 1e-10];

fn status(report: &Report, id: &str) -> Option<Status> {
    let mut all = report.verdicts.iter();
    all.find(|v| v.id.to_string() == id).map(|v| v.status)
}

#[test]
fn a_right_control_follows_its_tolerance() {
    let report = judged(Control::Right, &LADDER, "tolerance=1");
    assert_eq!(report.outcome(), Outcome::Passed, "{report}");
    let ladder = report.tolerances.as_ref().unwrap();
    assert!((ladder.slope.unwrap() - 1.0).abs() < 0.25, "{report}");
    assert!(
        report.convergence.is_none() && report.order().is_none(),
        "{report}"
    );
    let said = report.to_string();
    assert!(
        said.contains("error / tolerance") && !said.contains("order 1"),
        "{said}"
    );
    // Not so many decades, another slope, and an order.
    let report = judged(Control::Right, &[1e-5, 1e-6], "tolerance=1");
    assert_eq!(
        status(&report, "claim/tolerance"),
        Some(Status::Undecided),
        "{report}"
    );
    let report = judged(Control::Right, &LADDER, "tolerance=0.5,order=5");
    assert_eq!(
        status(&report, "claim/tolerance"),
        Some(Status::Failed),
        "{report}"
    );
    assert_eq!(
        status(&report, "claim/order"),
        Some(Status::Undecided),
        "{report}"
    );
    let report = judged(Control::Right, &LADDER, "reversible");
    assert_eq!(
        status(&report, "claim/reversible"),
        Some(Status::Undecided),
        "{report}"
    );
    assert!(!report.to_string().contains("run backward"), "{report}");
    let report = judged(Control::Right, &LADDER, "");
    assert_eq!(report.outcome(), Outcome::NoDefect, "{report}");
}

#[test]
fn a_control_that_does_not_follow_it_is_told() {
    for (control, words) in [
        (Control::Ignored, "no effect"),
        (Control::Capped, "below 1e-6 have no further effect"),
        (Control::Root, "1 claimed"),
    ] {
        let report = judged(control, &LADDER, "tolerance=1");
        assert_eq!(
            status(&report, "claim/tolerance"),
            Some(Status::Failed),
            "{report}"
        );
        assert!(
            report
                .verdicts
                .iter()
                .any(|v| v.detail.as_ref().is_some_and(|d| d.contains(words))),
            "{report}"
        );
    }
    let report = judged(Control::Ignored, &LADDER, "");
    assert_eq!(report.outcome(), Outcome::Undecided, "{report}");
}

#[test]
fn a_wrong_torque_has_its_cause_whatever_the_tolerance() {
    let report = judged(Control::Torque, &LADDER, "tolerance=1");
    assert_eq!(report.outcome(), Outcome::Failed, "{report}");
    assert_eq!(
        status(&report, "tolerance"),
        Some(Status::Failed),
        "{report}"
    );
    let causes = &report.diagnosis.as_ref().unwrap().causes;
    assert!(
        causes.iter().any(|c| c.id.to_string().contains("factor")),
        "{report}"
    );
}
