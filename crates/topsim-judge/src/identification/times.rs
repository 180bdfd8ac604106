//! First order: at which time a solver takes each term of the equations of motion.
//!
//! The linear term of the local defect is a combination of elementary differentials. With f = f_g + f_T, the
//! accelerations by the gyroscopic term and by the torque, `c + 1/2` is the time, in steps, at which a term is taken:
//! −1/2 is the start of the step, 0 its middle, 1/2 its end, −3/2 a step before it.
//!
//! Source: `docs/science/identification.md`, section 6.

use super::expansion::{Expansion, RateTerms};
use super::experiment::Start;
use crate::thresholds::{EXPLAINED, MOST, SERIES_LEFT};
use nalgebra::{DMatrix, DVector};
pub(crate) use topsim_model::differential::Differential;

/// A combination of differentials.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Combination {
    /// The coefficients, those of the schemes first.
    pub terms: Vec<(Differential, f64)>,
    /// Part of the defect that it leaves.
    pub left: f64,
}

impl Combination {
    pub fn coefficient(&self, d: Differential) -> f64 {
        let found = self.terms.iter().find(|t| t.0 == d);
        found.map_or(0.0, |t| t.1)
    }
    /// The first term that no scheme should have.
    pub fn other(&self) -> Option<Differential> {
        let mut terms = self.terms.iter().map(|t| t.0);
        terms.find(|d| Differential::OTHERS.contains(d))
    }
    /// The least of the schemes' coefficients.
    pub fn earliest(&self) -> f64 {
        let scheme = |t: &&(Differential, f64)| Differential::SCHEMES.contains(&t.0);
        let all = self.terms.iter().filter(scheme).map(|t| t.1);
        all.fold(0.0, f64::min)
    }
    /// The largest of the schemes' coefficients.
    pub fn largest(&self) -> f64 {
        let scheme = |t: &&(Differential, f64)| Differential::SCHEMES.contains(&t.0);
        let sizes = self.terms.iter().filter(scheme).map(|t| t.1.abs());
        sizes.fold(0.0, f64::max)
    }
}

/// What a scheme of first order adds to the differences of the equations at these states, for each of its terms.
pub(crate) fn columns<'a>(starts: impl Iterator<Item = &'a Start> + Clone) -> Vec<Vec<f64>> {
    let of = |d: &Differential| -> Vec<f64> {
        let six = starts.clone().map(|s| d.of(s));
        six.flat_map(<[f64; 6]>::from).collect()
    };
    let all = Differential::SCHEMES.iter().map(of);
    // Where no torque acts, its terms are none.
    all.filter(|c| c.iter().any(|x| *x != 0.0)).collect()
}

/// Least squares of vectors on columns: the coefficients, and the part that is left.
pub(crate) fn least_squares(columns: &[Vec<f64>], wanted: &[f64]) -> Option<(Vec<f64>, f64)> {
    let a = DMatrix::from_fn(wanted.len(), columns.len(), |i, k| columns[k][i]);
    let y = DVector::from_column_slice(wanted);
    // Columns of length one: small terms count as much as large ones.
    let norms: Vec<f64> = columns
        .iter()
        .map(|c| c.iter().map(|x| x * x).sum::<f64>().sqrt())
        .collect();
    if norms.iter().any(|n| !(*n > 0.0)) {
        return None;
    }
    let scaled = DMatrix::from_fn(a.nrows(), a.ncols(), |i, k| a[(i, k)] / norms[k]);
    let x = scaled.clone().svd(true, true).solve(&y, 1e-10).ok()?;
    let left = (&scaled * &x - &y).norm() / y.norm().max(1e-300);
    Some((x.iter().zip(&norms).map(|(x, n)| x / n).collect(), left))
}

/// Writes one coefficient of an expansion as a combination of differentials; `power` is 0 for a solver with steps of its
/// own, and 1 for one of first order.
pub(crate) fn combination(
    expansion: &Expansion,
    power: usize,
    terms: &[Differential],
) -> Option<Combination> {
    combination_of(expansion, &expansion.power(power), terms)
}

/// The same of any six numbers of each start.
pub(crate) fn combination_of(
    expansion: &Expansion,
    of: &[RateTerms],
    terms: &[Differential],
) -> Option<Combination> {
    let scales = expansion.scales;
    let scale = |x: &RateTerms| -> Vec<f64> {
        (0..6)
            .map(|k| {
                x[k] / if k < 3 {
                    scales.rate
                } else {
                    scales.acceleration
                }
            })
            .collect()
    };
    let wanted: Vec<f64> = of.iter().flat_map(scale).collect();
    let columns: Vec<Vec<f64>> = terms
        .iter()
        .map(|d| {
            let starts = expansion.starts.iter();
            starts
                .flat_map(|s| scale(&d.of(&s.designed.start)))
                .collect()
        })
        .collect();
    let (coefficients, left) = least_squares(&columns, &wanted)?;
    Some(Combination {
        terms: terms.iter().copied().zip(coefficients).collect(),
        left,
    })
}

/// The combination of a scheme of first order: the five times, and what else it takes.
pub(crate) fn first_order(expansion: &Expansion) -> Option<Combination> {
    let mut terms = Differential::SCHEMES.to_vec();
    let mut best = combination(expansion, 1, &terms)?;
    while best.left > EXPLAINED {
        let more = Differential::OTHERS.iter().filter(|d| !terms.contains(d));
        let tried = more.filter_map(|d| {
            let mut with = terms.clone();
            with.push(*d);
            combination(expansion, 1, &with)
        });
        let next = tried.min_by(|a, b| a.left.total_cmp(&b.left))?;
        if next.left > MOST * best.left {
            break;
        }
        terms = next.terms.iter().map(|t| t.0).collect();
        best = next;
    }
    if best.left > EXPLAINED {
        // Of two others the first alone may explain nothing.
        let all = [&Differential::SCHEMES[..], &Differential::OTHERS].concat();
        let whole = combination(expansion, 1, &all)?;
        if whole.left < SERIES_LEFT {
            let scheme = |d: &Differential| Differential::SCHEMES.contains(d);
            let there = |t: &&(Differential, f64)| scheme(&t.0) || t.1.abs() > EXPLAINED;
            let terms: Vec<_> = whole.terms.iter().filter(there).map(|t| t.0).collect();
            best = combination(expansion, 1, &terms)?;
        }
    }
    Some(best)
}
