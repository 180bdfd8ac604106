//! Speed of the escape-time kernel in millions of steps per second and core, each available width
//! in one run, beside the processor's own peak of fused multiply–adds. `cargo bench -p topsim-levitron`;
//! with `-- maps` also the two maps of Figure 1 of Dullin 2004 with their survivors and quantiles, and with
//! `-- compositions` the class error of the compositions against the fields that they evaluate.
//!
//! A plain harness: what is wanted is the share of the peak and the best of many runs of a few
//! milliseconds, which a busy machine disturbs least. So the map with refill is a small one, Figure
//! 1a with 24² cells and 4 s, where lanes are refilled more often than in the full one.

use std::hint::black_box;
use std::time::Instant;
use topsim_core::math::lanes::Lanes;
use topsim_core::models::levitron::{Levitron, LevitronParameters};
use topsim_core::models::reduced::ReducedDamping;
use topsim_core::schemes::Composition;
use topsim_core::schemes::compositions::{
    BM4, BM6, KAHAN_LI6, SRKN6B, SRKN11B, SRKN14A, STRANG, SUZUKI_UMENO8,
};
use topsim_levitron::kernel::{EscapeProblem, Width, escape_steps};

/// Operations of a step of the quick kernel with J = 7 and the test of escape, as compiled: 86 fused
/// multiply–adds of two each, 49 products, 5 sums, a root and a quotient.
const FLOPS: f64 = 228.0;

fn problem(steps: u32) -> EscapeProblem {
    let levitron = Levitron::new(LevitronParameters::dullin2004()).unwrap();
    let z = levitron.equilibrium().unwrap().outer;
    EscapeProblem {
        levitron,
        spin: 40.0 * core::f64::consts::PI,
        centre: [0.0, 0.0, z],
        radius: z,
        h: 0.002,
        steps,
        scheme: STRANG,
        damping: ReducedDamping::default(),
    }
}

/// Cell centres of an n × n grid over a window of (x, z − z_s), m.
fn grid(p: &EscapeProblem, n: u32, x: [f64; 2], z: [f64; 2]) -> Vec<[f64; 3]> {
    let at = |w: [f64; 2], i: u32| w[0] + (w[1] - w[0]) * (f64::from(i) + 0.5) / f64::from(n);
    (0..n * n)
        .map(|k| [at(x, k % n), 0.0, p.centre[2] + at(z, k / n)])
        .collect()
}

const FIG_1A: [[f64; 2]; 2] = [[0.0, 0.012], [-0.01, 0.01]];
const FIG_1B: [[f64; 2]; 2] = [[0.0008, 0.0048], [-0.0055, -0.0015]];

/// Returns the best of `runs`, in units of 1e6 per second.
fn best(runs: usize, mut work: impl FnMut() -> u64) -> f64 {
    (0..runs)
        .map(|_| {
            let begun = Instant::now();
            work() as f64 / begun.elapsed().as_secs_f64() / 1e6
        })
        .fold(0.0, f64::max)
}

/// Ten chains of fused multiply–adds that do not wait for each other.
struct Peak<V>(V);

impl<V: Lanes> Peak<V> {
    const TURNS: u64 = 50_000;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut x = [self.0; 10];
        let (m, c) = (
            self.0.splat(black_box(0.999_999)),
            self.0.splat(black_box(1e-9)),
        );
        for _ in 0..Self::TURNS {
            for x in &mut x {
                *x = x.mul_add(m, c);
            }
        }
        black_box(x.iter().map(|x| x.lane(0)).sum::<f64>());
        Self::TURNS * 10 * 2 * V::LANES as u64
    }
}

#[cfg(target_arch = "x86_64")]
impl<V: Lanes> pulp::NullaryFnOnce for Peak<V> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        self.run()
    }
}

/// Gflop/s of one core.
#[cfg(target_arch = "x86_64")]
fn peak(width: Width) -> f64 {
    use pulp::x86::{V3, V4};
    use topsim_levitron::lanes_x86::{F64x4, F64x8};
    let work = || match (width, V3::try_new(), V4::try_new()) {
        (Width::Avx512, _, Some(simd)) => simd.vectorize(Peak(F64x8::new(simd, 0.5))),
        (Width::Avx2, Some(simd), _) => simd.vectorize(Peak(F64x4::new(simd, 0.5))),
        (_, Some(simd), _) => simd.vectorize(Peak(0.5)),
        _ => Peak(0.5).run(),
    };
    best(1000, work) / 1e3
}

#[cfg(not(target_arch = "x86_64"))]
fn peak(_: Width) -> f64 {
    best(1000, || Peak(0.5).run()) / 1e3
}

