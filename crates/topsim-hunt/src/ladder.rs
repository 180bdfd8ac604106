//! A problem as it is asked, and what the answers differ by: from the exact motion along a ladder of steps, from what
//! the motion keeps, and from their images in other axes and units.

use crate::claim::MarginQuantity;
use crate::image::IMAGES;
use crate::point::{Kind, Pair, Point};
use topsim_core::math::{Vec3, so3};
use topsim_core::models::{AnyTop, Model, Quantity, RotState};
use topsim_core::reference::{RowReference, free_body, lagrange_top};
use topsim_model::probe::{Answer, NoRows, Probe, Row, Start};
use topsim_model::units::ChangeOfUnits;

/// Steps of the ladder: each is half of the one before.
pub(crate) const RUNGS: usize = 4;
/// With those that confirm a finding.
pub(crate) const ALL_RUNGS: usize = 7;

/// What the answers of one problem show.
#[derive(Debug, Clone)]
pub(crate) struct LadderEvidence {
    /// What the errors are of.
    pub quantities: [MarginQuantity; 2],
    /// Errors of each rung: from the closed form, or what half the step changes and what is not kept.
    pub errors: Vec<Pair>,
    /// The least error that says something: ten times the reference's own bound, and what rounding makes.
    pub floors: Vec<Pair>,
    /// By what a rounding of each step grows until the end of a rung.
    pub losses: Vec<Pair>,
    /// What the momentum and the energy of the coarsest run stray by, relative; the vertical momentum under gravity.
    pub strayed: [Option<f64>; 2],
    /// What the images differ by, in the order of their table.
    pub images: [Option<f64>; IMAGES.len()],
}

/// What an image differs by that fails.
pub(crate) const FAILED: f64 = f64::INFINITY;

/// What became of a problem.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// It was answered.
    Shown(LadderEvidence),
    /// The solver says that it cannot do it, or cannot be started.
    Refused(String),
    /// A run failed, or a state was lost.
    Failed(String),
    /// It has no exact motion.
    NoOracle,
    /// The hunt ended before it was answered.
    Stopped,
}

/// What a right solver may lose to rounding in a step.
pub(crate) const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Point {
    /// The coarsest run of a ladder.
    pub(crate) fn probe(&self) -> Option<Probe> {
        Some(self.probe_from(&self.start()?, 0))
    }
    /// A run of a ladder from the start of the problem.
    fn probe_from(&self, start: &Start, rung: usize) -> Probe {
        let parts = 1_usize << rung;
        let step = self.step / parts as f64;
        Probe::new(start, step, self.steps as usize * parts)
    }
}

/// The runs that a problem asks for: the ladder, then the images of its coarsest run that there are.
pub(crate) fn probes(point: &Point, rungs: usize) -> Vec<Probe> {
    let Some(coarsest) = point.probe() else {
        return Vec::new();
    };
    let ladder = (0..rungs).map(|rung| point.probe_from(&coarsest.start, rung));
    let images = changes(point, &coarsest);
    let images = images.into_iter().flatten().map(|(_, image)| image);
    ladder.chain(images).collect()
}

/// The images of the coarsest run, in the order of the table.
fn changes(point: &Point, coarsest: &Probe) -> [Option<(ChangeOfUnits, Probe)>; IMAGES.len()] {
    IMAGES.each_ref().map(|row| {
        let change = (row.change)(point)?;
        Some((change, change.probe(coarsest)?))
    })
}

/// The exact motion of a problem; `certified` has its error measured against a computed motion, which takes longer.
pub(crate) fn oracle(point: &Point, certified: bool) -> Option<Box<dyn RowReference>> {
    let closed = match point.kind() {
        Kind::Free => free_body,
        Kind::SymmetricTop => lagrange_top,
        Kind::AsymmetricTop => return None,
    };
    let model = Model::Top(AnyTop::from(point.start()?.top()));
    let mut reference = closed(&model, 0.0).ok()?;
    if certified {
        reference.certify(point.step * f64::from(point.steps));
    }
    Some(reference)
}

