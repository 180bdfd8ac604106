//! Rules, by their own steps.

use super::*;
use topsim_core::math::so3;
use topsim_judge::{Certainty, RotState, RotationProblem, Trial};
use wrong_solvers::SolverRun;

/// A solver that can be asked: its own steps at states of topsim's choice tell.
pub(super) fn measured(case: &str, solver: &Solver) -> Report {
    let mut run = None;
    let step = |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
        if t == p.start() {
            run = Some(SolverRun::new(solver, &Start::from(p.top()), f64::INFINITY));
        }
        run.as_mut().unwrap().step(t, h, y);
    };
    Trial::case(case).unwrap().stepper(step).unwrap()
}

/// What is wrong is named, and nothing else; the rule is told with these words.
#[test]
fn rules_and_what_is_wrong_with_them_are_told() {
    let right = |rule| Solver::new(&[], rule);
    let wrong = |rule, habit| Solver {
        habit,
        ..right(rule)
    };
    for (solver, id, words) in [
        (right(Rule::ExplicitQuaternionEuler), None, "explicit Euler"),
        (right(Rule::SemiImplicitEuler), None, "semi-implicit Euler"),
        (right(Rule::QuaternionEuler), None, "semi-implicit Euler"),
        (
            right(Rule::MeanRateTurn),
            Some("scheme/order_lost"),
            "explicit Euler in the rate",
        ),
        (
            wrong(Rule::ExplicitEuler, Habit::SlopeBefore),
            Some("scheme/stale_term"),
            "",
        ),
        (
            wrong(Rule::SemiImplicitEuler, Habit::StaleTorque),
            Some("scheme/stale_term"),
            "",
        ),
        (
            wrong(Rule::Rk4, Habit::TorqueHeldInBody),
            Some("scheme/order_lost"),
            "the torque of the start in all stages",
        ),
        (
            wrong(Rule::ExplicitEuler, Habit::Momentum),
            Some("scheme/momentum_clamp"),
            "",
        ),
        (
            wrong(Rule::ExplicitEuler, Habit::ZeroAcceleration),
            Some("scheme/start_acceleration"),
            "",
        ),
    ] {
        let report = measured("judge_top", &solver);
        let d = report.diagnosis.as_ref().unwrap();
        let named: Vec<String> = d.causes.iter().map(|c| c.id.to_string()).collect();
        let wanted: Vec<&str> = id.into_iter().collect();
        assert_eq!(named, wanted, "{}", said(d));
        let rule = d.rule.join(" ");
        assert!(rule.contains(words), "{words} expected: {}", said(d));
        assert_eq!(report.passed(), id.is_none());
    }
}

/// Steps that lose the motion have no order, and a first-order scheme does not reach the second.
#[test]
fn coarse_steps_show_no_order() {
    let plan = plan("heavy_top");
    let start = Start::from(&Body::of(&plan.model).unwrap().top());
    let solver = Solver::new(&[], Rule::ExplicitQuaternionEuler);
    let file = |h: f64| (h, solver.history(&start, &Grid::new(0.0, 4.0, h, 0.02)));
    let files = [0.004, 0.002, 0.001].map(file);
    let mut report = judged(plan, files.into_iter().collect());
    assert!(
        report.order().is_none_or(|p| p < 1.5),
        "{:?}",
        report.order()
    );
    report.claim(&Claims::order(2.0));
    assert!(!report.passed());
}

/// A low order is no fault where it is claimed, and one again where a higher order is claimed beside it.
#[test]
fn a_lost_order_is_no_fault_where_the_order_that_is_left_is_claimed() {
    use topsim_judge::{Claims, Status};
    let mut report = measured("judge_top", &Solver::new(&[], Rule::MeanRateTurn));
    let status = |report: &Report| {
        let lost = |v: &&topsim_judge::Verdict| v.id.to_string() == "scheme/order_lost";
        report.verdicts.iter().find(lost).unwrap().status
    };
    assert_eq!(status(&report), Status::Failed);
    report.claim(&Claims::order(1.0));
    assert_eq!(status(&report), Status::Skipped);
    assert!(report.passed(), "{report}");
    report.claim(&Claims::order(2.0));
    assert_eq!(status(&report), Status::Failed);
    assert!(!report.acceptable(), "{report}");
}

