//! Solvers whose times are of single precision: asked, and as files; and kicks that are iterated.

use super::generated;
use super::histories::{ids, judged};
use wrong_solvers::{Habit, Rule, SingleClock, Solver};

const CLOCKS: [SingleClock; 3] = [
    SingleClock::Rounded,
    SingleClock::Summed,
    SingleClock::Product,
];

#[test]
fn clocks_of_single_precision_are_named() {
    let rules = [
        Rule::SemiImplicitEuler,
        Rule::Heun,
        Rule::Midpoint,
        Rule::Rk4,
        Rule::Strang,
    ];
    for (n, rule) in rules.into_iter().enumerate() {
        for clock in CLOCKS {
            let solver = Solver {
                habit: Habit::SingleClock(clock),
                ..Solver::new(&[], rule)
            };
            let found = generated::identified(&solver, n % 2 == 0);
            let ids_asked: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
            assert_eq!(
                ids_asked,
                ["scheme/torque_time"],
                "{solver:?}: {}",
                generated::said(&found)
            );
            let report = judged("judge_driven", &solver);
            assert_eq!(
                ids(&report),
                ["scheme/torque_time"],
                "{solver:?}: {:?}",
                report.diagnosis
            );
        }
    }
}

/// A half kick that is iterated a few times is a rule of its own, and no defect.
#[test]
fn second_kicks_of_a_few_rounds_are_no_defect() {
    for rounds in [2, 3, 5] {
        let found = generated::identified(&Solver::new(&[], Rule::IteratedKick(rounds)), true);
        let said = generated::said(&found);
        let named = found
            .scheme
            .first()
            .is_some_and(|s| s.contains(&format!("{rounds} rounds")));
        assert!(found.claims.is_empty() && named, "{said}");
    }
}
