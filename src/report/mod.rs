//! The one report tree, and what renders it. Each format is one implementation of [`Renderer`].

mod figures;
mod files;
mod histories;
mod history;
mod human;
pub mod invalid;
mod json;
mod junit;
mod markdown;
mod scorecard;
mod tables;
mod tree;
mod words;

pub use figures::{DrawnFigure, figures, with_rasters};
pub use files::{OutputError, write_all};
pub use human::{Human, Look};
pub use json::{Json, results_schema};
pub use junit::Junit;
pub use markdown::Markdown;
pub use tables::table;
pub use tree::{Case, IncompleteRun, Item, Report, RunItem};

/// Turns a report into a text.
pub trait Renderer {
    /// The whole text.
    fn render(&self, report: &Report) -> String;
}
