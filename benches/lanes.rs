//! Steps in lanes beside steps alone: `cargo bench -p topsim-benches --bench lanes`.
//!
//! Eight bodies with inertias, levers and starts of their own make 2000 steps each, one after the other and in lanes, in turn; the best
//! of twenty such turns counts. A line a scheme has the nanoseconds a body and step of both, and their ratio. The two must
//! end in the same bits.

use std::hint::black_box;
use std::time::Instant;
use topsim_core::math::{Random, Vec3, so3};
use topsim_core::models::{Gravity, Inertia, InitialValueProblem, RigidTop, RotState};
use topsim_core::schemes::lanes::LANES;
use topsim_core::schemes::{
    Described, EulerGyro, Jolt, QuatRk4, RigNeg, RigPos, Rkmk4, RotationScheme, Scheme, Split3,
    SplitSym,
};

const STEPS: u64 = 2000;
const TURNS: usize = 20;
const H: f64 = 0.01;

type Top = RigidTop<Gravity>;

fn bodies() -> Vec<Top> {
    let mut random = Random::new(1);
    let mut vector = move || Vec3::from_fn(|_, _| 2.0 * random.uniform() - 1.0);
    let body = |_| {
        let inertia = Inertia::diagonal(Vec3::new(3.0, 4.0, 5.0) + vector()).unwrap();
        let start = RotState {
            att: so3::exp(&vector()),
            omega: vector() * 3.0,
        };
        RigidTop::new(inertia, Gravity::new(2.0, vector(), Vec3::z()), start)
    };
    (0..LANES).map(body).collect()
}

/// Makes the steps of one body, as a loop does whose states nobody looks at.
fn steps_alone<S: RotationScheme>(scheme: &S, body: &Top) -> RotState {
    let mut started = body.initial();
    let mut memory = Scheme::start(scheme, body, 0.0, H, &mut started).unwrap();
    // A copy whose address goes nowhere: an attitude that nobody reads is then not made.
    let mut y = started;
    for k in 0..STEPS {
        Scheme::step(scheme, body, k as f64 * H, H, &mut y, &mut memory).unwrap();
    }
    y
}

fn case<S>(scheme: &S, bodies: &[Top])
where
    S: RotationScheme + Described,
{
    let start = S::in_lanes::<Gravity>().expect("a scheme in lanes");
    let (mut alone, mut together) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..TURNS {
        let begun = Instant::now();
        let bodies = black_box(bodies);
        let scalar: Vec<RotState> = bodies
            .iter()
            .map(|body| steps_alone(scheme, body))
            .collect();
        alone = begun.elapsed().as_secs_f64().min(alone);
        let begun = Instant::now();
        let side_by_side = std::array::from_fn(|i| &bodies[i]);
        let mut wide = start(scheme, side_by_side, [(0.0, H); LANES]).unwrap();
        wide.steps(0..STEPS);
        together = begun.elapsed().as_secs_f64().min(together);
        for (i, y) in scalar.into_iter().enumerate() {
            assert_eq!(y, wide.state(i), "{}", S::INFO.name);
        }
    }
    let each = 1e9 / (STEPS as f64 * LANES as f64);
    println!(
        "{:12} {:7.1} ns alone {:7.1} ns in lanes  ratio {:.2}",
        S::INFO.name,
        alone * each,
        together * each,
        alone / together
    );
}

fn main() {
    let bodies = bodies();
    case(&RigPos {}, &bodies);
    case(&RigNeg {}, &bodies);
    case(&SplitSym {}, &bodies);
    case(&Split3 {}, &bodies);
    case(&QuatRk4 {}, &bodies);
    case(&Rkmk4 {}, &bodies);
    case(&EulerGyro {}, &bodies);
    case(&Jolt {}, &bodies);
}
