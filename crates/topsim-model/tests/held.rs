//! Terms that are evaluated in some steps and held in between are found in whole runs, with their period; rules that evaluate them
//! in each step hold none.

use topsim_core::math::Random;
use topsim_model::design::standard;
use topsim_model::held::Renewal;
use topsim_model::probe::{Load, Probe, Row, Start, Target};
use topsim_model::remembering::Remembering;
use topsim_model::{Observed, Print, Report, Rule as Stepped, StepHistory, held};
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

/// Returns the rows of runs of a second of a drawn top, each so many steps of the coarsest.
fn observed(r: &mut Random, solver: &Solver, free: bool, every: usize) -> Observed {
    let start = Start {
        att: r.rotation(),
        omega: r.direction(1.5),
        load: if free { Load::None } else { standard().load },
        ..standard()
    };
    let history = |steps: usize| {
        let step = 1.0 / steps as f64;
        let probe = Probe::new(&start, step, steps);
        let rows = solver.answers(&[probe]).swap_remove(0).expect("rows");
        let rows: Vec<Row> = rows.into_iter().step_by(every * steps / 100).collect();
        StepHistory {
            step,
            print: Print::of(&rows),
            rows,
        }
    };
    Observed::new(&start, [100, 200, 400].map(history).into())
}

/// Returns the periods that are found.
fn periods(observed: &Observed) -> Vec<Renewal> {
    let found = held(observed, &Report::default(), &|| true);
    let renewed = found.iter().map(|f| match f.model.stepping.rule {
        Stepped::Remembering(Remembering::Held(hold)) => hold.renewed,
        other => panic!("{other}"),
    });
    renewed.collect()
}

#[test]
fn held_terms_are_found_with_their_period() {
    let mut r = Random::new(3);
    let mut missed = Vec::new();
    for n in 0..36 {
        let rule = RULES[n % RULES.len()];
        let whole = rule == Rule::Ab2 || r.bits().is_multiple_of(2);
        let (part, evaluated) = (HeldPart::draw(&mut r), Evaluated::draw(&mut r));
        let solver = Solver {
            habit: Habit::TermHeld(part, evaluated, whole),
            ..Solver::new(&[], rule)
        };
        let begun = std::time::Instant::now();
        let found = periods(&observed(&mut r, &solver, false, 1 + n % 2));
        let seconds = begun.elapsed().as_secs_f64();
        let is = |renewed: &Renewal| match (*renewed, evaluated) {
            (Renewal::Steps(a), Evaluated::Each(b)) => u64::from(a) == b,
            (Renewal::Time(a) | Renewal::TimeSince(a), Evaluated::EachTime(b)) => {
                (a - b).abs() < 1e-3 * b
            }
            _ => false,
        };
        if found.is_empty() || !found.iter().all(is) {
            missed.push(format!(
                "{rule:?} {:?} {found:?} {seconds:.2} s",
                solver.habit
            ));
        }
    }
    assert!(missed.is_empty(), "{} {missed:#?}", missed.len());
}

#[test]
fn right_rules_hold_no_term() {
    let mut r = Random::new(4);
    for rule in FIXED {
        let free = r.bits().is_multiple_of(2);
        let found = periods(&observed(&mut r, &Solver::new(&[], rule), free, 1));
        assert!(found.is_empty(), "{rule:?}: {found:?}");
    }
}
