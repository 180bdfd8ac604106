//! Rows to which numbers of suspects are fitted, and the rules that come near to them with a suspect.

use crate::fit::{Fit, Fitting, Weights};
use crate::found::Search;
use crate::model::Model;
use crate::observed::Interval;
use crate::probe::Start;
use crate::report::Report;
use crate::stepping::{Rule, SEMI_IMPLICIT, Stepping};
use crate::suspects::Suspect;
use nalgebra::{DMatrix, DVector};

/// Intervals by which rules are compared, at least and at most, and their steps where there are more than the least.
const COMPARED: (usize, usize) = (2, 6);
const COMPARED_STEPS: u32 = 64;
/// Rules that come near to the rows, but for changes of a suspect's numbers, and are fitted shortly.
const RULES: usize = 160;
/// Rules of them that then come nearest, and are fitted.
const FITTED: usize = 40;
/// Iterations of a short fit, which takes the slopes of the motion for those of the rule.
const SHORT: usize = 3;
/// A short fit that leaves more than this with a rule has not begun near it, relative.
const BEGUN: f64 = 1e-4;
/// A short fit with the rule of the rows leaves at most this part of what the motion leaves, or as little as this.
const LESS: f64 = 0.1;
const LEAST_BEGUN: f64 = 1e-9;
/// A rule's error is at most so many times that which its order allows, and the motion with a suspect leaves at least this
/// part of the rule's steps with the right law.
const SPREAD: (f64, f64) = (30.0, 100.0);
/// A rule leaves at most so many times what the motion leaves with the motion's numbers, but for changes of the numbers.
const NEAR: f64 = 10.0;
/// Least that a motion leaves: what rounding may do over some steps.
const LEAST_LEFT: f64 = 1e-11;
/// The same before the fit, in times of that.
const BEFORE: f64 = 100.0;
/// A fit that leaves more than this with a rule is not that of the rule, relative: of full numbers, and of rounded ones.
const FITS: (f64, f64) = (1e-6, 1e-2);
/// Digits from which numbers are full.
const FULL_DIGITS: i32 = 12;
/// A number nearer to the right one than this is a constant that was rounded in a source.
const ROUNDED: f64 = 1e-8;

/// A suspect, fitted by the motion alone, or by the ordinary rule where it acts in steps.
pub(crate) struct Begun {
    pub suspect: Suspect,
    pub numbers: Vec<f64>,
    /// Part of the rows that is left.
    pub left: f64,
}

/// Rows to which suspects are fitted, read by a report.
pub(crate) struct Sample<'a> {
    search: &'a Search<'a>,
    report: Report,
    /// Intervals to which numbers are fitted.
    pub intervals: Vec<Interval>,
    weights: Vec<Weights>,
    /// Number of the first of them, by which rules are compared.
    compared: usize,
    /// Rules, with their errors of steps with the right law over those intervals.
    rules: Vec<(Stepping, f64)>,
    /// Largest rate of the rows, and root of its change, 1/s.
    speed: f64,
}

impl<'a> Sample<'a> {
    pub fn new(search: &'a Search<'a>, report: Report, intervals: Vec<Interval>) -> Self {
        let weight = |i: &Interval| {
            let row = &search.observed.histories[i.history].rows[i.row + 1];
            [1.0, 1.0 / (report.read(row).omega.norm() + 1e-9)]
        };
        let mut steps = 0;
        let short = intervals.iter().take_while(|i| {
            steps += i.steps;
            steps <= COMPARED_STEPS
        });
        let speed = |i: &Interval| {
            let [first, second] =
                [0, 1].map(|k| &search.observed.histories[i.history].rows[i.row + k]);
            let [a, b] = [first, second].map(|row| report.read(row).omega);
            let acceleration = (b - a).norm() / (second.t - first.t);
            a.norm().max(acceleration.sqrt())
        };
        Self {
            rules: Vec::new(),
            speed: intervals.iter().map(speed).fold(0.0, f64::max),
            compared: short.count().clamp(COMPARED.0, COMPARED.1),
            weights: intervals.iter().map(weight).collect(),
            search,
            report,
            intervals,
        }
    }

