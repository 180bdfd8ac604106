//! Generated solvers as files: histories of three steps on two cases, and nothing else to go by.

use super::generated::{self, Named, Trial};
use crate::diagnosis::Conclusion;
use crate::history::Body;
use crate::identification::experiment::Start;
use crate::{HistoryFile, Outcome, Reading, Report, judge_histories};
use std::sync::atomic::AtomicBool;
use topsim_case::Problem;
use topsim_core::integration::Grid;
use topsim_core::math::{Mat3, Random, so3};
use topsim_core::verdict::Status;
use wrong_solvers::{
    Habit, OutsideLaw, Print, Rule, Solver, SolverKind, Tableau, WrongLaw, draw_many,
};

/// A top under gravity, and a free body.
const CASES: [&str; 2] = ["judge_top", "judge_free"];
/// Steps of the histories of a case, s.
const STEPS: [f64; 3] = [0.02, 0.01, 0.005];

/// Verdict on the histories of a solver on a case.
pub(super) fn judged(case: &str, solver: &Solver) -> Report {
    let problem = Problem::builtin(case).expect("a built-in case");
    let own = problem.grids[0];
    let of = |h: f64| {
        let grid = Grid::new(own.start, own.time(own.steps), h, own.sample);
        (h, history(&problem, solver, &grid))
    };
    judged_texts(&problem, solver, STEPS.map(of))
}

fn history(problem: &Problem, solver: &Solver, grid: &Grid) -> String {
    let start = Start::from(&Body::of(&problem.model).expect("a body").top());
    solver.history(&start, grid)
}

/// Judges histories with their steps.
fn judged_texts(problem: &Problem, solver: &Solver, texts: [(f64, String); 3]) -> Report {
    let file = |(h, text): (f64, String)| HistoryFile {
        name: format!("h = {h}"),
        input: Box::new(std::io::Cursor::new(text.into_bytes())),
        step: Some(h),
    };
    let reading = Reading {
        euler: solver
            .euler_option()
            .map(|o| o.parse().expect("a sequence")),
        ..Reading::default()
    };
    let never = AtomicBool::new(false);
    judge_histories(problem, texts.map(file).into(), &reading, &never)
        .unwrap_or_else(|e| panic!("{solver:?}: {e}"))
}

/// Judges a solver by its rows at each of its steps, or of a part of them, with their numbers changed.
fn judged_rows(
    solver: &Solver,
    part: f64,
    change: &dyn Fn(Vec<Vec<f64>>) -> Vec<Vec<f64>>,
) -> Report {
    let problem = Problem::builtin("judge_top").expect("a built-in case");
    let own = problem.grids[0];
    let of = |h: f64| {
        let own_step = h * part;
        let grid = Grid::new(own.start, own.time(own.steps), own_step, own_step);
        let text = history(&problem, solver, &grid);
        let (header, rows) = text.split_once('\n').expect("a header");
        let numbers = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
        let rows: Vec<String> = change(rows.lines().map(numbers).collect())
            .iter()
            .map(|row| row.iter().map(f64::to_string).collect::<Vec<_>>().join(","))
            .collect();
        (h, format!("{header}\n{}\n", rows.join("\n")))
    };
    judged_texts(&problem, solver, STEPS.map(of))
}

pub(super) fn ids(report: &Report) -> Vec<String> {
    let causes = report.diagnosis.iter().flat_map(|d| &d.causes);
    causes.map(|c| c.id.to_string()).collect()
}

