//! Plans of runs: a scheme, bound to the problem, at one step.

use std::sync::Arc;
use topsim_core::integration::{Experiment, Grid};

/// A scheme of a case, bound to its problem.
pub(crate) struct LabelledScheme {
    /// Index of its entry in `run.schemes`.
    pub(crate) entry: usize,
    pub(crate) label: String,
    /// Name of the scheme in the registry.
    pub(crate) name: String,
    pub(crate) experiment: Arc<Experiment>,
}

/// Plan of a run: the problem, one scheme and one step.
#[derive(Clone)]
pub struct RunPlan {
    /// Label of the scheme.
    pub scheme: String,
    /// Name of the scheme in the registry.
    pub scheme_name: String,
    /// Step as it is written in the case.
    pub step: String,
    /// Times and samples of the run.
    pub grid: Grid,
    /// Problem with its scheme.
    pub experiment: Arc<Experiment>,
}

impl RunPlan {
    /// Returns the stem of the files of the run.
    pub fn stem(&self) -> String {
        format!("{}_h{}", self.scheme, self.step)
    }
}
