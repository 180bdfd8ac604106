//! Wrong laws and habits that explain rows: their numbers are fitted by the motion itself, and then with each rule that
//! comes near.

use crate::explain::{Found, Search};
use crate::report::Report;
use crate::sample::{ByMotion, Sample};
use crate::stepping::{Rule, Stepping};
use crate::suspects::{Suspect, suspects};

/// Laws with two numbers, and with more, that are tried with rules: those with which the motion alone leaves least.
const LAWS: [usize; 2] = [10, 12];
/// Intervals of each history that a motion is held against.
const MOTION_ROWS: usize = 12;
/// A law's motion must come nearer than the right one by this factor.
const BETTER: f64 = 1000.0;
/// Fits that leave up to so many times the least are alike.
const ALIKE: f64 = 2.0;

impl Search<'_> {
    /// Returns models with a wrong law or habit that explain the rows.
    pub fn laws(&self, reports: &[(Report, f64)], rules: &[Stepping]) -> Vec<Found> {
        let several = self.observed.histories.len() > 1;
        let few = self.observed.few(if several { 2 } else { 5 });
        let mut out: Vec<Found> = Vec::new();
        for (report, _) in reports.iter().take(3) {
            let mut sample = Sample::new(self, *report, few.clone()).with_rules(rules);
            for begun in self.ranked(&sample) {
                let suspect = &begun.suspect;
                // A law with more numbers is no rival of one with fewer that explains as much.
                if out.iter().any(|f| f.numbers < suspect.numbers()) {
                    break;
                }
                for (stepping, from) in sample.near_rules(&begun) {
                    if !(self.wanted)() {
                        return out;
                    }
                    if let Some(numbers) = sample.numbers(suspect, stepping, &from) {
                        let model = sample.model(suspect, stepping, &numbers);
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

    /// Returns the suspects to be tried with rules, those with fewer numbers first.
    fn ranked(&self, sample: &Sample) -> Vec<ByMotion> {
        let begun = |suspect: Suspect| {
            let from = vec![0.0; suspect.numbers()];
            let fit = sample.fit(&suspect, Sample::first_rule(&suspect), &from, 8);
            ByMotion {
                left: fit.as_ref().map_or(f64::INFINITY, |f| f.left),
                numbers: fit.map_or(from, |f| f.numbers),
                suspect,
            }
        };
        let all = suspects(&self.observed.body).into_iter();
        let mut all: Vec<ByMotion> = all.map(begun).collect();
        let farthest = sample.farthest();
        all.retain(|a| a.left <= farthest);
        all.sort_by(|a, b| a.left.total_cmp(&b.left));
        // Many numbers take up what a rule of first order leaves; one number does not.
        let mut kept = [0; 2];
        all.retain(|a| {
            let Some(many) = a.numbers.len().checked_sub(2) else {
                return true;
            };
            let many = many.min(1);
            kept[many] += 1;
            kept[many] <= LAWS[many]
        });
        all.sort_by_key(|a| a.numbers.len());
        all
    }

    /// Returns a wrong law whose motion alone comes much nearer to the rows than the right one.
    pub fn by_motion(&self, reports: &[(Report, f64)]) -> Option<Found> {
        let few = self.observed.few_of(&self.observed.gaps, MOTION_ROWS);
        let (report, _) = reports.first().filter(|_| few.len() >= MOTION_ROWS)?;
        let sample = Sample::new(self, *report, few);
        let fit = |suspect: &Suspect| {
            let from = vec![0.0; suspect.numbers()];
            sample.fit(suspect, Rule::Flow.once(), &from, 12)
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
