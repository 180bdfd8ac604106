//! Pairs of a rule and a law, where the error of the rule hides the law. They are ranked by the part of the misses of the rule
//! that no numbers of the law remove.

use crate::law::TERMS;
use crate::sample::{LeastSquares, Sample};
use crate::stepping::{Rule, Stepping};
use crate::suspects::{Suspect, known_laws};
use nalgebra::DVector;

/// Pairs of a rule and a term that are fitted: those that leave least. The slopes of the motion stand for those of the rule, so
/// that the right pair need not be the first.
const KEPT: usize = 160;
/// Pairs that leave more than this part of what the rule leaves by itself explain nothing.
const EXPLAINS: f64 = 0.5;
/// Least numbers that are explained for each that is fitted.
const TOLD: usize = 3;

/// A law with a rule.
pub(crate) struct Joint {
    pub suspect: Suspect,
    pub stepping: Stepping,
}

/// A law with numbers to first order: its effect on the rows without them, and what they add.
struct Effect {
    suspect: Suspect,
    given: DVector<f64>,
    fitted: LeastSquares,
}

impl Sample<'_> {
    /// Returns the pairs of a rule and a law that leave least of the rows, the best first.
    pub fn joint(&self) -> Vec<Joint> {
        let right = Suspect::right();
        let Some(missed) = self.missed(&right, Rule::Flow.once(), &[]) else {
            return Vec::new();
        };
        let terms = TERMS.iter().filter(|row| !row.takes_several_verticals());
        let terms = terms.map(|row| Suspect::law(&[], &[row.term]));
        let laws = terms.chain(known_laws(self.body()));
        let laws: Vec<Effect> = laws.filter_map(|s| self.effect(s, &missed)).collect();
        let mut all = Vec::new();
        for stepping in self.rules() {
            let Some(missed) = self.missed(&right, stepping, &[]) else {
                continue;
            };
            let most = EXPLAINS * missed.norm();
            for law in &laws {
                let left = law.fitted.left(&(&missed + &law.given));
                if left <= most {
                    all.push((left, law, stepping));
                }
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(KEPT);
        let joint = |(_, law, stepping): (f64, &Effect, Stepping)| Joint {
            suspect: law.suspect.clone(),
            stepping,
        };
        all.into_iter().map(joint).collect()
    }

    /// Returns the effect of a law on the motion, beside the misses of the right one; none where it has none, or too many numbers.
    fn effect(&self, suspect: Suspect, right: &DVector<f64>) -> Option<Effect> {
        let flow = Rule::Flow.once();
        let from = vec![0.0; suspect.numbers()];
        let missed = self.missed(&suspect, flow, &from)?;
        let slopes = self.slopes(&suspect, flow, &from, &missed)?;
        let given = missed - right;
        let told = slopes.norm() + given.norm() > 0.0 && TOLD * from.len() <= slopes.nrows();
        told.then(|| Effect {
            suspect,
            given,
            fitted: LeastSquares::new(slopes),
        })
    }
}
