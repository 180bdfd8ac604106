//! The equations of motion as a solver may have them: a continuous family around the right ones.
//!
//! [`equations`] gives it, with the symbols of [`TERMS`]. A [`Law`] is those terms whose numbers are not the right ones.
//! `R^a = exp(a log R)` with a real a, so that "turned", "not turned", "turned the wrong way" are numbers which a fit can
//! reach. Source: `docs/science/identification.md`, section 4; aX, aN and aT are needed
//! where an attitude that turns with a wrong rate is carried consistently.

mod defect;
mod evaluation;
mod place;
mod row;
mod terms;
#[cfg(test)]
mod tests;

pub use defect::ModelDefect;
pub use evaluation::Parts;
pub use place::Place;
pub use row::{TermRow, Words};
pub use terms::{LawTerm, TERMS};

use crate::probe::{Load, Start};
use evaluation::{Evaluation, Settings, Sum};
use row::{Effect, MOST_NUMBERS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::Inertia;

/// A law of the family.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Law {
    /// Numbers that are not the right ones, in the order of the table.
    changed: Vec<Changed>,
    /// Numbers of the equations with these changes.
    settings: Settings,
    /// True if other inertias are used only where there is gravity.
    gravity_only: bool,
    /// True if one inertia is used whatever body is given.
    everywhere: bool,
}

/// The numbers of a term.
#[derive(Debug, Clone, PartialEq)]
struct Changed {
    term: LawTerm,
    numbers: [f64; MOST_NUMBERS],
}

impl Law {
    /// Returns the right law, but for all torques added so many times more.
    #[must_use]
    pub fn with_torques_added(times: f64) -> Self {
        let mut law = Self::default();
        LawTerm::Torque.row().apply(&[times], &mut law);
        law
    }

    /// The terms whose numbers are not the right ones, with them.
    fn changed(&self) -> impl Iterator<Item = (&'static TermRow, &[f64])> {
        self.changed.iter().map(|c| {
            let row = c.term.row();
            (row, &c.numbers[..row.numbers.components().len()])
        })
    }

    fn number(&self, term: LawTerm, component: usize) -> f64 {
        let own = self.changed.iter().find(|c| c.term == term);
        own.map_or(term.usual(), |c| c.numbers[component])
    }

    fn add(&mut self, term: LawTerm, component: usize, x: f64) {
        let at = self.changed.binary_search_by_key(&term, |c| c.term);
        let at = at.unwrap_or_else(|at| {
            let numbers = [term.usual(); MOST_NUMBERS];
            self.changed.insert(at, Changed { term, numbers });
            at
        });
        self.changed[at].numbers[component] += x;
    }

    /// Returns the body whose right equations these are, where it is only another inertia, lever, vertical or size of the
    /// torque; `body` is the given one.
    #[must_use]
    pub fn of_another_body(&self, body: &Start) -> Option<Start> {
        use LawTerm::{Divisor, Gravity, GyroscopicInertia, Lever, Push, Torque, Up};
        let of_a_body = [Torque, Gravity, Push, Lever, Up, Divisor, GyroscopicInertia];
        let numbers = |term| [0, 1, 2, 3, 4, 5].map(|k| self.number(term, k));
        let one_inertia = numbers(Divisor) == numbers(GyroscopicInertia);
        let bodies = self.changed.iter().all(|c| of_a_body.contains(&c.term));
        if !bodies || !one_inertia || self.everywhere || self.gravity_only {
            return None;
        }
        let mut other = body.clone();
        let added = numbers(Divisor);
        if added != [0.0; 6] {
            other.inertia = Inertia::new(body.inertia.tensor() + symmetric(&added)).ok()?;
        }
        let torque_factor = self.number(Torque, 0);
        match &mut other.load {
            Load::Gravity { weight, lever, up } => {
                *weight *= torque_factor * self.number(Gravity, 0);
                *lever += vector(&numbers(Lever));
                *up += vector(&numbers(Up));
            }
            Load::Constant { torque, .. } => *torque *= torque_factor * self.number(Push, 0),
            Load::Pulse(_) | Load::Other(_) if torque_factor != 1.0 => return None,
            Load::None | Load::Pulse(_) | Load::Other(_) => {}
        }
        Some(other)
    }

