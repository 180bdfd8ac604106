//! A problem as it is asked, and what the answers differ by: from the exact motion along a ladder of steps, from what
//! the motion keeps, and from their images under scalings that change no digit.

use super::point::Point;
use crate::history::state;
use crate::identification::experiment::{Answer, Load, NoRows, Probe, Row, Start};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{AnyTop, Model, Quantity, RotState};
use topsim_core::reference::{RowReference, free_body, lagrange_top};

/// Steps of the ladder: each is half of the one before.
pub(super) const RUNGS: usize = 4;
/// With those that confirm a finding.
pub(super) const ALL_RUNGS: usize = 7;

/// A pair of numbers: of the attitude in rad, and of the rate in parts of the largest.
pub(super) type Pair = [f64; 2];

/// What the answers of one problem show.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    /// Errors of each rung.
    pub errors: Vec<Pair>,
    /// The least error that says something: ten times the reference's own bound, and what rounding makes.
    pub floors: Vec<Pair>,
    /// What the momentum and the energy of the coarsest run stray by, relative; the momentum of free bodies.
    pub strayed: [Option<f64>; 2],
    /// What the images differ by: of time, of inertia.
    pub images: [Option<f64>; 2],
}

/// What became of a problem.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// It was answered.
    Shown(Shown),
    /// The solver says that it cannot do it.
    Refused(String),
    /// A run failed, or a state was lost.
    Failed(String),
    /// It has no exact motion.
    NoOracle,
    /// The hunt ended before it was answered.
    Stopped,
}

/// Parts of the rounding of a step that a right solver may lose.
const ROOM: f64 = 16.0;

/// The runs that a problem asks for: the ladder, then two images of its coarsest run.
pub(super) fn probes(point: &Point, rungs: usize) -> Vec<Probe> {
    let Some(start) = point.start() else {
        return Vec::new();
    };
    let run = |k: usize| {
        let parts = 1_usize << k;
        Probe::new(
            &start,
            point.step / parts as f64,
            point.steps as usize * parts,
        )
    };
    let scaling = power(point.power);
    let images = [
        scaled_time(&start, scaling),
        scaled_inertia(&start, scaling),
    ];
    let steps = [point.step / scaling, point.step];
    let images = images
        .into_iter()
        .zip(steps)
        .map(|(image, step)| image.map(|i| Probe::new(&i, step, point.steps as usize)));
    let images = images.flatten();
    (0..rungs).map(run).chain(images).collect()
}

/// Two to a power.
pub(super) fn power(n: i32) -> f64 {
    2.0_f64.powi(n)
}

/// The same motion in a time `by` times shorter.
fn scaled_time(of: &Start, by: f64) -> Option<Start> {
    Some(Start {
        omega: of.omega * by,
        load: heavier(&of.load, by * by)?,
        ..of.clone()
    })
}

/// The same motion of a body with `by` times the inertia.
fn scaled_inertia(of: &Start, by: f64) -> Option<Start> {
    Some(Start {
        inertia: topsim_core::models::Inertia::new(of.inertia.tensor() * by).ok()?,
        load: heavier(&of.load, by)?,
        ..of.clone()
    })
}

fn heavier(load: &Load, by: f64) -> Option<Load> {
    match load {
        Load::None => Some(Load::None),
        Load::Gravity { weight, lever, up } => Some(Load::Gravity {
            weight: weight * by,
            lever: *lever,
            up: *up,
        }),
        Load::Constant { .. } | Load::Pulse(_) | Load::Other(_) => None,
    }
}

/// The exact motion of a problem; `certified` has its error measured against a computed motion, which takes longer.
pub(super) fn oracle(point: &Point, certified: bool) -> Option<Box<dyn RowReference>> {
    let model = Model::Top(AnyTop::from(point.start()?.top()));
    let closed = if point.is_heavy() {
        lagrange_top
    } else {
        free_body
    };
    let mut reference = closed(&model, 0.0).ok()?;
    if certified {
        reference.certify(point.step * f64::from(point.steps));
    }
    Some(reference)
}

