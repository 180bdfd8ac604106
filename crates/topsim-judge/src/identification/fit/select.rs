//! Which law of the family a solver has: the fewest numbers that explain what was measured.
//!
//! Source: `docs/science/identification.md`, section 4.

use super::promises::Promises;
use super::{Differences, Selection, Trial};
use crate::identification::law::{Law, LawTerm, TERMS, TermRow};
use topsim_model::Change;

/// Part of the differences that a law which explains them may leave.
const LEFT: f64 = 5e-3;
/// Factors below this count as zero: those of single precision are known to this.
const NOTHING: f64 = 1e-3;
/// Most numbers of a law that leaves more than a tolerance would.
const FEW: usize = 3;
/// What a tolerance of the solver's own leaves of a law: part of the differences, and relative size.
const ROUGH: (f64, f64) = (0.05, 5e-4);
/// Another term is looked for beside this many of the best.
const SEEDS: usize = 5;
/// So many are fitted beside each.
const BESIDE: usize = 3;
/// So many pairs are fitted of all that there are.
const PAIRS: usize = 12;
/// Numbers that are added at once, at most.
const MOST_NUMBERS: usize = 12;

impl Differences {
    /// Bayes' information criterion with what cannot be told from zero inside the logarithm: below it, more numbers
    /// buy nothing.
    fn criterion(&self, t: &Trial) -> f64 {
        let n = 6.0 * self.all.len() as f64;
        let floor = self.sigma * self.sigma;
        n * (t.mean_square / 6.0 + floor).ln() + t.parameters.len() as f64 * n.ln()
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
        let accepted = |t: &Trial| {
            let left = t.mean_square.sqrt();
            // Many numbers fit what rounding and truncation leave of a small difference.
            let told = t.parameters.len() <= FEW || left < ROUGH.0 * defect;
            left < (5.0 * self.sigma).max(LEFT * defect) && told
        };
        // Of those that explain as much, the first of the table: it is the one that is meant most often.
        let terms_of = |t: &Trial| t.rows.iter().map(|r| r.term).collect::<Vec<_>>();
        let by_criterion = |all: &mut Vec<Trial>| {
            all.sort_by(|a, b| self.criterion(a).total_cmp(&self.criterion(b)));
            let Some(least) = all.first().map(|t| self.criterion(t)) else {
                return;
            };
            let equal = all.partition_point(|t| self.criterion(t) < least + 4.0);
            all[..equal].sort_by_key(|t| (t.parameters.len(), terms_of(t)));
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
        let usable = |row: &&'static TermRow| fits(row.len()) && (bodies || !row.is_everywhere());
        let mut singles: Vec<Trial> = TERMS
            .iter()
            .filter(usable)
            .map(|row| self.with(&none, row))
            .collect();
        by_criterion(&mut singles);
        let first = singles.first().cloned().unwrap_or_else(|| none.clone());
        let mut ranked = singles.clone();
        // The best of one term, of two and of three, as far as they are needed.
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
        // Where more terms do not reach the floor, they fit what the fewest leave of the solver's own substeps.
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
        let law = Self::law(&best.rows, &best.parameters);
        // A factor of zero is the simplest of all limits.
        let is_missing = best
            .rows
            .iter()
            .any(|row| row.len() == 1 && Change::of(row.term, &law).values()[0].abs() < NOTHING);
        let is_limit = |t: &&Trial| t.rows.iter().any(|row| row.is_limit());
        let own = terms_of(&best);
        let mut rivals: Vec<LawTerm> = ranked
            .iter()
            .filter(alike)
            .filter(|t| !(is_missing && is_limit(t)))
            .flat_map(terms_of)
            .filter(|b| !own.contains(b))
            .collect();
        rivals.sort_unstable();
        rivals.dedup();
        let mut errors = self.errors(&best).into_iter();
        Selection {
            terms: best
                .rows
                .iter()
                .map(|r| Change {
                    errors: errors.by_ref().take(r.len()).collect(),
                    ..Change::of(r.term, &law)
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

    /// Trials with one or two terms more, the `most` that promise most: first by residuals that are taken for linear,
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
                let twice = more == 2 && a.row.term == b.row.term;
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

    /// The same with as few numbers as explain as much: without terms that a later one makes superfluous, and with
    /// smaller terms for larger ones.
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
                let smaller = TERMS.iter().filter(|b| {
                    b.len() < best.rows[i].len() && best.rows.iter().all(|o| o.term != b.term)
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
