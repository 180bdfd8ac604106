//! The one report tree, and what renders it. Each format is one implementation of [`Renderer`].

mod badge;
mod credibility;
mod csv;
mod difference;
mod facts;
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
pub(crate) mod text;
mod timings;
mod tree;

pub use badge::Badge;
pub use credibility::Credibility;
pub use csv::Csv;
pub use difference::{Difference, Results};
pub use facts::{CommandFacts, ProblemSummary};
pub use figures::{DrawnFigure, FigureFormat, figure_files, figures};
pub use files::{Output, OutputError};
pub use finding::{counted, covered, files as finding_files, hunted};
pub(crate) use history::csv_text;
pub use html::Html;
pub use human::{Human, TextStyle};
pub(crate) use json::pretty;
pub use json::{Json, results_schema};
pub use junit::Junit;
pub use latex::Latex;
pub use markdown::Markdown;
pub use tables::{align_right, table, wrapped};
pub use tree::{Case, Histories, IncompleteRun, Item, Report, RunItem};

/// Turns a report into a text.
pub trait Renderer {
    /// The whole text.
    fn render(&self, report: &Report) -> String;
}
