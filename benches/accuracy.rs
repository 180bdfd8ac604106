//! Time to an accuracy: the least number of steps whose error at the end is below a target, also with a few more steps,
//! and the time that a run of them takes, its start included. All schemes in turn in one process, so that their ratios
//! hold on a loaded machine; the best of many repetitions.
//! `cargo bench -p topsim-benches --bench accuracy`; with `-- --points` it prints error and time at many step sizes as CSV.

use std::hint::black_box;
use std::time::{Duration, Instant};
use topsim_core::math::{Mat3, so3};
use topsim_core::models::{Gravity, InitialValueProblem, RigidTop, bodies};
use topsim_core::reference::{Numerical, Solution};
use topsim_core::schemes::{
    Described, ExactBm6, ExactPmlf6, ExactSrkn6b, ExactSrkn11b, ExactSrkn14a, ExactStrang, QuatRk4,
    RigPos, Rkmk4, Scheme, SplitSym, Taylor16,
};

/// Seconds of the motion.
const END: f64 = 10.0;
const TARGETS: [f64; 2] = [1e-6, 1e-10];
const MOST_STEPS: u64 = 4_000_000;

type Top = RigidTop<Gravity>;

fn end<S: Scheme<Top>>(scheme: &S, top: &Top, steps: u64) -> Option<Mat3> {
    let h = END / steps as f64;
    let mut y = top.initial();
    let mut memory = scheme.start(top, 0.0, h, &mut y).ok()?;
    let state = (&mut y, &mut memory);
    scheme
        .steps(top, (0.0, h), 0..steps, state, &|| true)
        .ok()?;
    Some(y.att)
}

/// Returns the least number of steps below the target with which three larger ones are below it too.
fn least_steps<S: Scheme<Top>>(scheme: &S, top: &Top, exact: &Mat3, target: f64) -> Option<u64> {
    let good = |n: u64| {
        let att = end(scheme, top, n)?;
        Some(so3::angle_between(&att, exact) < target)
    };
    let mut n = 8;
    while n < MOST_STEPS {
        let more = [
            n,
            n + n.div_ceil(40),
            n + n.div_ceil(20),
            n + n.div_ceil(12),
        ];
        if more.iter().all(|n| good(*n) == Some(true)) {
            return Some(n);
        }
        n += n.div_ceil(25);
    }
    None
}

fn best_of_many(mut run: impl FnMut()) -> Duration {
    let begun = Instant::now();
    let mut best = Duration::MAX;
    while begun.elapsed() < Duration::from_millis(300) {
        let one = Instant::now();
        run();
        best = best.min(one.elapsed());
    }
    best
}

fn row<S: Scheme<Top> + Described + Default>(top: &Top, exact: &Mat3) {
    let scheme = S::default();
    let cells = TARGETS.map(|target| match least_steps(&scheme, top, exact, target) {
        None => format!("{:>28}", "not reached"),
        Some(n) => {
            let time = best_of_many(|| {
                black_box(end(&scheme, black_box(top), black_box(n)));
            });
            let a_step = time.as_nanos() as f64 / n as f64;
            format!(
                "{:9.1} µs {n:8} {a_step:6.1} ns",
                time.as_nanos() as f64 / 1e3
            )
        }
    });
    println!("{:16} {} {}", S::INFO.name, cells[0], cells[1]);
}

/// Lines of CSV: steps from coarse ones to those whose error grows again or that take too long.
fn points<S: Scheme<Top> + Described + Default>(problem: &str, top: &Top, exact: &Mat3) {
    const LONGEST: Duration = Duration::from_millis(100);
    let scheme = S::default();
    let mut least = f64::INFINITY;
    let mut steps = 16.0_f64;
    while steps < MOST_STEPS as f64 {
        let n = steps as u64;
        steps *= std::f64::consts::SQRT_2;
        let Some(att) = end(&scheme, top, n) else {
            continue;
        };
        let error = so3::angle_between(&att, exact);
        if !(error < 1.0) {
            continue;
        }
        let time = best_of_many(|| {
            black_box(end(&scheme, black_box(top), black_box(n)));
        });
        println!(
            "{problem},{},{error:.2e},{:.2}",
            S::INFO.name,
            time.as_nanos() as f64 / 1e3
        );
        if error > 3.0 * least || time > LONGEST {
            break;
        }
        least = least.min(error);
    }
}

fn main() {
    let tops = [
        ("heavy_top", "symmetric, 50 rad/s", bodies::heavy_top()),
        ("body_a", "asymmetric", bodies::body_a()),
    ];
    let as_points = std::env::args().any(|a| a == "--points");
    for (name, what, top) in tops {
        let solved = Numerical::solve(top.clone(), 0.0, END, &|| true).expect("a reference");
        let (exact, _) = solved.at(END);
        if !as_points {
            println!(
                "\n{name}, {what}, {END} s: time, steps and time of a step for attitude errors of {TARGETS:?} rad"
            );
        }
        macro_rules! each {
            ($($scheme:ident)*) => {$(
                if as_points {
                    points::<$scheme>(name, &top, &exact);
                } else {
                    row::<$scheme>(&top, &exact);
                }
            )*};
        }
        each!(RigPos SplitSym QuatRk4 Rkmk4 ExactStrang ExactBm6 ExactSrkn6b ExactSrkn11b ExactSrkn14a ExactPmlf6 Taylor16);
    }
}
