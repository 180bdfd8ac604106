//! Solvers in single precision, judged whole: right ones do not fail on any case, at any step, and claims of their precision can fail.

use topsim_core::math::so3;
use topsim_judge::{
    Claims, Problem, Report, RotState, RotationProblem, SinglePart, Status, Trial, Vec3, Verdict,
    judging_set,
};

type Step = fn(&RotationProblem, f64, f64, &mut RotState);

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

/// Keeps quaternion and rate in single precision.
fn rounded(y: &mut RotState) {
    let q = so3::quat_from_matrix(&y.att).map(single);
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    y.att = so3::matrix_from_quat(&q.map(|x| x / n));
    y.omega = y.omega.map(single);
}

/// Keeps attitude and rate of other axes of the body in single precision: rows have all digits.
fn rounded_in_axes(y: &mut RotState) {
    let axes = so3::exp(&Vec3::new(0.3, -0.5, 0.2));
    y.att *= axes;
    y.omega = axes.tr_mul(&y.omega);
    rounded(y);
    y.att *= axes.transpose();
    y.omega = axes * y.omega;
}

fn slopes(p: &RotationProblem, t: f64, y: &RotState) -> (Vec3, Vec3) {
    let a = p.acceleration(t, &y.att, &y.omega);
    (y.omega.map(single), a.map(single))
}

fn moved(y: &RotState, (u, a): (Vec3, Vec3), h: f64) -> RotState {
    let (att, omega) = (y.att * so3::exp(&(u * h)), y.omega + a * h);
    RotState { att, omega }
}

/// Semi-implicit Euler.
fn euler(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    rounded(y);
    let (_, a) = slopes(p, t, y);
    y.omega += a * h;
    y.att *= so3::exp(&(y.omega * h));
    rounded(y);
}

/// The explicit midpoint rule.
fn midpoint(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    rounded(y);
    let half = moved(y, slopes(p, t, y), 0.5 * h);
    *y = moved(y, slopes(p, t + 0.5 * h, &half), h);
    rounded(y);
}

/// The same in other axes.
fn midpoint_in_axes(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    rounded_in_axes(y);
    let half = moved(y, slopes(p, t, y), 0.5 * h);
    *y = moved(y, slopes(p, t + 0.5 * h, &half), h);
    rounded_in_axes(y);
}

/// The classical rule on the rotation vector of the step and the rate.
fn rk4(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    rounded(y);
    let from = *y;
    let slope = |d: f64, turn: Vec3, omega: Vec3| {
        let att = from.att * so3::exp(&turn);
        let (u, a) = slopes(p, t + d, &RotState { att, omega });
        let c = turn.cross(&u);
        (u + c * 0.5 + turn.cross(&c) / 12.0, a)
    };
    let at = |d: f64, k: (Vec3, Vec3)| slope(d, k.0 * d, from.omega + k.1 * d);
    let k1 = slope(0.0, Vec3::zeros(), from.omega);
    let k2 = at(0.5 * h, k1);
    let k3 = at(0.5 * h, k2);
    let k4 = at(h, k3);
    let sum =
        |f: fn(&(Vec3, Vec3)) -> Vec3| (f(&k1) + (f(&k2) + f(&k3)) * 2.0 + f(&k4)) * (h / 6.0);
    y.att *= so3::exp(&sum(|k| k.0));
    y.omega += sum(|k| k.1);
    rounded(y);
}

fn judged(trial: Trial, claims: &str, step: Step) -> Report {
    let claims: Claims = claims.parse().unwrap();
    trial.claiming(&claims).stepper(step).unwrap()
}

#[test]
fn right_solvers_in_single_precision_fail_on_no_case() {
    let mut failed = Vec::new();
    let mut undecided = 0;
    for finer in [1.0, 0.1] {
        for (name, step) in [
            ("Euler", euler as Step),
            ("midpoint", midpoint),
            ("RK4", rk4),
            ("midpoint in axes", midpoint_in_axes),
        ] {
            for trial in judging_set() {
                let case = trial.name().to_string();
                let grids = Problem::builtin(&case).unwrap().grids;
                let steps: Vec<f64> = grids.iter().map(|g| g.h * finer).collect();
                let report = judged(trial.steps(&steps), "precision=single", step);
                let wrong = report
                    .verdicts
                    .iter()
                    .filter(|v| v.status == Status::Failed);
                failed.extend(wrong.map(|v| format!("{name} {case} {finer}: {v:?}")));
                let open = |v: &&Verdict| v.status == Status::Undecided;
                undecided += report.verdicts.iter().filter(open).count();
            }
        }
    }
    // Where damping changes the rate by less than its rounding, errors of one sign stay at small steps.
    assert!(undecided <= 2, "{undecided}");
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A claimed precision fails where it is the other one; a claimed order is judged by steps above the rounding.
#[test]
fn claims_of_the_precision_can_fail() {
    let double: Step = super::trial::midpoint;
    for (step, claims, passes) in [
        (midpoint as Step, "precision=single", true),
        (midpoint, "precision=double", false),
        (double, "precision=single", false),
        (double, "precision=double", true),
        (midpoint, "order=2,precision=single", true),
        (midpoint, "order=3,precision=single", false),
        (rk4, "order=4,precision=single", true),
        (euler, "order=2,precision=single", false),
    ] {
        let report = judged(Trial::case("judge_top").unwrap(), claims, step);
        assert_eq!(report.passed(), passes, "{claims}: {report}");
        let found = report.precision.expect("it was measured").single;
        let wanted = (step as usize != double as usize).then_some(SinglePart::State);
        assert_eq!(found, wanted, "{claims}: {report}");
    }
}

/// Relations hold to the rounding that was measured, also where rows have all digits.
#[test]
fn relations_of_right_solvers_in_single_precision_hold() {
    for (name, step) in [
        ("Euler", euler as Step),
        ("RK4", rk4),
        ("midpoint in axes", midpoint_in_axes),
    ] {
        for trial in judging_set() {
            let case = trial.name().to_string();
            let report = judged(trial.relations(), "precision=single", step);
            let failed = report.verdicts.iter();
            let failed: Vec<_> = failed.filter(|v| v.status == Status::Failed).collect();
            assert!(failed.is_empty(), "{name} {case}: {failed:#?}");
        }
    }
}
