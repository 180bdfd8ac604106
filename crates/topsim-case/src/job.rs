//! Single integrations: a scheme, bound to the problem, at one step.

use std::sync::Arc;
use topsim_core::integration::{Experiment, Grid};

/// A scheme of a case, bound to its problem.
pub(crate) struct LabelledScheme {
    pub(crate) label: String,
    /// Name of the scheme in the registry.
    pub(crate) name: String,
    pub(crate) experiment: Arc<Experiment>,
}

/// One integration to make.
#[derive(Clone)]
pub struct Job {
    /// Scheme label.
    pub scheme: String,
    /// Name of the scheme in the registry.
    pub scheme_name: String,
    /// Step as the case writes it.
    pub step: String,
    /// Times and samples.
    pub grid: Grid,
    /// Problem and scheme.
    pub experiment: Arc<Experiment>,
}

impl Job {
    /// Stem of the files of its run.
    pub fn stem(&self) -> String {
        format!("{}_h{}", self.scheme, self.step)
    }
}
