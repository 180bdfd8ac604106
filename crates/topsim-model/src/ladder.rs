//! Wrong laws that rows show whatever their scheme is: over a ladder of steps, what a scheme leaves falls with the step,
//! and what a wrong law leaves stays.
//!
//! The motion of a law is followed from each row to the next. A law is believed if what it leaves falls as a scheme's
//! error does, where what the right law leaves does not, and if it predicts rows to which it was not fitted.

use crate::fit::Fit;
use crate::found::Search;
use crate::law::{Change, LawTerm};
use crate::linear::Linear;
use crate::model::Model;
use crate::report::Report;
use crate::rung::Rung;
use crate::stepping::Rule;
use crate::suspects::{Suspect, known_laws};

/// A law that the motion shows.
#[derive(Debug, Clone)]
pub struct MotionLaw {
    /// Differences from the right law, extrapolated to a step of zero.
    pub law: Vec<Change>,
    /// Part of the change from row to row that it leaves in each history, coarse to fine.
    pub left: Vec<f64>,
    /// Part that the right law leaves.
    pub right: Vec<f64>,
    /// Other laws with as few numbers that leave as little.
    pub rivals: Vec<Vec<Change>>,
    /// The suspect that it is and those that leave as little, with their fitted numbers; those with fewer numbers first.
    pub(crate) suspects: Vec<(Suspect, Vec<f64>)>,
}

impl MotionLaw {
    /// Returns the number of its fitted numbers.
    fn fitted(&self) -> usize {
        self.suspects.first().map_or(0, |s| s.1.len())
    }
}

/// Fact that the motion itself shows.
#[derive(Debug, Clone)]
pub enum Motion {
    /// The right law, whatever the scheme is: the part that it leaves falls with the step, or is rounding.
    Right,
    /// A wrong law.
    Wrong(Box<MotionLaw>),
    /// The right law over other times than the rows say: for each history, coarse to fine, its step and the time by which
    /// it advances in one, s.
    Clock(Vec<[f64; 2]>),
    /// None of these: something that no law of the family explains, or rows that tell nothing. Part of the change from row to
    /// row that the right law leaves in each history, coarse to fine.
    Unknown(Vec<f64>),
}

/// Fewer intervals tell nothing.
const LEAST_ROWS: usize = 4;
/// Least power of the step with which the part that a scheme leaves falls.
const FALLS: f64 = 0.7;
/// Part of the square of what a law leaves at the finest step that may be left at a step of zero.
const STAYS: f64 = 0.1;
/// A law that leaves a larger part than this explains nothing.
const EXPLAINS: f64 = 1.0 / 3.0;
/// Where the step has no effect, a law must leave a smaller part than this.
const BETTER: f64 = 1e-3;
/// Numbers at a step of zero differ from those of the finest step by less than this part of them.
const SAME_NUMBER: f64 = 0.3;
/// Laws that leave so many times the least are alike.
const ALIKE: f64 = 2.0;
/// Iterations of a fit that begins with the numbers of first order, and of a clock that may be far from right.
const ITERATIONS: usize = 5;
const CLOCK_ITERATIONS: usize = 8;
/// Clocks of the histories differ if their factors are so many times farther apart than what they leave.
const APART: f64 = 10.0;
/// Highest order of a scheme by which numbers are extrapolated.
const HIGHEST: f64 = 8.0;
/// Most numbers of a single law beside which pairs are not tried.
const SIMPLE: usize = 2;
/// Laws without numbers beside which another term is tried: those that leave least.
const BASES: usize = 3;

/// A law with its numbers in the finest history, and what it leaves there.
struct Fitted {
    suspect: Suspect,
    fit: Fit,
}

