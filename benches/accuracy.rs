//! Time to an accuracy: the least number of steps whose error at the end is below a target, also with a few more steps,
//! and the time that a run of them takes, its start included. All schemes in turn in one process, so that their ratios
//! hold on a loaded machine; the best of many repetitions.
//! `cargo bench -p topsim-benches --bench accuracy`.

use std::hint::black_box;
use std::time::{Duration, Instant};
use topsim_core::math::{Mat3, so3};
use topsim_core::models::{Gravity, Problem, RigidTop, bodies};
use topsim_core::reference::{Numerical, Solution};
use topsim_core::schemes::{
    Described, ExactBm6, ExactSrkn6b, ExactSrkn11b, ExactSrkn14a, ExactStrang, QuatRk4, RigPos,
    Rkmk4, RotationScheme, SplitSym, Taylor16,
};

/// Seconds of the motion.
const END: f64 = 10.0;
const TARGETS: [f64; 2] = [1e-6, 1e-10];
const MOST_STEPS: u64 = 4_000_000;

type Top = RigidTop<Gravity>;

fn end<S: RotationScheme>(scheme: &S, top: &Top, steps: u64) -> Option<Mat3> {
    let h = END / steps as f64;
    let mut y = top.initial();
    let mut memory = scheme.start(top, 0.0, h, &mut y).ok()?;
    for n in 0..steps {
        scheme
            .step(top, n as f64 * h, h, &mut y, &mut memory)
            .ok()?;
    }
    Some(y.att)
}

/// The least number of steps below the target with which three larger ones are below it too.
fn least_steps<S: RotationScheme>(scheme: &S, top: &Top, exact: &Mat3, target: f64) -> Option<u64> {
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

fn row<S: RotationScheme + Described + Default>(top: &Top, exact: &Mat3) {
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

fn main() {
    let tops = [
        ("heavy_top, symmetric, 50 rad/s", bodies::heavy_top()),
        ("body a, asymmetric", bodies::body_a()),
    ];
    for (name, top) in tops {
        let solved = Numerical::new_while(top.clone(), 0.0, END, &|| true).expect("a reference");
        let (exact, _) = solved.at(END);
        println!(
            "\n{name}, {END} s: time, steps and time of a step for attitude errors of {TARGETS:?} rad"
        );
        row::<RigPos>(&top, &exact);
        row::<SplitSym>(&top, &exact);
        row::<QuatRk4>(&top, &exact);
        row::<Rkmk4>(&top, &exact);
        row::<ExactStrang>(&top, &exact);
        row::<ExactBm6>(&top, &exact);
        row::<ExactSrkn6b>(&top, &exact);
        row::<ExactSrkn11b>(&top, &exact);
        row::<ExactSrkn14a>(&top, &exact);
        row::<Taylor16>(&top, &exact);
    }
}
