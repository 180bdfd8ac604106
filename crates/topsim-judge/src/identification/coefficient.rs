//! The numbers of a law that was fitted, as data: symbol, what is right, what was found.

use super::experiment::Start;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_model::Change;

/// A number of the equations of motion that was fitted to a solver's steps.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Coefficient {
    /// Its symbol in the equations.
    pub symbol: String,
    /// What it is.
    pub meaning: String,
    /// SI unit; empty of a pure number.
    pub unit: String,
    /// Its value in the right equations.
    pub right: f64,
    /// Its value in the solver.
    pub fitted: f64,
    /// By how much that may be off, where the fit tells.
    pub error: Option<f64>,
}

/// The numbers of these terms, for the body on which they were fitted.
pub(super) fn coefficients(fitted: &[Change], base: &Start) -> Vec<Coefficient> {
    let mut out = Vec::new();
    for f in fitted {
        let values = f.values();
        for (k, (terms, component)) in f.term.row().numbers().enumerate() {
            // Those that move together have moved by the same.
            let moved = values[k] - terms[0].usual();
            out.extend(terms.iter().map(|term| {
                let right = term.right(component, base);
                Coefficient {
                    symbol: term.symbol(component),
                    meaning: term.row().meaning.into(),
                    unit: term.row().unit.into(),
                    right,
                    fitted: right + moved,
                    error: f.errors.get(k).copied().filter(|e| e.is_finite()),
                }
            }));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::design;
    use super::super::law::LawTerm;
    use super::*;

    #[test]
    fn numbers_are_those_of_the_body() {
        let base = design::standard();
        let fitted = |term, added: &[f64]| Change {
            errors: vec![1e-9; added.len()],
            ..Change::new(term, added.into())
        };
        let all = [
            fitted(LawTerm::Gravity, &[-2.0]),
            fitted(LawTerm::UpTurned, &[1.0]),
            fitted(LawTerm::Inertia, &[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ];
        let all = coefficients(&all, &base);
        let is = |k: usize| (&*all[k].symbol, all[k].right, all[k].fitted);
        assert_eq!(is(0), ("w", 1.0, -1.0));
        // Not turned at all.
        assert_eq!(is(1), ("aU = aP", -1.0, 0.0));
        let j = base.inertia.tensor()[(0, 0)];
        assert_eq!(is(2), ("Jd xx", j, j + 0.5));
        assert_eq!(is(3), ("Jg xx", j, j + 0.5));
        assert_eq!(all.len(), 14);
        assert_eq!(all[0].error, Some(1e-9));
    }
}
