//! Solvers with a clock of their own (a step that is hard-coded, limited or rounded), and with a second defect beside it.

use topsim_core::math::so3;
use topsim_judge::{Report, RotState, RotationProblem, Status, Trial, Vec3};

/// The time that a solver makes of a step, s.
type Clock = fn(f64) -> f64;

/// Defect of the equations.
#[derive(Clone, Copy)]
enum Law {
    Right,
    /// The gyroscopic term is missing.
    Straight,
    /// The torque is 1.05 times as large.
    Torque,
}

fn acceleration(p: &RotationProblem, t: f64, y: &RotState, law: Law) -> Vec3 {
    let gyroscopic = p.momentum(&y.omega).cross(&y.omega);
    let torque = p.torque_on(t, y);
    p.rate(&match law {
        Law::Right => gyroscopic + torque,
        Law::Straight => torque,
        Law::Torque => gyroscopic + torque * 1.05,
    })
}

/// The explicit midpoint rule, for the time that a clock makes of the step.
fn solver(clock: Clock, law: Law) -> impl FnMut(&RotationProblem, f64, f64, &mut RotState) {
    move |p, t, h, y| {
        let h = clock(h);
        let half = RotState {
            att: y.att * so3::exp(&(y.omega * (0.5 * h))),
            omega: y.omega + acceleration(p, t, y, law) * (0.5 * h),
        };
        y.att *= so3::exp(&(half.omega * h));
        y.omega += acceleration(p, t + 0.5 * h, &half, law) * h;
    }
}

fn judged(case: &str, clock: Clock, law: Law) -> Report {
    Trial::case(case)
        .unwrap()
        .stepper(solver(clock, law))
        .unwrap()
}

/// Ids of the failing verdicts that are defects.
fn defects(report: &Report) -> Vec<String> {
    let failed = report
        .verdicts
        .iter()
        .filter(|v| v.status == Status::Failed);
    let ids = failed.map(|v| v.id.to_string());
    ids.filter(|id| id.contains('/') && !id.starts_with("motion"))
        .collect()
}

#[test]
fn what_is_wrong_beside_a_clock_is_named_too() {
    let clocks: [(Clock, &str); 6] = [
        (|_| 1.0 / 60.0, "scheme/fixed_step"),
        (|_| 0.003, "scheme/fixed_step"),
        (|h| h.min(0.01), "scheme/step_limit"),
        (|h| h.max(0.005), "scheme/step_limit"),
        (
            |h| (h / 0.003).round().max(1.0) * 0.003,
            "scheme/step_rounded",
        ),
        (|h| (h / 0.0015).ceil() * 0.0015, "scheme/step_rounded"),
    ];
    for (clock, id) in clocks {
        let report = judged("judge_top", clock, Law::Right);
        assert_eq!(defects(&report), [id], "{report}");
        assert!(report.to_string().contains("midpoint"), "{report}");
        for (law, other) in [
            (Law::Straight, "model/gyroscopic_missing"),
            (Law::Torque, "model/torque_factor"),
        ] {
            let report = judged("judge_top", clock, law);
            assert_eq!(defects(&report), [id, other], "{report}");
        }
    }
}

#[test]
fn a_limit_says_which_steps_of_the_case_it_touches() {
    for (clock, words) in [
        ((|h: f64| h.min(0.015)) as Clock, "it touches 0.04, 0.02 s"),
        (|h| h.min(0.1), "it touches no step of this case"),
        (|h| h.max(0.0021), "it touches no step of this case"),
        (|_| 0.1, "it touches all steps of this case"),
    ] {
        let report = judged("judge_top", clock, Law::Right);
        assert!(report.to_string().contains(words), "{report}");
    }
}