/// Rows that are those of another time, of rules that are drawn.
#[test]
fn rows_of_other_times_are_named_in_files() {
    let mut random = Random::new(3);
    let late = |mut rows: Vec<Vec<f64>>| {
        for n in (1..rows.len()).rev() {
            let before = rows[n - 1][1..].to_vec();
            rows[n][1..].copy_from_slice(&before);
        }
        rows
    };
    let between = |mut rows: Vec<Vec<f64>>| {
        for n in (1..rows.len() - 1).step_by(2) {
            let mean = |k: usize| 0.5 * (rows[n - 1][k] + rows[n + 1][k]);
            let row: Vec<f64> = (1..rows[n].len()).map(mean).collect();
            rows[n][1..].copy_from_slice(&row);
        }
        rows
    };
    // Rows of a tenth of the step, of which every other one is late by one or two.
    for rule in [Rule::Rk4, Rule::Rk4RotationVector] {
        let solver = Solver::new(&[], rule);
        let by = 1 + random.bits() as usize % 2;
        let uneven = |rows: Vec<Vec<f64>>| {
            let of = |n: usize| {
                let mut row = rows[10 * n + by * (n % 2)].clone();
                row[0] = rows[10 * n][0];
                row
            };
            (0..rows.len().div_ceil(10) - 1).map(of).collect()
        };
        let late = judged_rows(&solver, 1.0, &late);
        assert_eq!(ids(&late), ["reporting/time_stamps"], "{rule:?}");
        let between = judged_rows(&solver, 1.0, &between);
        assert_eq!(ids(&between), ["reporting/interpolated"], "{rule:?}");
        let uneven = judged_rows(&solver, 0.1, &uneven);
        assert_eq!(ids(&uneven), ["reporting/time_stamps"], "{rule:?}");
        let right = ids(&judged_rows(&solver, 1.0, &|rows| rows));
        assert!(right.is_empty(), "{rule:?}: {right:?}");
    }
}

/// The attitudes are those of a right scheme, and the rates of the rows lack half of their step's torque.
#[test]
fn rates_without_the_second_half_of_a_kick_are_named_in_files() {
    let problem = Problem::builtin("judge_top").expect("a built-in case");
    let start = Start::from(&Body::of(&problem.model).expect("a body").top());
    for rule in [Rule::Rk4, Rule::Midpoint] {
        let half = |mut rows: Vec<Vec<f64>>| {
            let h = rows[1][0] - rows[0][0];
            for row in &mut rows[1..] {
                let att = match row.len() {
                    13 => Mat3::from_row_slice(&row[1..10]),
                    _ => so3::matrix_from_quat(&[row[1], row[2], row[3], row[4]]),
                };
                let kick = start.inertia.solve(&start.torque(row[0], &att)) * (0.5 * h);
                let rates = row.len() - 3;
                for (w, kick) in row[rates..].iter_mut().zip(&kick) {
                    *w -= kick;
                }
            }
            rows
        };
        let report = judged_rows(&Solver::new(&[], rule), 1.0, &half);
        assert_eq!(ids(&report), ["reporting/rate_half_step"], "{rule:?}");
    }
}

/// Laws of two terms that are one thing, of rules and numbers that are drawn.
#[test]
fn two_terms_that_are_one_thing_are_one_cause_in_files() {
    let mut random = Random::new(5);
    for rule in [Rule::SemiImplicitEuler, Rule::Heun, Rule::Rk4] {
        let factor = 0.6 + 0.3 * random.uniform();
        let paced = [WrongLaw::Clock(factor), WrongLaw::Rate(1.0 / factor)];
        let divided = [WrongLaw::TorqueNotDivided, WrongLaw::Torque(factor)];
        for (laws, wanted) in [
            (paced, "model/acceleration_factor"),
            (divided, "model/torque_divided_by_number"),
        ] {
            let report = judged("judge_top", &Solver::new(&laws, rule));
            assert_eq!(ids(&report), [wanted], "{rule:?} {factor}");
        }
    }
}

/// A rate that is written with another sign is not another rate of the start, and a tensor times a number is a factor of the torque.
#[test]
fn laws_beside_reports_and_other_laws_are_named_in_files() {
    let print = Print::Digits(9);
    let turned = [WrongLaw::Torque(1.299), WrongLaw::TorqueTwiceTurned];
    let turned = Solver {
        print,
        ..Solver::new(&turned, Rule::Trapezoidal)
    };
    let kept = Solver {
        print,
        report: wrong_solvers::Report::RateReversed,
        ..Solver::new(&[WrongLaw::InertiaNotTurned], Rule::Midpoint)
    };
    for (solver, allowed) in [
        (
            turned,
            ["model/body_torque_in_space", "model/torque_factor"],
        ),
        (kept, ["reporting/rate_sign", "model/inertia_not_turned"]),
    ] {
        let found = ids(&judged("judge_top", &solver));
        let other: Vec<&String> = found
            .iter()
            .filter(|id| !allowed.contains(&id.as_str()))
            .collect();
        assert!(
            !found.is_empty() && other.is_empty(),
            "{solver:?}: {found:?}"
        );
    }
}

