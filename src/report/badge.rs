//! The outcome of a report in a word or two for a badge, as JSON for an endpoint of shields.io.

use super::summary::Summary;
use super::{Renderer, pretty};
use crate::run::Results;
use serde::Serialize;
use topsim_judge::{Outcome, Report as HistoryReport};

/// The report as a badge.
#[derive(Debug, Clone, Copy)]
pub struct Badge;

/// JSON of the endpoint, as <https://shields.io/badges/endpoint-badge> asks for it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Endpoint {
    schema_version: u8,
    label: &'static str,
    message: String,
    color: &'static str,
}

const GOOD: &str = "brightgreen";
const KNOWN: &str = "yellow";
const BAD: &str = "red";
const NOTHING: &str = "lightgrey";

impl Renderer for Badge {
    fn render(&self, results: &Results) -> String {
        let (message, color) = outcome_and_color(results);
        pretty(&Endpoint {
            schema_version: 1,
            label: "rotation",
            message: message.to_lowercase(),
            color,
        })
    }
}

/// Returns the outcome of the report in a word or two, and its colour.
fn outcome_and_color(results: &Results) -> (String, &'static str) {
    let histories: Vec<&HistoryReport> = results.judged().collect();
    if !histories.is_empty() {
        let outcome = HistoryReport::outcome_of(&histories);
        let color = match outcome {
            Outcome::Passed | Outcome::NoDefect => GOOD,
            Outcome::NothingNew | Outcome::Undecided => KNOWN,
            Outcome::Failed | Outcome::Incomplete => BAD,
            _ => NOTHING,
        };
        return (outcome.to_string(), color);
    }
    let passed = match Summary::of(results) {
        Some(summary) => summary.passed,
        None => Some(results.acceptable()),
    };
    match passed {
        Some(true) => ("passed".into(), GOOD),
        Some(false) => ("failed".into(), BAD),
        None => ("not judged".into(), NOTHING),
    }
}
