//! Checks: what is measured in the runs of a case, what is allowed, and the verdicts that follow.
//!
//! A metric is one variant of [`Metric`]; tolerance files, their schema, the
//! documentation and the rules follow.

mod allow;
mod baseline;
mod baseline_file;
mod context;
mod entry;
mod measurement;
mod measurement_error;
mod metric;
pub(crate) mod number_or_reason;
pub(crate) mod rules;
mod run;
pub(crate) mod selection;
mod time;
mod trend;
mod verdicts;

#[cfg(test)]
mod no_verdict_tests;

pub use allow::{AllowTable, Target};
pub use baseline::{Baseline, BaselineRun};
pub use baseline_file::{NotABaseline, parse as parse_baseline, render as render_baseline};
pub use context::{Context, Number, StudyNames, StudyNumbers};
pub use entry::{Check, Expect, SkipReason, ToleranceFile};
pub use measurement_error::MeasurementError;
pub use metric::{DriftScale, InitialScale, Metric, Needs, Norm, Side, StepFact, StepWork};
pub use run::{IncompleteRun, IncompleteStudy, SchemeRun};
pub use selection::{RequestedQuantity, Selection};
pub use time::{NamedTime, RunTime, SpanPart};
pub(crate) use verdicts::tightest;
pub use verdicts::{CheckGroup, by_check, evaluate};

pub(crate) use context::{by_scheme, grouped};
pub(crate) use measurement::{
    attitude, extreme, ladder_error, range, reference_size, reversibility, single,
    symplectic_defect,
};
pub(crate) use selection::selects;
pub(crate) use time::at_end;
pub(crate) use trend::{half_range, slope};
