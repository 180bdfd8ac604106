//! Solvers that are generated: random wrong ones of random size under random rules, and right ones of every kind.

mod clocks;
mod drawn;
mod generated;
mod held;
mod histories;
mod slips;
mod strangers;
mod table;

use super::experiment::{Answer, Load, Probe, Row, Target, nearest_rotation};
use super::note::Note;
use super::symptom::Symptom;
use super::{Scope, identify};
use generated::{Named, Trial};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;
use wrong_solvers::{Habit, OutsideLaw, Precision, Rule, Solver, SolverKind, WrongLaw};

fn shown(all: &[Trial], which: impl Fn(&Trial) -> bool) -> String {
    let lines: Vec<String> = all
        .iter()
        .filter(|t| which(t))
        .map(Trial::to_string)
        .collect();
    lines.join("\n")
}

fn part(all: &[Trial], which: impl Fn(&Trial) -> bool) -> f64 {
    all.iter().filter(|t| which(t)).count() as f64 / all.len() as f64
}

/// The parts that the project asks for.
fn hold(wrong: &[Trial], right: &[Trial]) {
    let misses = || shown(wrong, |t| t.named != Named::Rightly);
    assert!(
        part(wrong, |t| t.named == Named::Rightly) >= 0.95,
        "{}",
        misses()
    );
    assert!(
        part(wrong, |t| t.named == Named::Wrongly) <= 0.01,
        "{}",
        misses()
    );
    assert!(
        right.iter().all(|t| t.named == Named::Rightly),
        "{}",
        shown(right, |t| t.named != Named::Rightly)
    );
    let off: Vec<&String> = wrong.iter().flat_map(|t| &t.numbers_off).collect();
    assert!(off.is_empty(), "{off:#?}");
}

#[test]
fn random_solvers_are_named() {
    let wrong = generated::trials(&SolverKind::WRONG, 24, 1);
    let right = generated::trials(&[SolverKind::Right], 12, 2);
    hold(&wrong, &right);
}

#[test]
fn random_solvers_in_single_precision_are_named() {
    let wrong = generated::trials(&[SolverKind::WrongSingle], 10, 3);
    let right = generated::trials(&[SolverKind::Single], 20, 4);
    hold(&wrong, &right);
}

#[test]
fn right_solvers_of_every_rule_are_not_blamed() {
    let all = generated::every_rule();
    assert!(
        all.iter().all(|t| t.named == Named::Rightly),
        "{}",
        shown(&all, |t| t.named != Named::Rightly)
    );
}

/// A solver that has no applied torques.
struct WithoutPushes(Solver);

impl Target for WithoutPushes {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let refused = |p: &Probe| matches!(p.start.load, Load::Constant { .. });
        let one = |p: &Probe| match refused(p) {
            true => Err("only gravity".into()),
            false => self.0.answers(std::slice::from_ref(p)).swap_remove(0),
        };
        probes.iter().map(one).collect()
    }
}

/// What a solver refuses is left out, and the rest is measured.
#[test]
fn a_solver_that_refuses_some_problems_is_measured_at_the_others() {
    for quick in [false, true] {
        for (laws, wanted) in [
            (vec![], None),
            (
                vec![WrongLaw::Gyroscopic(1.3)],
                Some("model/gyroscopic_factor"),
            ),
        ] {
            let solver = WithoutPushes(Solver::new(&laws, Rule::Midpoint));
            let found = generated::identified(&solver, quick);
            let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
            assert_eq!(ids.first().map(String::as_str), wanted, "{ids:?}");
            assert!(ids.len() < 2 && found.not_measured.is_none(), "{ids:?}");
        }
    }
}

/// A solver that treats bodies under gravity otherwise, as engines do with jointed ones.
struct Otherwise {
    free: Solver,
    heavy: Solver,
}

impl Target for Otherwise {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let one = |p: &Probe| {
            let solver = match p.start.load {
                Load::Gravity { .. } => &self.heavy,
                _ => &self.free,
            };
            solver.answers(std::slice::from_ref(p)).swap_remove(0)
        };
        probes.iter().map(one).collect()
    }
}

