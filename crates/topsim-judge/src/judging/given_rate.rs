//! What is said of histories of a given rate.

use crate::diagnosis::{Conclusion, Diagnosis};
use crate::history::Convergence;
use crate::identification::{Identification, Note};

/// Diagnoses histories of a given rate by their errors and by what is identified: there is no body whose laws the rows could
/// follow.
pub(super) fn diagnose(
    convergence: Option<&Convergence>,
    identified: Option<&Identification>,
) -> Option<Diagnosis> {
    let mut found = Diagnosis::unsettled(Vec::new()).of(identified);
    let why = identified.and_then(|i| i.not_measured.clone());
    found.remarks.extend(why.map(Note::NotMeasured));
    found.follows = convergence.is_some_and(Convergence::converges);
    if found.causes.is_empty() {
        found.conclusion = match convergence {
            None => Conclusion::Unsettled,
            Some(_) if found.follows => Conclusion::Right,
            Some(c) if c.coarse() || c.close() => Conclusion::Unsettled,
            Some(_) => Conclusion::NoneFits,
        };
    }
    Some(found)
}
