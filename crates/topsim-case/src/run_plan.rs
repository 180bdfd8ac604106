//! Plans of runs: a scheme, bound to the problem, at one step or tolerance.

use std::sync::Arc;
use topsim_core::integration::{Experiment, Grid};
use topsim_core::verdict::Fineness;

/// A scheme of a case, bound to its problem.
pub(crate) struct LabelledScheme {
    /// Index of its entry in `run.schemes`.
    pub(crate) entry: usize,
    pub(crate) label: String,
    /// Name of the scheme in the registry.
    pub(crate) name: String,
    /// Its tolerance, if it keeps one.
    pub(crate) tolerance: Option<f64>,
    pub(crate) experiment: Arc<Experiment>,
}

/// Plan of a run: the problem, one scheme and one step or tolerance.
#[derive(Clone)]
pub struct RunPlan {
    /// Label of the scheme.
    pub scheme: String,
    /// Name of the scheme in the registry.
    pub scheme_name: String,
    /// Step as it is written in the case, or tolerance.
    pub fineness: Fineness,
    /// Times and samples of the run; one with a tolerance makes steps from sample to sample.
    pub grid: Grid,
    /// Problem with its scheme.
    pub experiment: Arc<Experiment>,
}

impl RunPlan {
    /// Returns whether the run has a step, and no tolerance.
    pub fn has_step(&self) -> bool {
        matches!(self.fineness, Fineness::Step(_))
    }

    /// Returns the stem of the files of the run.
    pub fn stem(&self) -> String {
        format!("{}_{}", self.scheme, self.fineness.stem())
    }
}
