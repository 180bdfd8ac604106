//! Steps of which one part is wrong, made from faults that a tester found unnamed: the part is told, and a right one is not.

use topsim_core::math::{Mat3, so3};
use topsim_judge::{Claims, Outcome, Report, RotState, RotationProblem, Trial, Vec3};

fn judged(case: &str, step: impl FnMut(&RotationProblem, f64, f64, &mut RotState)) -> Report {
    let report = Trial::case(case).unwrap().stepper(step);
    report.unwrap_or_else(|e| panic!("{case}: {e}"))
}

fn ids(report: &Report) -> Vec<String> {
    let causes = report.diagnosis.iter().flat_map(|d| &d.causes);
    causes.map(|c| c.id.to_string()).collect()
}

/// RK4 on the rate and a turn by Simpson's mean of the rates, with a factor of the coning term h²/12 (W₀ × W₁).
fn simpson(
    coning: f64,
    exp: fn(&Vec3) -> Mat3,
) -> impl FnMut(&RotationProblem, f64, f64, &mut RotState) {
    move |p, t, h, y| {
        let at = |t: f64, turn: &Vec3, w: &Vec3| p.acceleration(t, &(y.att * so3::exp(turn)), w);
        let (w0, c) = (y.omega, 0.5 * h);
        let k1 = at(t, &Vec3::zeros(), &w0);
        let w1 = w0 + k1 * c;
        let k2 = at(t + c, &((w0 + w1) * (0.5 * c)), &w1);
        let w2 = w0 + k2 * c;
        let turn = (w0 * 5.0 + w2 * 8.0 - (w0 + k2 * h)) * (h / 24.0);
        let k3 = at(t + c, &turn, &w2);
        let w3 = w0 + k3 * h;
        let k4 = at(t + h, &((w0 + w2 * 4.0 + w3) * (h / 6.0)), &w3);
        let end = w0 + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
        // The rate in the middle, to h³.
        let middle = (w0 + end) * 0.5 + (k1 - k4) * (h / 8.0);
        let mean = (w0 + middle * 4.0 + end) * (h / 6.0);
        y.att *= exp(&(mean + w0.cross(&end) * (coning * h * h / 12.0)));
        y.omega = end;
    }
}

/// The exponential, with half of a quaternion's vector for its sine below a limit.
fn short(v: &Vec3) -> Mat3 {
    if v.norm() > 0.25 {
        return so3::exp(v);
    }
    let q = [1.0, 0.5 * v.x, 0.5 * v.y, 0.5 * v.z];
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    so3::matrix_from_quat(&q.map(|x| x / length))
}

#[test]
fn a_coning_term_with_the_wrong_sign_is_told() {
    for case in ["judge_free", "judge_push"] {
        assert_eq!(
            ids(&judged(case, simpson(-1.0, so3::exp))),
            ["scheme/coning_term"]
        );
        // Without it the scheme is of order 2, by choice.
        for right in [0.0, 1.0] {
            let report = judged(case, simpson(right, so3::exp));
            assert!(
                report.acceptable() && ids(&report).is_empty(),
                "{right}: {report}"
            );
        }
    }
}

#[test]
fn small_turns_by_another_formula_are_told() {
    assert_eq!(
        ids(&judged("judge_free", simpson(1.0, short))),
        ["scheme/attitude_update"]
    );
}

/// Kicks of the momentum in the body, and a turn with its momentum fixed in space. The second kick takes the torque in space of the end
/// by the attitude of the start, or by that of the end.
fn kicked(right: bool) -> impl FnMut(&RotationProblem, f64, f64, &mut RotState) {
    move |p, t, h, y| {
        let start = y.att;
        let momentum = p.momentum(&y.omega) + p.torque_on(t, y) * (0.5 * h);
        let half = so3::exp(&(p.rate(&momentum) * (0.5 * h))).tr_mul(&momentum);
        let turn = so3::exp(&(p.rate(&half) * h));
        y.att *= turn;
        let carried = turn.tr_mul(&momentum);
        y.omega = p.rate(&carried);
        let torque = p.torque_on(t + h, y);
        let read_by = if right { y.att } else { start };
        y.omega = p.rate(&(carried + read_by.tr_mul(&(y.att * torque)) * (0.5 * h)));
    }
}

#[test]
fn a_torque_that_is_not_turned_with_the_body_is_no_fault_of_free_steps() {
    assert_eq!(
        ids(&judged("judge_top", kicked(false))),
        ["scheme/order_lost"]
    );
    for (case, right) in [("judge_free", false), ("judge_top", true)] {
        let report = judged(case, kicked(right));
        assert!(
            report.acceptable() && ids(&report).is_empty(),
            "{case}: {report}"
        );
    }
}

#[test]
fn a_first_kick_that_is_missing_is_told() {
    // The momentum of the middle of the last step, in space, and the torque kick that rows add to it.
    let leapfrog = |begun: bool| {
        let mut kept: Option<Vec3> = None;
        move |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
            if t == p.start() {
                kept = None;
            }
            let torque = y.att * p.torque_on(t, y);
            let now = y.att * p.momentum(&y.omega);
            let half = match kept {
                Some(last) => last + torque * h,
                None if begun => now + torque * (0.5 * h),
                None => now,
            };
            kept = Some(half);
            let ahead = y.att.tr_mul(&half);
            let middle = so3::exp(&(p.rate(&ahead) * (0.5 * h))).tr_mul(&ahead);
            y.att *= so3::exp(&(p.rate(&middle) * h));
            let at_rest = RotState {
                att: y.att,
                omega: Vec3::zeros(),
            };
            let end = half + y.att * p.torque_on(t + h, &at_rest) * (0.5 * h);
            y.omega = p.rate(&y.att.tr_mul(&end));
        }
    };
    assert_eq!(
        ids(&judged("judge_top", leapfrog(false))),
        ["scheme/multistep_start"]
    );
    for (case, begun) in [("judge_free", false), ("judge_top", true)] {
        let report = judged(case, leapfrog(begun));
        assert!(
            report.acceptable() && ids(&report).is_empty(),
            "{case}: {report}"
        );
    }
}

/// Explicit Euler falls through every order on its way from a lost motion to its own.
#[test]
fn a_slope_on_the_way_to_a_lower_order_holds_no_claim() {
    let euler = |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
        let slope = p.acceleration(t, &y.att, &y.omega);
        y.att *= so3::exp(&(y.omega * h));
        y.omega += slope * h;
    };
    let claims = Claims::order(2.0);
    let trial = || {
        Trial::case("heavy_top")
            .unwrap()
            .until(2.0)
            .claiming(&claims)
    };
    let report = trial()
        .steps(&[0.004, 0.002, 0.001])
        .stepper(euler)
        .unwrap();
    assert!(report.order().is_some_and(|p| p > 2.0), "{report}");
    assert_eq!(report.outcome(), Outcome::Undecided, "{report}");
    let report = trial()
        .steps(&[0.0004, 0.0002, 0.0001])
        .stepper(euler)
        .unwrap();
    assert_eq!(report.outcome(), Outcome::Failed, "{report}");
}
