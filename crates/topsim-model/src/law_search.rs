//! Wrong laws and habits that explain rows: their numbers are fitted by the motion itself, and then with each rule that
//! comes near.

use crate::explain::{Found, Search};
use crate::fit::{Fit, Fitting, Weights};
use crate::model::Model;
use crate::observed::Interval;
use crate::report::Report;
use crate::stepping::{Rule, SEMI_IMPLICIT, Stepping};
use crate::suspects::{Suspect, suspects};

/// Laws with several numbers that are tried with each rule: those with which the motion alone leaves least.
const LAWS: usize = 12;
/// Rules that are tried with a law: those that come nearest with the numbers that the motion alone gives.
const RULES: usize = 160;
/// A short fit that leaves more than this with a rule has not begun near it, relative.
const BEGUN: f64 = 1e-4;
/// A fit that leaves more than this with a rule is not that of the rule, relative: of full numbers, and of rounded ones.
const FITS: (f64, f64) = (1e-6, 1e-2);
/// Digits from which numbers are full.
const FULL_DIGITS: i32 = 12;
/// A number nearer to the right one than this is a constant that was rounded in a source.
const ROUNDED: f64 = 1e-8;
/// Intervals of each history that a motion is held against.
const MOTION_ROWS: usize = 12;
/// A law's motion must come nearer than the right one by this factor.
const BETTER: f64 = 1000.0;
/// Fits that leave up to so many times the least are alike.
const ALIKE: f64 = 2.0;
/// Rows to which suspects are fitted, read by a report.
struct Sample<'a> {
    search: &'a Search<'a>,
    report: Report,
    intervals: Vec<Interval>,
    weights: Vec<Weights>,
}

impl<'a> Sample<'a> {
    fn new(search: &'a Search<'a>, report: Report, intervals: Vec<Interval>) -> Self {
        let weight = |i: &Interval| {
            let row = &search.observed.histories[i.history].rows[i.row + 1];
            [1.0, 1.0 / (report.read(row).omega.norm() + 1e-9)]
        };
        Self {
            weights: intervals.iter().map(weight).collect(),
            search,
            report,
            intervals,
        }
    }

    /// Fits a suspect to the first intervals, at most so many.
    fn fit(
        &self,
        suspect: &Suspect,
        stepping: Stepping,
        from: &[f64],
        (intervals, iterations): (usize, usize),
    ) -> Option<Fit> {
        let n = intervals.min(self.intervals.len());
        let fitting = Fitting {
            observed: self.search.observed,
            intervals: &self.intervals[..n],
            weights: &self.weights[..n],
            suspect,
            base: &Model::right(stepping).reported(self.report),
        };
        fitting.run(from, iterations)
    }

    fn model(&self, suspect: &Suspect, stepping: Stepping, numbers: &[f64]) -> Model {
        let mut model = Model::right(stepping).reported(self.report);
        suspect.apply(numbers, &mut model);
        model
    }

    /// Returns the suspects to be tried with each rule, and their numbers by the motion alone; those with fewer numbers
    /// first.
    fn ranked(&self) -> Vec<(Suspect, Vec<f64>)> {
        let begun = |suspect: Suspect| {
            let rule = if suspect.acts_in_steps() {
                SEMI_IMPLICIT
            } else {
                Rule::Flow
            };
            let from = vec![0.0; suspect.numbers()];
            let fit = self.fit(&suspect, rule.once(), &from, (usize::MAX, 8));
            let left = fit.as_ref().map_or(f64::INFINITY, |f| f.left);
            (left, suspect, fit.map_or(from, |f| f.numbers))
        };
        let all = suspects(&self.search.observed.body).into_iter();
        let mut all: Vec<_> = all.map(begun).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Many numbers take up what a rule of first order leaves; one number does not.
        let kept = all.into_iter().enumerate();
        let kept = kept.filter(|(rank, (_, s, _))| *rank < LAWS || s.numbers() <= 1);
        let mut kept: Vec<_> = kept.map(|(_, (_, s, numbers))| (s, numbers)).collect();
        kept.sort_by_key(|k| k.0.numbers());
        kept
    }

