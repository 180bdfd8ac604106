//! Which law of the family a solver has: least squares at single states, with no integration, and the fewest numbers
//! that explain what was measured.
//!
//! Source: `identification.md` of the project's notes, section 4.

use super::law::{BLOCKS, Block, BlockRow, Law, Place};
use nalgebra::{DMatrix, DVector};
use topsim_core::math::Vec3;

/// What a solver does differently at a state.
#[derive(Debug, Clone)]
pub(crate) struct Observed {
    pub place: Place,
    /// Its rate of turning, without the exact one, rad/s.
    pub rate: Vec3,
    /// Its W', without the exact one, rad/s².
    pub acceleration: Vec3,
}

/// Differences of the equations of motion at many states.
#[derive(Debug, Clone)]
pub(crate) struct Differences {
    all: Vec<Observed>,
    /// Root mean squares of W and W'.
    scales: [f64; 2],
    /// What cannot be told from zero, relative.
    pub sigma: f64,
    /// Orthonormal columns of what may be there besides: it is taken out of everything.
    besides: Option<DMatrix<f64>>,
}

/// Numbers of a law that were fitted together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fitted {
    pub block: Block,
    /// The numbers, as they stand in the law.
    pub values: Vec<f64>,
}

/// A law that explains the differences, or the nearest that was found.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub law: Law,
    pub blocks: Vec<Fitted>,
    /// What it leaves, relative: root mean square over the states.
    pub residual: f64,
    /// What there was to explain, relative.
    pub defect: f64,
    /// Other blocks that explain as much with as many numbers.
    pub rivals: Vec<Block>,
    /// Whether it explains what was measured.
    pub accepted: bool,
}

/// Part of the differences that a law which explains them may leave.
const LEFT: f64 = 5e-3;
/// Values from which fits of exponents begin.
const EXPONENTS: [f64; 5] = [-2.2, -1.1, -0.1, 0.9, 1.9];
/// Blocks in one law at most.
const MOST_BLOCKS: usize = 3;
/// A second block is looked for beside this many of the best first ones.
const SEEDS: usize = 8;

fn rms(sum_of_squares: f64, n: usize) -> f64 {
    (sum_of_squares / n.max(1) as f64).sqrt()
}

/// A trial: blocks, their parameters, and the mean square of what they leave.
#[derive(Debug, Clone)]
struct Trial {
    rows: Vec<&'static BlockRow>,
    parameters: Vec<f64>,
    mean_square: f64,
}

impl Differences {
    /// `scales` are typical sizes of W and W', where they are known.
    pub fn new(all: Vec<Observed>, sigma: f64) -> Self {
        let n = all.len();
        let mut sums = [0.0; 2];
        for o in &all {
            let start = &o.place.start;
            sums[0] += start.omega.norm_squared();
            let exact = start.acceleration(o.place.t, &start.att, &start.omega);
            sums[1] += exact.norm_squared();
        }
        // A body that nobody turns has no rate to compare with: its differences are absolute.
        let scales = sums.map(|s| match rms(s, n) {
            x if x > 1e-12 => x,
            _ => 1.0,
        });
        Self {
            all,
            scales,
            sigma,
            besides: None,
        }
    }

    /// The same without what is a combination of other columns, such as the errors of steps of the solver's own; each
    /// has rate and acceleration of one state after the other.
    #[must_use]
    pub fn without(mut self, columns: &[Vec<f64>]) -> Self {
        let n = 6 * self.all.len();
        let scaled = DMatrix::from_fn(n, columns.len(), |i, k| {
            columns[k][i] / self.scales[usize::from(i % 6 >= 3)]
        });
        self.besides = Some(scaled.qr().q());
        self
    }

    /// Root mean squares of W and W'.
    pub fn scales(&self) -> [f64; 2] {
        self.scales
    }

    /// The states.
    pub fn starts(&self) -> impl Iterator<Item = &super::experiment::Start> + Clone {
        self.all.iter().map(|o| &o.place.start)
    }

