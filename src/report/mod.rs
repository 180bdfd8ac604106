//! Renders reports: each format is one implementation of [`Renderer`]. Also writes the files of a report.

mod annotations;
mod compare;
mod credibility;
mod csv;
mod difference;
mod figures;
mod files;
mod history;
mod html;
pub mod invalid;
mod json;
mod junit;
mod run_record;
mod scorecard;
mod sections;
mod summary;
mod timings;
mod versions;

pub use annotations::{GitHub, Sarif};
pub use compare::{ComparedSolver, comparison, comparison_csv, comparison_figures};
pub use credibility::{CREDIBILITY_TITLE, credibility};
pub use csv::Csv;
pub use difference::ReportDifference;
pub use figures::{DrawnFigure, figure_files, figures};
pub use files::{Output, OutputError};
pub use html::HtmlPage;
pub(crate) use json::pretty;
pub use json::{Json, results_schema};
pub use junit::Junit;
pub use scorecard::scorecard_case;
pub use sections::{Human, Paper};
pub use versions::{ReportVersion, versions_page};

use crate::run::Results;
use document::Console;

/// A format of reports.
pub trait Renderer {
    /// Returns the report in this format.
    fn render(&self, results: &Results) -> String;
}

/// Style of the report for people.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextStyle {
    /// The terminal, or a file.
    pub console: Console,
    /// One line for each run instead of the tightest of each check.
    pub verbose: bool,
    /// Failures only: nothing if nothing failed.
    pub quiet: bool,
}
