//! Cost of a step. Each iteration makes 1000 steps of the published heavy top at h = 0.003, each
//! from the state the one before left, so that the numbers are latencies of real trajectories.
//! `cargo bench --bench step`; against lean C: `scripts/bench_against_c.sh`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use topsim::drive::{Grid, bind};
use topsim::math::{Mat3, Vec3, so3};
use topsim::models::{AnyTop, Gravity, Inertia, Problem, RigidTop, RotState, TorqueModel};
use topsim::schemes::{Described, RigImp, RigNeg, RigPos, RotationScheme};

const STEPS: u64 = 1000;
const H: f64 = 0.003;

/// The two bodies: the published one, and one with products of inertia.
fn bodies() -> [(&'static str, Inertia); 2] {
    [
        ("diagonal", Mat3::from_diagonal(&Vec3::new(5.0, 5.0, 1.0))),
        (
            "full",
            Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0),
        ),
    ]
    .map(|(label, tensor)| (label, Inertia::new(tensor).unwrap()))
}

fn gravity() -> Gravity {
    Gravity::new(20.0, Vec3::z(), Vec3::z())
}

fn initial() -> RotState {
    RotState {
        att: so3::exp(&Vec3::new(0.05, 0.0, 0.0)),
        omega: Vec3::new(0.0, 0.0, 50.0),
    }
}

/// The bare step.
fn step(criterion: &mut Criterion) {
    fn case<S>(criterion: &mut Criterion, scheme: S)
    where
        S: RotationScheme<Memory = ()> + Described,
    {
        let mut group = criterion.benchmark_group("step");
        group.throughput(Throughput::Elements(STEPS));
        for (label, inertia) in bodies() {
            let top = RigidTop::new(inertia, gravity(), initial());
            group.bench_function(BenchmarkId::new(S::INFO.name, label), |b| {
                let (top, h) = (black_box(&top), black_box(H));
                b.iter(|| {
                    let mut y = black_box(top.initial());
                    for n in 0..STEPS {
                        scheme.step(top, n as f64 * h, h, &mut y, &mut ()).unwrap();
                    }
                    y
                });
            });
        }
        group.finish();
    }
    case(criterion, RigPos {});
    case(criterion, RigNeg {});
    case(criterion, RigImp::default());
}

/// The whole time loop: the step, extremes and trends of ten columns, a sample every 0.05 s.
fn integrate(criterion: &mut Criterion) {
    fn case<S>(criterion: &mut Criterion, scheme: S)
    where
        S: RotationScheme + Described + 'static,
    {
        let mut group = criterion.benchmark_group("integrate");
        group.throughput(Throughput::Elements(STEPS));
        let [(label, inertia), _] = bodies();
        let top = AnyTop {
            inertia,
            torque: TorqueModel::Gravity(gravity()),
            initial: initial(),
        };
        let experiment = bind(scheme, &top.into());
        let grid = Grid::new(0.0, STEPS as f64 * H, H, 0.05);
        assert_eq!(grid.steps, STEPS);
        group.bench_function(BenchmarkId::new(S::INFO.name, label), |b| {
            b.iter(|| experiment.run(black_box(&grid), &[], &|_| None));
        });
        group.finish();
    }
    case(criterion, RigPos {});
    case(criterion, RigNeg {});
    case(criterion, RigImp::default());
}

/// The exponential map alone, on both sides of the angle where its series ends.
fn exp(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exp");
    group.throughput(Throughput::Elements(STEPS));
    for (label, angle) in [("series", 0.075), ("sine and cosine", 0.75)] {
        group.bench_function(label, |b| {
            b.iter(|| {
                // Each argument takes a round-off of the last result with it: a dependent chain.
                let mut psi = black_box(Vec3::new(0.0, 0.0, angle));
                for _ in 0..STEPS {
                    psi.x = so3::exp(&psi)[(0, 2)] * 1e-9;
                }
                psi
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_millis(1500));
    targets = step, integrate, exp
}
criterion_main!(benches);
