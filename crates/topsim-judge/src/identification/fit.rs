//! Which law of the family a solver has: least squares at single states, with no integration, and the fewest numbers
//! that explain what was measured.
//!
//! Source: `identification.md` of the project's notes, section 4.

mod promises;

use super::law::{BLOCKS, Block, BlockRow, Law, Place};
use nalgebra::{DMatrix, DVector};
use promises::Promises;
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
    /// By how much each may be off.
    pub errors: Vec<f64>,
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
    /// Whether what it leaves is more than the digits: a tolerance of the solver's own, or another cause.
    pub rough: bool,
}

/// Part of the differences that a law which explains them may leave.
const LEFT: f64 = 5e-3;
/// What a tolerance of the solver's own leaves of a law: part of the differences, and relative size.
const ROUGH: (f64, f64) = (0.05, 5e-4);
/// A fit ends where a step promises less than this part.
const ENDED: f64 = 1e-3;
/// Values from which fits of exponents begin.
const EXPONENTS: [f64; 5] = [-2.2, -1.1, -0.1, 0.9, 1.9];
/// Another block is looked for beside this many of the best.
const SEEDS: usize = 5;
/// So many are fitted beside each.
const BESIDE: usize = 3;
/// So many pairs are fitted of all that there are.
const PAIRS: usize = 12;
/// Blocks that are fitted again with the columns of their own laws.
const OF_THEIR_OWN: usize = 16;
/// Numbers that are added at once, at most.
const MOST_NUMBERS: usize = 12;

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

    /// The states, with what their laws need.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.all.iter().map(|o| &o.place)
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

    /// How the residuals change with each parameter.
    fn jacobian(&self, rows: &[&'static BlockRow], x: &[f64], r: &DVector<f64>) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(r.len(), x.len());
        for k in 0..x.len() {
            let d = 1e-6 * x[k].abs().max(0.1);
            let mut moved = x.to_vec();
            moved[k] += d;
            out.set_column(k, &((self.residuals(&Self::law(rows, &moved)) - r) / d));
        }
        out
    }

    /// Least squares by Levenberg and Marquardt from given parameters.
    fn fit(&self, rows: &[&'static BlockRow], from: &[f64]) -> Trial {
        self.fit_shortly(rows, from, 24)
    }

    /// The same with so many iterations at most.
    fn fit_shortly(&self, rows: &[&'static BlockRow], from: &[f64], iterations: usize) -> Trial {
        let n = from.len();
        let mut x = from.to_vec();
        let mut r = self.residuals(&Self::law(rows, &x));
        let mut size = r.norm_squared();
        let floor = 0.01 * self.sigma * self.sigma * self.all.len() as f64;
        let mut damping = 1e-6;
        let mut slow = 0;
        'iterations: for _ in 0..iterations {
            let jacobian = self.jacobian(rows, &x, &r);
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
                // Where the columns promise nothing more, the fit has ended.
                if gradient.dot(&step) < ENDED * size {
                    break 'iterations;
                }
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

    /// By how much each parameter may be off where the states are off by what the fit leaves, all of them alike.
    fn errors(&self, t: &Trial) -> Vec<f64> {
        let r = self.residuals(&Self::law(&t.rows, &t.parameters));
        let jacobian = self.jacobian(&t.rows, &t.parameters, &r);
        let n = self.all.len() as f64;
        let left = r.norm().max(self.sigma * n.sqrt());
        let inverse = jacobian.tr_mul(&jacobian).try_inverse();
        let of = |k: usize| {
            let variance = inverse.as_ref().map_or(f64::INFINITY, |m| m[(k, k)]);
            left * variance.max(0.0).sqrt()
        };
        (0..t.parameters.len()).map(of).collect()
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

    /// The law with the fewest numbers that explains the differences beside what a scheme of first order adds: `columns`
    /// gives that for a law. Blocks are fitted each with the columns of its own law.
    pub fn select_beside(&self, columns: &dyn Fn(&Law) -> Vec<Vec<f64>>) -> Selection {
        let beside = |law: &Law| self.clone().without(&columns(law));
        let begun = beside(&Law::default());
        let none = Trial {
            rows: Vec::new(),
            parameters: Vec::new(),
            mean_square: 0.0,
        };
        let bodies = self.all.iter().any(|o| !o.place.standard);
        let usable = BLOCKS.iter().filter(|row| bodies || !row.everywhere);
        let mut singles: Vec<Trial> = usable.map(|row| begun.with(&none, row)).collect();
        singles.sort_by(|a, b| a.mean_square.total_cmp(&b.mean_square));
        let again = singles.iter().take(OF_THEIR_OWN).map(|t| {
            let mut trial = t.clone();
            for _ in 0..3 {
                let own = beside(&Self::law(&trial.rows, &trial.parameters));
                trial = own.fit(&trial.rows, &trial.parameters);
            }
            trial
        });
        let best = again.min_by(|a, b| self.criterion(a).total_cmp(&self.criterion(b)));
        let law = best.map_or(Law::default(), |t| Self::law(&t.rows, &t.parameters));
        beside(&law).select()
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
            // Where few numbers reach the floor, more of them fit what truncation leaves.
            let few = all.iter().filter(|t| enough(t)).map(|t| t.parameters.len());
            if let Some(few) = few.min()
                && let Some(at) = all
                    .iter()
                    .position(|t| enough(t) && t.parameters.len() == few)
            {
                all[..=at].rotate_right(1);
            }
        };
        // More equations than three for each number, or the fit explains anything.
        let fits = |n: usize| 2 * n <= self.all.len() * 6 / 3;
        // Of one body alone it is not told whether others have its inertia.
        let bodies = self.all.iter().any(|o| !o.place.standard);
        let usable = |row: &&'static BlockRow| fits(row.len()) && (bodies || !row.everywhere);
        let mut singles: Vec<Trial> = BLOCKS
            .iter()
            .filter(usable)
            .map(|row| self.with(&none, row))
            .collect();
        by_criterion(&mut singles);
        let first = singles.first().cloned().unwrap_or_else(|| none.clone());
        let mut ranked = singles.clone();
        // The best of one block, of two and of three, as far as they are needed.
        let mut bests = vec![first.clone()];
        if !enough(&first) {
            let mut pairs = self.together(&none, 2, PAIRS, &fits);
            for seed in singles.iter().take(SEEDS) {
                pairs.extend(self.together(seed, 1, BESIDE, &fits));
            }
            by_criterion(&mut pairs);
            bests.extend(pairs.first().cloned());
            if !bests.iter().any(enough) {
                let mut triples: Vec<Trial> = Vec::new();
                for seed in pairs.iter().take(SEEDS) {
                    triples.extend(self.together(seed, 1, BESIDE, &fits));
                }
                by_criterion(&mut triples);
                bests.extend(triples.first().cloned());
            }
            if !accepted(&first) {
                ranked = pairs;
            }
        }
        // Where more blocks do not reach the floor, they fit what the fewest leave of the solver's own substeps.
        let fewest = bests.iter().find(|t| enough(t));
        let fewest = fewest.or_else(|| bests.iter().find(|t| accepted(t)));
        let mut best = fewest.cloned().unwrap_or(first);
        // Of a law that explains nothing there is nothing to leave out.
        let mut rough = false;
        if accepted(&best) {
            best = self.reduced(best, &enough);
        } else if let Some(single) = singles.first()
            && single.mean_square.sqrt() < (ROUGH.0 * defect).min(ROUGH.1)
        {
            (best, rough) = (single.clone(), true);
        }
        rough |= best.rows.len() > 1 && !enough(&best);
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
        let mut errors = self.errors(&best).into_iter();
        Selection {
            blocks: best
                .rows
                .iter()
                .map(|r| Fitted {
                    block: r.block,
                    values: r.values(&law),
                    errors: errors.by_ref().take(r.len()).collect(),
                })
                .collect(),
            accepted: accepted(&best) || rough && best.rows.len() == 1,
            rough,
            residual: best.mean_square.sqrt(),
            defect,
            rivals,
            law,
        }
    }

    /// Trials with one or two blocks more, the `most` that promise most: first by residuals that are taken for linear,
    /// then by two iterations.
    fn together(
        &self,
        before: &Trial,
        more: usize,
        most: usize,
        fits: &dyn Fn(usize) -> bool,
    ) -> Vec<Trial> {
        let tried = Promises::new(self, before);
        let mut all: Vec<(f64, Vec<usize>)> = Vec::new();
        let n = tried.variants.len();
        for i in 0..n {
            let a = &tried.variants[i];
            let seconds = if more == 2 { i + 1..n } else { i..i + 1 };
            for k in seconds {
                let b = &tried.variants[k];
                let chosen = if more == 2 { vec![i, k] } else { vec![i] };
                let numbers: usize = chosen.iter().map(|v| tried.variants[*v].row.len()).sum();
                let twice = more == 2 && a.row.block == b.row.block;
                if twice || numbers > MOST_NUMBERS || !fits(before.parameters.len() + numbers) {
                    continue;
                }
                let promised = Trial {
                    rows: Vec::new(),
                    parameters: vec![0.0; before.parameters.len() + numbers],
                    mean_square: tried.left(&chosen) / self.all.len().max(1) as f64,
                };
                all.push((self.criterion(&promised), chosen));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(4 * most);
        let begun = all.into_iter().map(|(_, chosen)| {
            let mut rows = before.rows.clone();
            let mut from = before.parameters.clone();
            for v in chosen {
                rows.push(tried.variants[v].row);
                from.extend(&tried.variants[v].from);
            }
            self.fit_shortly(&rows, &from, 2)
        });
        let mut begun: Vec<Trial> = begun.collect();
        begun.sort_by(|a, b| self.criterion(a).total_cmp(&self.criterion(b)));
        begun.truncate(most);
        begun
            .iter()
            .map(|t| self.fit(&t.rows, &t.parameters))
            .collect()
    }

    /// The same with as few numbers as explain as much: without blocks that a later one makes superfluous, and with
    /// smaller blocks for larger ones.
    fn reduced(&self, mut best: Trial, enough: &dyn Fn(&Trial) -> bool) -> Trial {
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
                let smaller = BLOCKS.iter().filter(|b| {
                    b.len() < best.rows[i].len() && best.rows.iter().all(|o| o.block != b.block)
                });
                let mut simpler: Vec<Trial> = smaller.map(|b| self.with(&without, b)).collect();
                if !rows.is_empty() {
                    if enough(&without) {
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
