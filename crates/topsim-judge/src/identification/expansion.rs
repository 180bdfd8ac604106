//! Local defects of a solver in powers of the step: the constant term is the difference of its equations of motion, the
//! linear one tells at which time each term is taken, the inverse one is something done once a step.
//!
//! Source: `docs/science/identification.md`, sections 1 and 3.

use super::design::{DesignPoint, Group, RUN};
use super::experiment::Row;
use super::floor::Floor;
use nalgebra::{Matrix4, SVector};
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

/// Terms of one start.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub group: Group,
    /// Index of the start.
    pub start: usize,
    /// Coefficients of h⁰ … h³.
    pub powers: [RateTerms; 4],
    /// The same without the longest step.
    pub shorter: [RateTerms; 3],
    /// Coefficient of 1/h, of a series from there on.
    pub inverse: RateTerms,
    /// The same without the longest step.
    pub inverse_shorter: RateTerms,
    /// The defects themselves, at each step.
    pub raw: [RateTerms; 4],
}

/// The terms of all starts of one interval.
#[derive(Debug, Clone)]
pub(crate) struct Expansion {
    pub all: Vec<Terms>,
    /// Steps of the runs, s.
    pub steps: [f64; 4],
    pub scales: Scales,
    /// Relative uncertainty of h⁰, h¹ and h² by truncation.
    pub truncation: [f64; 3],
    /// Relative noise of the four coefficients, by the floor of the rows.
    pub noise: [f64; 4],
}

/// Intervals whose defect stands out are events, not defects: rad.
const EVENT: f64 = 1e-3;
const STANDS_OUT: f64 = 100.0;

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

/// Where a series converges so much worse than at the other starts, relative, it is none: a law with a kink there.
const KINK: (f64, f64) = (100.0, 1e-5);

/// Takes out the starts at which the solver has a kink, such as dry friction where a body begins to move.
fn leave_out_kinks(all: &mut Vec<Terms>, scales: Scales) {
    let doubt = |t: &Terms| scales.relative(&(t.powers[0] - t.shorter[0]));
    let usual = median(all.iter().map(doubt).collect());
    let smooth = |t: &Terms| doubt(t) <= KINK.1.max(KINK.0 * usual);
    if all.iter().filter(|t| smooth(t)).count() >= 2 * all.len() / 3 {
        all.retain(smooth);
    }
}

/// The inverse of the matrix of powers of the steps, from the power `from` on.
fn inverse_vandermonde(steps: &[f64; 4], from: i32) -> Matrix4<f64> {
    let m = Matrix4::from_fn(|j, k| steps[j].powi(from + k as i32));
    m.try_inverse().expect("the steps differ")
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
                if *x > EVENT && *x > STANDS_OUT * usual && !found.contains(&i) {
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

impl Expansion {
    /// Returns the expansion over the interval from a row, at the starts that have all rows and are not `left_out`.
    pub fn new(all: &[AnsweredStart], row: usize, left_out: &[usize], floor: &Floor) -> Self {
        let scales = Scales::new(all);
        let steps = steps(all);
        let v = inverse_vandermonde(&steps, 0);
        let v_inverse = inverse_vandermonde(&steps, -1);
        let short = nalgebra::Matrix3::from_fn(|j, k| steps[j + 1].powi(k as i32))
            .try_inverse()
            .expect("the steps differ");
        let short_inverse = nalgebra::Matrix3::from_fn(|j, k| steps[j + 1].powi(k as i32 - 1))
            .try_inverse()
            .expect("the steps differ");
        let terms = |(i, s): (usize, &AnsweredStart)| {
            if left_out.contains(&i) {
                return None;
            }
            let mut d = [RateTerms::zeros(); 4];
            for (j, d) in d.iter_mut().enumerate() {
                *d = s.local(j, row)?;
            }
            let sum = |m: &Matrix4<f64>, k: usize| {
                let mut out = RateTerms::zeros();
                for j in 0..4 {
                    out += d[j] * m[(k, j)];
                }
                out
            };
            let of_three = |m: &nalgebra::Matrix3<f64>, k: usize| {
                let mut out = RateTerms::zeros();
                for j in 0..3 {
                    out += d[j + 1] * m[(k, j)];
                }
                out
            };
            Some(Terms {
                group: s.designed.group,
                start: i,
                powers: core::array::from_fn(|k| sum(&v, k)),
                shorter: core::array::from_fn(|k| of_three(&short, k)),
                inverse: sum(&v_inverse, 0),
                inverse_shorter: of_three(&short_inverse, 0),
                raw: d,
            })
        };
        let mut all: Vec<Terms> = all.iter().enumerate().filter_map(terms).collect();
        leave_out_kinks(&mut all, scales);
        let truncation = core::array::from_fn(|k| {
            root_mean_square(
                all.iter()
                    .map(|t| scales.relative(&(t.powers[k] - t.shorter[k]))),
            )
        });
        let noise = core::array::from_fn(|k| {
            let of_step = |h: f64| {
                let turn = floor.turn(h) / scales.rate.min(1.0);
                let rate = floor.rate(h) * scales.rate.max(1.0) / scales.acceleration.min(1.0);
                turn.max(rate) / h
            };
            let sum: f64 = (0..4)
                .map(|j| (v[(k, j)] * of_step(steps[j])).powi(2))
                .sum();
            sum.sqrt()
        });
        Self {
            all,
            steps,
            scales,
            truncation,
            noise,
        }
    }

    /// Relative size of a coefficient: root mean square over the starts.
    pub fn size(&self, power: usize) -> f64 {
        root_mean_square(
            self.all
                .iter()
                .map(|t| self.scales.relative(&t.powers[power])),
        )
    }

    /// The same in one group; rate and acceleration apart.
    pub fn size_in(&self, power: usize, group: Group) -> [f64; 2] {
        let part = |from: usize, scale: f64| {
            let of = self.all.iter().filter(|t| t.group == group);
            root_mean_square(of.map(|t| t.powers[power].fixed_rows::<3>(from).norm() / scale))
        };
        [part(0, self.scales.rate), part(3, self.scales.acceleration)]
    }

    /// Whether something is done once a step: the medians of 1/h's coefficient, and its part of the defect at the
    /// shortest step.
    pub fn per_step(&self) -> Option<f64> {
        let h = self.steps[3];
        let sizes = |f: fn(&Terms) -> &RateTerms| {
            median(
                self.all
                    .iter()
                    .map(|t| self.scales.relative(f(t)))
                    .collect(),
            )
        };
        let (inverse, finest) = (sizes(|t| &t.inverse), sizes(|t| &t.raw[3]));
        let noise = 40.0 * self.noise[0] * h;
        // Where fewer steps give another number, it is no series from there on.
        let apart = self
            .all
            .iter()
            .map(|t| self.scales.relative(&(t.inverse - t.inverse_shorter)));
        let sure = median(apart.collect()) < 0.3 * inverse;
        let part = inverse / h / finest;
        (sure && inverse > noise.max(1e-6) && part > 0.2 && part < 2.0).then_some(inverse)
    }
}

/// The parts of six numbers.
pub(crate) fn parts(x: &RateTerms) -> (Vec3, Vec3) {
    (x.fixed_rows::<3>(0).into(), x.fixed_rows::<3>(3).into())
}
