//! Laws and habits that may explain rows, some with numbers that are fitted.

use crate::habit::Factor;
use crate::law::{Change, LawTerm, ModelDefect, TERMS, merged};
use crate::model::Model;
use crate::probe::Start;
use crate::stepping::Rule;
use crate::tableau::Place;

/// Defect that a model may have.
#[derive(Debug, Clone)]
pub enum Suspect {
    /// A wrong law.
    Law {
        /// Numbers that are known.
        given: Vec<Change>,
        /// Terms whose numbers are fitted.
        fitted: Vec<LawTerm>,
    },
    /// A factor of the rate once a step, whose number is fitted; the habit is before or after the turn.
    Factor(fn(f64) -> Factor, bool),
    /// Another value of an entry of the tableau; the number is what it differs by.
    Entry(Place),
}

impl Suspect {
    /// Returns the right law.
    #[must_use]
    pub const fn right() -> Self {
        Self::Law {
            given: Vec::new(),
            fitted: Vec::new(),
        }
    }

    /// Returns the law with these changes, beside which the numbers of some terms are fitted.
    pub(crate) fn law(given: &[Change], fitted: &[LawTerm]) -> Self {
        Self::Law {
            given: given.to_vec(),
            fitted: fitted.to_vec(),
        }
    }

    /// Returns the number of fitted numbers.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.lengths().into_iter().sum()
    }

    /// Returns the number of fitted numbers of each term.
    #[must_use]
    pub fn lengths(&self) -> Vec<usize> {
        match self {
            Self::Law { fitted, .. } => fitted.iter().map(|term| term.row().len()).collect(),
            Self::Factor(..) | Self::Entry(_) => vec![1],
        }
    }

    /// Makes it part of a model.
    pub fn apply(&self, numbers: &[f64], model: &mut Model) {
        match self {
            Self::Law { given, fitted } => {
                model.law.clone_from(given);
                let mut rest = numbers;
                for term in fitted {
                    let (own, after) = rest.split_at(term.row().len());
                    rest = after;
                    model.law.push(Change::new(*term, own.to_vec()));
                }
                model.law = merged(core::mem::take(&mut model.law));
            }
            Self::Factor(of, after) => {
                model.habit.factor = of(numbers[0]);
                model.habit.after = *after;
            }
            Self::Entry(place) => {
                if let Rule::RungeKutta(rule) = &mut model.stepping.rule {
                    rule.tableau = place.add(&rule.tableau, numbers[0]);
                }
            }
        }
    }

    /// Returns true if it is a law with a limit, which acts from some value on.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::Law { fitted, .. } if fitted.iter().any(|term| term.row().is_limit()))
    }

    /// Returns true if a rule is needed to see it: it acts once a step.
    #[must_use]
    pub fn acts_in_steps(&self) -> bool {
        matches!(self, Self::Factor(..) | Self::Entry(_))
    }
}

/// Returns the laws with known numbers that are defects, for a body.
pub(crate) fn known_laws(body: &Start) -> impl Iterator<Item = Suspect> {
    let laws = ModelDefect::exact(*body.inertia.tensor());
    laws.map(|given| Suspect::Law {
        given,
        fitted: Vec::new(),
    })
}

/// Returns the factors of the rate once a step.
pub(crate) fn factors() -> impl Iterator<Item = Suspect> {
    let all: [fn(f64) -> Factor; 4] = [
        Factor::Linear,
        Factor::Exponential,
        Factor::Inverse,
        Factor::Constant,
    ];
    all.into_iter()
        .flat_map(|of| [false, true].map(|after| Suspect::Factor(of, after)))
}

/// Returns the laws with a limit of a quantity, which act from some value on.
pub(crate) fn limits() -> impl Iterator<Item = Suspect> {
    let rows = TERMS.iter().filter(|row| row.is_limit());
    rows.map(|row| Suspect::law(&[], &[row.term]))
}

/// Returns laws of more than two terms that engines have.
pub(crate) fn laws_of_engines() -> impl Iterator<Item = Suspect> {
    use LawTerm::{Damping, DampingCentre, DampingQuadratic};
    // A link that is damped by its rate and by that of its centre of mass (Bullet).
    let laws = [[Damping, DampingQuadratic, DampingCentre]];
    laws.into_iter().map(|terms| Suspect::law(&[], &terms))
}
