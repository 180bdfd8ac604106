//! Time per step of Solfec's three schemes on the published heavy top at h = 0.003, as the least of
//! many runs, with the state after the last step. `scripts/bench_against_c.sh` sets it beside
//! `benches/lean_c/rig.c`, which prints the same lines.

use std::hint::black_box;
use std::time::Instant;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Gravity, Inertia, InitialValueProblem, RigidTop, RotState};
use topsim_core::schemes::{Described, RigImp, RigNeg, RigPos, Scheme};

const STEPS: u64 = 1000;
const REPEATS: usize = 4000;

fn top(tensor: Mat3) -> RigidTop<Gravity> {
    RigidTop::new(
        Inertia::new(tensor).unwrap(),
        Gravity::new(20.0, Vec3::z(), Vec3::z()),
        RotState {
            att: so3::exp(&Vec3::new(0.05, 0.0, 0.0)),
            omega: Vec3::new(0.0, 0.0, 50.0),
        },
    )
}

fn time<S>(scheme: S, top: &RigidTop<Gravity>, label: &str)
where
    S: Scheme<RigidTop<Gravity>> + Described,
{
    let (top, h) = (black_box(top), black_box(0.003));
    let mut least = f64::INFINITY;
    let mut last = top.initial();
    for _ in 0..REPEATS {
        let mut y = black_box(top.initial());
        let mut memory = scheme.start(top, 0.0, h, &mut y).unwrap();
        let begun = Instant::now();
        for n in 0..STEPS {
            scheme
                .step(top, n as f64 * h, h, &mut y, &mut memory)
                .unwrap();
        }
        least = least.min(begun.elapsed().as_nanos() as f64);
        // By value: a state whose address escapes would have to live in memory.
        last = black_box(y);
    }
    print!("{}/{label} {:.3}", S::INFO.name, least / STEPS as f64);
    for i in 0..3 {
        for j in 0..3 {
            print!(" {}", last.att[(i, j)]);
        }
    }
    println!(" {} {} {}", last.omega.x, last.omega.y, last.omega.z);
}

fn main() {
    let bodies = [
        ("diagonal", Mat3::from_diagonal(&Vec3::new(5.0, 5.0, 1.0))),
        (
            "full",
            Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0),
        ),
    ];
    for (label, tensor) in bodies {
        let top = top(tensor);
        time(RigPos {}, &top, label);
        time(RigNeg {}, &top, label);
        time(RigImp::default(), &top, label);
    }
}
