//! Rows of the table of terms.

use super::terms::ALONE;
use super::{Evaluation, Law, LawTerm, Settings, Sum, TERMS};
use crate::probe::{Load, Start};
use topsim_core::math::Vec3;

/// Most numbers that a term has.
pub(super) const MOST_NUMBERS: usize = 9;

/// A row of the table of terms. A term is a group of numbers that are fitted together; all others stay right.
#[derive(Debug)]
pub struct TermRow {
    /// The term.
    pub term: LawTerm,
    /// Meaning of its numbers.
    pub meaning: &'static str,
    /// Symbol in [`super::equations`], before a component; empty where its numbers are those of others.
    pub symbol: &'static str,
    /// SI unit; empty of pure numbers.
    pub unit: &'static str,
    pub(super) numbers: Numbers,
    pub(super) effect: Effect,
    /// Words for its numbers.
    pub words: Words,
}

/// The bodies on which the numbers of a term act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All, or only that on which they are fitted.
    All,
    UnderGravity,
    /// All: the numbers take the place of those of every body.
    EveryBody,
}

/// Number of the numbers of a term, and their right values.
#[derive(Debug, Clone, Copy)]
pub(super) enum Numbers {
    /// One, right where it is 1.
    Factor,
    /// One for each axis, right where they are 1.
    Factors,
    /// Change of a power of the attitude, whose right value is this.
    Power(f64),
    /// One that is not there in the right equations.
    One,
    /// The inverse of a limit that is not there.
    Limit,
    /// A vector that is not there.
    Vector,
    /// A symmetric matrix that is not there, but for a multiple of the identity.
    Gradient,
    /// A matrix, by rows, that is not there.
    Matrix,
    /// The entries of a matrix beside its diagonal, by rows, that are not there.
    Entries,
    /// Change of the lever of the body.
    Lever,
    /// Change of the vertical.
    Up,
    /// Change of the inertia: xx, yy, zz, xy, xz, yz.
    Inertia,
    /// Change of the inverse of the inertia, by rows.
    Inverse,
}

impl Numbers {
    pub fn components(self) -> &'static [&'static str] {
        match self {
            Self::Factor | Self::Power(_) | Self::One | Self::Limit => &[""],
            Self::Factors | Self::Vector | Self::Lever | Self::Up => &["x", "y", "z"],
            Self::Gradient => &["xx", "yy", "xy", "xz", "yz"],
            Self::Inertia => &["xx", "yy", "zz", "xy", "xz", "yz"],
            Self::Entries => &["xy", "xz", "yx", "yz", "zx", "zy"],
            Self::Matrix | Self::Inverse => &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"],
        }
    }
}

/// Effect of the numbers of a term.
#[derive(Debug, Clone, Copy)]
pub(super) enum Effect {
    /// They are a part of the equations.
    Given(fn(&mut Settings, &[f64])),
    /// They add to a sum, by this formula.
    Adds(Sum, &'static str, fn(&Evaluation, &[f64]) -> Vec3),
    /// They are those of other terms, on these bodies. Terms of a group have the same numbers, which move together.
    Moves(Scope, &'static [&'static [LawTerm]]),
}