impl Search<'_> {
    /// Returns the rows of the histories that are followed, coarse to fine.
    fn rungs(&self, report: Report) -> Vec<Rung<'_>> {
        // The errors of schemes are compared along the same part of the motion.
        let ends = self.observed.histories.iter().filter_map(|h| h.rows.last());
        let until = ends.map(|r| r.t).fold(f64::INFINITY, f64::min);
        let histories = (0..self.observed.histories.len()).rev();
        let rungs = histories.map(|k| Rung::new(self.observed, report, k, until));
        rungs.filter(|r| r.rows() >= LEAST_ROWS).collect()
    }

    /// Returns true if what the right law leaves falls with the step, or is rounding, read by a report.
    pub fn falls(&self, report: Report) -> bool {
        let rungs = self.rungs(report);
        let ladder = Ladder::new(&rungs);
        !rungs.is_empty() && ladder.falls(&ladder.right)
    }

    /// Returns the times by which the histories advance in a step, read by a report, where the right law over these explains them.
    pub fn clock(&self, report: Report) -> Option<Vec<[f64; 2]>> {
        let rungs = self.rungs(report);
        (!rungs.is_empty()).then(|| Ladder::new(&rungs).clock())?
    }

    /// Returns what the motion itself shows, read by a report.
    pub fn motion(&self, report: Report) -> Motion {
        let rungs = self.rungs(report);
        let Some(finest) = rungs.last() else {
            return Motion::Unknown(Vec::new());
        };
        let ladder = Ladder::new(&rungs);
        if ladder.falls(&ladder.right) {
            return Motion::Right;
        }
        if let Some(clock) = ladder.clock() {
            return Motion::Clock(clock);
        }
        let fitted = |(suspect, from): (Suspect, Vec<f64>)| {
            let fit = finest
                .fit(&suspect, &from, ITERATIONS)
                .filter(|_| (self.wanted)())?;
            Some(Fitted { suspect, fit })
        };
        let most = EXPLAINS * ladder.right[rungs.len() - 1];
        let bases = known_laws(&self.observed.body).map(|s| (s, Vec::new()));
        let mut bases: Vec<Fitted> = bases.filter_map(fitted).collect();
        bases.sort_by(|a, b| a.fit.left.total_cmp(&b.fit.left));
        let mut found = ladder.believed(&bases);
        let linear = Linear::new(finest, &[]).filter(|_| found.is_empty());
        if let Some(linear) = linear {
            let fits = |all: Vec<(Suspect, Vec<f64>)>| all.into_iter().filter_map(fitted).collect();
            let singles: Vec<Fitted> = fits(linear.singles(most));
            found = ladder.believed(&singles);
            if found.iter().all(|f| f.fitted() > SIMPLE) {
                let pairs: Vec<Fitted> = fits(linear.pairs(most));
                found.extend(ladder.believed(&pairs));
            }
            if found.is_empty() {
                for base in bases.iter().take(BASES) {
                    let Suspect::Law { given, .. } = &base.suspect else {
                        continue;
                    };
                    let beside = Linear::new(finest, given).map(|l| l.singles(most));
                    let besides: Vec<Fitted> = fits(beside.unwrap_or_default());
                    found.extend(ladder.believed(&besides));
                }
            }
        }
        let best = ladder.simplest(found);
        best.map_or(Motion::Unknown(ladder.right), |f| {
            Motion::Wrong(Box::new(f))
        })
    }
}

/// Histories of several steps, coarse to fine.
struct Ladder<'a> {
    rungs: &'a [Rung<'a>],
    /// Part that the right law leaves in each.
    right: Vec<f64>,
}