/// Where no one law holds for all bodies, what holds for some is said of these, and what is not explained of the rest.
#[test]
fn laws_that_hold_on_some_bodies_are_said_of_these() {
    let by = |laws: Vec<WrongLaw>| Solver::new(&laws, Rule::Rk4);
    let damping = || WrongLaw::EngineDamping(0.04);
    let strange = || WrongLaw::Outside(OutsideLaw::CubicAxes(0.3));
    for (free, heavy, wanted) in [
        (
            vec![damping()],
            vec![damping(), strange()],
            &[
                ("model/damping", true),
                ("model/damping_quadratic", true),
                ("model/unexplained", false),
            ][..],
        ),
        (vec![], vec![strange()], &[("model/unexplained", false)]),
    ] {
        let solver = Otherwise {
            free: by(free),
            heavy: by(heavy),
        };
        let found = generated::identified(&solver, false);
        let ids: Vec<(String, bool)> = found
            .claims
            .iter()
            .map(|c| {
                (
                    c.id.to_string(),
                    c.name().ends_with("of bodies without gravity"),
                )
            })
            .collect();
        let wanted: Vec<(String, bool)> = wanted.iter().map(|(i, b)| ((*i).into(), *b)).collect();
        assert_eq!(ids, wanted, "{}", generated::said(&found));
        assert!(
            !found
                .claims
                .last()
                .unwrap()
                .evidence()
                .contains("a free sphere")
                || wanted.len() == 1
        );
    }
}

/// A torque that is held over the step lowers the order; that the body turns below it is no error of the inertia.
#[test]
fn a_torque_held_in_space_is_told_as_that() {
    for rule in [Rule::Rk4, Rule::Midpoint] {
        let mut solver = Solver::new(&[], rule);
        solver.habit = Habit::TorqueHeldInSpace;
        let found = generated::identified(&solver, false);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        assert_eq!(ids, ["scheme/order_lost"], "{}", generated::said(&found));
        assert!(
            found
                .notes
                .iter()
                .any(|n| n.to_string().contains("held in space")),
            "{:?}",
            found.notes
        );
    }
}

/// Friction and damping of each axis, and by a torque; the momentum of a rotor. Friction that is larger than an acceleration holds an axis at rest, and
/// bodies that start at rest under gravity have no law then.
#[test]
fn every_term_of_the_rate_is_named() {
    use wrong_solvers::WrongLaw::{ResistanceAxes, ResistingTorque};
    for c in [[2e-3, 1e-3, 3e-3], [0.0, 0.0, 0.01], [0.03, 0.01, 0.02]] {
        let axes = [0, 1, 2]
            .into_iter()
            .flat_map(|power| [false, true].map(|torque| ResistanceAxes { c, power, torque }));
        let whole = [0, 2, 3].map(|power| ResistingTorque { c: c[2], power });
        let all = axes.chain(whole).chain([WrongLaw::Rotor(c)]);
        for law in all {
            let solver = Solver::new(&[law], Rule::Rk4);
            let found = generated::identified(&solver, false);
            let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
            assert_eq!(ids, law.ids(), "{law:?} {}", generated::said(&found));
        }
    }
}

#[test]
fn a_solver_that_puts_slow_bodies_to_sleep_is_told_as_that() {
    for least in [0.4, 0.2, 0.05, 2e-3, 3e-4] {
        let mut solver = Solver::new(&[], Rule::Rk4);
        solver.habit = Habit::Asleep(least);
        let found = generated::identified(&solver, false);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        assert_eq!(ids, ["scheme/sleep"], "{least} {}", generated::said(&found));
    }
    // One that does not turn bodies at all has no threshold.
    let mut solver = Solver::new(&[], Rule::Rk4);
    solver.habit = Habit::Asleep(1e9);
    let found = generated::identified(&solver, false);
    let said = generated::said(&found);
    assert!(
        !found.claims.is_empty() && !said.contains("sleep"),
        "{said}"
    );
}

/// Number of random solvers that are judged at length, and the seed of the first.
fn count_and_seed() -> (usize, u64) {
    let number = |name: &str, usual: u64| {
        std::env::var(name).map_or(usual, |n| n.parse().expect("a number"))
    };
    (
        number("TOPSIM_GENERATED", 300) as usize,
        number("TOPSIM_SEED", 1),
    )
}

/// `cargo xtask judge-generated [COUNT] [SEED]`.
#[test]
#[ignore = "long: `cargo xtask judge-generated` runs it"]
fn many_random_solvers_are_named() {
    let (count, seed) = count_and_seed();
    let kinds = std::env::var("TOPSIM_KIND").map_or(6, |k| k.parse().unwrap());
    let chosen = if kinds < 6 {
        &SolverKind::WRONG[kinds..=kinds]
    } else {
        &SolverKind::WRONG
    };
    let wrong = generated::trials(chosen, count, seed);
    let right = generated::trials(&[SolverKind::Right], count, seed + 1);
    hold_many(wrong, right);
}