    /// Of each state, what the law leaves: rate and acceleration.
    fn residuals(&self, law: &Law) -> DVector<f64> {
        let mut out = DVector::zeros(6 * self.all.len());
        for (i, o) in self.all.iter().enumerate() {
            let start = &o.place.start;
            let (rate, acceleration) = law.slopes(&o.place);
            let exact = start.acceleration(o.place.t, &start.att, &start.omega);
            let a = (rate - start.omega - o.rate) / self.scales[0];
            let b = (acceleration - exact - o.acceleration) / self.scales[1];
            for k in 0..3 {
                out[6 * i + k] = a[k];
                out[6 * i + 3 + k] = b[k];
            }
        }
        if let Some(q) = &self.besides {
            let part = q.tr_mul(&out);
            out -= q * part;
        }
        out
    }

    /// Root mean square of what the law leaves over the states, relative.
    pub fn left(&self, law: &Law) -> f64 {
        rms(self.residuals(law).norm_squared(), self.all.len())
    }

    fn law(rows: &[&BlockRow], parameters: &[f64]) -> Law {
        let mut law = Law::default();
        let mut rest = parameters;
        for row in rows {
            let (own, after) = rest.split_at(row.len());
            row.apply(own, &mut law);
            rest = after;
        }
        law
    }

    /// Least squares by Levenberg and Marquardt from given parameters.
    fn fit(&self, rows: &[&'static BlockRow], from: &[f64]) -> Trial {
        let n = from.len();
        let mut x = from.to_vec();
        let mut r = self.residuals(&Self::law(rows, &x));
        let mut size = r.norm_squared();
        let floor = 0.01 * self.sigma * self.sigma * self.all.len() as f64;
        let mut damping = 1e-6;
        let mut slow = 0;
        'iterations: for _ in 0..24 {
            let mut jacobian = DMatrix::zeros(r.len(), n);
            for k in 0..n {
                let d = 1e-5 * x[k].abs().max(0.1);
                let moved = |sign: f64| {
                    let mut y = x.clone();
                    y[k] += sign * d;
                    self.residuals(&Self::law(rows, &y))
                };
                jacobian.set_column(k, &((moved(1.0) - moved(-1.0)) / (2.0 * d)));
            }
            let normal = jacobian.tr_mul(&jacobian);
            let gradient = jacobian.tr_mul(&r);
            loop {
                let mut damped = normal.clone();
                for k in 0..n {
                    damped[(k, k)] += damping * normal[(k, k)] + 1e-30;
                }
                let Some(step) = damped.cholesky().map(|c| c.solve(&gradient)) else {
                    damping *= 10.0;
                    if damping > 1e6 {
                        break 'iterations;
                    }
                    continue;
                };
                let y: Vec<f64> = x.iter().zip(step.iter()).map(|(x, s)| x - s).collect();
                let moved = self.residuals(&Self::law(rows, &y));
                let next = moved.norm_squared();
                if next < size {
                    slow = if next > 0.9 * size { slow + 1 } else { 0 };
                    (x, r, size) = (y, moved, next);
                    damping = (damping * 0.1).max(1e-14);
                    break;
                }
                damping *= 10.0;
                if damping > 1e6 {
                    break 'iterations;
                }
            }
            if size < floor || slow >= 3 {
                break;
            }
        }
        Trial {
            rows: rows.to_vec(),
            parameters: x,
            mean_square: size / self.all.len().max(1) as f64,
        }
    }

    /// The best fit of a block beside others, which begin where they were.
    fn with(&self, before: &Trial, row: &'static BlockRow) -> Trial {
        let mut rows = before.rows.clone();
        rows.push(row);
        let starts: &[f64] = if row.exponent { &EXPONENTS } else { &[0.0] };
        let mut best: Option<Trial> = None;
        for first in starts {
            for second in if row.exponent && row.len() == 2 {
                &EXPONENTS[..]
            } else {
                &[0.0][..]
            } {
                let mut from = before.parameters.clone();
                from.push(*first);
                from.resize(before.parameters.len() + row.len(), *second);
                let found = self.fit(&rows, &from);
                let better = |b: &Trial| found.mean_square < b.mean_square;
                if best.as_ref().is_none_or(better) {
                    best = Some(found);
                }
            }
        }
        best.expect("there is a start")
    }

