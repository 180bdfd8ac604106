//! Local defects of a solver in powers of the step: the constant term is the difference of its equations of motion, the
//! linear one tells at which time each term is taken, the inverse one is something done once a step.
//!
//! Source: `docs/science/identification.md`, sections 1 and 3.

use super::design::{DesignPoint, Group, RUN};
use super::experiment::Row;
use super::floor::Floor;
use crate::thresholds::{BY_FAR, CARRIED, DEFECT, FLOOR, SINGLE_DIGITS, TWICE, UNLIKE};
use nalgebra::{Matrix3, Matrix4, SVector};
use topsim_core::math::{Vec3, so3};

/// Rate (three components, rad/s) and acceleration (three, rad/s²).
pub(crate) type RateTerms = SVector<f64, 6>;

/// A start with the rows of its runs, at each of the steps.
#[derive(Debug, Clone)]
pub(crate) struct AnsweredStart {
    /// Index of the start in the design.
    pub index: usize,
    pub designed: DesignPoint,
    pub steps: [f64; 4],
    pub rows: Vec<Vec<Row>>,
}

/// Returns the starts of which the runs at all steps have all rows.
pub(crate) fn answered(
    starts: &[DesignPoint],
    steps: [f64; 4],
    answers: Vec<Option<Vec<Row>>>,
) -> Vec<AnsweredStart> {
    let mut answers = answers.into_iter();
    let mut out = Vec::new();
    for (index, designed) in starts.iter().enumerate() {
        let own: Vec<_> = answers.by_ref().take(steps.len()).collect();
        let rows: Vec<Vec<Row>> = own.into_iter().flatten().collect();
        if rows.len() == steps.len() && rows.iter().all(|r| r.len() > RUN) {
            out.push(AnsweredStart {
                index,
                designed: designed.clone(),
                steps,
                rows,
            });
        }
    }
    out
}

/// Returns the steps of starts that have been answered, s.
pub(crate) fn steps(all: &[AnsweredStart]) -> [f64; 4] {
    all.first().map_or(super::design::STEPS, |s| s.steps)
}

impl AnsweredStart {
    /// What the interval from a row to the next is off, per time, at step `j`.
    pub fn local(&self, j: usize, row: usize) -> Option<RateTerms> {
        let [a, b] = [self.rows[j].get(row)?, self.rows[j].get(row + 1)?];
        let h = self.steps[j];
        let start = &self.designed.start;
        let (att, omega) = start.exact(h * row as f64, h, &a.att, &a.omega);
        let turn = so3::log(&att.tr_mul(&b.att)) / h;
        let rate = (b.omega - omega) / h;
        let out = RateTerms::from_iterator(turn.iter().chain(rate.iter()).copied());
        out.iter().all(|x| x.is_finite()).then_some(out)
    }
}

/// Sizes by which rates and accelerations are divided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scales {
    pub rate: f64,
    pub acceleration: f64,
}

impl Scales {
    /// Root mean squares over the starts.
    pub fn new(all: &[AnsweredStart]) -> Self {
        let (mut w, mut a) = (0.0, 0.0);
        for s in all {
            let start = &s.designed.start;
            w += start.omega.norm_squared();
            a += start
                .acceleration(0.0, &start.att, &start.omega)
                .norm_squared();
        }
        let mean = |x: f64| (x / all.len().max(1) as f64).sqrt().max(1e-12);
        Self {
            rate: mean(w),
            acceleration: mean(a),
        }
    }
    pub fn relative(&self, x: &RateTerms) -> f64 {
        let part = |from: usize| x.fixed_rows::<3>(from).norm_squared();
        (part(0) / self.rate.powi(2) + part(3) / self.acceleration.powi(2)).sqrt()
    }
}

