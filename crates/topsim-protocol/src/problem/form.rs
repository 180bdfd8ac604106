//! The forms of a problem: JSON, lines of text for languages that read no JSON, and batches.

use super::{ProblemBatch, SolverProblem};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;
use std::str::FromStr;

/// How a problem is written for a solver.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ProblemForm {
    /// One JSON object on a line.
    #[default]
    Json,
    /// Lines `key = values`: keys of inner tables after a dot, tables in arrays by their number from 1, arrays row by row with blanks between the numbers, nothing
    /// of what is null, and the number of `times` as `rows` before them.
    Text,
    /// Batches of problems, one JSON object of arrays on a line.
    Batch,
}

/// Why a text is no form of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("allowed: json, text or batch")]
pub struct InvalidForm;

impl FromStr for ProblemForm {
    type Err = InvalidForm;
    fn from_str(text: &str) -> Result<Self, InvalidForm> {
        match text {
            "json" => Ok(Self::Json),
            "text" => Ok(Self::Text),
            "batch" => Ok(Self::Batch),
            _ => Err(InvalidForm),
        }
    }
}

impl ProblemForm {
    /// The problem as a solver gets it, with the end of its last line.
    pub fn write(self, problem: &SolverProblem) -> String {
        let value = serde_json::to_value(problem).expect("plain data always serialises");
        match self {
            // Not from `value`, whose keys have lost their order.
            Self::Json => {
                serde_json::to_string(problem).expect("plain data always serialises") + "\n"
            }
            Self::Batch => ProblemBatch::new(&[problem]).line(),
            Self::Text => {
                let mut out = String::new();
                lines(&mut out, "", &value);
                out
            }
        }
    }
}

fn lines(out: &mut String, key: &str, value: &Value) {
    match value {
        Value::Null => {}
        Value::Object(table) => {
            for (name, value) in table {
                let dot = if key.is_empty() { "" } else { "." };
                if name == "times" {
                    let rows = value.as_array().map_or(0, Vec::len);
                    let _ = writeln!(out, "{key}{dot}rows = {rows}");
                }
                lines(out, &format!("{key}{dot}{name}"), value);
            }
        }
        Value::Array(all) if all.first().is_some_and(Value::is_object) => {
            for (number, value) in (1..).zip(all) {
                lines(out, &format!("{key}.{number}"), value);
            }
        }
        value => {
            let _ = write!(out, "{key} =");
            plain(out, value);
            out.push('\n');
        }
    }
}

fn plain(out: &mut String, value: &Value) {
    match value {
        Value::Array(all) => all.iter().for_each(|v| plain(out, v)),
        Value::String(text) => {
            let _ = write!(out, " {}", text.replace(['\r', '\n'], " "));
        }
        value => {
            let _ = write!(out, " {value}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::ProblemChoice;
    use std::collections::BTreeMap;
    use topsim_case::Problem;

    #[test]
    fn lines_hold_the_numbers_of_the_json() {
        let problem = Problem::builtin("judge_top").unwrap();
        let posed = SolverProblem::all(&problem, &ProblemChoice::default()).unwrap();
        let text = ProblemForm::Text.write(&posed[0]);
        let lines: BTreeMap<&str, &str> =
            text.lines().map(|l| l.split_once(" = ").unwrap()).collect();
        let numbers = |key: &str| -> Vec<f64> {
            let words = lines[key].split(' ');
            words.map(|w| w.parse().unwrap()).collect()
        };
        assert_eq!(numbers("times"), posed[0].times);
        assert_eq!(numbers("rows"), [posed[0].times.len() as f64]);
        assert_eq!(numbers("step"), [posed[0].step]);
        assert_eq!(numbers("initial.quaternion").len(), 4);
        let inertia = posed[0]
            .body
            .as_ref()
            .unwrap()
            .inertia
            .as_flattened()
            .to_vec();
        assert_eq!(numbers("body.inertia"), inertia);
        assert_eq!(lines["torque.model"], "gravity");
        assert!(!text.contains("joint") && !text.contains("null"), "{text}");
        let rows = text.find("\nrows =").unwrap();
        assert!(rows < text.find("\ntimes =").unwrap());
        // A torque by a table has times of its own.
        let problem = Problem::builtin("pairs_table").unwrap();
        let posed = SolverProblem::all(&problem, &ProblemChoice::default()).unwrap();
        let text = ProblemForm::Text.write(&posed[0]);
        assert!(text.contains("\ntorque.rows = ") && text.matches("\nrows = ").count() == 1);
        let json: Value = serde_json::from_str(&ProblemForm::Json.write(&posed[0])).unwrap();
        assert_eq!(json["times"][1], posed[0].times[1]);
    }
}
