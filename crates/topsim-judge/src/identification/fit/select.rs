//! Which law of the family a solver has: the fewest numbers that explain what was measured.
//!
//! Source: `docs/science/identification.md`, section 4.

use super::promises::Promises;
use super::{Differences, Selection};
use crate::identification::law::{Law, LawTerm, TERMS, TermRow};
use crate::thresholds::*;
use topsim_model::Change;

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
    fn criterion(&self, t: &Selection) -> f64 {
        self.criterion_of(t.mean_square, t.numbers())
    }

    /// The same of a law with so many numbers that leaves this mean square.
    fn criterion_of(&self, mean_square: f64, numbers: usize) -> f64 {
        let n = 6.0 * self.places.len() as f64;
        let floor = self.sigma * self.sigma;
        n * (mean_square / 6.0 + floor).ln() + numbers as f64 * n.ln()
    }

    /// The law with the fewest numbers that explains the differences.
    pub fn select(&self) -> Selection {
        let none = Selection::tried(&[], &[], self.left(&Law::default()).powi(2));
        let defect = none.residual();
        let floor = (FEW_TIMES * self.sigma).max(OTHER_FACTOR * defect);
        let enough = |t: &Selection| t.residual() < floor;
        let accepted = |t: &Selection| {
            let left = t.residual();
            // Many numbers fit what rounding and truncation leave of a small difference.
            let told = t.numbers() <= A_FEW || left < FIRST_ORDER * defect;
            left < (BEYOND_CHANCE * self.sigma).max(SERIES_LEFT * defect) && told
        };
        // Of those that explain as much, the first of the table: it is the one that is meant most often.
        let terms_of = |t: &Selection| t.terms.iter().map(|c| c.term).collect::<Vec<_>>();
        let by_criterion = |all: &mut Vec<Selection>| {
            all.sort_by(|a, b| self.criterion(a).total_cmp(&self.criterion(b)));
            let Some(least) = all.first().map(|t| self.criterion(t)) else {
                return;
            };
            let equal = all.partition_point(|t| self.criterion(t) < least + AS_GOOD);
            all[..equal].sort_by_key(|t| (t.numbers(), terms_of(t)));
            // Where few numbers reach the floor, more of them fit what truncation leaves.
            let few = all.iter().filter(|t| enough(t)).map(|t| t.numbers());
            if let Some(few) = few.min()
                && let Some(at) = all.iter().position(|t| enough(t) && t.numbers() == few)
            {
                all[..=at].rotate_right(1);
            }
        };
        // More equations than three for each number, or the fit explains anything; states that nothing is wrong with say little of
        // a term that is not there.
        let off = self.sizes().filter(|x| *x > floor.max(NEGLIGIBLE * defect));
        let off = off.count();
        let fits = |n: usize| 2 * n <= off * 6 / 3;
        // Of one body alone it is not told whether others have its inertia.
        let bodies = self.places.iter().any(|place| !place.standard);
        let usable = |row: &&'static TermRow| fits(row.len()) && (bodies || !row.is_everywhere());
        let mut singles: Vec<Selection> = TERMS
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
                let mut triples: Vec<Selection> = Vec::new();
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
            && single.residual() < (FIRST_ORDER * defect).min(BY_TOLERANCE)
        {
            (best, rough) = (single.clone(), true);
        }
        rough |= best.terms.len() > 1 && !enough(&best);
        // A term whose numbers are not told from zero fits what truncation leaves.
        if let Some(known) = self.known(&best) {
            (best, rough) = (known, true);
        }
        let alike = |t: &&Selection| {
            t.numbers() == best.numbers()
                && t.terms.len() == best.terms.len()
                && t.residual() < FEW_TIMES * best.residual().max(self.sigma)
        };
        // A factor of zero is the simplest of all limits.
        let is_missing = best.terms.iter().any(|c| {
            c.added.len() == 1 && Change::of(c.term, &best.law).values()[0].abs() < NEGLIGIBLE
        });
        let is_limit = |t: &&Selection| t.terms.iter().any(|c| c.term.row().is_limit());
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
                .terms
                .iter()
                .map(|c| Change {
                    errors: errors.by_ref().take(c.added.len()).collect(),
                    ..Change::of(c.term, &best.law)
                })
                .collect(),
            accepted: accepted(&best) || rough && best.terms.len() == 1,
            rough,
            defect,
            rivals,
            ..best
        }
    }

    /// Returns a law of several terms without those whose numbers are zero within their errors; none where there are no such.
    fn known(&self, best: &Selection) -> Option<Selection> {
        let mut errors = self.errors(best).into_iter();
        let known = |c: &&Change| {
            let errors = errors.by_ref().take(c.added.len());
            c.added
                .iter()
                .zip(errors)
                .filter(|(x, e)| x.abs() > *e)
                .count()
                > 0
        };
        let terms: Vec<&Change> = best.terms.iter().filter(known).collect();
        (!terms.is_empty() && terms.len() < best.terms.len()).then(|| {
            let rows: Vec<_> = terms.iter().map(|c| c.term.row()).collect();
            let from: Vec<f64> = terms.iter().flat_map(|c| c.added.clone()).collect();
            self.fit(&rows, &from)
        })
    }

    /// Trials with one or two terms more, the `most` that promise most: first by residuals that are taken for linear,
    /// then by two iterations.
    fn together(
        &self,
        before: &Selection,
        more: usize,
        most: usize,
        fits: &dyn Fn(usize) -> bool,
    ) -> Vec<Selection> {
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
                if twice || numbers > MOST_NUMBERS || !fits(before.numbers() + numbers) {
                    continue;
                }
                let mean_square = tried.left(&chosen) / self.places.len().max(1) as f64;
                let criterion = self.criterion_of(mean_square, before.numbers() + numbers);
                all.push((criterion, chosen));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(4 * most);
        let begun = all.into_iter().map(|(_, chosen)| {
            let mut rows = before.rows();
            let mut from = before.parameters();
            for v in chosen {
                rows.push(tried.variants[v].row);
                from.extend(&tried.variants[v].from);
            }
            self.fit_shortly(&rows, &from, 2)
        });
        let mut begun: Vec<Selection> = begun.collect();
        begun.sort_by(|a, b| self.criterion(a).total_cmp(&self.criterion(b)));
        begun.truncate(most);
        begun
            .iter()
            .map(|t| self.fit(&t.rows(), &t.parameters()))
            .collect()
    }

    /// The same with as few numbers as explain as much: without terms that a later one makes superfluous, and with
    /// smaller terms for larger ones.
    fn reduced(&self, mut best: Selection, enough: &dyn Fn(&Selection) -> bool) -> Selection {
        'again: loop {
            for (i, own) in best.terms.iter().enumerate() {
                let others = || best.terms.iter().enumerate().filter(|(k, _)| *k != i);
                let rows: Vec<_> = others().map(|(_, c)| c.term.row()).collect();
                let from: Vec<f64> = others().flat_map(|(_, c)| c.added.clone()).collect();
                let without = self.fit(&rows, &from);
                let smaller = TERMS.iter().filter(|b| {
                    b.len() < own.added.len() && best.terms.iter().all(|o| o.term != b.term)
                });
                let mut simpler: Vec<Selection> = smaller.map(|b| self.with(&without, b)).collect();
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
                let as_good = |t: &Selection| self.criterion(t) <= self.criterion(&best) + AS_GOOD;
                if let Some(least) = least.filter(as_good) {
                    best = least;
                    continue 'again;
                }
            }
            return best;
        }
    }
}
