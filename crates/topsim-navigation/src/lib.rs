//! Strapdown navigation: exact motions with attitude, velocity and position, updates as data, and a judge of updates from any code.

mod fit;
mod iteration;
mod judge;
mod measure;
mod motion;
mod probe;
mod rule;
mod scheme;
mod show;

pub use fit::{NavigationPart, ObservedRun, ObservedRuns};
pub use judge::{
    ExplainedForm, NavigationDefect, NavigationError, NavigationFinding, NavigationReport,
    judge_navigation,
};
pub use measure::{DriftConstant, PartErrors};
pub use motion::{ImuSamples, NavigationMotion, NavigationState, SMALL_TURN};
pub use probe::{MOST_SAMPLES, NavigationProbe, ProbeKind, navigation_probes};
pub use rule::{
    Factors, Pair, Pairs, PositionForm, RotationFactors, SampleInput, SampleMemory, TurnForm,
    Update, UpdateRule, VelocityForm, coning_factor, factor_of_single_samples, rotation_factors,
    turned,
};
pub use scheme::{NavigationEngine, NavigationScheme, navigation_schemes};
pub use show::{sentence, shown_navigation};

#[cfg(test)]
mod tests;