/// Returns the id of a claim; both cases have one inertia, with which a constant torque in the body is a constant acceleration.
fn told_apart(id: &str, solver: &Solver) -> String {
    const EQUAL: [&str; 2] = [
        "model/constant_torque_in_body",
        "model/constant_acceleration_in_body",
    ];
    let of = |l: &WrongLaw| match l {
        WrongLaw::TorqueBody(_) => Some(EQUAL[0]),
        WrongLaw::AccelerationBody(_) => Some(EQUAL[1]),
        _ => None,
    };
    let own = solver.laws.iter().find_map(of);
    own.filter(|_| EQUAL.contains(&id)).unwrap_or(id).into()
}

/// Returns how both cases together name a solver. One that fails without a cause is told by its class.
fn trial(kind: SolverKind, solver: Solver, quick: bool) -> Trial {
    let begun = std::time::Instant::now();
    let reports = CASES.map(|case| judged(case, &solver));
    let diagnoses = reports.iter().filter_map(|r| r.diagnosis.as_ref());
    let mut claims = Vec::new();
    for c in diagnoses.clone().flat_map(|d| &d.causes) {
        let claim = (told_apart(&c.id.to_string(), &solver), c.certainty);
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    let fails = reports.iter().any(|r| r.outcome() == Outcome::Failed);
    let mut named = generated::named(kind, &solver, &claims, true);
    if fails && claims.is_empty() {
        named = match kind {
            SolverKind::Right => Named::Wrongly,
            _ => Named::ByClass,
        };
    }
    let verdicts = reports.iter().flat_map(|r| &r.verdicts);
    let failed = verdicts
        .filter(|v| v.status == Status::Failed)
        .map(|v| v.id.clone());
    let failed: Vec<_> = failed.collect();
    let conclusions: Vec<Conclusion> = diagnoses.map(|d| d.conclusion).collect();
    Trial {
        kind,
        named,
        numbers_off: Vec::new(),
        said: format!("{claims:?} {conclusions:?} {failed:?}"),
        solver,
        quick,
        seconds: begun.elapsed().as_secs_f64(),
    }
}

/// Judges so many wrong solvers and so many right ones, and prints how they are named.
fn trials(wrong: usize, right: usize, seed: u64) -> Vec<Trial> {
    let mut all = draw_many(&SolverKind::WRONG, wrong, seed);
    all.extend(draw_many(&[SolverKind::Right], right, seed + 1));
    let all = generated::on_all_cores(all, trial);
    println!("{}", generated::table(&all));
    println!("{}", super::shown(&all, |t| t.named != Named::Rightly));
    let seconds: f64 = all.iter().map(|t| t.seconds).sum();
    println!("{:.2} s a solver", seconds / all.len() as f64);
    all
}

/// Numbers of solvers that are named so.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    rightly: usize,
    by_class: usize,
    doubtfully: usize,
    wrongly: usize,
    /// Nothing is said of them.
    not: usize,
    /// Right ones of which something false is said.
    blamed: usize,
}

fn counts(all: &[Trial]) -> Counts {
    let mut out = Counts::default();
    for t in all {
        let right = t.kind == SolverKind::Right;
        match t.named {
            Named::Wrongly | Named::Doubtfully if right => out.blamed += 1,
            _ if right => {}
            Named::Rightly => out.rightly += 1,
            Named::ByClass => out.by_class += 1,
            Named::Doubtfully => out.doubtfully += 1,
            Named::Wrongly => out.wrongly += 1,
            Named::Not => out.not += 1,
        }
    }
    out
}

