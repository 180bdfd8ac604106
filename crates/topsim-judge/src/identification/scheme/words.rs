//! Searches of steps that are words of kicks and turns.

use super::questioner::{State, Step};
use super::runge_kutta::free_number;
use super::search::{Candidate, Choice, Search, vector};
use crate::identification::experiment::Load;
use topsim_model::stepping::{Rule, Word};

impl Candidate for Word {
    fn predict(&self, step: &Step) -> State {
        step.advanced(&Rule::Word(*self).once())
    }
}

/// Returns all words; for steps of free bodies, those without a torque.
pub(super) fn all(steps: &[Step]) -> Vec<Word> {
    let first = steps.first();
    Word::families(first.is_some_and(|s| matches!(s.body.load, Load::None)))
}

/// Words that explain the steps.
pub(super) fn word(search: &Search) -> Option<Choice<Word>> {
    let all = all(search.steps).into_iter();
    search.choose(all.filter_map(|word| search.near(word)).collect())
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
