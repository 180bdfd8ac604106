//! Which Runge–Kutta rule, in which variables: the named ones, those with an entry or a row moved, those with one entry changed.

use super::linear;
use super::questioner::{State, Step};
use super::search::{Candidate, Choice, Fitted, Search, vector};
use crate::thresholds::{CLEARLY, DOUBLE, HALF, LAST_BIT, SINGLE_DIGITS, TENTH};
use strum::VariantArray;
use topsim_model::stepping::{Carrier, FrozenTerm, KeptNumber, RATE, Rule, RungeKutta};
use topsim_model::tableau::{self, Place, Tableau};

/// A change of a tableau.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Edit {
    /// An entry of a row stands in another column, or two have changed places; counted from 1.
    Moved { row: usize, from: usize, to: usize },
    /// Two rows of A have changed places; counted from 1.
    Rows([usize; 2]),
    /// Each stage begins where the one before it is.
    Accumulated,
    /// The first slope is that of a stage of the step before; counted from 1.
    Reused { stage: usize },
    /// A number of the state is not moved in a stage, or in all.
    Kept(KeptNumber),
    /// An entry has another value.
    Changed { place: Place, was: f64, is: f64 },
    /// Two entries have other values: the place, what it was and what it is.
    Twice([(Place, f64, f64); 2]),
    /// The stages are those of its name, and more than two weights are other ones.
    Weights([f64; tableau::STAGES]),
    /// It is none of those with a name.
    Unnamed,
}

/// A Runge–Kutta rule that explains a solver's steps, with its edit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EditedRule {
    pub rule: RungeKutta,
    pub edit: Option<Edit>,
}

impl EditedRule {
    pub fn plain(tableau: Tableau, carrier: Carrier) -> Self {
        Self::holding(tableau, carrier, FrozenTerm::Nothing)
    }

    fn holding(tableau: Tableau, carrier: Carrier, held: FrozenTerm) -> Self {
        Self {
            rule: RungeKutta {
                tableau,
                carrier,
                held,
            },
            edit: None,
        }
    }

    pub fn edited(self, edit: Edit) -> Self {
        let edit = Some(edit);
        Self { edit, ..self }
    }

    /// Returns the name of its tableau, where nothing of it is changed or held.
    pub fn row(&self) -> Option<&'static str> {
        let whole = self.edit.is_none() && self.rule.held == FrozenTerm::Nothing;
        whole.then_some(self.rule.tableau.name)
    }

    /// Its own order, edits and what is held left aside; at most 4 is told.
    pub fn order(&self) -> u8 {
        self.rule.tableau.conditions_met()
    }
}

impl Candidate for EditedRule {
    fn predict(&self, step: &Step) -> State {
        match self.edit {
            Some(Edit::Reused { stage }) => step.advanced_reusing(&self.rule, stage - 1),
            Some(Edit::Kept(kept)) => {
                step.repeated(|t, from| step.single(t, from).advanced_keeping(&self.rule, kept))
            }
            _ => step.advanced(&Rule::RungeKutta(self.rule).once()),
        }
    }
}

/// All variables of explicit rules. The first steps cannot tell quaternions that are normalised from those
/// that are not.
pub(super) fn carriers() -> impl Iterator<Item = Carrier> + Clone {
    let all = Carrier::VARIANTS.iter().copied();
    all.filter(|c| *c != Carrier::RawQuaternion && !c.is_wrong())
}

/// A tableau in all variables, with each term held.
fn holding(tableau: Tableau, held: FrozenTerm) -> impl Iterator<Item = EditedRule> {
    let has = move |c: &Carrier| held != FrozenTerm::Gyroscopic || c.has_gyroscopic_term();
    carriers()
        .filter(has)
        .map(move |carrier| EditedRule::holding(tableau, carrier, held))
}

/// All named tableaus in all variables.
pub(super) fn plain() -> impl Iterator<Item = EditedRule> {
    tableau::named()
        .into_iter()
        .flat_map(|t| holding(t, FrozenTerm::Nothing))
}

