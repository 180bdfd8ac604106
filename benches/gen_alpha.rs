//! Cost of a step of the constrained schemes. Each iteration makes 400 steps of the published jointed
//! top at h = 0.002, each from the state the one before left. `cargo bench -p topsim-benches --bench gen_alpha`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use topsim_core::models::{InitialValueProblem, JointedBody, bodies};
use topsim_core::schemes::{Dmv, Formulation, GenAlpha, Index, RattleDae, Scheme};

const STEPS: u32 = 400;
const H: f64 = 0.002;

fn case<S: Scheme<JointedBody>>(criterion: &mut Criterion, label: &str, scheme: S) {
    let mut group = criterion.benchmark_group("jointed");
    group.throughput(Throughput::Elements(STEPS.into()));
    let body = bodies::jointed_heavy_top();
    group.bench_function(BenchmarkId::new("step", label), |b| {
        let (body, h) = (black_box(&body), black_box(H));
        b.iter(|| {
            let mut y = black_box(body.initial());
            let mut memory = scheme.start(body, 0.0, h, &mut y).unwrap();
            for n in 0..STEPS {
                let t = f64::from(n) * h;
                scheme.step(body, t, h, &mut y, &mut memory).unwrap();
            }
            y
        });
    });
    group.finish();
}

/// Generalized-α with the tolerances of Kynema's test: three Newton iterations in every step.
fn body(criterion: &mut Criterion) {
    let three = GenAlpha {
        atol: 1e-5,
        rtol: 1e-3,
        ..GenAlpha::default()
    };
    case(criterion, "inertial", three);
    for (label, formulation) in [("r3xso3", Formulation::R3xso3), ("se3", Formulation::Se3)] {
        case(
            criterion,
            label,
            GenAlpha {
                formulation,
                ..three
            },
        );
    }
    let stabilised = GenAlpha {
        index: Index::Two,
        ..three
    };
    case(criterion, "inertial, index 2", stabilised);
    case(criterion, "rattle_dae", RattleDae::default());
    case(criterion, "dmv", Dmv::default());
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_millis(1500));
    targets = body
}
criterion_main!(benches);
