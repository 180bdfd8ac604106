//! A step as a list of kicks and drifts.

use topsim_core::schemes::compositions::Composition;

/// Fractions of the step: kick, drift, kick, …, drift, kick. Any kick may be 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Splitting {
    kicks: Vec<f64>,
    drifts: Vec<f64>,
}

/// Why fractions make no step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SplittingError {
    /// Not one kick more than drifts.
    #[error("{drifts} drifts need one more kicks, there are {kicks}")]
    Count {
        /// Kicks.
        kicks: usize,
        /// Drifts.
        drifts: usize,
    },
    /// The fractions of one kind do not make a whole step.
    #[error("the {what} add up to {sum}, not to 1")]
    Sum {
        /// `"kicks"` or `"drifts"`.
        what: &'static str,
        /// Their sum.
        sum: f64,
    },
}

impl Splitting {
    /// From the fractions.
    ///
    /// # Errors
    /// [`SplittingError`] unless there is one kick more than drifts and both add up to 1.
    pub fn new(kicks: &[f64], drifts: &[f64]) -> Result<Self, SplittingError> {
        if drifts.is_empty() || kicks.len() != drifts.len() + 1 {
            return Err(SplittingError::Count {
                kicks: kicks.len(),
                drifts: drifts.len(),
            });
        }
        for (what, list) in [("kicks", kicks), ("drifts", drifts)] {
            let sum: f64 = list.iter().sum();
            if !((sum - 1.0).abs() <= 1e-12) {
                return Err(SplittingError::Sum { what, sum });
            }
        }
        Ok(Self {
            kicks: kicks.to_vec(),
            drifts: drifts.to_vec(),
        })
    }

    /// Φ_h of the paper: kick, then drift; first order.
    pub fn poisson_first() -> Self {
        Self {
            kicks: vec![1.0, 0.0],
            drifts: vec![1.0],
        }
    }

    /// Φ*_h, the adjoint: drift, then kick.
    pub fn poisson_adjoint() -> Self {
        Self {
            kicks: vec![0.0, 1.0],
            drifts: vec![1.0],
        }
    }

    /// The kicks, one more than the drifts.
    pub fn kicks(&self) -> &[f64] {
        &self.kicks
    }

    /// The drifts.
    pub fn drifts(&self) -> &[f64] {
        &self.drifts
    }
}

impl From<&Composition> for Splitting {
    fn from(c: &Composition) -> Self {
        Self {
            kicks: c.kicks.to_vec(),
            drifts: c.drifts.to_vec(),
        }
    }
}
