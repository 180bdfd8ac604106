//! Which terms are worth a fit beside others.

use super::{Differences, Selection, TERMS, TermRow, starts};
use crate::thresholds::DOUBLE;
use nalgebra::{DMatrix, DVector};

/// Columns that are weighed together, at most.
const MOST_COLUMNS: usize = 30;

/// A term that may be added, from one of the values at which its fit may begin.
pub(super) struct Variant {
    pub row: &'static TermRow,
    pub from: Vec<f64>,
    columns: core::ops::Range<usize>,
}

/// Residuals that terms beside others promise, as if the residuals were linear in their numbers. A power of the attitude is one
/// column, the change that it makes.
pub(super) struct Promises {
    pub variants: Vec<Variant>,
    /// Products of the columns, those of the terms before first; the last is the residual.
    products: DMatrix<f64>,
    /// Columns of the terms before.
    before: usize,
}

impl Promises {
    pub fn new(all: &Differences, before: &Selection) -> Self {
        let (own_rows, own_parameters) = (before.rows(), before.parameters());
        let law = |extra: Option<(&'static TermRow, &[f64])>| {
            let mut rows = own_rows.clone();
            let mut parameters = own_parameters.clone();
            if let Some((row, from)) = extra {
                rows.push(row);
                parameters.extend(from);
            }
            all.residuals(&Differences::law(&rows, &parameters))
        };
        let r = law(None);
        let jacobian = all.jacobian(&own_rows, &own_parameters, &r);
        let mut columns: Vec<DVector<f64>> =
            jacobian.column_iter().map(|c| c.into_owned()).collect();
        let mut variants = Vec::new();
        let others = TERMS
            .iter()
            .filter(|row| !row.is_everywhere() && before.terms.iter().all(|b| b.term != row.term));
        for row in others {
            let first = columns.len();
            if row.is_exponent() {
                for from in starts(row) {
                    let at = columns.len();
                    columns.push(law(Some((row, &from))) - &r);
                    variants.push(Variant {
                        row,
                        from,
                        columns: at..at + 1,
                    });
                }
            } else {
                const D: f64 = 1e-5;
                for k in 0..row.len() {
                    let mut from = vec![0.0; row.len()];
                    from[k] = D;
                    columns.push((law(Some((row, &from))) - &r) / D);
                }
                let from = vec![0.0; row.len()];
                variants.push(Variant {
                    row,
                    from,
                    columns: first..columns.len(),
                });
            }
        }
        columns.push(r);
        let matrix = DMatrix::from_columns(&columns);
        Self {
            variants,
            products: matrix.tr_mul(&matrix),
            before: own_parameters.len(),
        }
    }

    /// The sum of squares that is left beside these variants.
    pub fn left(&self, chosen: &[usize]) -> f64 {
        let added = chosen
            .iter()
            .flat_map(|v| self.variants[*v].columns.clone());
        let columns: Vec<usize> = (0..self.before).chain(added).collect();
        let last = self.products.nrows() - 1;
        let n = columns.len();
        // Cholesky's decomposition with the residual as the last column: what is left of it is its last pivot.
        let mut l = [[0.0_f64; MOST_COLUMNS + 1]; MOST_COLUMNS + 1];
        if n > MOST_COLUMNS {
            return f64::INFINITY;
        }
        let index = |i: usize| columns.get(i).copied().unwrap_or(last);
        for i in 0..=n {
            for k in 0..=i {
                let sum: f64 = (0..k).map(|m| l[i][m] * l[k][m]).sum();
                let x = self.products[(index(i), index(k))] - sum;
                if i != k {
                    l[i][k] = if l[k][k] > 0.0 { x / l[k][k] } else { 0.0 };
                } else if i == n {
                    return x.max(0.0);
                } else {
                    let whole = self.products[(index(i), index(i))];
                    l[i][i] = if x > DOUBLE * whole { x.sqrt() } else { 0.0 };
                }
            }
        }
        0.0
    }
}