/// What the answers show. Those of a ladder of `rungs` come first.
pub(super) fn shown(point: &Point, answers: &[Answer], rungs: usize) -> Outcome {
    let Some(reference) = oracle(point, rungs > RUNGS) else {
        return Outcome::NoOracle;
    };
    let mut rows: Vec<&[Row]> = Vec::new();
    for (k, answer) in answers.iter().enumerate() {
        let wanted = if k < rungs {
            (point.steps as usize) << k
        } else {
            point.steps as usize
        };
        match answer {
            Ok(all) if all.len() == wanted + 1 => rows.push(all),
            Ok(_) => return Outcome::Failed("a state that is not finite".into()),
            Err(NoRows::Refused(why)) => return Outcome::Refused(why.clone()),
            Err(NoRows::Stopped) => return Outcome::Stopped,
            Err(NoRows::Failed(why) | NoRows::TimedOut(why)) => {
                return Outcome::Failed(why.clone());
            }
        }
    }
    if rows.len() < rungs {
        return Outcome::NoOracle;
    }
    let (ladder, images) = rows.split_at(rungs);
    let Some(truth) = truth(point, &*reference) else {
        return Outcome::NoOracle;
    };
    let size = truth.size;
    let errors = ladder.iter().enumerate().map(|(k, rows)| {
        let mut worst: Pair = [0.0; 2];
        for (n, exact) in truth.states.iter().enumerate() {
            let row = &rows[n << k];
            let rate = (row.omega - exact.omega).norm() / size;
            worst = largest(worst, [so3::angle_between(&row.att, &exact.att), rate]);
        }
        worst
    });
    let floors = (0..rungs).map(|k| {
        let steps = f64::from(point.steps) * power(k as i32);
        let rounding = ROOM * f64::EPSILON * point.condition() * (8.0 + steps) * point.growth();
        truth.bound.map(|b| (10.0 * b).max(rounding))
    });
    Outcome::Shown(Shown {
        errors: errors.collect(),
        floors: floors.collect(),
        strayed: strayed(point, ladder[0]),
        images: core::array::from_fn(|i| {
            let by = if i == 0 { power(point.power) } else { 1.0 };
            apart(ladder[0], images.get(i)?, by, size)
        }),
    })
}

fn largest(a: Pair, b: Pair) -> Pair {
    // NaN is the largest.
    [0, 1].map(|i| if b[i] <= a[i] { a[i] } else { b[i] })
}

/// The exact states at the times of the coarsest run.
struct Truth {
    states: Vec<RotState>,
    /// The largest rate, rad/s.
    size: f64,
    /// The reference's own bound.
    bound: Pair,
}

fn truth(point: &Point, reference: &dyn RowReference) -> Option<Truth> {
    let columns = reference.columns();
    let mut row = vec![0.0; columns.width()];
    let (mut states, mut size, mut bound) = (Vec::new(), point.scale(), [0.0, 0.0]);
    if !point.is_heavy() {
        size = 0.0;
    }
    for n in 0..=point.steps {
        let t = point.step * f64::from(n);
        reference.row(t, &mut row);
        let exact = state(columns, &row)?;
        size = size.max(exact.omega.norm());
        states.push(exact);
        bound = largest(
            bound,
            [Quantity::Attitude, Quantity::BodyRate].map(|q| reference.error_of(t, q)),
        );
    }
    bound[1] /= size;
    (size > 0.0 && bound.iter().all(|b| b.is_finite())).then_some(Truth {
        states,
        size,
        bound,
    })
}

/// What the momentum in space and the energy stray by in a run.
fn strayed(point: &Point, rows: &[Row]) -> [Option<f64>; 2] {
    let Some(inertia) = point.inertia() else {
        return [None; 2];
    };
    let arm = point.arm();
    let of = |row: &Row| {
        let body = inertia.times(&row.omega);
        let potential = point.weight * (row.att * arm).z;
        (row.att * body, 0.5 * row.omega.dot(&body), potential)
    };
    let (first, kinetic, potential) = of(&rows[0]);
    let size = kinetic.abs().max((point.weight * point.lever).abs());
    let (mut momentum, mut energy) = (0.0_f64, 0.0_f64);
    for row in rows {
        let (l, t, v) = of(row);
        momentum = momentum.max((l - first).norm() / first.norm());
        energy = energy.max(((t - kinetic) + (v - potential)).abs() / size);
    }
    [(!point.is_heavy()).then_some(momentum), Some(energy)]
}

/// What a run differs by from its image, whose rates are `by` times as large.
fn apart(rows: &[Row], image: &[Row], by: f64, size: f64) -> Option<f64> {
    let pairs = rows.iter().zip(image);
    let worst = pairs.map(|(a, b)| {
        let rate: Vec3 = b.omega / by - a.omega;
        let turned: Mat3 = b.att - a.att;
        turned.norm().max(rate.norm() / size)
    });
    let worst = worst.fold(0.0, |w: f64, x| if x <= w { w } else { x });
    (rows.len() == image.len()).then_some(worst)
}
