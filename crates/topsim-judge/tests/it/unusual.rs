//! Right and wrong solvers with unusual habits: what is said of them, and what is not.

use super::trial::midpoint;
use topsim_core::math::so3;
use topsim_judge::{Report, RotState, RotationProblem, Status, Trial, Vec3};

/// Judged until 1 s: the measured steps matter here.
fn judged(step: impl FnMut(&RotationProblem, f64, f64, &mut RotState)) -> Report {
    let trial = Trial::case("judge_top").unwrap().until(1.0);
    trial.stepper(step).unwrap()
}

/// The ids of verdicts that are so.
fn ids(report: &Report, status: Status) -> Vec<String> {
    let all = report.verdicts.iter().filter(|v| v.status == status);
    all.map(|v| v.id.to_string()).collect()
}

/// Digits that are lost in tiny steps from rest are not those of single precision.
#[test]
fn a_total_energy_that_is_put_back_is_no_torque_in_single() {
    let report = judged(|p, t, h, y| {
        midpoint(p, t, h, y);
        let rotation = 0.5 * y.omega.dot(&p.momentum(&y.omega));
        let potential = p.top().energy(y) - rotation;
        let wanted = p.top().energy(&p.initial()) - potential;
        if wanted > 0.0 && rotation > 0.0 {
            y.omega *= (wanted / rotation).sqrt();
        }
    });
    assert!(ids(&report, Status::Failed).is_empty(), "{report}");
}

/// The explicit midpoint rule with another turn of each step.
fn with_turns(
    turn: impl Fn(Vec3) -> Vec3,
) -> impl FnMut(&RotationProblem, f64, f64, &mut RotState) {
    move |p, t, h, y| {
        let before = y.att;
        midpoint(p, t, h, y);
        let made = so3::log(&before.tr_mul(&y.att));
        y.att = before * so3::exp(&turn(made));
    }
}

#[test]
fn a_limit_of_the_turn_is_no_limit_of_the_time() {
    let cut = |v: Vec3| v * (0.05 / v.norm().max(1e-300)).min(1.0);
    let report = judged(with_turns(cut));
    let failed = ids(&report, Status::Failed);
    assert_eq!(failed[0], "scheme/turn_limit", "{report}");
    let said = "no step turns by more than 0.05 rad";
    assert!(report.to_string().contains(said), "{report}");
    let lost = |v: Vec3| if v.norm() < 0.01 { v * 0.0 } else { v };
    let report = judged(with_turns(lost));
    let failed = ids(&report, Status::Failed);
    assert!(
        failed.contains(&"scheme/small_turns_lost".into()),
        "{report}"
    );
    assert!(!failed.contains(&"scheme/step_rounded".into()), "{report}");
}

#[test]
fn a_limit_of_the_time_is_told_as_one() {
    let mut late = (0.0, 0.0);
    let report = judged(move |p, t, h, y| {
        late = if t == p.start() { (t, t) } else { late };
        midpoint(p, late.1, h.min(0.2), y);
        late = (t, late.1 + h.min(0.2));
    });
    let failed = ids(&report, Status::Failed);
    assert_eq!(failed, ["scheme/step_limit"], "{report}");
}

#[test]
fn rows_that_are_late_are_no_multistep_rule() {
    // The state that is written is that of a step before.
    let mut next = None;
    let report = judged(move |p, t, h, y| {
        let begins = t == p.start();
        let mut made = if begins { None } else { next }.unwrap_or(*y);
        if !begins {
            *y = made;
        }
        midpoint(p, t, h, &mut made);
        next = Some(made);
    });
    assert_eq!(
        ids(&report, Status::Failed)[0],
        "reporting/time_stamps",
        "{report}"
    );
    assert!(!report.to_string().contains("multistep_start"), "{report}");
    // Its rate alone is.
    let mut own: Option<RotState> = None;
    let report = judged(move |p, t, h, y| {
        let mut made = own.filter(|_| t != p.start()).unwrap_or(*y);
        let rate = made.omega;
        midpoint(p, t, h, &mut made);
        own = Some(made);
        *y = RotState {
            omega: rate,
            ..made
        };
    });
    assert!(
        ids(&report, Status::Failed).contains(&"reporting/rate_whole_step".into()),
        "{report}"
    );
    assert!(!report.to_string().contains("stale_term"), "{report}");
}

#[test]
fn a_kept_kinetic_energy_is_said_of_free_bodies() {
    let report = judged(|p, t, h, y| {
        let size = |p: &RotationProblem, y: &RotState| y.omega.dot(&p.momentum(&y.omega));
        midpoint(p, t, h, y);
        let first = size(p, &p.initial());
        if first > 0.0 {
            y.omega *= (first / size(p, y)).sqrt();
        }
    });
    assert!(
        !report.to_string().contains("It keeps its energy"),
        "{report}"
    );
}

#[test]
fn a_cut_of_the_components_of_the_rate_is_no_update_of_the_attitude() {
    let report = judged(|p, t, h, y| {
        midpoint(p, t, h, y);
        y.omega = y.omega.map(|x| x.clamp(-2.0, 2.0));
    });
    let failed = ids(&report, Status::Failed);
    assert!(failed.contains(&"scheme/rate_limit".into()), "{report}");
    assert!(
        !failed.contains(&"scheme/attitude_update".into()),
        "{report}"
    );
}

/// The midpoint rule on angles Z, Y, X, and the rate in the body.
fn on_angles(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    let of = |e: &Vec3| {
        let axis = |i: usize, a: f64| so3::exp(&Vec3::from_fn(|k, _| if k == i { a } else { 0.0 }));
        axis(2, e.x) * axis(1, e.y) * axis(0, e.z)
    };
    let slope = |e: &Vec3, w: &Vec3| {
        let g = w.y * e.z.sin() + w.z * e.z.cos();
        let pitch = w.y * e.z.cos() - w.z * e.z.sin();
        Vec3::new(g / e.y.cos(), pitch, w.x + g * e.y.tan())
    };
    let r = y.att;
    let e = Vec3::new(
        r[(1, 0)].atan2(r[(0, 0)]),
        -r[(2, 0)].clamp(-1.0, 1.0).asin(),
        r[(2, 1)].atan2(r[(2, 2)]),
    );
    let rate = y.omega + p.acceleration(t, &y.att, &y.omega) * (0.5 * h);
    let half = e + slope(&e, &y.omega) * (0.5 * h);
    y.att = of(&(e + slope(&half, &rate) * h));
    y.omega += p.acceleration(t + 0.5 * h, &of(&half), &rate) * h;
}

#[test]
fn a_chart_is_a_choice() {
    let report = judged(on_angles);
    assert!(ids(&report, Status::Failed).is_empty(), "{report}");
    let said = "The motion depends on the axes of space";
    assert!(report.to_string().contains(said), "{report}");
}
