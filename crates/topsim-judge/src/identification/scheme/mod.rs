//! The integration scheme of a solver, from its steps at states of our choice.
//!
//! Letters: R attitude, W body rate, J inertia, T torque in the body, g = J⁻¹(J W × W), α = J⁻¹T + g; index 0 and 1 the rows of a
//! step, −1 the row before.

mod bench;
mod fingerprint;
mod linear;
mod relations;
mod sphere;
#[cfg(test)]
mod tests;

use super::experiment::Target;
use bench::Bench;
pub(crate) use fingerprint::Fingerprint;
pub(crate) use relations::Relations;
pub(crate) use sphere::Sphere;

/// What is known of a scheme.
#[derive(Debug, Clone, Default)]
pub(crate) struct SchemeFindings {
    pub relations: Relations,
    pub sphere: Sphere,
    /// The first step as a series.
    pub first: Fingerprint,
    /// The second step, where it differs for what is remembered.
    pub later: Option<Fingerprint>,
    /// Runs that were asked for.
    pub runs: usize,
}

/// Measures a solver whose model and reports are right. `noise`: relative precision of its rows.
pub(crate) fn identify(target: &dyn Target, noise: f64) -> SchemeFindings {
    let bench = Bench::new(target);
    let relations = relations::relations(&bench);
    let sphere = sphere::sphere(&bench, noise);
    let series = fingerprint::fingerprint(&bench, noise);
    SchemeFindings {
        relations,
        sphere,
        first: series.first,
        later: Some(series.later),
        runs: bench.runs(),
    }
}
