//! Histories alone, of generated solvers.

use crate::history::{Body, Point, Trace};
use crate::identification::experiment::{Probe, Start};
use crate::identification::{Certainty, files};
use topsim_case::Problem;
use wrong_solvers::{Rule, Solver, WrongLaw};

/// Steps of three histories, s.
const LADDER: [f64; 3] = [0.02, 0.01, 0.005];

/// Returns what is said of the histories of a solver on a case, at these steps.
fn said(case: &str, laws: &[WrongLaw], rule: Rule, steps: &[f64]) -> Vec<(String, Certainty)> {
    let problem = Problem::builtin(case).expect("a built-in case");
    let body = Body::of(&problem.model).expect("a body");
    let solver = Solver::new(laws, rule);
    let start = Start::from(&body.top());
    let trace = |h: f64| {
        let probe = Probe::new(&start, h, (2.4 / h) as usize);
        let mut trace = Trace::new([0.0, 2.4]);
        for row in solver.rows(&probe) {
            trace.push(Point {
                t: row.t,
                att: row.att,
                rate: Some(row.omega),
                omega: Some(row.omega),
            });
        }
        (h, trace.finish())
    };
    let traces: Vec<(f64, Trace)> = steps.iter().map(|h| trace(*h)).collect();
    let found = files::laws(&traces, &body, false).expect("rows near enough");
    let claims = found.claims.iter();
    claims.map(|c| (c.id.to_string(), c.certainty)).collect()
}

/// A wrong law is named whatever the order of the rule that carries it; where it is not, nothing else is certain.
#[test]
fn laws_show_in_files_of_any_order() {
    let laws = [
        (WrongLaw::Gyroscopic(1.3), "model/gyroscopic_factor"),
        (WrongLaw::Torque(0.8), "model/torque_factor"),
        (WrongLaw::Damping(0.1), "model/damping"),
    ];
    let rules = [Rule::ExplicitEuler, Rule::SemiImplicitEuler, Rule::Rk4];
    let mut named = 0;
    for (law, id) in laws {
        for rule in rules {
            let said = said("judge_top", &[law], rule, &LADDER);
            let of_it = |(found, _): &(String, Certainty)| found == id;
            let wrong = |c: &(String, Certainty)| !of_it(c) && c.1 == Certainty::Is;
            assert!(!said.iter().any(wrong), "{law:?} by {rule:?}: {said:?}");
            named += usize::from(said.len() == 1 && of_it(&said[0]));
        }
    }
    assert!(named >= 8, "{named} of 9");
}

/// The errors of one step look like a law: nothing is said of right rules, and nothing of wrong laws, which two steps tell.
#[test]
fn one_step_shows_no_law() {
    let rules = [Rule::ExplicitEuler, Rule::SemiImplicitEuler, Rule::Rk4];
    let factor = WrongLaw::Gyroscopic(1.3);
    for case in ["judge_top", "judge_free", "judge_push"] {
        for rule in rules {
            for h in LADDER {
                for laws in [&[][..], &[factor]] {
                    assert_eq!(said(case, laws, rule, &[h]), [], "{case}, h = {h}");
                }
            }
        }
    }
    let said = said("judge_top", &[factor], Rule::Rk4, &LADDER[1..]);
    assert!(
        matches!(&said[..], [(id, _)] if id == "model/gyroscopic_factor"),
        "{said:?}"
    );
}

/// What inner steps leave beside a law has no names.
#[test]
fn numbers_at_the_level_of_the_rest_are_not_named() {
    let laws = [WrongLaw::Damping(0.05), WrongLaw::Rate(1.000_03)];
    let said = said("judge_top", &laws, Rule::Rk4, &LADDER);
    assert!(
        matches!(&said[..], [(id, _)] if id == "model/damping"),
        "{said:?}"
    );
}