/// Holds what is found against what was found when the test was written: what is better moves the floor.
#[track_caller]
fn no_worse(found: &Counts, floor: &Counts) {
    let told = |c: &Counts| c.rightly + c.by_class;
    assert!(
        found.rightly >= floor.rightly
            && told(found) >= told(floor)
            && found.wrongly <= floor.wrongly
            && found.doubtfully + found.wrongly <= floor.doubtfully + floor.wrongly
            && found.blamed <= floor.blamed,
        "{found:?} is worse than {floor:?}"
    );
}

/// A torque that is turned once too often is named as that, or as another one that is the same on the case.
#[test]
fn a_torque_that_is_turned_twice_is_named_in_files() {
    use WrongLaw::{PushTwiceTurned, SpaceRateInBody, TorqueTwiceTurned, UpTransposed};
    const TWICE: &[&str] = &[
        "model/body_torque_in_space",
        "model/body_push_in_space",
        "model/space_push_turned_twice",
    ];
    const SPACE: &[&str] = &["model/space_rate_in_body"];
    let rules = [Rule::SemiImplicitEuler, Rule::Midpoint, Rule::Rk4];
    for (case, laws, wanted) in [
        ("judge_top", &[TorqueTwiceTurned][..], &[TWICE][..]),
        ("judge_push", &[TorqueTwiceTurned], &[TWICE]),
        ("judge_push", &[PushTwiceTurned], &[TWICE]),
        ("pairs_constant", &[TorqueTwiceTurned], &[TWICE]),
        (
            "judge_top",
            &[TorqueTwiceTurned, SpaceRateInBody],
            &[SPACE, TWICE],
        ),
        (
            "judge_top",
            &[UpTransposed, SpaceRateInBody],
            &[SPACE, UpTransposed.ids()],
        ),
    ] {
        for rule in rules {
            let report = judged(case, &Solver::new(laws, rule));
            let ids = ids(&report);
            let is = |id: &String, of: &&[&str]| of.contains(&id.as_str());
            let as_wanted = wanted.iter().all(|of| ids.iter().any(|id| is(id, of)))
                && ids.iter().all(|id| wanted.iter().any(|of| is(id, of)));
            assert!(as_wanted, "{case} {laws:?} {rule:?}: {ids:?}");
        }
    }
}

/// Rules with a slip: an entry of a tableau, a term that is held, a quantity that is put back, an increment that is cut short.
#[test]
fn slips_of_rules_are_named_in_files() {
    let mut random = Random::new(1);
    let tableaus = [
        Tableau::MIDPOINT,
        Tableau::KUTTA3,
        Tableau::RALSTON3,
        Tableau::RK4,
        Tableau::THREE_EIGHTHS,
    ];
    let edited = tableaus.map(|mut tableau| {
        let row = (random.bits() % (tableau.stages as u64 - 1)) as usize;
        let column = (random.bits() % (row as u64 + 1)) as usize;
        tableau.a[row][column] += 0.05 + 0.3 * random.uniform();
        (
            Solver::new(&[], Rule::Explicit(tableau)),
            "scheme/rule_changed",
        )
    });
    let habit = |habit, rule| Solver {
        habit,
        ..Solver::new(&[], rule)
    };
    let slips = [
        (
            habit(Habit::Truncated, Rule::SemiImplicitEuler),
            "scheme/attitude_update",
        ),
        (
            habit(Habit::Energy, Rule::SemiImplicitEuler),
            "scheme/energy_restored",
        ),
        (
            habit(Habit::TorqueHeldInBody, Rule::Rk4),
            "scheme/order_lost",
        ),
        (
            habit(Habit::TorqueHeldInBody, Rule::Midpoint),
            "scheme/order_lost",
        ),
    ];
    for (solver, wanted) in edited.into_iter().chain(slips) {
        let report = judged("judge_top", &solver);
        let ids = ids(&report);
        assert_eq!(ids, [wanted], "{solver:?}");
    }
    // Rules that are not known by name are none with a slip.
    for c in [0.55, 0.7, 0.9] {
        let report = judged(
            "judge_top",
            &Solver::new(&[], Rule::Explicit(Tableau::two(c))),
        );
        assert_ne!(
            report.outcome(),
            Outcome::Failed,
            "{c} {:?}",
            report.verdicts
        );
    }
}