fn widths() {
    println!("                   peak       bare kernel            small map, lanes refilled");
    for width in Width::available() {
        let peak = peak(width);
        let p = problem(if width == Width::Scalar { 500 } else { 2000 });
        let starts = vec![[0.001, 0.0, p.centre[2]]; 48];
        let mut out = vec![0; starts.len()];
        let go = |p: &EscapeProblem, starts: &[[f64; 3]], out: &mut [i32]| {
            escape_steps(p, starts, width, out, &|_| true).unwrap()
        };
        let bare = best(if width == Width::Scalar { 100 } else { 1000 }, || {
            go(&p, &starts, &mut out)
        });
        assert!(out.iter().all(|n| *n == -1));
        let p = problem(2000);
        let starts = grid(&p, 24, FIG_1A[0], FIG_1A[1]);
        let mut out = vec![0; starts.len()];
        let full = best(if width == Width::Scalar { 100 } else { 1000 }, || {
            go(&p, &starts, &mut out)
        });
        let share = |rate: f64| 100.0 * rate * 1e6 * FLOPS / (peak * 1e9);
        println!(
            "{width:8} {peak:6.1} Gflop/s   {bare:6.1} Mstep/s ({:2.0} %)   {full:6.1} Mstep/s ({:2.0} %)",
            share(bare),
            share(full),
        );
    }
}

/// Escape steps of the starts on so many threads, in bands of rows, and all steps together.
fn escapes(p: &EscapeProblem, starts: &[[f64; 3]], threads: usize) -> (Vec<i32>, u64) {
    let mut out = vec![0; starts.len()];
    // Small bands taken in turn: the survivors lie together.
    let bands = std::sync::Mutex::new(starts.chunks(4096).zip(out.chunks_mut(4096)));
    let steps: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut steps = 0;
                    loop {
                        let Some((starts, out)) = bands.lock().unwrap().next() else {
                            return steps;
                        };
                        steps += escape_steps(p, starts, Width::best(), out, &|_| true).unwrap();
                    }
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap()).sum()
    });
    (out, steps)
}

/// A map on all cores.
fn map(name: &str, p: &EscapeProblem, n: u32, window: [[f64; 2]; 2]) {
    let starts = grid(p, n, window[0], window[1]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let begun = Instant::now();
    let (out, steps) = escapes(p, &starts, threads);
    let time = begun.elapsed().as_secs_f64();
    let mut times: Vec<f64> = out
        .iter()
        .filter(|n| **n >= 0)
        .map(|n| f64::from(*n) * p.h)
        .collect();
    times.sort_by(f64::total_cmp);
    let survivors = out.len() - times.len();
    let quantiles: Vec<String> = [0.05, 0.25, 0.5, 0.75, 0.95]
        .iter()
        .map(|q| {
            format!(
                "{:.3}",
                times[(q * (times.len() - 1) as f64).round() as usize]
            )
        })
        .collect();
    println!(
        "{name}: {survivors} survive ({:.4}); escape times at 5, 25, 50, 75, 95 %: {} s; {steps} steps in {time:.2} s on {threads} threads, {:.0} s of motion per second and core",
        survivors as f64 / out.len() as f64,
        quantiles.join(", "),
        steps as f64 * p.h / time / threads as f64,
    );
}

/// Starts of a map that a composition puts into the wrong class (escapes, or survives), against the fields that it
/// evaluates in a second of motion, and the time on all cores.
///
/// The reference is BM6 at a short step; the flips between it and BM6 at twice that step are printed, as its own error.
fn compositions(name: &str, n: u32, window: [[f64; 2]; 2], end: f64) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let survives = |scheme: Composition, steps: u32| -> Option<(Vec<bool>, f64)> {
        let p = EscapeProblem {
            h: end / f64::from(steps),
            scheme,
            ..problem(steps)
        };
        p.check().ok()?;
        let starts = grid(&p, n, window[0], window[1]);
        let begun = Instant::now();
        let (out, _) = escapes(&p, &starts, threads);
        let time = begun.elapsed().as_secs_f64();
        Some((out.iter().map(|n| *n < 0).collect(), time))
    };
    let flips = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    let (truth, _) = survives(BM6, (end * 500.0) as u32).unwrap();
    let (near, _) = survives(BM6, (end * 250.0) as u32).unwrap();
    println!(
        "{name}: {} of {} starts change class between BM6 at 2 ms and at 4 ms",
        flips(&near, &truth),
        truth.len()
    );
    for fields in [150.0, 250.0, 350.0, 500.0, 700.0, 1000.0, 1400.0, 2000.0] {
        print!("{fields:6} fields a second:");
        for c in [
            STRANG,
            BM4,
            SRKN6B,
            BM6,
            KAHAN_LI6,
            SRKN11B,
            SRKN14A,
            SUZUKI_UMENO8,
        ] {
            let steps = (end * fields / f64::from(c.evaluations())).ceil() as u32;
            match survives(c, steps) {
                Some((s, time)) => print!("  {} {} ({time:.2} s)", c.name, flips(&s, &truth)),
                None => print!("  {} -", c.name),
            }
        }
        println!();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|a| a == name);
    // `cargo test --benches` runs this too, without the argument.
    if !has("--bench") {
        return;
    }
    if has("compositions") {
        compositions("figure 1a, 300 x 300", 300, FIG_1A, 20.0);
        compositions("figure 1b, 100 x 100", 100, FIG_1B, 100.0);
        return;
    }
    widths();
    if has("maps") {
        map("figure 1a, 300 x 300", &problem(10_000), 300, FIG_1A);
        map("figure 1b, 150 x 150", &problem(50_000), 150, FIG_1B);
        let mut p = problem(1250);
        (p.h, p.scheme) = (0.016, BM6);
        map("figure 1a, 300 x 300, bm6", &p, 300, FIG_1A);
    }
}
