//! Steps that follow another rule on some occasions: beyond a limit, after a time, or once in a number of steps.

use crate::identification::experiment::{Answer, Probe};
use crate::identification::{Claim, Symptom};
use core::fmt;
use topsim_model::defect::Defect;
use topsim_model::{Observed, Walk};

/// A walk along the rows of a case whose conditions new starts of the solver tell apart.
#[derive(Clone)]
pub struct OpenWalk {
    walk: Walk,
    observed: Observed,
}

impl fmt::Debug for OpenWalk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.walk, f)
    }
}

impl OpenWalk {
    /// Returns a walk that new starts can tell more of.
    pub(super) fn new(walk: &Walk, observed: &Observed) -> Option<Self> {
        let asks = !walk.new_starts(observed).is_empty();
        asks.then(|| Self {
            walk: walk.clone(),
            observed: observed.clone(),
        })
    }

    /// Returns the new starts that tell more.
    pub(crate) fn questions(&self) -> Vec<Probe> {
        self.walk.new_starts(&self.observed)
    }

    /// Returns the claim that is made with the answers.
    pub(crate) fn claim(&self, questions: &[Probe], answers: &[Answer]) -> Claim {
        let walk = self.walk.answered(&self.observed, questions, answers);
        claim(&walk, &self.observed)
    }

    /// Returns the defect that is claimed without answers.
    pub(crate) fn id(&self) -> Defect {
        claim(&self.walk, &self.observed).id
    }
}

/// Returns the claim that a walk makes.
pub(super) fn claim(walk: &Walk, observed: &Observed) -> Claim {
    let (walk, body) = (walk.clone(), observed.body.clone());
    Symptom::Walk(Box::new(walk), Box::new(body)).into()
}