/// Right solvers in single precision are not blamed, and wrong ones are named: `cargo xtask judge-generated` runs them too.
#[test]
#[ignore = "long: `cargo xtask judge-generated` runs it"]
fn many_random_solvers_in_single_precision_are_named() {
    let (count, seed) = count_and_seed();
    let right = generated::trials(&[SolverKind::Single], count * 2 / 3, seed);
    let wrong = generated::trials(&[SolverKind::WrongSingle], count / 3, seed + 1);
    hold_many(wrong, right);
}

/// Prints a table of solvers and those that were not named rightly, and holds them to the parts that are asked for.
fn hold_many(wrong: Vec<Trial>, right: Vec<Trial>) {
    let all: Vec<Trial> = wrong.into_iter().chain(right).collect();
    let seconds = all.iter().map(|t| t.seconds);
    let longest = seconds.clone().fold(0.0, f64::max);
    println!("{}", generated::table(&all));
    println!(
        "{:.2} s a solver, {longest:.2} s at most",
        seconds.sum::<f64>() / all.len() as f64
    );
    println!("{}", shown(&all, |t| t.named != Named::Rightly));
    for t in all.iter().filter(|t| t.seconds > 3.0) {
        println!("slow: {:.1} s {:?}", t.seconds, t.solver);
    }
    for t in all.iter().filter(|t| !t.numbers_off.is_empty()) {
        println!("off: {:?} {:?}", t.numbers_off, t.solver);
    }
    let (right, wrong): (Vec<Trial>, Vec<Trial>) = all.into_iter().partition(|t| t.kind.is_right());
    hold(&wrong, &right);
}

/// A rounding with a bias is told with its number, to a tenth.
#[test]
fn a_rounding_with_a_bias_is_told() {
    for part in [1e-7, -3e-8, 5e-9] {
        for rule in [Rule::Rk4, Rule::SemiImplicitEuler] {
            let mut solver = Solver::new(&[], rule);
            solver.precision = Precision::Biased(part);
            let i = identify(&solver, Scope::whole(true), true);
            let symptoms: Vec<&Symptom> = i.claims.iter().map(|c| &*c.symptom).collect();
            let [Symptom::BiasedRounding(told)] = symptoms[..] else {
                panic!("{part} {}", generated::said(&i));
            };
            assert!((told / part - 1.0).abs() < 0.1, "{told} for {part}");
        }
    }
}

/// A step below which errors grow is told, and no scheme of first order, whose errors are larger, has one.
#[test]
fn a_step_below_which_errors_grow_is_told() {
    for (rule, grows) in [(Rule::Rk4, true), (Rule::SemiImplicitEuler, false)] {
        for precision in [Precision::State, Precision::Principal, Precision::Double] {
            let mut solver = Solver::new(&[], rule);
            solver.precision = precision;
            let found = generated::identified(&solver, true);
            let is_told = found.notes.iter().any(|n| matches!(n, Note::Grows(_)));
            let wanted = grows && precision != Precision::Double;
            assert_eq!(is_told, wanted, "{}", generated::said(&found));
        }
    }
}

/// A state that is rounded more coarsely than double precision, and not to single precision, is told.
#[test]
fn a_state_of_fixed_point_loses_digits() {
    for spacing in [2e-9, 8e-9] {
        let mut solver = Solver::new(&[], Rule::Rk4);
        solver.precision = Precision::FixedPoint(spacing);
        let found = generated::identified(&solver, true);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        let said = generated::said(&found);
        assert_eq!(ids, ["scheme/state_in_single"], "{spacing} {said}");
    }
}

/// An iteration that ends at a size of its own is no rounding.
#[test]
fn an_iteration_that_ends_early_is_no_rounding() {
    let mut named = 0;
    for most in [3e-5, 1e-4, 3e-4, 1e-3] {
        let solver = Solver::new(&[], Rule::LooseMidpoint(most));
        let found = generated::identified(&solver, true);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        let said = generated::said(&found);
        assert!(
            ids.iter().all(|id| id == "scheme/loose_iteration"),
            "{most} {said}"
        );
        named += ids.len();
    }
    assert!(named > 0);
}