    /// Returns true if this is the same law up to rounding.
    fn is(&self, other: &Self) -> bool {
        let flags = |law: &Self| (law.gravity_only, law.everywhere);
        let near = |a: &f64, b: &f64| (a - b).abs() <= SAME * (1.0 + a.abs().max(b.abs()));
        let alike = |(a, b): (&Changed, &Changed)| {
            a.term == b.term && a.numbers.iter().zip(&b.numbers).all(|(a, b)| near(a, b))
        };
        flags(self) == flags(other)
            && self.changed.len() == other.changed.len()
            && self.changed.iter().zip(&other.changed).all(alike)
    }

    /// Forgets the terms whose numbers are the right ones, and sets what the others set.
    fn settle(&mut self) {
        let is_right = |c: &Changed| c.numbers == [c.term.usual(); MOST_NUMBERS];
        self.changed.retain(|c| !is_right(c));
        let mut settings = Settings::default();
        for (row, numbers) in self.changed() {
            if let Effect::Given(set) = row.effect {
                set(&mut settings, numbers);
            }
        }
        self.settings = settings;
    }
}

/// The body of `judge_top`: a full tensor, nothing aligned.
///
/// # Panics
/// Never: the tensor is positive definite.
#[must_use]
pub fn standard_inertia() -> Inertia {
    let m = Mat3::new(2.2, -0.4, 0.3, -0.4, 3.0, 0.5, 0.3, 0.5, 1.6);
    Inertia::new(m).expect("the tensor is symmetric and positive definite")
}

/// Numbers of a law that differ from the right ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Numbers that are other ones.
    pub term: LawTerm,
    /// Differences from the right ones.
    pub added: Vec<f64>,
    /// Uncertainty of each, where it is known.
    #[serde(skip)]
    pub errors: Vec<f64>,
}

/// Numbers nearer than this are the same, relative.
const SAME: f64 = 1e-12;

/// Returns the changes by one term, where it says the same as all of them together.
#[must_use]
pub fn merged(changes: Vec<Change>) -> Vec<Change> {
    if changes.len() < 2 {
        return changes;
    }
    let mut law = Law::default();
    for change in &changes {
        change.term.row().apply(&change.added, &mut law);
    }
    let alone = |change: &Change| {
        let change = Change::of(change.term, &law);
        let mut other = Law::default();
        change.term.row().apply(&change.added, &mut other);
        other.is(&law).then_some(change)
    };
    let alone = changes.iter().find_map(alone);
    alone.map_or(changes, |change| vec![change])
}

/// Returns changes that do the same and say it by fewer numbers: a clock of another pace whose turns are put right by a factor is one
/// of torques alone, and so is a tensor times a number.
#[must_use]
pub fn simplest(changes: &[Change], body: &Start) -> Vec<Change> {
    let factor = |term: LawTerm, x: f64| Change::new(term, vec![x - 1.0]);
    if let [a, b] = changes
        && [a.term, b.term] == [LawTerm::Clock, LawTerm::Rate]
        && (a.values()[0] * b.values()[0] - 1.0).abs() <= FITTED
    {
        return [LawTerm::Torque, LawTerm::Gyroscopic]
            .map(|term| factor(term, a.values()[0]))
            .into();
    }
    let scaled = |change: &Change| {
        let numbers = || (0..change.added.len()).map(|k| change.term.right(k, body));
        let square: f64 = numbers().map(|x| x * x).sum();
        let part = numbers()
            .zip(&change.added)
            .map(|(x, a)| x * a)
            .sum::<f64>()
            / square;
        let left = numbers()
            .zip(&change.added)
            .map(|(x, a)| (a - part * x).powi(2));
        let most = (FITTED * part).powi(2) * square;
        (left.sum::<f64>() <= most).then_some(1.0 + part)
    };
    let of = |change: &Change| match change.term {
        LawTerm::Inertia => scaled(change).map(|x| factor(LawTerm::Torque, 1.0 / x)),
        _ => None,
    };
    changes
        .iter()
        .map(|c| of(c).unwrap_or_else(|| c.clone()))
        .collect()
}

