//! Solvers whose turn is made by a wrong formula, or which overwrite components that they read: asked, and as files.

use super::generated;
use super::histories::{ids, judged};
use topsim_core::math::Random;
use wrong_solvers::{Habit, Rule, Solver, WrongTurn};

fn solver(habit: Habit) -> Solver {
    Solver {
        habit,
        ..Solver::new(&[], Rule::SemiImplicitEuler)
    }
}

#[test]
fn wrong_formulas_of_a_turn_are_named() {
    let mut missed = Vec::new();
    for (n, turn) in WrongTurn::all().into_iter().enumerate() {
        let solver = solver(Habit::WrongTurn(turn, n % 2 == 0));
        let found = generated::identified(&solver, n % 3 == 0);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        let said: Vec<String> = found.claims.iter().map(|c| c.sentence()).collect();
        let told = said.len() == 1 && said[0].contains("wrong formula");
        if ids != ["scheme/attitude_update"] || !told {
            missed.push(format!("{solver:?}: {}", generated::said(&found)));
        }
    }
    assert!(missed.is_empty(), "{} {missed:#?}", missed.len());
}

#[test]
fn wrong_formulas_of_a_turn_are_named_in_files() {
    let mut random = Random::new(81);
    let mut missed = Vec::new();
    for turn in WrongTurn::all() {
        let solver = solver(Habit::WrongTurn(turn, random.bits().is_multiple_of(2)));
        let case = ["judge_top", "judge_free"][(random.bits() % 2) as usize];
        let report = judged(case, &solver);
        if ids(&report) != ["scheme/attitude_update"] {
            missed.push(format!("{case} {solver:?}: {:?}", report.diagnosis));
        }
    }
    assert!(missed.is_empty(), "{} {missed:#?}", missed.len());
}

#[test]
fn rates_that_are_overwritten_in_place_are_named() {
    for (order, new) in [([0, 1, 2], true), ([0, 1, 2], false), ([2, 1, 0], true)] {
        let solver = solver(Habit::RateInPlace(order, new));
        let found = generated::identified(&solver, new);
        let ids_asked: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        assert_eq!(
            ids_asked,
            ["scheme/in_place"],
            "{solver:?}: {}",
            generated::said(&found)
        );
        for case in ["judge_top", "judge_free"] {
            let report = judged(case, &solver);
            assert_eq!(ids(&report), ["scheme/in_place"], "{case} {solver:?}");
        }
    }
}