    /// Bayes' information criterion with what cannot be told from zero inside the logarithm: below it, more numbers
    /// buy nothing.
    fn criterion(&self, t: &Trial) -> f64 {
        let n = 6.0 * self.all.len() as f64;
        let floor = self.sigma * self.sigma;
        n * (t.mean_square / 6.0 + floor).ln() + t.parameters.len() as f64 * n.ln()
    }

    /// The one block that explains most of the differences, with what it leaves.
    pub fn main_block(&self) -> Option<Selection> {
        let none = Trial {
            rows: Vec::new(),
            parameters: Vec::new(),
            mean_square: self.left(&Law::default()).powi(2),
        };
        let singles = BLOCKS.iter().map(|row| self.with(&none, row));
        let best = singles.min_by(|a, b| self.criterion(a).total_cmp(&self.criterion(b)))?;
        let law = Self::law(&best.rows, &best.parameters);
        Some(Selection {
            blocks: best
                .rows
                .iter()
                .map(|r| Fitted {
                    block: r.block,
                    values: r.values(&law),
                })
                .collect(),
            accepted: false,
            residual: best.mean_square.sqrt(),
            defect: none.mean_square.sqrt(),
            rivals: Vec::new(),
            law,
        })
    }

    /// The law with the fewest numbers that explains the differences.
    pub fn select(&self) -> Selection {
        let none = Trial {
            rows: Vec::new(),
            parameters: Vec::new(),
            mean_square: self.left(&Law::default()).powi(2),
        };
        let defect = none.mean_square.sqrt();
        let floor = (3.0 * self.sigma).max(1e-4 * defect);
        let enough = |t: &Trial| t.mean_square.sqrt() < floor;
        let accepted = |t: &Trial| t.mean_square.sqrt() < (5.0 * self.sigma).max(LEFT * defect);
        // Of those that explain as much, the first of the table: it is the one that is meant most often.
        let order = |t: &Trial| -> Vec<usize> {
            let at = |r: &&BlockRow| BLOCKS.iter().position(|b| b.block == r.block);
            t.rows.iter().filter_map(at).collect()
        };
        let by_criterion = |all: &mut Vec<Trial>| {
            all.sort_by(|a, b| self.criterion(a).total_cmp(&self.criterion(b)));
            let Some(least) = all.first().map(|t| self.criterion(t)) else {
                return;
            };
            let equal = all.partition_point(|t| self.criterion(t) < least + 4.0);
            all[..equal].sort_by_key(|t| (t.parameters.len(), order(t)));
        };
        // More equations than three for each number, or the fit explains anything.
        let fits = |n: usize| 2 * n <= self.all.len() * 6 / 3;
        let usable = |row: &&'static BlockRow| fits(row.len());
        let mut singles: Vec<Trial> = BLOCKS
            .iter()
            .filter(usable)
            .map(|row| self.with(&none, row))
            .collect();
        by_criterion(&mut singles);
        let mut best = singles.first().cloned().unwrap_or_else(|| none.clone());
        let mut ranked = singles.clone();
        if !enough(&best) {
            let first = best.clone();
            let mut pairs: Vec<Trial> = Vec::new();
            for seed in singles.iter().take(SEEDS) {
                for row in BLOCKS {
                    let known = seed.rows.iter().any(|r| r.block == row.block);
                    if !known && fits(seed.parameters.len() + row.len()) {
                        pairs.push(self.with(seed, row));
                    }
                }
            }
            by_criterion(&mut pairs);
            if !pairs.first().is_some_and(enough) {
                pairs.extend(self.small_pairs());
                by_criterion(&mut pairs);
            }
            if let Some(pair) = pairs.first()
                && self.criterion(pair) < self.criterion(&best) - 10.0
            {
                best = pair.clone();
            }
            if !enough(&best) && best.rows.len() == 2 {
                let mut triples: Vec<Trial> = Vec::new();
                for seed in pairs.iter().take(SEEDS) {
                    for row in BLOCKS.iter().filter(|r| r.len() <= 3) {
                        let known = seed.rows.iter().any(|r| r.block == row.block);
                        if !known && fits(seed.parameters.len() + row.len()) {
                            triples.push(self.with(seed, row));
                        }
                    }
                }
                by_criterion(&mut triples);
                if let Some(triple) = triples.first()
                    && self.criterion(triple) < self.criterion(&best) - 10.0
                    && triple.rows.len() <= MOST_BLOCKS
                {
                    best = triple.clone();
                }
            }
            // Where more blocks do not reach the floor, they fit what the first leaves of the solver's own substeps.
            if accepted(&first) && !enough(&best) {
                best = first;
            } else {
                ranked = pairs;
            }
        }
        let best = self.reduced(best, &accepted);
        let alike = |t: &&Trial| {
            t.parameters.len() == best.parameters.len()
                && t.rows.len() == best.rows.len()
                && t.mean_square.sqrt() < 3.0 * best.mean_square.sqrt().max(self.sigma)
        };
        let blocks_of = |t: &Trial| t.rows.iter().map(|r| r.block).collect::<Vec<_>>();
        let own = blocks_of(&best);
        let mut rivals: Vec<Block> = ranked
            .iter()
            .filter(alike)
            .flat_map(blocks_of)
            .filter(|b| !own.contains(b))
            .collect();
        rivals.sort_unstable();
        rivals.dedup();
        let law = Self::law(&best.rows, &best.parameters);
        Selection {
            blocks: best
                .rows
                .iter()
                .map(|r| Fitted {
                    block: r.block,
                    values: r.values(&law),
                })
                .collect(),
            accepted: accepted(&best),
            residual: best.mean_square.sqrt(),
            defect,
            rivals,
            law,
        }
    }

