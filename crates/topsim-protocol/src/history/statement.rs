//! What a solver says of itself in lines before the names of the columns: `# claim: …`, `# torque_evaluations: …`.

use super::header::shown;
use super::rows::HistoryError;
use crate::claims::{Claims, InvalidClaim};

/// What the lines say.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Statements {
    /// What its author claims.
    pub claims: Option<Claims>,
    /// Torque evaluations of the whole run.
    pub evaluations: Option<u64>,
}

/// A kind of statement.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Claim,
    TorqueEvaluations,
}

/// The kind of a line that is a statement, with what follows it.
fn statement(line: &str) -> Option<(Kind, &str)> {
    let line = line.trim_start_matches('\u{feff}').strip_prefix('#')?;
    let (name, value) = line.split_once(':')?;
    match name.trim() {
        "claim" => Some((Kind::Claim, value.trim())),
        "torque_evaluations" => Some((Kind::TorqueEvaluations, value.trim())),
        _ => None,
    }
}

impl Statements {
    /// How many lines of statements a file begins with.
    pub fn count(start: &[u8]) -> usize {
        let lines = start.split(|b| *b == b'\n');
        let texts = lines.map_while(|line| std::str::from_utf8(line).ok());
        texts.take_while(|line| statement(line).is_some()).count()
    }

    /// Takes a line of this number.
    pub fn read(&mut self, text: &str, line: u64) -> Result<(), HistoryError> {
        let wrong = |found: String, allowed: String| HistoryError {
            line,
            column: None,
            found,
            allowed,
        };
        match statement(text) {
            Some((Kind::Claim, value)) => {
                let read = value.parse::<Claims>().map_err(|e| {
                    let allowed = format!("after `# claim:` {}", InvalidClaim::ALLOWED);
                    wrong(e.found, allowed)
                })?;
                self.claims = Some(read);
            }
            Some((Kind::TorqueEvaluations, value)) => {
                let read = value.parse::<u64>().map_err(|_| {
                    let allowed = "after `# torque_evaluations:` a whole number";
                    wrong(format!("`{}`", shown(value)), allowed.into())
                })?;
                self.evaluations = Some(read);
            }
            None => {}
        }
        Ok(())
    }
}
