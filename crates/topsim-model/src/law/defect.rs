//! Defects of models: wrong equations of motion, and right ones with a wrong number in them.

use super::terms::{DEFECTS, PATTERNS};
use super::{Change, LawTerm};
use topsim_core::math::Mat3;

pub use super::terms::ModelDefect;

/// The row of a model's defect.
#[derive(Debug)]
pub(super) struct DefectRow {
    pub defect: ModelDefect,
    pub id: &'static str,
    pub name: &'static str,
    /// Meaning of the defect, and where to look in the solver.
    pub advice: &'static str,
}

/// The numbers of the family of laws that a defect is.
pub(super) type Pattern = &'static [(LawTerm, Values)];

/// Pattern of the numbers of a term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Values {
    /// Whatever they are.
    Any,
    /// One number, that of the other terms of the pattern.
    Same,
    /// One number above zero.
    Positive,
    /// One number below zero.
    Negative,
    /// One number.
    Of(f64),
    /// Several numbers.
    Each(&'static [f64]),
    /// An inertia whose products are multiplied by a number.
    Products(f64),
}

impl Values {
    fn matches(self, numbers: &[f64], inertia: &Mat3, slack: f64) -> bool {
        let near = |x: f64, y: f64| (x - y).abs() <= slack * y.abs().max(1.0);
        match (self, numbers) {
            (Self::Any, _) | (Self::Same, [_]) => true,
            (Self::Positive, [x]) => *x > 0.0,
            (Self::Negative, [x]) => *x < 0.0,
            (Self::Of(y), [x]) => near(*x, y),
            (Self::Each(y), x) => x.iter().zip(y).all(|(x, y)| near(*x, *y)),
            // The numbers are added to xx, yy, zz, xy, xz and yz; a multiple of the identity is not seen by all.
            (Self::Products(c), [xx, yy, zz, xy, xz, yz]) => {
                let j = inertia;
                let mean = (xx + yy + zz) / 3.0;
                let scale = slack * j.norm();
                let diagonal = [xx, yy, zz].iter().all(|x| (*x - mean).abs() <= scale)
                    && mean.abs() <= 10.0 * scale.max(1e-3);
                let off = [(*xy, j[(0, 1)]), (*xz, j[(0, 2)]), (*yz, j[(1, 2)])];
                diagonal && off.iter().all(|(x, y)| (x - (c - 1.0) * y).abs() <= scale)
            }
            _ => false,
        }
    }
}

impl ModelDefect {
    /// All, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        DEFECTS.iter().map(|r| r.defect)
    }
    fn row(self) -> &'static DefectRow {
        &DEFECTS[self as usize]
    }
    /// A name that does not change.
    pub fn id(self) -> &'static str {
        self.row().id
    }
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    /// Meaning of the defect, and where to look in the solver.
    pub fn advice(self) -> &'static str {
        self.row().advice
    }

    /// Returns the laws that are defects by exact numbers, for a body of this inertia.
    pub fn exact(inertia: Mat3) -> impl Iterator<Item = Vec<Change>> {
        let law = move |(_, pattern): &(Self, Pattern)| -> Option<Vec<Change>> {
            let of = |(term, values): &(LawTerm, Values)| {
                let usual = term.usual();
                let added = match *values {
                    Values::Of(x) => vec![x - usual],
                    Values::Each(x) => x.iter().map(|x| x - usual).collect(),
                    Values::Products(c) if term.row().len() == 6 => {
                        let products = [(0, 1), (0, 2), (1, 2)].map(|at| (c - 1.0) * inertia[at]);
                        [[0.0; 3], products].concat()
                    }
                    Values::Products(_)
                    | Values::Any
                    | Values::Same
                    | Values::Positive
                    | Values::Negative => {
                        return None;
                    }
                };
                let differs = added.iter().any(|x| *x != 0.0);
                differs.then(|| Change::new(*term, added))
            };
            pattern.iter().map(of).collect()
        };
        PATTERNS.iter().filter_map(law)
    }

    /// Returns whether numbers of several terms together are the defect.
    pub fn has_several_terms(self) -> bool {
        PATTERNS.iter().any(|(d, p)| *d == self && p.len() > 1)
    }

    /// Returns the defect that these changes together are, for a body of this inertia. Numbers agree within
    /// `slack`, a part of them where they are above one. What is said by exact numbers comes before what any number is.
    pub fn of(changes: &[Change], inertia: &Mat3, slack: f64) -> Option<Self> {
        let same = |pattern: Pattern| {
            let of = |(term, values): &(LawTerm, Values)| {
                let own = changes.iter().filter(|c| c.term == *term);
                (*values == Values::Same).then(|| own.flat_map(Change::values).collect::<Vec<_>>())
            };
            let all: Vec<f64> = pattern.iter().filter_map(of).flatten().collect();
            let near = |x: &f64| (x - all[0]).abs() <= slack * x.abs().max(1.0);
            all.iter().all(near)
        };
        let is = |pattern: Pattern| {
            pattern.len() == changes.len()
                && same(pattern)
                && pattern.iter().all(|(term, values)| {
                    let mut own = changes.iter().filter(|c| c.term == *term);
                    own.any(|c| values.matches(&c.values(), inertia, slack))
                })
        };
        let vague = |pattern: Pattern| pattern.iter().any(|(_, v)| *v == Values::Any);
        let exact = PATTERNS.iter().find(|(_, p)| !vague(p) && is(p));
        let found = exact.or_else(|| PATTERNS.iter().find(|(_, p)| is(p)));
        found.map(|(defect, _)| *defect)
    }
}

impl LawTerm {
    /// Returns the defect that the term is, whatever its numbers.
    pub fn defect(self) -> Option<ModelDefect> {
        let is = |pattern: Pattern| matches!(pattern, [(t, v)] if *t == self && matches!(v, Values::Any | Values::Positive | Values::Of(_)));
        PATTERNS.iter().find(|(_, p)| is(p)).map(|(d, _)| *d)
    }
}
