//! Solvers as their authors write them.

use super::*;
use crate::identification::experiment::Stepper;
use crate::identification::scheme::flaws::{LostPart, Restoration};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{RigidTop, RotState, TorqueModel};
use wrong_solvers::{Habit, Rule, RunningRule, Solver, Tableau};

pub(super) type Top = RigidTop<TorqueModel>;

/// W' by Euler's equations.
pub(super) fn acc(top: &Top, t: f64, r: &Mat3, w: &Vec3) -> Vec3 {
    let j = top.inertia();
    j.solve(&(top.torque_body(t, r) + j.times(w).cross(w)))
}

/// The state after one step of a rule.
pub(super) fn by(rule: Rule, top: &Top, t: f64, h: f64, y: &RotState) -> RotState {
    let mut y = *y;
    let slopes = |t: f64, r: &Mat3, w: &Vec3| (*w, acc(top, t, r, w));
    RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, &mut y);
    y
}

/// A solver without memory that is none of the rules.
pub(super) fn one(
    step: impl Fn(&Top, f64, f64, &mut RotState) + Send + Sync + Clone + 'static,
) -> Box<dyn Target> {
    many(move |top, t, h, y, (): &mut ()| step(top, t, h, y))
}

/// A solver with a memory that is none of the rules.
pub(super) fn many<M: Default + 'static>(
    step: impl Fn(&Top, f64, f64, &mut RotState, &mut M) + Send + Sync + Clone + 'static,
) -> Box<dyn Target> {
    Box::new(Stepper(move |top: &Top, _: f64, h: f64| {
        let top = top.clone();
        let step = step.clone();
        let mut memory = M::default();
        Ok(move |t: f64, y: &mut RotState| {
            step(&top, t, h, y, &mut memory);
            Ok::<(), String>(())
        })
    }))
}

/// Returns the sentences about a rule with a habit.
pub(super) fn with(rule: Rule, habit: Habit) -> SchemeFindings {
    let solver = Solver {
        habit,
        ..Solver::new(&[], rule)
    };
    said(&format!("{rule:?} {habit:?}"), &solver, 2e-16)
}

/// Each has this in its name, and no flaw.
#[test]
fn right_rules_have_their_names() {
    for (rule, part) in [
        (Rule::ExplicitQuaternionEuler, "explicit Euler"),
        (
            Rule::SemiImplicitEuler,
            "semi-implicit Euler, exponential map",
        ),
        (Rule::QuaternionEuler, "semi-implicit Euler, quaternion sum"),
        (Rule::ImplicitEulerTurn, "implicit Euler, exponential"),
        (Rule::TurnThenKick, "turn with the old rate"),
        (Rule::TrapezoidalTurn, "trapezoidal rule, exponential"),
        (Rule::Newmark(1.0 / 6.0), "Newmark's rule, β = 1/6"),
        (Rule::MidpointTurn, "implicit midpoint rule"),
        (Rule::LieNewmark, "Lie–Newmark"),
        (Rule::Bdf2Turn, "BDF2"),
        (Rule::Ab2, "Adams–Bashforth of order 2"),
        (Rule::Explicit(Tableau::MIDPOINT), "explicit midpoint"),
        (Rule::Explicit(Tableau::HEUN), "Heun's rule on"),
        (Rule::Explicit(Tableau::KUTTA3), "Kutta's rule of order 3"),
        (
            Rule::Explicit(Tableau::RK4),
            "RK4 on (quaternion, body rate), normalised each step",
        ),
        (Rule::Explicit(Tableau::THREE_EIGHTHS), "3/8"),
        (
            Rule::Rk4Matrix,
            "RK4 on (matrix, body rate), made orthogonal by columns",
        ),
        (
            Rule::Rk4NearestMatrix,
            "RK4 on (matrix, body rate), made orthogonal each step",
        ),
    ] {
        let f = with(rule, Habit::None);
        assert!(
            f.name.as_deref().is_some_and(|n| n.contains(part)),
            "{part}: {:?}",
            f.name
        );
        assert!(f.flaws.is_empty(), "{part}: {:?}", f.flaws);
    }
}

#[test]
fn wrong_memories_are_told() {
    let named = |f: &SchemeFindings, part: &str| {
        let name = f.name.as_deref().unwrap_or_default();
        assert!(name.contains(part), "{part}: {name}");
    };
    let zero = with(Rule::Ab2, Habit::ZeroHistory);
    named(&zero, "Adams–Bashforth of order 2");
    assert!(
        matches!(zero.flaws[..], [SchemeFlaw::ZeroHistory { length }] if (length - 1.5).abs() < 1e-3)
    );
    let lag = with(Rule::SemiImplicitEuler, Habit::StaleTorque);
    named(&lag, "torque of the step before");
    assert!(
        matches!(lag.flaws[..], [SchemeFlaw::StaleTorque { steps }] if (steps - 1.0).abs() < 1e-3)
    );
    for habit in [Habit::StaleTorque, Habit::HalfStaleTorque] {
        let f = with(Rule::Rk4NearestMatrix, habit);
        let stale = matches!(f.flaws[..], [SchemeFlaw::StaleTorque { .. }]);
        assert!(stale, "{habit:?}: {:?}", f.flaws);
    }
    let at_rest = with(Rule::Verlet, Habit::ZeroAcceleration);
    let start = at_rest.flaws.contains(&SchemeFlaw::StartAcceleration);
    assert!(start, "{:?}", at_rest.flaws);
}

#[test]
fn first_order_by_one_part() {
    let rk4 = Rule::Explicit(Tableau::RK4);
    for (rule, habit, part) in [
        (Rule::Verlet, Habit::None, LostPart::Gyro),
        (Rule::MeanRateTurn, Habit::None, LostPart::Rate),
        (rk4, Habit::TorqueHeldInBody, LostPart::Torque),
    ] {
        let f = with(rule, habit);
        assert!(
            matches!(f.flaws[..], [SchemeFlaw::OrderLost { part: p, .. }] if p == part),
            "{:?}",
            f.flaws
        );
    }
    let f = with(rk4, Habit::TimeNotAdvanced);
    assert!(
        matches!(f.flaws[..], [SchemeFlaw::TorqueTime { mean }] if mean.abs() < 1e-6),
        "{:?}",
        f.flaws
    );
    let clamp = with(Rule::SemiImplicitEuler, Habit::Momentum);
    assert!(
        matches!(clamp.flaws[..], [SchemeFlaw::Restored(_)]),
        "{:?}",
        clamp.flaws
    );
    let energy = with(Rule::SemiImplicitEuler, Habit::Energy);
    assert_eq!(energy.flaws, [SchemeFlaw::Restored(Restoration::Energy)]);
    let f = with(Rule::SemiImplicitEuler, Habit::Truncated);
    let name = f.name.as_deref().unwrap_or_default();
    assert!(
        name.starts_with("semi-implicit Euler, matrix sum"),
        "{name}"
    );
    assert_eq!(f.flaws, [SchemeFlaw::TruncatedTurn]);
}