impl<'a> Ladder<'a> {
    fn new(rungs: &'a [Rung<'a>]) -> Self {
        let none = Suspect::right();
        Self {
            right: rungs.iter().map(|r| r.left(&none, &[])).collect(),
            rungs,
        }
    }

    /// Returns true if sizes fall with the step, or are rounding.
    fn falls(&self, sizes: &[f64]) -> bool {
        let at_floor = |k: usize| sizes[k] <= self.rungs[k].floor;
        let n = sizes.len();
        at_floor(n - 1)
            || n > 1 && (0..n - 1).all(|k| self.order(sizes, k) >= FALLS || at_floor(k + 1))
    }

    /// Returns true if sizes fall with the step to nothing, as the error of a scheme does.
    fn vanishes(&self, sizes: &[f64]) -> bool {
        let last = sizes.len() - 1;
        let stays = |k: usize| {
            let power = 2.0 * self.order(sizes, k).round().max(1.0);
            let [coarse, fine] = [sizes[k], sizes[k + 1]].map(|x| x * x);
            (fine + (fine - coarse) / (self.ratio(k).powf(power) - 1.0)) / fine
        };
        self.falls(sizes)
            && (sizes[last] <= self.rungs[last].floor || last > 0 && stays(last - 1) <= STAYS)
    }

    /// Ratio of a step to the next finer one.
    fn ratio(&self, k: usize) -> f64 {
        self.rungs[k].step / self.rungs[k + 1].step
    }

    /// Power of the step with which sizes fall from one history to the next.
    fn order(&self, sizes: &[f64], k: usize) -> f64 {
        (sizes[k] / sizes[k + 1]).ln() / self.ratio(k).ln()
    }

    /// Returns the times by which the histories advance, where the right law over these explains each of them, and they
    /// are no common multiple of the steps.
    fn clock(&self) -> Option<Vec<[f64; 2]>> {
        let clock = Suspect::law(&[], &[LawTerm::Clock]);
        let fits = self
            .rungs
            .iter()
            .map(|r| r.fit(&clock, &[0.0], CLOCK_ITERATIONS));
        let fits: Vec<Fit> = fits.collect::<Option<_>>()?;
        let explained = fits.iter().zip(&self.right).zip(self.rungs);
        let explained = explained.into_iter().all(|((f, right), r)| {
            f.left <= EXPLAINS * right + r.floor || f.numbers[0].abs() <= f.left
        });
        let factors: Vec<f64> = fits.iter().map(|f| 1.0 + f.numbers[0]).collect();
        let spread = factors
            .iter()
            .map(|c| (c - factors[0]).abs())
            .fold(0.0, f64::max);
        let left = fits.iter().map(|f| f.left).fold(0.0, f64::max);
        let steps = factors.iter().zip(self.rungs);
        (explained && fits.len() > 1 && spread > APART * left)
            .then(|| steps.map(|(c, r)| [r.step, r.step * c]).collect())
    }

    /// Returns the laws that explain what the right law leaves.
    fn believed(&self, all: &[Fitted]) -> Vec<MotionLaw> {
        let most = EXPLAINS * self.right[self.rungs.len() - 1];
        let possible = all.iter().filter(|f| f.fit.left <= most);
        possible.filter_map(|f| self.extrapolated(f)).collect()
    }

    /// Returns the law with the fewest numbers among those that leave as little as the best, with its rivals.
    fn simplest(&self, mut found: Vec<MotionLaw>) -> Option<MotionLaw> {
        let finest = self.rungs.last()?;
        let last = |m: &MotionLaw| m.left[m.left.len() - 1];
        let least = found.iter().map(last).fold(f64::INFINITY, f64::min);
        found.retain(|m| last(m) <= ALIKE * least + finest.floor);
        // Equal laws by several terms: the first in the table.
        let terms = |m: &MotionLaw| m.law.iter().map(|c| c.term).collect::<Vec<_>>();
        found.sort_by(|a, b| {
            let numbers = a.fitted().cmp(&b.fitted());
            numbers.then_with(|| terms(a).cmp(&terms(b)))
        });
        let suspects = found.iter().flat_map(|m| m.suspects.clone()).collect();
        let mut rest = found.into_iter();
        let mut first = rest.next()?;
        let same = rest.filter(|m| m.fitted() == first.fitted());
        first.rivals = same.map(|m| m.law).collect();
        first.suspects = suspects;
        Some(first)
    }

    /// Returns the law with numbers of a step of zero, if what it leaves falls with the step.
    fn extrapolated(&self, fitted: &Fitted) -> Option<MotionLaw> {
        let Fitted { suspect, fit } = fitted;
        let n = self.rungs.len();
        let refit = |r: &Rung| r.fit(suspect, &fit.numbers, ITERATIONS);
        let fits: Vec<Fit> = self.rungs.iter().map(refit).collect::<Option<_>>()?;
        let own: Vec<f64> = fits.iter().map(|f| f.left).collect();
        let finest = &fits[n - 1].numbers;
        let (mut numbers, mut errors) = (finest.clone(), vec![own[n - 1]; finest.len()]);
        let each = n > 1 && self.falls(&own);
        if each {
            let order = self.order(&own, n - 2).round().clamp(1.0, HIGHEST);
            // Numbers of a step of zero from two neighbouring histories.
            let limit = |k: usize, i: usize| {
                let (coarse, fine) = (fits[k].numbers[i], fits[k + 1].numbers[i]);
                fine + (fine - coarse) / (self.ratio(k).powf(order) - 1.0)
            };
            for i in 0..numbers.len() {
                numbers[i] = limit(n - 2, i);
                let other = if n > 2 { limit(n - 3, i) } else { finest[i] };
                errors[i] = (numbers[i] - other).abs();
            }
        }
        let left: Vec<f64> = self
            .rungs
            .iter()
            .map(|r| r.left(suspect, &numbers))
            .collect();
        // Each term has the same numbers in every file: what a scheme leaves of it changes with the step.
        let alike = |limit: &[f64], own: &[f64]| {
            let mut at = 0;
            suspect.lengths().into_iter().all(|n| {
                let part = at..at + n;
                at += n;
                same_number(&limit[part.clone()], &own[part])
            })
        };
        // A clock that runs otherwise in each file is one of steps, and no law.
        let clock = |s: &Suspect| matches!(s, Suspect::Law { fitted, .. } if fitted.contains(&LawTerm::Clock));
        let coarsest = if each && !clock(suspect) { n - 1 } else { 0 };
        let same = fits[coarsest..].iter().all(|f| alike(&numbers, &f.numbers));
        let falls = each && self.vanishes(&left) && left[n - 1] <= EXPLAINS * self.right[n - 1];
        let better = left.iter().zip(&self.right).all(|(l, r)| *l <= BETTER * r);
        let predicts = || {
            self.rungs
                .iter()
                .zip(&left)
                .all(|(r, l)| r.predicts(suspect, &numbers, *l))
        };
        // Two terms with many numbers explain by chance a part of what another cause does.
        let several = suspect.lengths().len() > 1;
        let explains = |(l, r): (&f64, &f64)| *l <= EXPLAINS * r;
        let throughout = !several || left.iter().zip(&self.right).all(explains);
        let believed = same && (falls || better) && throughout && predicts();
        let mut model = Model::right(Rule::Flow.once());
        suspect.apply(&numbers, &mut model);
        // Given numbers stand before the fitted ones, and are exact. Those of a term that says the same as several have no errors.
        let mut law = model.law;
        let all: usize = law.iter().map(|c| c.added.len()).sum();
        if let Some(exact) = all.checked_sub(errors.len()) {
            let mut errors = core::iter::repeat_n(0.0, exact).chain(errors);
            for change in &mut law {
                change.errors = errors.by_ref().take(change.added.len()).collect();
            }
        }
        believed.then(|| MotionLaw {
            law,
            left,
            right: self.right.clone(),
            rivals: Vec::new(),
            suspects: vec![(suspect.clone(), numbers)],
        })
    }
}

/// Returns true if the numbers of a term in a history are about those of a step of zero.
fn same_number(limit: &[f64], own: &[f64]) -> bool {
    let square = |x: f64| x * x;
    let moved: f64 = limit.iter().zip(own).map(|(a, b)| square(a - b)).sum();
    let size: f64 = limit.iter().copied().map(square).sum();
    moved <= square(SAME_NUMBER) * size
}
