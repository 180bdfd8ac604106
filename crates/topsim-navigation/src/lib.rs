//! Strapdown navigation: exact motions with attitude, velocity and position, updates as data, and a judge of updates from any code.
//!
//! ```
//! use topsim_navigation::{NavigationState, ProbeSet, judge_navigation, navigation_probes};
//!
//! // The attitude stays, and the velocity grows by the increments: wrong on any motion that turns.
//! let answers: Vec<Vec<NavigationState>> = navigation_probes(ProbeSet::of(1))
//!     .iter()
//!     .map(|probe| {
//!         let mut state = probe.start;
//!         let update = |samples: &topsim_navigation::ImuSamples| {
//!             state.velocity += samples.velocities[0];
//!             state
//!         };
//!         probe.updates.iter().map(update).collect()
//!     })
//!     .collect();
//! let report = judge_navigation(ProbeSet::of(1), &answers).unwrap();
//! assert!(!report.findings.is_empty());
//! ```

mod defect;
mod fit;
mod frame;
mod frame_fit;
mod iteration;
mod judge;
mod measure;
mod motion;
mod probe;
mod rule;
mod scheme;
mod show;
mod update;

pub use defect::{NavigationDefect, NavigationFinding};
pub use fit::NavigationPart;
pub use frame::{CoriolisVelocity, FrameTerms, FrameTurn};
pub use judge::{NavigationError, NavigationReport, judge_navigation};
pub use measure::{Condition, ConditionErrors, Course, DriftConstant, PartErrors};
pub use motion::{EARTH_RATE, ImuSamples, NavigationMotion, NavigationState, SMALL_TURN};
pub use probe::{MOST_SAMPLES, NavigationProbe, ProbeKind, ProbeSet, navigation_probes};
pub use rule::{
    Factors, Pair, Pairs, PositionForm, SampleInput, SampleMemory, TurnForm, UpdateRule,
    VelocityForm,
};
pub use scheme::{NavigationEngine, NavigationScheme, navigation_schemes};
pub use show::shown_navigation;
pub use update::{Field, Update};

#[cfg(test)]
mod tests;
