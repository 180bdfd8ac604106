//! Searches of steps that are words of kicks and turns.

use super::questioner::{State, Step};
use super::runge_kutta::free_number;
use super::search::{Candidate, Choice, Search, fitted, misses, vector};
use crate::identification::experiment::Load;
use topsim_model::stepping::{Rule, Word};

impl Candidate for Word {
    fn predict(&self, step: &Step) -> State {
        step.advanced(&Rule::Word(*self).once())
    }
}

/// Returns all words; for steps of free bodies, those without a torque.
pub(super) fn all(steps: &[Step]) -> Vec<Word> {
    Word::families(is_free(steps))
}

fn is_free(steps: &[Step]) -> bool {
    let first = steps.first();
    first.is_some_and(|s| matches!(s.body.load, Load::None))
}

/// Words that explain the steps.
pub(super) fn word(search: &Search) -> Option<Choice<Word>> {
    let all = all(search.steps).into_iter();
    search.choose(all.filter_map(|word| search.near(word)).collect())
}

/// Words whose matrix of a Newton step has other factors.
pub(super) fn other_factors(search: &Search) -> Option<Choice<Word>> {
    let few = &search.steps[..search.steps.len().min(3)];
    let begun = Word::of_factors(is_free(search.steps), [0.0; 2]);
    let fitted = begun.filter_map(|word| {
        let with = |x: &[f64]| Word {
            factors: [x[0], x[1]],
            ..word
        };
        let missed = |x: &[f64]| misses(&with(x), few.iter());
        let x = fitted(&missed, word.factors.to_vec(), search.accept)?;
        search.accepted(with(&x))
    });
    search.choose(fitted.collect())
}

/// Turns of the shortest composition of order 4.
const THREE: usize = 3;

/// Words of three steps of another length than that of order 4.
pub(super) fn changed(search: &Search) -> Option<Choice<Word>> {
    let few = &search.steps[..search.steps.len().min(3)];
    let three = all(search.steps).into_iter();
    let three = three.filter(|word| word.composition.drifts.len() == THREE);
    let fitted = three.filter_map(|word| {
        let usual = word.composition.drifts[0];
        let with = |delta: f64| Word {
            first: Some(usual + delta),
            ..word
        };
        let misses = |delta: f64| -> Vec<f64> {
            let of = |s: &Step| vector(s, &with(delta).predict(s));
            few.iter().flat_map(of).collect()
        };
        search.accepted(with(free_number(&misses, search.accept)?))
    });
    search.choose(fitted.collect())
}
