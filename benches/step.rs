//! Cost of a step. Each iteration makes 1000 steps of the published heavy top at h = 0.003, each
//! from the state the one before left, so that the numbers are latencies of real trajectories.
//! `cargo bench -p topsim-benches --bench step`; against lean C: `scripts/bench_against_c.sh`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use topsim_core::integration::{Grid, bind};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{
    AnyTop, Gravity, Inertia, InitialValueProblem, RigidTop, RotState, TorqueModel,
};
use topsim_core::schemes::{
    Buss2, Described, Dmv, ExactStrang, LieNewmark, NewmarkExplicit, RigImp, RigNeg, RigPos,
    RotationScheme, Scheme, Split3, SplitSym, Terze,
};

const STEPS: u64 = 1000;
const H: f64 = 0.003;

/// Returns the two bodies: the published one, and one with products of inertia.
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

/// The bare step of Solfec's schemes on both bodies, and of the other second-order ones, explicit or
/// with a small equation of their own, on the published one.
fn step(criterion: &mut Criterion) {
    fn case<S>(criterion: &mut Criterion, scheme: S, bodies: &[(&str, Inertia)])
    where
        S: Scheme<RigidTop<Gravity>> + Described,
    {
        let mut group = criterion.benchmark_group("step");
        group.throughput(Throughput::Elements(STEPS));
        for (label, inertia) in bodies {
            let top = RigidTop::new(inertia.clone(), gravity(), initial());
            group.bench_function(BenchmarkId::new(S::INFO.name, label), |b| {
                let (top, h) = (black_box(&top), black_box(H));
                b.iter(|| {
                    let mut start = black_box(top.initial());
                    let mut memory = scheme.start(top, 0.0, h, &mut start).unwrap();
                    // A copy whose address goes nowhere: an attitude that nobody reads is then not made.
                    let mut y = start;
                    for n in 0..STEPS {
                        let t = n as f64 * h;
                        scheme.step(top, t, h, &mut y, &mut memory).unwrap();
                    }
                    black_box((y.att, y.omega))
                });
            });
        }
        group.finish();
    }
    let bodies = bodies();
    case(criterion, RigPos {}, &bodies);
    case(criterion, RigNeg {}, &bodies);
    case(criterion, RigImp::default(), &bodies);
    let published = &bodies[..1];
    case(criterion, Terze {}, published);
    case(criterion, Buss2 {}, published);
    case(criterion, Split3 {}, published);
    case(criterion, SplitSym {}, published);
    case(criterion, ExactStrang {}, published);
    case(criterion, Dmv::default(), published);
    case(criterion, NewmarkExplicit::default(), published);
    case(criterion, LieNewmark::default(), published);
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
            initial: initial().into(),
        };
        let experiment = bind(scheme, &top.into()).expect("a body with an attitude");
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