/// Solvers with a memory that cannot have been meant, each with rules that are drawn.
#[test]
fn memories_are_named_in_files() {
    let mut random = Random::new(1);
    let rules = [
        Rule::ExplicitEuler,
        Rule::SemiImplicitEuler,
        Rule::QuaternionEuler,
        Rule::Heun,
        Rule::Midpoint,
        Rule::Rk4,
        Rule::Verlet,
    ];
    for (habit, wanted) in [
        (Habit::StaleTorque, "scheme/stale_term"),
        (Habit::TorqueNotCleared, "scheme/torque_not_cleared"),
        (Habit::ZeroHistory, "scheme/multistep_start"),
    ] {
        for _ in 0..3 {
            let rule = rules[(random.bits() % rules.len() as u64) as usize];
            let solver = Solver {
                habit,
                ..Solver::new(&[], rule)
            };
            let found = ids(&judged("judge_top", &solver));
            assert_eq!(found, [wanted], "{solver:?}");
        }
    }
}

/// Torques that act late, or bend where they are large, each with numbers that are drawn.
#[test]
fn late_and_bent_torques_are_named_in_files() {
    let mut random = Random::new(1);
    for rule in [
        Rule::SemiImplicitEuler,
        Rule::Heun,
        Rule::Midpoint,
        Rule::Rk4,
    ] {
        let late = OutsideLaw::Lagged {
            time: 0.02 * 10_f64.powf(random.uniform()),
            from_zero: false,
        };
        let bent = OutsideLaw::Soft(2.0 + 6.0 * random.uniform());
        for (law, wanted) in [(late, "model/torque_late"), (bent, "model/torque_limit")] {
            let solver = Solver::new(&[WrongLaw::Outside(law)], rule);
            let found = ids(&judged("judge_top", &solver));
            assert_eq!(found, [wanted], "{solver:?}");
        }
    }
}

#[test]
fn some_solvers_are_judged_as_files() {
    let floor = Counts {
        rightly: 22,
        by_class: 4,
        doubtfully: 0,
        wrongly: 0,
        not: 4,
        blamed: 0,
    };
    no_worse(&counts(&trials(30, 10, 1)), &floor);
}

/// Judges `TOPSIM_GENERATED` wrong and as many right solvers, 300 unless told otherwise, and prints the table:
/// `cargo test -p topsim-judge --lib many_solvers_are_judged_as_files -- --ignored --nocapture`.
#[test]
#[ignore = "minutes"]
fn many_solvers_are_judged_as_files() {
    let (count, seed) = super::count_and_seed();
    let found = counts(&trials(count, count, seed));
    println!("{found:?}");
    // The counts of the 300 and 300 solvers of seed 1.
    let floor = Counts {
        rightly: 186,
        by_class: 58,
        doubtfully: 15,
        wrongly: 4,
        not: 37,
        blamed: 0,
    };
    if (count, seed) == (300, 1) {
        no_worse(&found, &floor);
    }
}

/// Steps that are cut off show a limit of what they turn, too.
#[test]
fn files_of_steps_that_are_cut_off_are_named_by_their_clock() {
    for limit in [0.0125, 0.015, 0.008] {
        for rule in [Rule::Heun, Rule::Rk4] {
            let solver = Solver {
                habit: Habit::CutOff(limit),
                ..Solver::new(&[], rule)
            };
            let report = judged("judge_top", &solver);
            let d = report.diagnosis.as_ref().unwrap();
            let ids: Vec<String> = d.causes.iter().map(|c| c.id.to_string()).collect();
            assert_eq!(ids, ["scheme/step_limit"], "{limit} {rule:?}: {d:?}");
        }
    }
}

/// The motion of a free body is that with a tensor times any number.
#[test]
fn files_of_a_free_body_tell_its_tensor_with_the_given_trace() {
    let solver = Solver::new(&[WrongLaw::Products(-1.0)], Rule::Heun);
    let report = judged("judge_free", &solver);
    let d = report.diagnosis.as_ref().unwrap();
    let said = d.causes.first().map(|c| c.evidence()).unwrap_or_default();
    assert!(!said.contains("1.33"), "{said}");
}