/// Named tableaus in all variables, plain, with the torque or the gyroscopic term held.
pub(super) fn named(search: &Search) -> Option<Choice<EditedRule>> {
    let held = FrozenTerm::VARIANTS.iter().copied();
    let all = held.flat_map(|held| {
        let all = tableau::named().into_iter();
        all.flat_map(move |t| holding(t, held))
    });
    // A wrong term of a rotation vector costs rules of low order nothing.
    let high = tableau::named().into_iter().filter(|t| t.order > 2);
    let wrong = high.flat_map(|t| {
        let carriers = Carrier::VARIANTS.iter().filter(|c| c.is_wrong());
        carriers.map(move |c| EditedRule::plain(t, *c))
    });
    let all = all.chain(wrong);
    search.choose(all.filter_map(|c| search.near(c)).collect())
}

/// An entry moved, or stages that begin at those before.
pub(super) fn moved(search: &Search) -> Option<Choice<EditedRule>> {
    let edits = tableau::named().into_iter().flat_map(|t| {
        let moved = |(t, row, from, to)| (t, Edit::Moved { row, from, to });
        let several = (t.stages > 2).then(|| (tableau::accumulated(&t), Edit::Accumulated));
        tableau::moves(&t).into_iter().map(moved).chain(several)
    });
    let all = edits.flat_map(|(changed, edit)| {
        let held = FrozenTerm::VARIANTS.iter();
        let all = held.flat_map(move |held| holding(changed, *held));
        all.map(move |c| c.edited(edit))
    });
    search.choose(all.filter_map(|c| search.near(c)).collect())
}

/// Named tableaus whose first slope is that of a stage of the step before.
pub(super) fn reused(search: &Search) -> Option<Choice<EditedRule>> {
    let all = tableau::named().into_iter().flat_map(|t| {
        let stages = 1..=t.stages;
        stages.flat_map(move |stage| {
            let all = holding(t, FrozenTerm::Nothing);
            all.map(move |c| c.edited(Edit::Reused { stage }))
        })
    });
    search.choose(all.filter_map(|c| search.near(c)).collect())
}

/// Variables whose first four numbers are the quaternion.
const OF_QUATERNIONS: [Carrier; 4] = [
    Carrier::Quaternion,
    Carrier::QuaternionOneMinus,
    Carrier::QuaternionHomogeneous,
    Carrier::StageQuaternion,
];

/// Named tableaus with a number of the state that is not moved in a stage, or in all.
pub(super) fn kept(search: &Search) -> Option<Choice<EditedRule>> {
    let all = tableau::named().into_iter().flat_map(|t| {
        let several = (t.stages > 2).then_some(None);
        let stages = (1..t.stages).map(Some).chain(several);
        stages.flat_map(move |stage| {
            let numbers = (0..4).chain(RATE..RATE + 3);
            numbers.flat_map(move |number| {
                let edit = Edit::Kept(KeptNumber { stage, number });
                OF_QUATERNIONS.map(|carrier| EditedRule::plain(t, carrier).edited(edit))
            })
        })
    });
    search.choose(all.filter_map(|c| search.near(c)).collect())
}

/// Variables that authors of implicit rules take.
const OF_IMPLICIT: [Carrier; 5] = [
    Carrier::Quaternion,
    Carrier::QuaternionOneMinus,
    Carrier::QuaternionHomogeneous,
    Carrier::StageQuaternion,
    Carrier::RotationVector,
];

/// Implicit tableaus, and those with two rows exchanged. Rules of one stage and the trapezoidal rule are known by the ends of their
/// steps, but for quaternions whose stages are not normalised.
pub(super) fn implicit(search: &Search) -> Option<Choice<EditedRule>> {
    let whole = |t: Tableau, edit: Option<Edit>| {
        OF_IMPLICIT.map(|carrier| EditedRule {
            edit,
            ..EditedRule::plain(t, carrier)
        })
    };
    let all = tableau::implicit().into_iter().flat_map(|t| {
        let exchanged = tableau::exchanges(&t).into_iter();
        let exchanged = exchanged.map(|(t, rows)| (t, Some(Edit::Rows(rows))));
        core::iter::once((t, None)).chain(exchanged)
    });
    let all = all.flat_map(|(t, edit)| whole(t, edit));
    search.choose(all.filter_map(|c| search.near(c)).collect())
}

