//! Case files of topsim, read strictly into a [`Problem`]: a body, a torque, a start, a span with steps and schemes, events
//! and a reference. The crate has the built-in cases too, and knows no checks, studies or figures.
//!
//! ```
//! let problem = topsim_case::Problem::builtin("judge_top").unwrap();
//! assert_eq!(problem.end, Some(3.2));
//! ```

pub mod builtin;
pub mod file;
mod initial;
mod model;
mod problem;
mod refuse;
mod rerun;
mod resolve_body;
mod resolve_jointed;
mod resolve_rate;
mod resolve_reduced;
mod resolve_reference;
mod resolve_runs;
mod run_plan;
mod scheme_entry;
mod source;

pub use initial::{EulerSequence, NotAnAttitude};
pub use problem::{Problem, no_runs_to_look_at};
pub use rerun::{OutOfRange, WrittenStep};
pub use run_plan::RunPlan;
pub use scheme_entry::{SchemeEntry, claims_allowed, no_claim};
pub use source::{CaseSource, NAMES_ALLOWED, is_name};