    /// All pairs of blocks with few numbers: of two defects, the first alone may explain nothing.
    fn small_pairs(&self) -> Vec<Trial> {
        let small: Vec<_> = BLOCKS.iter().filter(|r| r.len() == 1).collect();
        let mut out = Vec::new();
        for (i, a) in small.iter().enumerate() {
            for b in &small[i + 1..] {
                for x in if a.exponent { &EXPONENTS[..] } else { &[0.0] } {
                    for y in if b.exponent { &EXPONENTS[..] } else { &[0.0] } {
                        out.push(self.fit(&[a, b], &[*x, *y]));
                    }
                }
            }
        }
        out.sort_by(|a, b| a.mean_square.total_cmp(&b.mean_square));
        out.truncate(SEEDS);
        out
    }

    /// The same with as few numbers as explain as much: without blocks that a later one makes superfluous, and with
    /// smaller blocks for larger ones.
    fn reduced(&self, mut best: Trial, accepted: &dyn Fn(&Trial) -> bool) -> Trial {
        let parameters = |t: &Trial, i: usize| -> Vec<f64> {
            let from: usize = t.rows[..i].iter().map(|r| r.len()).sum();
            t.parameters[from..from + t.rows[i].len()].to_vec()
        };
        'again: loop {
            for i in 0..best.rows.len() {
                let others: Vec<usize> = (0..best.rows.len()).filter(|k| *k != i).collect();
                let rows: Vec<_> = others.iter().map(|k| best.rows[*k]).collect();
                let from: Vec<f64> = others.iter().flat_map(|k| parameters(&best, *k)).collect();
                let without = self.fit(&rows, &from);
                let smaller = BLOCKS.iter().filter(|b| b.len() < best.rows[i].len());
                let mut simpler: Vec<Trial> = smaller.map(|b| self.with(&without, b)).collect();
                if !rows.is_empty() {
                    if accepted(&without) {
                        best = without;
                        continue 'again;
                    }
                    simpler.push(without);
                }
                let least = simpler
                    .into_iter()
                    .min_by(|a, b| self.criterion(a).total_cmp(&self.criterion(b)));
                let as_good = |t: &Trial| self.criterion(t) <= self.criterion(&best) + 4.0;
                if let Some(least) = least.filter(as_good) {
                    best = least;
                    continue 'again;
                }
            }
            return best;
        }
    }
}
