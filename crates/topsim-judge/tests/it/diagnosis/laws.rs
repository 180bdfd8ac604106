//! Wrong laws, by their histories alone.

use super::*;
use wrong_solvers::OutsideLaw;

/// A wrong model is named under any scheme: here the classical Runge–Kutta rule.
#[test]
fn laws_are_named() {
    for (id, law) in [
        ("model/torque_reversed", WrongLaw::Torque(-1.0)),
        ("model/torque_missing", WrongLaw::Torque(0.0)),
        ("model/torque_factor", WrongLaw::Torque(0.9)),
        ("model/gyroscopic_row2", WrongLaw::Rows([1.0, -1.0, 1.0])),
        ("model/gyroscopic_missing", WrongLaw::Gyroscopic(0.0)),
        ("model/gyroscopic_reversed", WrongLaw::Gyroscopic(-1.0)),
        ("model/gyroscopic_factor", WrongLaw::Gyroscopic(1.2)),
        ("model/body_rate_in_space", WrongLaw::BodyRateInSpace),
        ("model/space_torque_in_body", WrongLaw::TorqueInSpaceTaken),
        ("model/torque_of_transpose", WrongLaw::UpTransposed),
        ("model/lever_not_turned", WrongLaw::LeverInSpace),
        ("model/products_reversed", WrongLaw::Products(-1.0)),
        ("model/turn_doubled", WrongLaw::Rate(2.0)),
        ("model/damping", WrongLaw::Damping(0.08)),
    ] {
        blames(&run("judge_top", &Solver::new(&[law], Rule::Rk4)), id);
    }
}

/// ω = J⁻¹ π in space, and written in space.
fn inertia_not_turned(rule: Rule) -> Solver {
    Solver {
        report: Written::Space,
        ..Solver::new(&[WrongLaw::InertiaNotTurned], rule)
    }
}

#[test]
fn the_inertia_not_turned() {
    let report = run("judge_top", &inertia_not_turned(Rule::Rk4));
    blames(&report, "model/inertia_not_turned");
}

/// The usual code takes its momentum from the given rate, and so reports another one in row 0.
#[test]
fn the_inertia_not_turned_from_the_right_momentum() {
    let mut solver = inertia_not_turned(Rule::Strang);
    solver.habit = Habit::StartByInertia;
    let report = run("judge_top", &solver);
    let d = report.diagnosis.as_ref().unwrap();
    let id = d.causes[0].id.to_string();
    assert_eq!(id, "model/inertia_not_turned_start", "{}", said(d));
}

#[test]
fn another_initial_rate() {
    let mut solver = Solver::new(&[], Rule::Rk4);
    solver.habit = Habit::StartInSpace;
    blames(&run("judge_top", &solver), "model/another_start");
}

/// A motion of nothing that is known is told to be another one, and no name is made up.
#[test]
fn none_fits() {
    let laws = [
        WrongLaw::Torque(0.8),
        WrongLaw::Gyroscopic(0.8),
        WrongLaw::DampingQuadratic(0.3),
        WrongLaw::Outside(OutsideLaw::Swing {
            size: [-0.2, 0.0, -0.1],
            rate: 3.0,
        }),
    ];
    let report = run("judge_top", &Solver::new(&laws, Rule::Rk4));
    let d = report.diagnosis.as_ref().unwrap();
    assert_eq!(d.conclusion, Conclusion::NoneFits, "{}", said(d));
    assert!(!report.passed());
}
