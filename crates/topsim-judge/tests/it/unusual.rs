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
