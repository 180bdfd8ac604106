//! The one report tree, and what renders it. Each format is one implementation of [`Renderer`].

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
pub use difference::Difference;
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

/// Turns a report into a text.
pub trait Renderer {
    /// The whole text.
    fn render(&self, results: &Results) -> String;
}
