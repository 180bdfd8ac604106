//! The only time loop, what it observes, and the table that binds schemes to problems.

mod aliases;
mod counters;
mod events;
mod experiment;
mod follow;
mod grid;
#[cfg(test)]
mod jointed_tests;
mod log;
mod parameters;
pub mod registry;
mod run;
#[cfg(test)]
mod scheme_table_tests;
mod selector;
pub(crate) mod step_map;
mod stepper;
mod together;
#[cfg(any(test, feature = "wrong-schemes"))]
mod wrong;

pub use aliases::{ALIASES, Alias, alias};
pub use events::{Event, EventKind, EventSpec, MOST_EVENTS, events_of};
pub use experiment::{Experiment, Refusal, WrongFamily, bind};
pub use follow::Stops;
pub use grid::Grid;
pub use parameters::{Parameter, ParameterError, Parameters};
pub use run::{End, Run, RunEffort, StepFacts, StopReason, Track};
pub use selector::{
    ClaimQuantity, PROPERTIES, Property, QUANTITIES, SchemeSelector, claims, fits_pattern,
};
pub use stepper::{POLL_STEPS, integrate};
pub use together::follow_together;
