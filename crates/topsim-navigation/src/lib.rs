//! Strapdown navigation: exact motions with attitude, velocity and position, updates as data, and a judge of updates from any code.
//!
//! ```
//! use topsim_navigation::{NavigationState, judge_navigation, navigation_probes};
//!
//! // The attitude stays, and the velocity grows by the increments: wrong on any motion that turns.
//! let answers: Vec<Vec<NavigationState>> = navigation_probes(1)
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
//! let report = judge_navigation(1, &answers).unwrap();
//! assert!(!report.findings.is_empty());
//! ```

mod defect;
mod fit;
mod iteration;
mod judge;
mod measure;
mod motion;
mod probe;
mod rule;
mod scheme;
mod show;

pub use defect::{NavigationDefect, NavigationFinding};
pub use fit::NavigationPart;
pub use judge::{NavigationError, NavigationReport, judge_navigation};
pub use measure::{Course, DriftConstant, PartErrors};
pub use motion::{ImuSamples, NavigationMotion, NavigationState, SMALL_TURN};
pub use probe::{MOST_SAMPLES, NavigationProbe, ProbeKind, navigation_probes};
pub use rule::{
    Factors, Pair, Pairs, PositionForm, SampleInput, SampleMemory, TurnForm, Update, UpdateRule,
    VelocityForm,
};
pub use scheme::{NavigationEngine, NavigationScheme, navigation_schemes};
pub use show::shown_navigation;

#[cfg(test)]
mod tests;
