//! The hunt against solvers with narrow defects, and against right ones.

mod planted;

use super::runs::{Catalogue, Runs};
use super::{Finding, HuntClaim, HuntOptions, HuntReport, HuntWatch, search};
use crate::parallel::Threads;
use planted::{Core, FLAWED, Flaw, Planted, RIGHT};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use topsim_core::integration::registry;

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
        interrupt: &AtomicBool::new(false),
        go_on: &mut |_| !(first && found.get()) && begun.elapsed() < Duration::from_secs(seconds),
        found: &mut |_| found.set(true),
    };
    let report = search(solver, &Threads::new(None), "planted", &options, watch).unwrap();
    (report, begun.elapsed().as_secs_f64())
}

/// Solvers in which nothing is to be found.
fn right(threads: &Threads) -> Vec<(&'static str, Box<dyn Runs + '_>)> {
    let written = RIGHT.map(|(name, core)| {
        let flaw = Flaw::None;
        (name, Box::new(Planted { core, flaw }) as Box<dyn Runs>)
    });
    let catalogue = ["exact_strang", "rig_imp"].map(|name| {
        let row = registry::find(name).unwrap();
        (name, Box::new(Catalogue { row, threads }) as Box<dyn Runs>)
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
    for (name, core, flaw, corners) in FLAWED {
        let solver = Planted { core, flaw };
        let (report, seconds) = hunted(&solver, 1, 6000, true, 600);
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
    for (name, core, flaw, _) in FLAWED {
        for seed in 1..=3 {
            let (report, seconds) = hunted(&Planted { core, flaw }, seed, u64::MAX, true, 120);
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
        3 * FLAWED.len()
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
    let solver = Planted {
        core: Core::Rk4,
        flaw: Flaw::Sleeps(1e-6),
    };
    let of = |jobs: usize| {
        let options = HuntOptions {
            seed: 5,
            problems: Some(400),
            ..HuntOptions::default()
        };
        let watch = HuntWatch {
            interrupt: &AtomicBool::new(false),
            go_on: &mut |_| true,
            found: &mut |_| (),
        };
        let report = search(
            &solver,
            &Threads::new(Some(jobs)),
            "planted",
            &options,
            watch,
        )
        .unwrap();
        serde_json::to_string(&report).unwrap()
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn what_is_known_is_tried_first_and_told_apart_from_what_is_gone() {
    let of = |flaw: Flaw, known: Vec<Finding>| {
        let solver = Planted {
            core: Core::Rk4,
            flaw,
        };
        let options = HuntOptions {
            seed: 2,
            problems: Some(600),
            known,
            ..HuntOptions::default()
        };
        let watch = HuntWatch {
            interrupt: &AtomicBool::new(false),
            go_on: &mut |_| true,
            found: &mut |_| (),
        };
        search(&solver, &Threads::new(None), "planted", &options, watch).unwrap()
    };
    let first = of(Flaw::RateLimit(200.0), Vec::new());
    assert!(!first.new.is_empty() && !first.passed());
    let again = of(Flaw::RateLimit(200.0), first.new.clone());
    assert_eq!(again.known, first.new);
    assert!(again.new.is_empty() && again.gone.is_empty() && !again.passed());
    let accepted = first.new.iter().cloned().map(|f| Finding {
        accepted: Some("no body of ours is that fast".into()),
        ..f
    });
    assert!(of(Flaw::RateLimit(200.0), accepted.collect()).passed());
    let mended = of(Flaw::None, first.new.clone());
    assert!(mended.passed() && mended.known.is_empty());
    assert_eq!(mended.gone.len(), first.new.len());
}