/// A rule of Adams and Bashforth whose slope before is that of whatever was solved before.
#[test]
fn what_is_left_of_another_problem_is_told() {
    use super::experiment::Stepper;
    use topsim_core::models::{RigidTop, TorqueModel};
    type Kept = std::sync::Mutex<Option<(Vec3, Vec3)>>;
    let solver = |is_global: bool| {
        let global = std::sync::Arc::new(Kept::default());
        Stepper(move |top: &RigidTop<TorqueModel>, _: f64, h: f64| {
            let top = top.clone();
            let kept = match is_global {
                true => global.clone(),
                false => std::sync::Arc::default(),
            };
            Ok(move |t: f64, y: &mut RotState| {
                let j = top.inertia();
                let moment = j.times(&y.omega).cross(&y.omega);
                let now = (y.omega, j.solve(&(moment + top.torque_body(t, &y.att))));
                let before = kept.lock().unwrap().replace(now).unwrap_or(now);
                y.att *= so3::exp(&((now.0 * 1.5 - before.0 * 0.5) * h));
                y.omega += (now.1 * 1.5 - before.1 * 0.5) * h;
                Ok::<(), String>(())
            })
        })
    };
    for is_global in [true, false] {
        let found = generated::identified(&solver(is_global), true);
        let told = found.claims.iter().map(|c| c.id.to_string());
        let told: Vec<String> = told.collect();
        let alone = told == ["scheme/remembers_problems"];
        assert!(alone == is_global && told.len() < 2, "{told:?}");
    }
}

/// A state that is rounded to decimals in each step.
#[test]
fn a_state_that_is_rounded_to_decimals_is_not_of_single_precision() {
    use super::experiment::Stepper;
    use topsim_core::models::{RigidTop, TorqueModel};
    for decimals in [6, 7, 8] {
        let unit = 10_f64.powi(-decimals);
        let solver = Stepper(move |top: &RigidTop<TorqueModel>, _: f64, h: f64| {
            let top = top.clone();
            Ok(move |t: f64, y: &mut RotState| {
                let j = top.inertia();
                let slopes = |t: f64, r: &Mat3, w: &Vec3| {
                    (*w, j.solve(&(top.torque_body(t, r) + j.times(w).cross(w))))
                };
                let rule = Rule::Explicit(wrong_solvers::Tableau::RK4);
                wrong_solvers::RunningRule::new(rule, f64::INFINITY).step(&slopes, t, h, y);
                y.omega = y.omega.map(|x| (x / unit).round() / (1.0 / unit).round());
                Ok::<(), String>(())
            })
        });
        let found = generated::identified(&solver, true);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        let said = generated::said(&found);
        assert_eq!(ids, ["scheme/state_in_single"], "{decimals} {said}");
        assert!(found.floor.single().is_none(), "{said}");
    }
}

/// Semi-implicit Euler on a matrix that is never made orthogonal.
struct RawMatrix;

impl Target for RawMatrix {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |p: &Probe| {
            let mut matrix = p.start.att;
            let mut omega = p.start.omega;
            let row = |n: usize, matrix: &Mat3, omega: Vec3| {
                let att = nearest_rotation(*matrix);
                let written = so3::rows(matrix).into_iter().chain(omega.iter().copied());
                Row {
                    numbers: written.collect(),
                    ..Row::of(p.time(n), &RotState { att, omega })
                }
            };
            let mut rows = vec![row(0, &matrix, omega)];
            for n in 0..p.steps {
                let att = nearest_rotation(matrix);
                omega += p.start.acceleration(p.time(n), &att, &omega) * p.step;
                matrix += matrix * so3::hat(&(omega * p.step));
                rows.push(row(n + 1, &matrix, omega));
            }
            Ok(rows)
        };
        probes.iter().map(run).collect()
    }
}

/// Quaternions and matrices that are not brought back are told on heavy and on free bodies, whatever the precision of the rest.
#[test]
fn a_missing_normalisation_is_told_on_all_bodies() {
    let raw = |precision| Solver {
        habit: Habit::NotNormalised,
        precision,
        ..Solver::new(&[], Rule::QuaternionEuler)
    };
    let solvers: [&dyn Target; 3] = [&raw(Precision::Double), &raw(Precision::State), &RawMatrix];
    for (n, solver) in solvers.into_iter().enumerate() {
        for gravity in [true, false] {
            let i = identify(solver, Scope::whole(gravity), true);
            let mut ids = i.claims.iter().map(|c| c.id.to_string());
            let is_told = ids.any(|id| id == "scheme/normalisation_missing");
            assert!(is_told, "{n} {gravity} {}", generated::said(&i));
        }
    }
}