    fn fitting<'b>(
        &'b self,
        suspect: &'b Suspect,
        base: &'b Model,
        intervals: usize,
    ) -> Fitting<'b> {
        let n = intervals.min(self.intervals.len());
        Fitting {
            observed: self.search.observed,
            intervals: &self.intervals[..n],
            weights: &self.weights[..n],
            suspect,
            base,
        }
    }

    /// Fits a suspect to all intervals, with so many iterations at most.
    pub fn fit(
        &self,
        suspect: &Suspect,
        stepping: Stepping,
        from: &[f64],
        iterations: usize,
    ) -> Option<Fit> {
        let base = Model::right(stepping).reported(self.report);
        self.fitting(suspect, &base, usize::MAX)
            .run(from, iterations)
    }

    pub fn model(&self, suspect: &Suspect, stepping: Stepping, numbers: &[f64]) -> Model {
        let mut model = Model::right(stepping).reported(self.report);
        suspect.apply(numbers, &mut model);
        model
    }

    /// The rule that a suspect is fitted with where none is known.
    pub fn first_rule(suspect: &Suspect) -> Stepping {
        let rule = if suspect.acts_in_steps() {
            SEMI_IMPLICIT
        } else {
            Rule::Flow
        };
        rule.once()
    }

    /// Measures the steps of rules with the right law: their distance from the motion.
    #[must_use]
    pub fn with_rules(mut self, rules: &[Stepping]) -> Self {
        let right = Suspect::right();
        let miss = |stepping: Stepping| self.missed(&right, stepping, &[]);
        if let Some(motion) = miss(Rule::Flow.once()) {
            let size = |s: &Stepping| self.mean((miss(*s)? - &motion).norm());
            let errors = rules.iter().filter_map(|s| Some((*s, size(s)?)));
            self.rules = errors.collect();
        }
        self
    }

    /// Returns the body.
    pub fn body(&self) -> &Start {
        &self.search.observed.body
    }

    /// Returns the rules that serve the body.
    pub fn rules(&self) -> impl Iterator<Item = Stepping> {
        self.rules.iter().map(|r| r.0)
    }

    /// Returns the misses of a rule with a suspect over the intervals by which rules are compared.
    pub fn missed(
        &self,
        suspect: &Suspect,
        stepping: Stepping,
        numbers: &[f64],
    ) -> Option<DVector<f64>> {
        let base = Model::right(stepping).reported(self.report);
        let fitting = self.fitting(suspect, &base, self.compared);
        fitting.residuals(numbers).filter(|r| r.norm().is_finite())
    }

    /// Returns the slopes of these misses by the suspect's numbers.
    pub fn slopes(
        &self,
        suspect: &Suspect,
        stepping: Stepping,
        numbers: &[f64],
        missed: &DVector<f64>,
    ) -> Option<DMatrix<f64>> {
        let base = Model::right(stepping).reported(self.report);
        let fitting = self.fitting(suspect, &base, self.compared);
        fitting.slopes(numbers, missed)
    }

    /// Returns the mean over the intervals by which rules are compared.
    fn mean(&self, norm: f64) -> Option<f64> {
        let intervals = self.compared.min(self.intervals.len()) as f64;
        Some(norm / intervals.sqrt()).filter(|x| x.is_finite())
    }

    /// Returns true if a rule may leave as much as the motion does with a suspect, by its order and by its steps with the
    /// right law.
    fn may_leave(&self, left: f64, (stepping, error): &(Stepping, f64)) -> bool {
        let i = &self.intervals[0];
        let h = self.search.observed.histories[i.history].step;
        let steps = f64::from(i.steps.max(1));
        let turn = h * self.speed;
        let most = steps * turn.powi(i32::from(stepping.rule.highest_order().min(20)) + 1);
        *error <= SPREAD.1 * left.max(LEAST_LEFT) && left <= SPREAD.0 * most.max(LEAST_LEFT)
    }

    /// Returns the rules that come near to the first rows with a suspect, with its numbers by a short fit.
    pub fn near_rules(&self, begun: &Begun) -> Vec<(Stepping, Vec<f64>)> {
        let (suspect, numbers) = (&begun.suspect, &begun.numbers[..]);
        let n = numbers.len();
        let first = Self::first_rule(suspect);
        let intervals = (self.compared.min(self.intervals.len()) as f64).sqrt();
        let slopes = self
            .missed(suspect, first, numbers)
            .and_then(|missed| self.slopes(suspect, first, numbers, &missed));
        let Some(slopes) = slopes else {
            return Vec::new();
        };
        let solver = LeastSquares::new(slopes);
        let with = |stepping, numbers: &[f64]| self.missed(suspect, stepping, numbers);
        // What no change of the numbers removes.
        let left = |stepping: &Stepping| Some((solver.left(&with(*stepping, numbers)?), *stepping));
        let rules = self.rules.iter();
        let rules = rules.filter(|r| suspect.acts_in_steps() || self.may_leave(begun.left, r));
        let mut all: Vec<_> = rules.filter_map(|r| left(&r.0)).collect();
        let most = (BEFORE * BEGUN).min(NEAR * begun.left.max(LEAST_LEFT));
        all.retain(|a| {
            a.0 <= if n == 0 {
                f64::INFINITY
            } else {
                most * intervals
            }
        });
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(RULES);
        let most_left = if n > 0 && !self.is_rough() {
            BEGUN.min(LESS * begun.left).max(LEAST_BEGUN)
        } else {
            BEGUN
        };
        let fitted = |(_, stepping): (f64, Stepping)| {
            let mut x = DVector::from_column_slice(numbers);
            let mut missed = with(stepping, numbers)?;
            for _ in 0..if n == 0 { 0 } else { SHORT + n } {
                x -= solver.solve(&missed)?;
                missed = with(stepping, x.as_slice())?;
            }
            let left = missed.norm() / intervals;
            (left < most_left).then(|| (left, stepping, x.as_slice().to_vec()))
        };
        let mut all: Vec<_> = all.into_iter().filter_map(fitted).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(FITTED);
        all.into_iter().map(|(_, rule, x)| (rule, x)).collect()
    }

    /// Returns the numbers of a suspect with a rule, if the rule fits; the last fit weighs each row by its rounding.
    pub fn numbers(
        &mut self,
        suspect: &Suspect,
        stepping: Stepping,
        from: &[f64],
    ) -> Option<Vec<f64>> {
        if from.is_empty() {
            return Some(Vec::new());
        }
        let fit = self.fit(suspect, stepping, from, 2)?;
        let most = if self.is_rough() { FITS.1 } else { FITS.0 };
        let numbers = Some(fit).filter(|f| f.left < most)?.numbers;
        let plain = core::mem::take(&mut self.weights);
        self.weights = self.by_rounding(&self.model(suspect, stepping, &numbers));
        let last = self.fit(suspect, stepping, &numbers, 8);
        self.weights = plain;
        let numbers = last.map_or(numbers, |f| f.numbers);
        let told = numbers.iter().any(|x| x.abs() >= ROUNDED);
        told.then_some(numbers)
    }

    /// Returns true if the rows have few digits.
    fn is_rough(&self) -> bool {
        let print = &self.search.observed.histories[0].print;
        print.single_attitude || print.single_rate || print.digits < FULL_DIGITS
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

/// A linear least-squares problem whose right sides are many.
pub(crate) struct LeastSquares {
    slopes: DMatrix<f64>,
    /// Orthonormal vectors along the slopes.
    along: DMatrix<f64>,
}

impl LeastSquares {
    pub fn new(slopes: DMatrix<f64>) -> Self {
        let along = slopes.clone().qr().q();
        Self { slopes, along }
    }

    /// Returns the size of what is left of a right side.
    pub fn left(&self, of: &DVector<f64>) -> f64 {
        if self.along.ncols() == 0 {
            return of.norm();
        }
        (of - &self.along * self.along.tr_mul(of)).norm()
    }

    fn solve(&self, of: &DVector<f64>) -> Option<DVector<f64>> {
        let normal = self.slopes.tr_mul(&self.slopes);
        Some(normal.cholesky()?.solve(&self.slopes.tr_mul(of)))
    }
}