/// What the answers show. Those of a ladder of `rungs` come first. An image that is refused is not judged, and one that fails
/// differs by anything: then the search asks for it as a problem of its own.
pub(crate) fn shown(point: &Point, answers: &[Answer], rungs: usize) -> Outcome {
    let mut rows: Vec<Option<&[Row]>> = Vec::new();
    for (k, answer) in answers.iter().enumerate() {
        let wanted = if k < rungs {
            (point.steps as usize) << k
        } else {
            point.steps as usize
        };
        rows.push(match answer {
            Ok(all) if all.len() == wanted + 1 => Some(all),
            Ok(_) | Err(NoRows::Failed(_) | NoRows::TimedOut(_)) if k >= rungs => Some(&[]),
            Ok(_) => return Outcome::Failed("a state that is not finite".into()),
            Err(NoRows::Refused(_)) if k >= rungs => None,
            Err(NoRows::Refused(why) | NoRows::NotStarted(why)) => {
                return Outcome::Refused(why.clone());
            }
            Err(NoRows::Stopped) => return Outcome::Stopped,
            Err(NoRows::Failed(why) | NoRows::TimedOut(why)) => {
                return Outcome::Failed(why.clone());
            }
        });
    }
    let ladder: Vec<&[Row]> = rows.iter().take(rungs).copied().flatten().collect();
    if ladder.len() < rungs {
        return Outcome::NoOracle;
    }
    let Some((errors, bound, size)) = errors(point, &ladder) else {
        return Outcome::NoOracle;
    };
    let losses = (0..errors.len())
        .map(|k| point.loss(f64::from(point.steps) * power(k), !point.is_principal()));
    let losses: Vec<Pair> = losses.collect();
    let floors = losses.iter().map(|loss| {
        let rounding = |i: usize| (10.0 * bound[i]).max(ROUNDING * loss[i]);
        [rounding(0), rounding(1)]
    });
    let quantities = if point.has_closed_form() {
        [MarginQuantity::Attitude, MarginQuantity::Rate]
    } else {
        [MarginQuantity::HalfStep, MarginQuantity::Change]
    };
    let coarsest = point.probe().expect("it was asked");
    let mut made = rows[rungs..].iter();
    let images = changes(point, &coarsest).map(|image| {
        let (change, _) = image?;
        match (*made.next()?)? {
            [] => Some(FAILED),
            rows => apart(ladder[0], rows, &change, size),
        }
    });
    Outcome::Shown(LadderEvidence {
        quantities,
        floors: floors.collect(),
        losses,
        errors,
        strayed: strayed(point, ladder[0]),
        images,
    })
}

/// Two to a power.
fn power(n: usize) -> f64 {
    2.0_f64.powi(n as i32)
}

/// The errors of each rung, the closed form's own bound, and the largest rate, rad/s.
fn errors(point: &Point, ladder: &[&[Row]]) -> Option<(Vec<Pair>, Pair, f64)> {
    if !point.has_closed_form() {
        let size = point.scale();
        // The states of a run, and those of the one with half its step.
        let moved = |rows: &[&[Row]]| {
            let both = rows[0].iter().zip(rows[1].iter().step_by(2));
            both.fold(0.0, |worst: f64, (a, b)| {
                let rate = (a.omega - b.omega).norm() / size;
                larger(larger(worst, so3::angle_between(&a.att, &b.att)), rate)
            })
        };
        let error = |rows: &[&[Row]]| {
            let [momentum, energy] = strayed(point, rows[0]).map(|x| x.unwrap_or(f64::NAN));
            [moved(rows), larger(momentum, energy)]
        };
        return Some((ladder.windows(2).map(error).collect(), [0.0; 2], size));
    }
    let Truth {
        states,
        size,
        bound,
    } = truth(point, &*oracle(point, ladder.len() > RUNGS)?)?;
    let errors = ladder.iter().enumerate().map(|(k, rows)| {
        let mut worst: Pair = [0.0; 2];
        for (n, exact) in states.iter().enumerate() {
            let row = &rows[n << k];
            let rate = (row.omega - exact.omega).norm() / size;
            worst = largest(worst, [so3::angle_between(&row.att, &exact.att), rate]);
        }
        worst
    });
    Some((errors.collect(), bound, size))
}

/// NaN is the largest.
fn larger(a: f64, b: f64) -> f64 {
    if b <= a { a } else { b }
}

fn largest(a: Pair, b: Pair) -> Pair {
    [0, 1].map(|i| larger(a[i], b[i]))
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
        let exact = columns.state(&row)?;
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

/// What the momentum in space and the energy stray by in a run; under gravity it is the vertical momentum.
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
    let (turns, most) = if point.is_heavy() {
        (Vec3::z(), point.sorted()[2] * point.scale())
    } else {
        (Vec3::repeat(1.0), first.norm())
    };
    let (mut momentum, mut energy) = (0.0_f64, 0.0_f64);
    for row in rows {
        let (l, t, v) = of(row);
        momentum = larger(momentum, (l - first).component_mul(&turns).norm() / most);
        energy = larger(energy, ((t - kinetic) + (v - potential)).abs() / size);
    }
    [Some(momentum), Some(energy)]
}

/// What a run differs by from its image.
fn apart(rows: &[Row], image: &[Row], change: &ChangeOfUnits, size: f64) -> Option<f64> {
    let pairs = rows.iter().zip(image);
    let worst = pairs.map(|(a, b)| {
        let b = change.back(&RotState {
            att: b.att,
            omega: b.omega,
        });
        larger((b.att - a.att).norm(), (b.omega - a.omega).norm() / size)
    });
    (rows.len() == image.len()).then(|| worst.fold(0.0, larger))
}