/// Local defects of one interval at all starts, and what a series of them in the step is worth.
#[derive(Debug, Clone)]
pub(crate) struct Expansion<'a> {
    pub starts: Vec<&'a AnsweredStart>,
    /// The defects of each start, at each step.
    defects: Vec<[RateTerms; 4]>,
    /// Steps of the runs, s.
    pub steps: [f64; 4],
    pub scales: Scales,
    /// Relative uncertainty of h⁰, h¹ and h² by truncation.
    pub truncation: [f64; 3],
    /// Relative noise of the four coefficients, by the floor of the rows.
    pub noise: [f64; 4],
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

fn root_mean_square(all: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut n) = (0.0, 0);
    for x in all {
        sum += x * x;
        n += 1;
    }
    (sum / f64::from(n.max(1))).sqrt()
}

/// Returns the rows of the inverse of the matrix of powers of four steps, from the power `from` on.
fn of_all(steps: &[f64; 4], from: i32) -> [Vec<f64>; 4] {
    let m = Matrix4::from_fn(|j, k| steps[j].powi(from + k as i32));
    let m = m.try_inverse().expect("the steps differ");
    core::array::from_fn(|k| m.row(k).iter().copied().collect())
}

/// Returns the same without the longest step, whose defect has no weight.
fn of_shorter(steps: &[f64; 4], from: i32) -> [Vec<f64>; 3] {
    let m = Matrix3::from_fn(|j, k| steps[j + 1].powi(from + k as i32));
    let m = m.try_inverse().expect("the steps differ");
    core::array::from_fn(|k| {
        core::iter::once(0.0)
            .chain(m.row(k).iter().copied())
            .collect()
    })
}

/// Returns the sum of defects with these weights.
fn weighted(weights: &[f64], defects: &[RateTerms]) -> RateTerms {
    let each = weights.iter().zip(defects).filter(|(w, _)| **w != 0.0);
    each.fold(RateTerms::zeros(), |sum, (w, x)| sum + x * *w)
}

/// The starts at which something happens that is no power series, of all intervals of all runs.
pub(crate) fn events(all: &[AnsweredStart]) -> Vec<usize> {
    let mut found = Vec::new();
    for (j, h) in steps(all).iter().enumerate() {
        for row in 0..RUN {
            let size = |s: &AnsweredStart| {
                s.local(j, row)
                    .map_or(0.0, |d| d.fixed_rows::<3>(0).norm() * h)
            };
            let sizes: Vec<f64> = all.iter().map(size).collect();
            let usual = median(sizes.clone());
            for (i, x) in sizes.iter().enumerate() {
                if *x > FLOOR && *x > BY_FAR * usual && !found.contains(&i) {
                    found.push(i);
                }
            }
        }
    }
    // What stands out at most starts does not stand out.
    if found.len() > all.len() / 4 {
        found.clear();
    }
    found.sort_unstable();
    found
}

impl<'a> Expansion<'a> {
    /// Returns the expansion over the interval from a row, at the starts that have all rows and are not `left_out`.
    pub fn new(all: &'a [AnsweredStart], row: usize, left_out: &[usize], floor: &Floor) -> Self {
        let (scales, steps) = (Scales::new(all), steps(all));
        let (powers, shorter) = (of_all(&steps, 0), of_shorter(&steps, 0));
        let defects = |(i, s): (usize, &'a AnsweredStart)| {
            let mut out = [RateTerms::zeros(); 4];
            for (j, d) in out.iter_mut().enumerate() {
                *d = s.local(j, row)?;
            }
            (!left_out.contains(&i)).then_some((s, out))
        };
        let mut all: Vec<_> = all.iter().enumerate().filter_map(defects).collect();
        let doubt = |k: usize, d: &[RateTerms; 4]| {
            scales.relative(&(weighted(&powers[k], d) - weighted(&shorter[k], d)))
        };
        // A solver may have a kink at some starts, such as dry friction where a body begins to move.
        let usual = median(all.iter().map(|(_, d)| doubt(0, d)).collect());
        let smooth = |(_, d): &(_, [RateTerms; 4])| doubt(0, d) <= DEFECT.max(BY_FAR * usual);
        if all.iter().filter(|x| smooth(x)).count() >= 2 * all.len() / 3 {
            all.retain(smooth);
        }
        let truncation =
            core::array::from_fn(|k| root_mean_square(all.iter().map(|(_, d)| doubt(k, d))));
        let noise = core::array::from_fn(|k| {
            let of_step = |h: f64| {
                let turn = floor.turn(h) / scales.rate.min(1.0);
                let rate = floor.rate(h) * scales.rate.max(1.0) / scales.acceleration.min(1.0);
                turn.max(rate) / h
            };
            let each = powers[k].iter().zip(steps);
            let sum: f64 = each.map(|(w, h)| (w * of_step(h)).powi(2)).sum();
            sum.sqrt()
        });
        let (starts, defects) = all.into_iter().unzip();
        Self {
            starts,
            defects,
            steps,
            scales,
            truncation,
            noise,
        }
    }