/// Part by which numbers may differ that are one: of a fit to rows of a rule of first order.
const FITTED: f64 = 1e-3;

impl Change {
    /// Returns exact differences from the right numbers.
    #[must_use]
    pub fn new(term: LawTerm, added: Vec<f64>) -> Self {
        Self {
            term,
            added,
            errors: Vec::new(),
        }
    }
    /// Returns the differences of a law's numbers of a term from the right ones.
    #[must_use]
    pub fn of(term: LawTerm, law: &Law) -> Self {
        let values = term.row().values(law).into_iter();
        Self::new(term, values.map(|x| x - term.usual()).collect())
    }
    /// Returns the numbers as they stand in the law.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        let usual = self.term.usual();
        self.added.iter().map(|x| usual + x).collect()
    }
    /// Writes numbers of a problem in which all happens `1/pace` times as fast as those of the solver's own seconds.
    pub fn slow_down(&mut self, pace: f64) {
        let factor = pace.powi(self.term.row().seconds());
        let numbers = self.added.iter_mut().chain(&mut self.errors);
        numbers.for_each(|x| *x *= factor);
    }
}

/// Returns the family of laws, with the symbols of the terms; exponents are powers of the attitude Λ, and what is not there
/// is zero.
#[must_use]
pub fn equations() -> [String; 5] {
    let added = |sum: Sum| -> String {
        let formulas = TERMS.iter().filter_map(|row| match row.effect {
            Effect::Adds(to, formula, _) if to == sum => Some(format!(" + {formula}")),
            _ => None,
        });
        formulas.collect()
    };
    let [turn, torque] = [Sum::Turn, Sum::Torque].map(added);
    let rest = [Sum::Euler, Sum::Linear, Sum::Constant].map(added).concat();
    [
        format!("Λ' = s Λ û,   u = k Λ^aW O W{turn}"),
        format!(
            "W' = s ( Jd⁻¹ ( g D P (Jg W × Λ^aX O W) + Λ^aT T − resistance ) + W × Λ^aN W{rest} − damping )"
        ),
        format!(
            "T  = A^aA q ( w Λ^aL lever × (−weight Λ^aU up) + p ( Λ^aP torque in space + Λ^aB torque in the body ) ){torque}, with the principal axes A; w has the factor 1 + z height, and T the factor exp(τ̂) (E + U); Λ that turns up and a torque in space has ε ∘ (Λᵀ − Λ) more"
        ),
        "P = A diag(Pᵢ) A⁻¹,   O = A diag(Oᵢ) A⁻¹;   damping = ( c₁ + c₂ |W| + c₃ |W|² + c₅/|W| ) W + Cᵢ Wᵢ + Fᵢ sign Wᵢ + Qᵢ |Wᵢ| Wᵢ;   Jd, Jg turned by Λ^ad, Λ^ag;   |Jg W × W| at most G, |T| at most L, |Tᵢ| at most Lᵢ and |W'| at most A, where 1/G, 1/L, 1/Lᵢ, 1/A are not 0".into(),
        "resistance = ( c₄ + c₆ |W| + c₇ |W|² + c₈/|W| ) W + Mᵢ Wᵢ + Gᵢ sign Wᵢ + Rᵢ |Wᵢ| Wᵢ".into(),
    ]
}

fn vector(v: &[f64]) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

/// Returns the symmetric matrix of the numbers xx, yy, zz, xy, xz, yz.
pub fn symmetric(v: &[f64]) -> Mat3 {
    Mat3::new(v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2])
}

/// Returns the matrix of the numbers beside the diagonal, by rows.
fn entries(v: &[f64]) -> Mat3 {
    Mat3::new(0.0, v[0], v[1], v[2], 0.0, v[3], v[4], v[5], 0.0)
}

fn matrix(v: &[f64]) -> Mat3 {
    Mat3::from_row_slice(v)
}
