//! Wrong laws and habits that explain rows: their numbers are fitted by the motion itself, and then with each rule that
//! comes near.

use crate::explain::{Found, Search};
use crate::report::Report;
use crate::sample::{Begun, Sample};
use crate::stepping::{Rule, Stepping};
use crate::suspects::{Suspect, suspects};

/// Laws with at most so many numbers that are tried with rules: those with which the motion alone leaves least.
const LAWS: [(usize, usize); 4] = [(1, usize::MAX), (2, 16), (4, 12), (9, 8)];
/// Rows that a law's motion misses by less, relative, are told by that law.
const TOLD: f64 = 1e-8;
/// Intervals to which laws are fitted: of each of several histories, and of one.
const ROWS: (usize, usize) = (4, 8);
/// Laws that are tried together with each other one.
const PAIRED: usize = 6;
/// Iterations of a fit by the motion.
const FITTED: usize = 8;
/// Intervals of each history that a motion is held against.
const MOTION_ROWS: usize = 12;
/// Rows that the motion by a report misses by more, relative, are none of a body.
const ANOTHER: f64 = 1.0;
/// A law's motion must come nearer than the right one by this factor.
const BETTER: f64 = 1000.0;
/// Other pairs of laws must leave more than this times what the best pair leaves.
const APART: f64 = 30.0;
/// Fits that leave up to so many times the least are alike.
const ALIKE: f64 = 2.0;