/// Words for the numbers of a term: `{}` are the numbers with their unit, or a power of the attitude, `{-}` the opposite
/// power; `{1/}` is one over the number; `{is}`, `{given}` and `{pattern}` are the quantity of the solver, that of the body, and what the one is of the
/// other.
#[derive(Debug, Clone, Copy)]
pub enum Words {
    /// A sentence.
    Says(&'static str),
    /// Words for a part of W'.
    OfRate(&'static str),
    /// Words for a part of the torque.
    OfTorque(&'static str),
}

impl TermRow {
    fn groups(&self) -> &'static [&'static [LawTerm]] {
        match self.effect {
            Effect::Moves(_, groups) => groups,
            _ => core::slice::from_ref(&ALONE[self.term as usize]),
        }
    }

    fn acts_on(&self, bodies: Scope) -> bool {
        matches!(self.effect, Effect::Moves(scope, _) if scope == bodies)
    }

    /// Returns the number of parameters.
    #[allow(clippy::len_without_is_empty, reason = "a term has a parameter")]
    pub fn len(&self) -> usize {
        self.numbers().count()
    }

    /// Returns, for each parameter, the terms of which a number moves with it, and which of their numbers it is.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static [LawTerm], usize)> {
        self.groups().iter().flat_map(|group| {
            let components = group[0].row().numbers.components();
            (0..components.len()).map(|component| (*group, component))
        })
    }

    /// Returns the power of the second in its unit.
    pub(super) fn seconds(&self) -> i32 {
        let (over, under) = self.unit.split_once('/').unwrap_or((self.unit, ""));
        let of = |units: &str| -> i32 {
            let each = units.split([' ', '(', ')']).map(|unit| match unit {
                "N" => -2,
                "N²" => -4,
                "s" => 1,
                "s²" => 2,
                _ => 0,
            });
            each.sum()
        };
        of(over) - of(under)
    }

    /// Returns whether the term is a power of the attitude: fits begin at several values.
    pub fn is_exponent(&self) -> bool {
        matches!(self.numbers, Numbers::Power(_))
    }

    /// Returns whether its numbers show under several verticals only: under one, a transposed matrix does the same.
    pub fn takes_several_verticals(&self) -> bool {
        matches!(self.numbers, Numbers::Entries)
    }

    /// Returns whether the term is the inverse of a limit: it acts from some value on, where fits must begin.
    pub fn is_limit(&self) -> bool {
        matches!(self.numbers, Numbers::Limit)
    }

    /// Returns whether the term is the tensor of the body, both where it divides and in the gyroscopic term.
    pub fn is_tensor(&self) -> bool {
        matches!(self.numbers, Numbers::Inertia) && self.acts_on(Scope::All)
    }

    /// Returns whether the term takes the place of every body's.
    pub fn is_everywhere(&self) -> bool {
        self.acts_on(Scope::EveryBody)
    }

    /// Returns whether the term is a quantity of the body on which it is fitted, and says nothing of others.
    pub fn is_of_one_body(&self) -> bool {
        matches!(
            self.numbers,
            Numbers::Lever | Numbers::Up | Numbers::Inertia | Numbers::Inverse
        ) && !self.is_everywhere()
    }

    /// Adds the parameters to a law.
    pub fn apply(&self, parameters: &[f64], law: &mut Law) {
        law.gravity_only |= self.acts_on(Scope::UnderGravity);
        law.everywhere |= self.acts_on(Scope::EveryBody);
        for (x, (group, component)) in parameters.iter().zip(self.numbers()) {
            for term in group {
                law.add(*term, component, *x);
            }
        }
        law.settle();
    }

    /// Those numbers of a law that belong to the term, one for each parameter.
    pub fn values(&self, law: &Law) -> Vec<f64> {
        let numbers = self.numbers();
        let values = numbers.map(|(group, component)| law.number(group[0], component));
        values.collect()
    }
}

impl LawTerm {
    /// Detects what resists a rate with a force of a constant size.
    #[must_use]
    pub fn is_friction(self) -> bool {
        matches!(
            self,
            Self::Friction | Self::FrictionInertia | Self::FrictionAxes | Self::FrictionInertiaAxes
        )
    }
    /// Returns its row of the table.
    pub fn row(self) -> &'static TermRow {
        &TERMS[self as usize]
    }

    /// Returns the symbol of a number in [`super::equations`].
    pub fn symbol(self, component: usize) -> String {
        let row = self.row();
        format!("{}{}", row.symbol, row.numbers.components()[component])
    }

    /// Returns what its numbers are in the right law.
    pub fn usual(self) -> f64 {
        match self.row().numbers {
            Numbers::Factor | Numbers::Factors => 1.0,
            _ => 0.0,
        }
    }

    /// Returns the value of a number in the right equations of a body, as people write them.
    pub fn right(self, component: usize, body: &Start) -> f64 {
        const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        let gravity = match &body.load {
            Load::Gravity { lever, up, .. } => (*lever, *up),
            _ => (Vec3::zeros(), Vec3::zeros()),
        };
        match self.row().numbers {
            Numbers::Power(right) => right,
            Numbers::Lever => gravity.0[component],
            Numbers::Up => gravity.1[component],
            Numbers::Inertia => body.inertia.tensor()[PLACES[component]],
            Numbers::Inverse => body.inertia.inverse()[(component / 3, component % 3)],
            _ => self.usual(),
        }
    }
}
