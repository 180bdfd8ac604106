//! Laws ranked by what they leave of rows to first order of their numbers: all terms, and all pairs of them.

use crate::law::{Change, LawTerm, TERMS, TermRow};
use crate::rung::Rung;
use crate::suspects::Suspect;
use nalgebra::{DMatrix, DVector};

/// Laws that are kept of each number of numbers: those that leave least. More numbers take up more of a scheme's error.
const KEPT: usize = 4;
/// Most numbers of a pair: more would explain anything.
const MOST_NUMBERS: usize = 12;
/// Singular values below this part of the largest are those of numbers that the rows do not tell apart.
const DEPENDENT: f64 = 1e-6;
/// The effect of a term of a pair over what is to be explained, at most.
const CANCELS: f64 = 5.0;
/// Largest ratio of what is left to first order to what is left in the end.
const FIRST_ORDER: f64 = 2.0;

/// Effect of the terms of the law on the rows of a history, to first order of their numbers.
pub(crate) struct Linear {
    /// Changes of the law beside which the terms are.
    base: Vec<Change>,
    /// Misses of the base.
    missed: DVector<f64>,
    terms: Vec<(LawTerm, DMatrix<f64>)>,
}

impl Linear {
    pub fn new(rung: &Rung, base: &[Change]) -> Option<Self> {
        let missed = rung.fitting(&Suspect::law(base, &[]), |f| f.residuals(&[]))?;
        let of = |row: &TermRow| {
            if row.takes_several_verticals() || base.iter().any(|c| c.term == row.term) {
                return None;
            }
            let suspect = Suspect::law(base, &[row.term]);
            let from = vec![0.0; suspect.numbers()];
            let slopes = rung.fitting(&suspect, |f| f.slopes(&from, &missed))?;
            (slopes.norm() > 0.0).then_some((row.term, slopes))
        };
        Some(Self {
            base: base.to_vec(),
            terms: TERMS.iter().filter_map(of).collect(),
            missed,
        })
    }

    /// Returns the numbers of some columns that leave least, and what they leave.
    fn solved(&self, columns: &DMatrix<f64>) -> (Vec<f64>, f64) {
        // Columns of one size, because numbers have many units.
        let sizes: Vec<f64> = columns
            .column_iter()
            .map(|c| c.norm().max(f64::MIN_POSITIVE))
            .collect();
        let mut scaled = columns.clone();
        for (mut column, size) in scaled.column_iter_mut().zip(&sizes) {
            column /= *size;
        }
        let normal = scaled.tr_mul(&scaled);
        let gradient = scaled.tr_mul(&self.missed);
        let eigen = normal.symmetric_eigen();
        let largest = eigen.eigenvalues.max();
        let mut x = DVector::zeros(sizes.len());
        for (value, vector) in eigen
            .eigenvalues
            .iter()
            .zip(eigen.eigenvectors.column_iter())
        {
            if *value > DEPENDENT * DEPENDENT * largest {
                x -= vector * (vector.dot(&gradient) / value);
            }
        }
        let intervals = self.missed.len() as f64 / 6.0;
        let left = (&scaled * &x + &self.missed).norm() / intervals.sqrt();
        let numbers = x.iter().zip(&sizes).map(|(x, size)| x / size);
        (numbers.collect(), left)
    }

    /// Returns the terms that leave least, and no more than `most`, with their numbers.
    pub fn singles(&self, most: f64) -> Vec<(Suspect, Vec<f64>)> {
        let all = self.terms.iter().map(|(term, columns)| {
            let (numbers, left) = self.solved(columns);
            (Suspect::law(&self.base, &[*term]), numbers, left)
        });
        self.best(all, most)
    }

    /// Returns the pairs of terms that leave least, and no more than `most`, with their numbers.
    pub fn pairs(&self, most: f64) -> Vec<(Suspect, Vec<f64>)> {
        let n = self.terms.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |k| (i, k)));
        let all = pairs.filter_map(|(i, k)| {
            let ((a, first), (b, second)) = (&self.terms[i], &self.terms[k]);
            let (m, n) = (first.ncols(), second.ncols());
            if m + n > MOST_NUMBERS {
                return None;
            }
            let mut columns = first.clone().resize_horizontally(m + n, 0.0);
            columns.columns_mut(m, n).copy_from(second);
            let (numbers, left) = self.solved(&columns);
            // Terms that take back what the other does explain nothing.
            let effect = first * DVector::from_column_slice(&numbers[..m]);
            let apart = effect.norm() <= CANCELS * self.missed.norm();
            apart.then(|| (Suspect::law(&self.base, &[*a, *b]), numbers, left))
        });
        self.best(all, most)
    }

    /// Returns the laws that leave least, of each number of numbers, the fewest first.
    fn best(
        &self,
        all: impl Iterator<Item = (Suspect, Vec<f64>, f64)>,
        most: f64,
    ) -> Vec<(Suspect, Vec<f64>)> {
        let mut all: Vec<_> = all.filter(|f| f.2 <= FIRST_ORDER * most).collect();
        all.sort_by(|a, b| a.1.len().cmp(&b.1.len()).then(a.2.total_cmp(&b.2)));
        let mut kept = [0; MOST_NUMBERS + 1];
        all.retain(|(_, numbers, _)| {
            kept[numbers.len()] += 1;
            kept[numbers.len()] <= KEPT
        });
        all.into_iter()
            .map(|(s, numbers, _)| (s, numbers))
            .collect()
    }
}
