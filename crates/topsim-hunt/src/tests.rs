//! The hunt against solvers with narrow defects, and against right ones.

mod planted;

use super::hunt::search;
use super::ladder::{Outcome, RUNGS};
use super::margins::tended;
use super::runs::Catalogue;
use super::trial::{FEW, Trials};
use super::worlds::faults;
use super::{
    Finding, Habits, HuntClaim, HuntOptions, HuntReport, HuntWatch, Point, WorldFault, WorldPart,
    space,
};
use planted::{Planted, flawed, habit};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use topsim_core::integration::registry;
use topsim_model::probe::{Answer, Probe};
use topsim_protocol::Claims;
use topsim_protocol::parallel::Threads;
use topsim_protocol::solver::Runs;
use wrong_solvers::{Habit, Rule, Solver};

/// What never interrupts.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Hunts until something is found, or so many problems or so much time have passed.
fn hunted(
    solver: &dyn Runs,
    seed: u64,
    problems: u64,
    first: bool,
    seconds: u64,
) -> (HuntReport, f64) {
    let begun = Instant::now();
    let options = HuntOptions {
        seed,
        problems: Some(problems),
        ..HuntOptions::default()
    };
    let found = std::cell::Cell::new(false);
    let watch = HuntWatch {
        interrupt: &NEVER,
        go_on: &mut |_| !(first && found.get()) && begun.elapsed() < Duration::from_secs(seconds),
        found: &mut |_, _| found.set(true),
    };
    let report = search(solver, &Threads::new(None), "planted", &options, watch);
    (report, begun.elapsed().as_secs_f64())
}

/// Solvers in which nothing is to be found.
fn right(threads: &Threads) -> Vec<(&'static str, Box<dyn Runs + '_>)> {
    let written =
        planted::right().map(|(name, solver)| (name, Box::new(Planted(solver)) as Box<dyn Runs>));
    let catalogue = ["exact_strang", "rig_imp"].map(|name| {
        let row = registry::find(name).unwrap();
        let interrupt = &NEVER;
        (
            name,
            Box::new(Catalogue {
                row,
                threads,
                interrupt,
            }) as Box<dyn Runs>,
        )
    });
    written.into_iter().chain(catalogue).collect()
}

fn told(f: &Finding) -> String {
    format!(
        "{} measured {:?} allowed {:e}: {:?}",
        f.id, f.measured, f.allowed, f.problem
    )
}

#[test]
fn right_solvers_have_no_findings() {
    let threads = Threads::new(None);
    for (name, solver) in right(&threads) {
        let (report, seconds) = hunted(&*solver, 1, 800, false, 600);
        println!(
            "{name}: {} problems, {seconds:.1} s",
            report.coverage.problems
        );
        let said: Vec<String> = report.new.iter().map(told).collect();
        assert!(said.is_empty(), "{name}: {said:#?}\n{:#?}", report.habits);
        // It was judged, and not only asked.
        let judged = report
            .coverage
            .claims
            .iter()
            .find(|c| c.claim == HuntClaim::Limit);
        assert!(judged.is_some_and(|c| c.judged > 400), "{name}: {judged:?}");
    }
}