impl Search<'_> {
    /// Returns models with a wrong law or habit that explain the rows; two laws at once where no one does.
    pub fn laws(&self, reports: &[(Report, f64)], rules: &[Stepping]) -> Vec<Found> {
        let several = self.observed.histories.len() > 1;
        let few = self.observed.few(if several { ROWS.0 } else { ROWS.1 });
        for (report, _) in reports.iter().take(3) {
            let mut sample = Sample::new(self, *report, few.clone()).with_rules(rules);
            let farthest = sample.farthest();
            let singles = suspects(&self.observed.body).into_iter().map(Begun::anew);
            let singles = self.begun(&sample, singles);
            let mut found = self.explaining(&mut sample, kept(&singles, farthest));
            // A law that leaves so little is the whole of it: the solver has other steps.
            let is_told = singles.first().is_some_and(|best| best.left < TOLD);
            if found.is_empty() && !is_told {
                let pairs = self.begun(&sample, pairs(&singles).into_iter());
                found = self.explaining(&mut sample, kept(&pairs, farthest));
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Returns the suspects with their numbers by the motion alone, those that leave least first.
    fn begun(&self, sample: &Sample, suspects: impl Iterator<Item = Begun>) -> Vec<Begun> {
        let fitted = |begun: Begun| {
            let rule = Sample::first_rule(&begun.suspect);
            let fit = sample.fit(&begun.suspect, rule, &begun.numbers, FITTED)?;
            Some(Begun {
                left: fit.left,
                numbers: fit.numbers,
                ..begun
            })
        };
        let suspects = suspects.take_while(|_| (self.wanted)());
        let mut all: Vec<Begun> = suspects.filter_map(fitted).collect();
        all.sort_by(|a, b| a.left.total_cmp(&b.left));
        all
    }

    /// Returns the models with these suspects that explain the rows, those with fewest numbers.
    fn explaining(&self, sample: &mut Sample, all: Vec<&Begun>) -> Vec<Found> {
        let mut out: Vec<Found> = Vec::new();
        for begun in all {
            // A law with more numbers is no rival of one with fewer that explains as much.
            if out.iter().any(|f| f.numbers < begun.numbers.len()) {
                break;
            }
            let mut accepted = |sample: &mut Sample, stepping: Stepping, from: &[f64]| {
                let numbers = sample.numbers(&begun.suspect, stepping, from);
                let found = numbers.and_then(|numbers| {
                    let model = sample.model(&begun.suspect, stepping, &numbers);
                    let equations = model.equations(&self.observed.body);
                    self.accepted(model, &equations, numbers.len())
                });
                let is_found = found.is_some();
                out.extend(found);
                is_found
            };
            let flow = Rule::Flow.once();
            // No rule is told where steps leave no more than rounding.
            if begun.suspect.acts_in_steps() || !accepted(sample, flow, &begun.numbers) {
                for (stepping, from) in sample.near_rules(begun) {
                    if !(self.wanted)() {
                        return out;
                    }
                    accepted(sample, stepping, &from);
                }
            }
        }
        out
    }

    /// Returns a wrong law whose motion alone comes much nearer to the rows than the right one.
    pub fn by_motion(&self, reports: &[(Report, f64)]) -> Option<Found> {
        let few = self.observed.few_of(&self.observed.gaps, MOTION_ROWS);
        let is_motion = |r: &&(Report, f64)| r.1 < ANOTHER && few.len() >= MOTION_ROWS;
        let (report, _) = reports.first().filter(is_motion)?;
        let sample = Sample::new(self, *report, few);
        let right = self.begun(&sample, [Begun::anew(Suspect::right())].into_iter());
        let right = right.first()?.left;
        let all = suspects(&self.observed.body).into_iter();
        let motions = all.filter(|s| !s.acts_in_steps()).map(Begun::anew);
        let mut all = self.begun(&sample, motions);
        let is_better = |best: &&Begun| best.left * BETTER <= right;
        if simplest(&all).filter(is_better).is_none() {
            all = self.begun(&sample, pairs(&all).into_iter());
            // Of two laws at once there must be no others that leave little more.
            let best = simplest(&all)?;
            let rivals = all.iter().filter(|a| a.left <= APART * best.left);
            if rivals
                .filter(|a| a.numbers.len() <= best.numbers.len())
                .count()
                > 1
            {
                return None;
            }
        }
        let best = simplest(&all).filter(is_better)?;
        let model = sample.model(&best.suspect, Rule::Flow.once(), &best.numbers);
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

/// Returns the suspects that are tried with rules: those that leave no more than ordinary rules do; those with fewer numbers
/// first.
fn kept(all: &[Begun], farthest: f64) -> Vec<&Begun> {
    let mut kept = [0; LAWS.len()];
    let near = all.iter().filter(|a| a.left <= farthest);
    // Many numbers take up what a rule of first order leaves; one number does not.
    let mut kept: Vec<&Begun> = near
        .filter(|a| {
            let n = a.numbers.len();
            let class = LAWS.iter().position(|class| n <= class.0);
            class.is_some_and(|class| {
                kept[class] += 1;
                kept[class] <= LAWS[class].1
            })
        })
        .collect();
    kept.sort_by_key(|a| a.numbers.len());
    kept
}

/// Returns pairs of laws: all of one number each, and those that leave least with every other one.
fn pairs(singles: &[Begun]) -> Vec<Begun> {
    let mut simple = 0;
    let mut out = Vec::new();
    for (i, one) in singles.iter().enumerate() {
        let is_simple = one.numbers.len() <= 1;
        simple += usize::from(is_simple);
        let is_near = i < PAIRED || (is_simple && simple <= PAIRED);
        for other in &singles[i + 1..] {
            let both_simple = one.numbers.len() == 1 && other.numbers.len() == 1;
            if !is_near && !both_simple {
                continue;
            }
            if let Some(suspect) = one.suspect.and(&other.suspect) {
                let mut numbers = one.numbers.clone();
                numbers.resize(suspect.numbers(), 0.0);
                out.push(Begun {
                    suspect,
                    numbers,
                    left: f64::INFINITY,
                });
            }
        }
    }
    out
}

/// Returns the law with the fewest numbers of those that leave little more than the least.
fn simplest(all: &[Begun]) -> Option<&Begun> {
    let least = all.first()?.left;
    let alike = all.iter().take_while(|a| a.left <= ALIKE * least);
    alike.min_by_key(|a| a.numbers.len())
}
