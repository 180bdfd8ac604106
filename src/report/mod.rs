//! Renders reports: each format is one implementation of [`Renderer`]. Also writes the files of a report.

mod badge;
mod credibility;
mod csv;
mod difference;
mod figures;
mod files;
mod finding;
mod histories;
mod history;
mod html;
mod human;
pub mod invalid;
mod json;
mod junit;
mod latex;
mod markdown;
mod run_record;
mod scorecard;
mod summary;
mod tables;
mod timings;

pub use badge::Badge;
pub use credibility::Credibility;
pub use csv::Csv;
pub use difference::ReportDifference;
pub use figures::{DrawnFigure, figure_files, figures};
pub use files::{Output, OutputError};
pub use finding::{counted, covered, files as finding_files, hunted};
pub use html::Html;
pub use human::{Human, TextStyle};
pub(crate) use json::pretty;
pub use json::{Json, results_schema};
pub use junit::Junit;
pub use latex::Latex;
pub use markdown::Markdown;
pub use scorecard::scorecard_case;
pub use tables::{align_right, table, wrapped};

use crate::run::Results;

/// A format of reports.
pub trait Renderer {
    /// Returns the report in this format.
    fn render(&self, results: &Results) -> String;
}
