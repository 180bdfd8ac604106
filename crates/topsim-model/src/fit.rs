//! Numbers of a suspect, fitted to rows: least squares of what a model misses of each row.

use crate::model::Model;
use crate::observed::{Interval, Observed};
use crate::suspects::Suspect;
use nalgebra::{DMatrix, DVector};

/// A fit of a suspect's numbers.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The numbers.
    pub numbers: Vec<f64>,
    /// Root mean square of what is left over the intervals, in the units of the weights.
    pub left: f64,
}

/// Weights of an interval: of the turn, 1/rad, and of the rate, s/rad.
pub type Weights = [f64; 2];

/// A suspect with the rows to which its numbers are fitted.
pub struct Fitting<'a> {
    /// Rows.
    pub observed: &'a Observed,
    /// Intervals that are used.
    pub intervals: &'a [Interval],
    /// Weights of each.
    pub weights: &'a [Weights],
    /// Suspect whose numbers are fitted.
    pub suspect: &'a Suspect,
    /// Model without it.
    pub base: &'a Model,
}

/// Change of a number for a difference, of its size.
const CHANGE: f64 = 1e-6;
/// Part of a number's weight by which it is held where rows do not tell it apart from others.
const DEPENDENT: f64 = 1e-10;
/// A fit that falls by less than this part has ended.
const ENDED: f64 = 1e-3;

impl Fitting<'_> {
    fn model(&self, numbers: &[f64]) -> Model {
        let mut model = self.base.clone();
        self.suspect.apply(numbers, &mut model);
        model
    }

    /// Returns the weighted misses of all intervals with these numbers.
    #[must_use]
    pub fn residuals(&self, numbers: &[f64]) -> Option<DVector<f64>> {
        let model = self.model(numbers);
        let equations = model.equations(&self.observed.body);
        let mut out = Vec::with_capacity(6 * self.intervals.len());
        for (i, [turn, rate]) in self.intervals.iter().zip(self.weights) {
            let off = self.observed.miss(&model, &equations, i)?.off;
            out.extend(off.turn.iter().map(|x| x * turn));
            out.extend(off.rate.iter().map(|x| x * rate));
        }
        Some(DVector::from_vec(out))
    }

    /// Returns the slopes of the misses by each number, where `missed` are those at these numbers.
    #[must_use]
    pub fn slopes(&self, numbers: &[f64], missed: &DVector<f64>) -> Option<DMatrix<f64>> {
        let mut slopes = DMatrix::zeros(missed.len(), numbers.len());
        for k in 0..numbers.len() {
            let by = CHANGE * numbers[k].abs().max(0.1);
            let mut moved = numbers.to_vec();
            moved[k] += by;
            slopes.set_column(k, &((self.residuals(&moved)? - missed) / by));
        }
        Some(slopes)
    }

    /// Fits from given numbers with so many iterations at most.
    #[must_use]
    pub fn run(&self, from: &[f64], iterations: usize) -> Option<Fit> {
        let n = from.len();
        let mut x = DVector::from_column_slice(from);
        let mut r = self.residuals(from)?;
        let mut damping = 0.0;
        'fit: for _ in 0..if n == 0 { 0 } else { iterations } {
            let slopes = self.slopes(x.as_slice(), &r)?;
            let (normal, gradient) = (slopes.tr_mul(&slopes), slopes.tr_mul(&r));
            let before = r.norm_squared();
            for _ in 0..4 {
                let mut damped = normal.clone();
                for k in 0..n {
                    // Numbers that the rows do not tell apart stay where they are.
                    damped[(k, k)] += (damping + DEPENDENT) * normal[(k, k)] + f64::MIN_POSITIVE;
                }
                let step = damped.cholesky().map(|c| c.solve(&gradient));
                let next = step.map(|s| &x - s);
                let left = next.as_ref().and_then(|y| self.residuals(y.as_slice()));
                if let (Some(y), Some(left)) = (next, left)
                    && left.norm_squared() < before
                {
                    (x, r) = (y, left);
                    damping *= 0.1;
                    if before - r.norm_squared() < ENDED * before {
                        break 'fit;
                    }
                    continue 'fit;
                }
                damping = f64::max(1e-3, damping * 30.0);
            }
            break;
        }
        Some(Fit {
            numbers: x.as_slice().to_vec(),
            left: (r.norm_squared() / self.intervals.len().max(1) as f64).sqrt(),
        })
    }
}
