//! Floor 6: case and tolerance files, from TOML text to a plan.

mod accepted;
mod baseline_file;
mod builtin;
mod check_rules;
mod describe;
mod document;
mod excerpt;
mod expected;
mod faults;
mod file;
mod initial;
mod map_plan;
mod numbers;
mod plan;
pub mod posed;
mod problem;
mod resolve;
mod resolve_body;
mod resolve_held;
mod resolve_maps;
mod resolve_reduced;
mod resolve_runs;
mod resolve_sights;
mod resolve_studies;
mod resolve_surveys;
mod scheme_entry;
mod shape;
mod sights;
mod strict;
mod study_entry;
mod survey_plan;

#[cfg(test)]
mod mirror;
#[cfg(test)]
mod tests;

pub use accepted::{ANY_CASE, Accepted, AcceptedFile};
pub use baseline_file::render as render_baseline;
pub use builtin::{BUILTIN, Builtin, find as builtin_case, made_for_judging};
pub use document::Document;
pub use expected::ExpectedFile;
pub use file::CaseFile;
pub use map_plan::{MapPlan, probe_name};
pub use plan::{CasePlan, CaseSource, FigureKind, FigurePlan, Job, OnePer, ReferencePlan, Wanted};
pub use problem::{InvalidFile, Problem, Severity};
pub use survey_plan::{RegionPlan, ScanPlan, SurveyPlan};