    /// Returns the defects of all starts at a step.
    pub fn at_step(&self, j: usize) -> Vec<RateTerms> {
        self.defects.iter().map(|d| d[j]).collect()
    }

    /// Returns the coefficients of a power of the step, of all starts.
    pub fn power(&self, k: usize) -> Vec<RateTerms> {
        self.weighted(&of_all(&self.steps, 0)[k])
    }

    /// Returns the coefficients of 1/h, of series from there on.
    pub fn inverse(&self) -> Vec<RateTerms> {
        self.weighted(&of_all(&self.steps, -1)[0])
    }

    fn weighted(&self, weights: &[f64]) -> Vec<RateTerms> {
        self.defects.iter().map(|d| weighted(weights, d)).collect()
    }

    /// Returns relative sizes.
    fn sizes(&self, all: &[RateTerms]) -> impl Iterator<Item = f64> {
        all.iter().map(|x| self.scales.relative(x))
    }

    /// Relative size of a coefficient: root mean square over the starts.
    pub fn size(&self, power: usize) -> f64 {
        root_mean_square(self.sizes(&self.power(power)))
    }

    /// The same in one group; rate and acceleration apart.
    pub fn size_in(&self, power: usize, group: Group) -> [f64; 2] {
        let all = self.power(power);
        let part = |from: usize, scale: f64| {
            let of = self.starts.iter().zip(&all);
            let of = of.filter(|(s, _)| s.designed.group == group);
            root_mean_square(of.map(|(_, x)| x.fixed_rows::<3>(from).norm() / scale))
        };
        [part(0, self.scales.rate), part(3, self.scales.acceleration)]
    }

    /// Whether something is done once a step: the medians of 1/h's coefficient, and its part of the defect at the
    /// shortest step.
    pub fn per_step(&self) -> Option<f64> {
        let h = self.steps[3];
        let middle = |all: &[RateTerms]| median(self.sizes(all).collect());
        let (inverse, finest) = (self.inverse(), middle(&self.at_step(3)));
        // Where fewer steps give another number, it is no series from there on.
        let shorter = self.weighted(&of_shorter(&self.steps, -1)[0]);
        let apart: Vec<RateTerms> = inverse.iter().zip(shorter).map(|(a, b)| a - b).collect();
        let (apart, inverse) = (middle(&apart), middle(&inverse));
        let noise = 40.0 * self.noise[0] * h;
        let part = inverse / h / finest;
        let told = apart < UNLIKE * inverse && inverse > noise.max(SINGLE_DIGITS);
        (told && (CARRIED..TWICE).contains(&part)).then_some(inverse)
    }
}

/// The parts of six numbers.
pub(crate) fn parts(x: &RateTerms) -> (Vec3, Vec3) {
    (x.fixed_rows::<3>(0).into(), x.fixed_rows::<3>(3).into())
}