#[test]
fn planted_defects_are_found_and_made_readable() {
    let mut wrong = Vec::new();
    for (name, solver, corners) in flawed() {
        let (report, seconds) = hunted(&Planted(solver), 1, 6000, true, 600);
        let first = report.new.first();
        let problems = report.coverage.problems;
        let said = first.map_or("NOT FOUND".into(), told);
        println!("{name}: {problems} problems, {seconds:.1} s: {said}");
        let readable = |f: &Finding| {
            let written = serde_json::to_string(&f.problem).unwrap();
            written.bytes().filter(u8::is_ascii_digit).count() <= 60
        };
        let right = |f: &Finding| corners.iter().any(|c| f.class.contains(c)) && readable(f);
        if !first.is_some_and(right) {
            wrong.push(format!("{name}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The long form: `cargo xtask hunt`. Right solvers are hunted for so many seconds as TOPSIM_HUNT says, or 600.
#[test]
#[ignore = "minutes"]
fn the_hunt_at_length() {
    let given = std::env::var("TOPSIM_HUNT")
        .ok()
        .and_then(|s| s.parse().ok());
    let right_for = given.unwrap_or(600);
    let mut missed = 0;
    for (name, solver, _) in flawed() {
        let solver = Planted(solver);
        for seed in 1..=3 {
            let (report, seconds) = hunted(&solver, seed, u64::MAX, true, 120);
            let first = report.new.first().map_or("NOT FOUND".into(), told);
            missed += u32::from(report.new.is_empty());
            println!(
                "{name}, seed {seed}: {} problems, {seconds:.1} s: {first}",
                report.coverage.problems
            );
        }
    }
    assert!(
        missed <= 3,
        "{missed} hunts of {} found nothing",
        3 * flawed().len()
    );
    let threads = Threads::new(None);
    for (name, solver) in right(&threads) {
        let (report, seconds) = hunted(&*solver, 1, u64::MAX, false, right_for);
        let said: Vec<String> = report.new.iter().map(told).collect();
        println!(
            "{name}: {} problems, {seconds:.1} s: {said:#?}",
            report.coverage.problems
        );
        assert!(said.is_empty());
    }
}

#[test]
fn a_hunt_is_the_same_for_any_number_of_threads_and_can_be_cut_and_repeated() {
    let solver = Planted(habit(Rule::Rk4, Habit::Asleep(1e-6)));
    let of = |jobs: usize| {
        let options = HuntOptions {
            seed: 5,
            problems: Some(400),
            ..HuntOptions::default()
        };
        let watch = HuntWatch {
            interrupt: &NEVER,
            go_on: &mut |_| true,
            found: &mut |_, _| (),
        };
        let report = search(
            &solver,
            &Threads::new(Some(jobs)),
            "planted",
            &options,
            watch,
        );
        serde_json::to_string(&report).unwrap()
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn what_is_known_is_tried_first_and_told_apart_from_what_is_gone() {
    let of = |flaw: Habit, known: Vec<Finding>| {
        let solver = Planted(habit(Rule::Rk4, flaw));
        let options = HuntOptions {
            seed: 2,
            problems: Some(600),
            known,
            ..HuntOptions::default()
        };
        let watch = HuntWatch {
            interrupt: &NEVER,
            go_on: &mut |_| true,
            found: &mut |_, _| (),
        };
        search(&solver, &Threads::new(None), "planted", &options, watch)
    };
    let first = of(Habit::RateCap(200.0), Vec::new());
    assert!(!first.new.is_empty() && !first.passed());
    let again = of(Habit::RateCap(200.0), first.new.clone());
    assert_eq!(again.known, first.new);
    assert!(again.new.is_empty() && again.gone.is_empty() && !again.passed());
    let accepted = first.new.iter().cloned().map(|f| Finding {
        accepted: Some("no body of ours is that fast".into()),
        ..f
    });
    assert!(of(Habit::RateCap(200.0), accepted.collect()).passed());
    let mended = of(Habit::None, first.new.clone());
    assert!(mended.passed() && mended.known.is_empty());
    assert_eq!(mended.gone.len(), first.new.len());
}

/// Two problems on which a hunt of two million found explicit Euler wrong: a run that grows so much that its errors are not
/// small, and one whose first two steps both stand at a zero of the error.
#[test]
fn large_errors_and_two_steps_at_a_zero_are_no_finding() {
    let grows = Point {
        moments: [1.0, 1.0, 2.0],
        rate: [0.1, 0.2, 0.2],
        weight: 9.0,
        lever: 1.0,
        step: 0.06,
        steps: 64,
        power: 0,
        ..Point::ORDINARY
    };
    let zero = Point {
        moments: [3.8, 3.8, 4.0],
        axes: [0.0, -std::f64::consts::FRAC_PI_2, 0.0],
        attitude: [0.0, 0.00016, 0.0],
        rate: [0.0; 3],
        weight: 6.0,
        lever: 1.0,
        step: 0.026,
        steps: 1,
        power: 0,
    };
    // Roundings of single precision that have one sign, in a motion that is nearly steady.
    let steady = Point {
        moments: [4.0, 3.99976, 3.999],
        rate: [1.6, -2.0, 0.3],
        weight: 0.0,
        lever: 0.0,
        step: 0.06,
        steps: 64,
        power: 0,
        ..Point::ORDINARY
    };
    let threads = Threads::new(None);
    for (solver, points) in [
        (Solver::new(&[], Rule::ExplicitEuler), vec![grows, zero]),
        (planted::in_single(Rule::Rk4), vec![steady]),
    ] {
        let trials = Trials {
            solver: &Planted(solver),
            threads: &threads,
            together: FEW,
        };
        let answered = trials.answered(&space::ordinary(), RUNGS);
        let habits = Habits::of(&answered, &Claims::default());
        for judged in trials.confirmed(&points, &habits) {
            assert!(judged.failing(&HuntClaim::ALL).is_none(), "{judged:?}");
        }
    }
}

/// A row of the hunt of rkmk4 with seed 1, problem 5588: the error of the rate passes zero between two steps, and its
/// best slope stays below 3.25 for some steps after. The order is 4.
#[test]
fn a_passing_zero_of_the_error_is_no_finding() {
    let point = Point {
        moments: [0.68, 0.68, 0.666],
        axes: [0.016, 0.0065, 0.0],
        rate: [-0.36, -0.4, 0.5],
        weight: 10.0,
        lever: -1.0,
        step: 0.0439,
        steps: 1,
        power: 0,
        ..Point::ORDINARY
    };
    let threads = Threads::new(None);
    let solver = &Catalogue {
        row: registry::find("rkmk4").unwrap(),
        threads: &threads,
        interrupt: &NEVER,
    };
    let trials = Trials {
        solver,
        threads: &threads,
        together: FEW,
    };
    let ordinary = trials.answered(&space::ordinary(), RUNGS);
    let habits = Habits::of(&ordinary, &Claims::default());
    let points = [1, 2, 4, 8, 16].map(|steps| Point { steps, ..point });
    for judged in trials.confirmed(&points, &habits) {
        assert!(judged.failing(&HuntClaim::ALL).is_none(), "{judged:?}");
        let order = judged.margin(HuntClaim::Order);
        assert_eq!(order.is_some(), judged.point.steps >= 4, "{order:?}");
    }
    // What one time shows, up to where rounding begins.
    let answered = trials.answered(&[point], RUNGS);
    let (_, Outcome::Shown(shown)) = &answered[0] else {
        panic!("{answered:?}");
    };
    let rate: Vec<f64> = shown.errors[1..].iter().map(|e| e[1]).collect();
    let slopes = rate.windows(2).map(|e| (e[0] / e[1]).log2());
    let best = slopes.fold(f64::NEG_INFINITY, f64::max);
    assert!(best < 3.25 && tended(&rate) > 3.5, "{best} {rate:?}");
}

/// A solver whose worlds are not problems of their own: it gets other problems than those of the batch.
struct Mixed<'a>(&'a (dyn Fn(&[Probe]) -> Vec<Probe> + Sync));

impl Runs for Mixed<'_> {
    fn run(&self, probes: &[Probe]) -> Vec<Answer> {
        let [(_, right), ..] = planted::right();
        Planted(right).run(&(self.0)(probes))
    }
}

#[test]
fn worlds_that_depend_on_each_other_are_told() {
    let inertia_of = |from: fn(usize, usize) -> usize| {
        move |all: &[Probe]| -> Vec<Probe> {
            let mut out = all.to_vec();
            for (k, probe) in out.iter_mut().enumerate() {
                probe.start.inertia = all[from(k, all.len())].start.inertia.clone();
            }
            out
        }
    };
    let found = |mixed: &(dyn Fn(&[Probe]) -> Vec<Probe> + Sync)| faults(&Mixed(mixed), 40);
    assert_eq!(found(&|all| all.to_vec()), []);
    // The world before.
    let before = found(&inertia_of(|k, n| (k + n - 1) % n));
    let [
        WorldFault::Leak {
            part: WorldPart::Inertia,
            from: 20,
            own: false,
            worlds,
        },
    ] = &before[..]
    else {
        panic!("{before:?}");
    };
    assert!(
        worlds.first == [21] && worlds.count == 1 && worlds.of == 40 && worlds.difference > 0.01
    );
    // The first world, for all.
    let first = found(&inertia_of(|_, _| 0));
    let unused = |f: &WorldFault| {
        matches!(
            f,
            WorldFault::Unused {
                part: WorldPart::Inertia,
                from: 20
            }
        )
    };
    let leak = |f: &WorldFault| matches!(f, WorldFault::Leak { from: 0, own: true, worlds, .. } if worlds.count == 39);
    assert!(
        first.len() == 2 && unused(&first[0]) && leak(&first[1]),
        "{first:?}"
    );
    // One place.
    let place = found(&|all| {
        let mut out = all.to_vec();
        for probe in out.iter_mut().skip(17).take(1) {
            probe.start.omega *= 1.001;
        }
        out
    });
    let seventeenth =
        |f: &WorldFault| matches!(f, WorldFault::Place { worlds } if worlds.first == [17]);
    assert!(place.len() == 1 && seventeenth(&place[0]), "{place:?}");
    // The batch before.
    let last = std::sync::Mutex::new(Vec::<Probe>::new());
    let memory = found(&|all| {
        let mut last = last.lock().unwrap();
        let before = std::mem::replace(&mut *last, all.to_vec());
        let mut out = all.to_vec();
        for (probe, before) in out.iter_mut().zip(&before) {
            probe.start.omega += (before.start.omega - probe.start.omega) * 0.01;
        }
        out
    });
    assert!(
        memory
            .iter()
            .any(|f| matches!(f, WorldFault::Memory { worlds } if worlds.count == 40)),
        "{memory:?}"
    );
}