/// Steps from new starts do not show what a rule with a memory loses on long runs.
#[test]
fn an_order_below_that_of_the_steps_is_told() {
    for restarted in [10, 25, 60] {
        let report = measured(
            "judge_rest",
            &Solver::new(&[], Rule::Ab2Restarted(restarted)),
        );
        blames(&report, "scheme/order_lost");
        let d = report.diagnosis.as_ref().unwrap();
        assert_eq!(d.causes[0].certainty, Certainty::Unexplained, "{}", said(d));
    }
    // A rule of order 3 that is begun by explicit Euler is of order 2, as its first step tells.
    let weights = [23.0 / 12.0, -4.0 / 3.0, 5.0 / 12.0];
    for rule in [Rule::Ab3(weights), Rule::Ab2, Rule::Bdf2, Rule::Rk4] {
        let report = measured("judge_rest", &Solver::new(&[], rule));
        let d = report.diagnosis.as_ref().unwrap();
        assert!(d.causes.is_empty(), "{}", said(d));
    }
}

/// Returns the report on histories of the steps of a case, which are made by a function of the body, the number of the step, its time,
/// its length and the state.
fn files_of(case: &str, step: impl Fn(&Start, usize, f64, f64, &mut RotState)) -> Report {
    let plan = plan(case);
    let start = Start::from(&Body::of(&plan.model).unwrap().top());
    let end = plan.grids[0].time(plan.grids[0].steps);
    let of = |h: f64| {
        let mut y = RotState {
            att: start.att,
            omega: start.omega,
        };
        let mut text = String::from("t,qw,qx,qy,qz,W1,W2,W3\n");
        for n in 0..=(end / h).round() as usize {
            let t = n as f64 * h;
            let q = so3::quat_from_matrix(&y.att);
            let numbers = [t].into_iter().chain(q).chain(y.omega.iter().copied());
            let row: Vec<String> = numbers.map(|x| x.to_string()).collect();
            text += &(row.join(",") + "\n");
            step(&start, n, t, h, &mut y);
        }
        (h, text)
    };
    judged(plan, [0.04, 0.02, 0.01].map(of).into())
}

#[test]
fn wrong_matrices_of_the_gyroscopic_term_are_told_in_files() {
    for (a, b, wanted) in [
        (1.0, 1.0, Some("scheme/rule_changed")),
        (-1.0, -1.0, Some("scheme/rule_changed")),
        (-1.0, 1.0, Some("scheme/rule_changed")),
        (1.0, -1.0, None),
    ] {
        let report = files_of("judge_top", |start, _, t, h, y| {
            let tensor = start.inertia.tensor();
            let l = tensor * y.omega;
            let matrix = tensor + (so3::hat(&y.omega) * tensor * a + so3::hat(&l) * b) * h;
            let change = matrix.lu().solve(&(l.cross(&y.omega) * h)).unwrap();
            y.omega += change + start.inertia.solve(&start.torque(t, &y.att)) * h;
            y.att *= so3::exp(&(y.omega * h));
        });
        match wanted {
            Some(id) => {
                blames(&report, id);
                let model = &report.diagnosis.as_ref().unwrap().model;
                assert!(
                    serde_json::to_string(model)
                        .unwrap()
                        .contains("gyroscopic_by")
                );
            }
            None => assert!(report.acceptable(), "{report}"),
        }
    }
}

#[test]
fn a_first_step_of_another_length_is_told_in_files() {
    for part in [0.5, 0.25] {
        let report = files_of("judge_top", |start, n, t, h, y| {
            let h = if n == 0 { part * h } else { h };
            (y.att, y.omega) = start.exact(t, h, &y.att, &y.omega);
        });
        blames(&report, "scheme/once");
        let told = said(report.diagnosis.as_ref().unwrap());
        assert!(!told.contains("makes 1 of the turn"), "{told}");
    }
}