    /// Returns the rules that come nearest to the first rows with these numbers.
    fn nearest_rules(
        &self,
        rules: &[Stepping],
        suspect: &Suspect,
        numbers: &[f64],
    ) -> Vec<Stepping> {
        let observed = self.search.observed;
        let miss = |stepping: &Stepping| {
            let model = self.model(suspect, *stepping, numbers);
            let equations = model.equations(&observed.body);
            let of = |i| observed.miss(&model, &equations, i).map(|r| r.size);
            let sizes = self.intervals.iter().take(2);
            let sizes = sizes.map(|i| of(i).unwrap_or(f64::INFINITY));
            sizes.fold(0.0, f64::max)
        };
        let mut all: Vec<(f64, Stepping)> = rules.iter().map(|s| (miss(s), *s)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(RULES);
        all.into_iter().map(|(_, s)| s).collect()
    }

    /// Returns the numbers of a suspect with a rule, if the rule fits; the last fit weighs each row by its rounding.
    fn numbers(&mut self, suspect: &Suspect, stepping: Stepping, from: &[f64]) -> Option<Vec<f64>> {
        if from.is_empty() {
            return Some(Vec::new());
        }
        let shortly = if from.len() > 3 { 3 } else { 2 };
        let begun = self.fit(suspect, stepping, from, (2, shortly))?;
        let begun = Some(begun).filter(|f| f.left < BEGUN)?;
        let fit = self.fit(suspect, stepping, &begun.numbers, (usize::MAX, 2))?;
        let print = &self.search.observed.histories[0].print;
        let rough = print.single || print.digits < FULL_DIGITS;
        let most = if rough { FITS.1 } else { FITS.0 };
        let numbers = Some(fit).filter(|f| f.left < most)?.numbers;
        let plain = core::mem::take(&mut self.weights);
        self.weights = self.by_rounding(&self.model(suspect, stepping, &numbers));
        let last = self.fit(suspect, stepping, &numbers, (usize::MAX, 8));
        self.weights = plain;
        let numbers = last.map_or(numbers, |f| f.numbers);
        let told = numbers.iter().any(|x| x.abs() >= ROUNDED);
        told.then_some(numbers)
    }

    /// Weights by the rounding of each row; rows that tell nothing have none.
    fn by_rounding(&self, model: &Model) -> Vec<Weights> {
        let observed = self.search.observed;
        let equations = model.equations(&observed.body);
        let of = |i: &Interval| {
            let r = observed.residual(model, &equations, i);
            let known = r.rounding.filter(|_| r.informative);
            known.map_or([0.0; 2], |rounding| rounding.map(|x| 1.0 / x))
        };
        self.intervals.iter().map(of).collect()
    }
}

impl Search<'_> {
    /// Returns models with a wrong law or habit that explain the rows.
    pub fn laws(&self, reports: &[(Report, f64)], rules: &[Stepping]) -> Vec<Found> {
        let several = self.observed.histories.len() > 1;
        let few = self.observed.few(if several { 2 } else { 5 });
        let mut out: Vec<Found> = Vec::new();
        for (report, _) in reports.iter().take(3) {
            let mut sample = Sample::new(self, *report, few.clone());
            for (suspect, from) in sample.ranked() {
                // A law with more numbers is no rival of one with fewer that explains as much.
                if out.iter().any(|f| f.numbers < suspect.numbers()) {
                    break;
                }
                for stepping in sample.nearest_rules(rules, &suspect, &from) {
                    if !(self.wanted)() {
                        return out;
                    }
                    if let Some(numbers) = sample.numbers(&suspect, stepping, &from) {
                        let model = sample.model(&suspect, stepping, &numbers);
                        let equations = model.equations(&self.observed.body);
                        out.extend(self.accepted(model, &equations, numbers.len()));
                    }
                }
            }
            if !out.is_empty() {
                break;
            }
        }
        out
    }

    /// Returns a wrong law whose motion alone comes much nearer to the rows than the right one.
    pub fn by_motion(&self, reports: &[(Report, f64)]) -> Option<Found> {
        let few = self.observed.few_of(&self.observed.gaps, MOTION_ROWS);
        let (report, _) = reports.first().filter(|_| few.len() >= MOTION_ROWS)?;
        let sample = Sample::new(self, *report, few);
        let fit = |suspect: &Suspect| {
            let from = vec![0.0; suspect.numbers()];
            sample.fit(suspect, Rule::Flow.once(), &from, (usize::MAX, 12))
        };
        let right = fit(&Suspect::Named(Vec::new()))?.left;
        let all = suspects(&self.observed.body);
        let motions = all.iter().filter(|s| !s.acts_in_steps());
        let fits: Vec<_> = motions.filter_map(|s| Some((s, fit(s)?))).collect();
        let least = fits.iter().map(|f| f.1.left).fold(f64::INFINITY, f64::min);
        // Among fits that leave as little, the one with the fewest numbers is taken.
        let alike = fits.iter().filter(|f| f.1.left <= ALIKE * least);
        let (suspect, best) = alike.min_by_key(|f| f.0.numbers())?;
        if !(best.left * BETTER <= right) {
            return None;
        }
        let model = sample.model(suspect, Rule::Flow.once(), &best.numbers);
        let equations = model.equations(&self.observed.body);
        let evidence = self
            .observed
            .evidence(&model, &equations, &sample.intervals);
        Some(Found {
            bits: evidence.bits,
            numbers: best.numbers.len(),
            model,
            evidence,
        })
    }
}