/// Stages of the longest rules of which two weights are changed, and which are tried in all variables.
pub(super) const LONG: usize = 4;

/// One entry free.
pub(super) fn changed(search: &Search) -> Option<Choice<EditedRule>> {
    let mut all = Vec::new();
    let few = &search.steps[..search.steps.len().min(3)];
    let long_implicit = tableau::implicit().into_iter().filter(|t| t.order > 2);
    for tableau in tableau::named().into_iter().chain(long_implicit) {
        // Of rules with many stages, one number at a time, in the variables that their authors take.
        let long = tableau.stages > LONG || tableau.is_implicit();
        for place in Place::all(&tableau) {
            if long && matches!(place, Place::Weights(..)) {
                continue;
            }
            for carrier in carriers().filter(|c| !long || c.is_usual()) {
                let Some(delta) = free_entry(&tableau, place, carrier, few, search.accept) else {
                    continue;
                };
                let was = place.value(&tableau);
                let is = was + delta;
                // Digits that mean a fraction are taken for it.
                let fraction =
                    linear::fraction(is, 216, 1e-8).map(|(p, q)| p as f64 / f64::from(q));
                let edited = |is: f64| {
                    EditedRule::plain(place.add(&tableau, is - was), carrier)
                        .edited(Edit::Changed { place, was, is })
                };
                let mut tries = fraction.into_iter().chain([is]);
                all.extend(tries.find_map(|is| search.accepted(edited(is))));
            }
        }
    }
    // Of edits that make the same step, the one with the simplest value.
    let weight = |c: &Fitted<EditedRule>| match c.0.edit {
        Some(Edit::Changed { place, is, .. }) => {
            let pair = usize::from(matches!(place, Place::Weights(..)));
            let simple = linear::fraction(is, 216, 1e-9).map_or(1000, |f| f.1);
            (simple, pair)
        }
        _ => (0, 0),
    };
    all.sort_by_key(weight);
    search.choose(all)
}

/// Returns what has to be added at a place; none where that does not lead to a fit.
fn free_entry(
    tableau: &Tableau,
    place: Place,
    carrier: Carrier,
    steps: &[Step],
    accept: f64,
) -> Option<f64> {
    let misses = |delta: f64| -> Vec<f64> {
        let rule = EditedRule::plain(place.add(tableau, delta), carrier);
        steps
            .iter()
            .flat_map(|s| vector(s, &rule.predict(s)))
            .collect()
    };
    free_number(&misses, accept)
}

/// Returns what has to be added to a number, by Gauss and Newton, so that steps miss by no more than is accepted.
pub(super) fn free_number(misses: &dyn Fn(f64) -> Vec<f64>, accept: f64) -> Option<f64> {
    const DIFFERENCE: f64 = 1e-4;
    let mut delta = 0.0;
    let mut r = misses(delta);
    let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
    for _ in 0..8 {
        let (a, b) = (misses(delta + DIFFERENCE), misses(delta - DIFFERENCE));
        let slope: Vec<f64> = a
            .iter()
            .zip(&b)
            .map(|(a, b)| (a - b) / (2.0 * DIFFERENCE))
            .collect();
        let size = square(&slope);
        if !(size > LAST_BIT) {
            return None;
        }
        let change = -slope.iter().zip(&r).map(|(s, r)| s * r).sum::<f64>() / size;
        if !(change.abs() < CLEARLY) {
            return None;
        }
        delta += change;
        let next = misses(delta);
        // Where one number explains the deviation, little is left at once.
        if square(&next) > HALF * square(&r) && square(&r).sqrt() > accept {
            return None;
        }
        let done = change.abs() < DOUBLE || square(&next).sqrt() < TENTH * accept;
        r = next;
        if done {
            break;
        }
    }
    (square(&r).sqrt() < CLEARLY * accept && delta.abs() > SINGLE_DIGITS).then_some(delta)
}
