//! Solvers that evaluate a term in some of their steps: asked, and as files.

use super::generated;
use super::histories::{ids, judged};
use topsim_core::math::Random;
use wrong_solvers::{Evaluated, FIXED, Habit, HeldPart, Rule, Solver};

/// Rules that are held against whole runs.
const RULES: [Rule; 12] = [
    Rule::ExplicitEuler,
    Rule::SemiImplicitEuler,
    Rule::QuaternionEuler,
    Rule::SpaceEuler,
    Rule::Heun,
    Rule::Midpoint,
    Rule::Rk4,
    Rule::Rk4RotationVector,
    Rule::Rk4Matrix,
    Rule::Strang,
    Rule::Verlet,
    Rule::Ab2,
];

/// Draws a solver that holds a term.
fn drawn(r: &mut Random) -> Solver {
    let rule = RULES[(r.bits() % RULES.len() as u64) as usize];
    // The stages of a rule with a memory are those of other steps, too.
    let whole = rule == Rule::Ab2 || r.bits().is_multiple_of(2);
    let part = match HeldPart::draw(r) {
        // The gyroscopic term is no part of a rule of the rate in space.
        HeldPart::Gyroscopic | HeldPart::Whole if rule == Rule::SpaceEuler => HeldPart::Torque,
        part => part,
    };
    Solver {
        habit: Habit::TermHeld(part, Evaluated::draw(r), whole),
        ..Solver::new(&[], rule)
    }
}

#[test]
fn held_terms_are_named() {
    let mut random = Random::new(71);
    let mut missed = Vec::new();
    for n in 0..24 {
        let solver = drawn(&mut random);
        let found = generated::identified(&solver, n % 2 == 0);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        if ids != ["scheme/term_held"] {
            missed.push(format!("{solver:?}: {}", generated::said(&found)));
        }
    }
    assert!(missed.is_empty(), "{} {missed:#?}", missed.len());
}

#[test]
fn held_terms_are_named_in_files() {
    let mut random = Random::new(72);
    let mut missed = Vec::new();
    for _ in 0..10 {
        let solver = drawn(&mut random);
        let report = judged("judge_top", &solver);
        if ids(&report) != ["scheme/term_held"] {
            missed.push(format!("{solver:?}: {:?}", report.diagnosis));
        }
    }
    assert!(missed.is_empty(), "{} {missed:#?}", missed.len());
}

/// On a free body nothing is said of a torque that is held.
#[test]
fn a_held_torque_is_not_told_of_free_bodies() {
    for rule in FIXED {
        let habit = Habit::TermHeld(HeldPart::Torque, Evaluated::Each(3), true);
        let solver = Solver {
            habit,
            ..Solver::new(&[], rule)
        };
        let found = ids(&judged("judge_free", &solver));
        assert!(found.is_empty(), "{rule:?}: {found:?}");
    }
}
