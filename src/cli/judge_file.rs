//! `topsim-judge.toml`: options for judging the solver of a folder, so that `topsim judge` needs no arguments.

use super::args::JudgeArgs;
use super::terminal::Terminal;
use super::{Failure, find};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use strict_toml::{Faults, InvalidFile, TomlDocument};
use topsim_judge::protocol::ProblemForm;
use topsim_judge::relations::RelationsChoice;
use topsim_judge::{Claims, SolverCommand};

/// Name of the file.
pub const NAME: &str = "topsim-judge.toml";

/// The options with which `topsim judge` judges the solver of this folder.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeFile {
    /// The solver.
    solver: SolverTable,
}

/// A solver with its claims and accepted defects.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SolverTable {
    /// The command that reads a problem and writes CSV; quoted as in a shell.
    command: String,
    /// Case files, or names of built-in cases; without them, those made for judging.
    #[serde(default)]
    cases: Vec<String>,
    /// The form of its problems: JSON, or `text`.
    protocol: Option<ProblemForm>,
    /// Longest time for one step, s.
    #[schemars(range(min = 0.0, max = 1e9))]
    time_limit: Option<f64>,
    /// The claims of its author: `order=4,energy,momentum,reversible`, or some of these.
    claim: Option<String>,
    /// The file with the accepted defects.
    accepted: Option<String>,
    /// Whether relations are judged: `beside` the motion, `only` they, or `no`, unless this says otherwise.
    relations: Option<RelationsChoice>,
}

/// The contents of the file.
#[derive(Debug)]
struct FileSettings {
    command: SolverCommand,
    claims: Option<Claims>,
    table: SolverTable,
}

fn read(name: &str, text: &str) -> Result<FileSettings, InvalidFile> {
    let (file, document) = TomlDocument::read::<JudgeFile>(name, text)?;
    let table = file.solver;
    let mut faults = Faults::new(&document);
    let mut add = |key: &str, said: String| {
        let (found, allowed) = said.split_once("; allowed: ").unwrap_or((&said, ""));
        let found = found.strip_prefix("found ").unwrap_or(found);
        faults.add(&format!("solver.{key}"), found.to_string(), allowed);
    };
    let command = table.command.parse::<SolverCommand>();
    if let Err(e) = &command {
        add("command", e.to_string());
    }
    let claims = table.claim.as_deref().map(str::parse::<Claims>).transpose();
    if let Err(e) = &claims {
        add("claim", e.to_string());
    }
    if table.time_limit.is_some_and(|t| !(t > 0.0)) {
        add(
            "time_limit",
            "no time; allowed: a number of seconds greater than 0".into(),
        );
    }
    faults.into_result()?;
    match (command, claims) {
        (Ok(command), Ok(claims)) => Ok(FileSettings {
            command,
            claims,
            table,
        }),
        _ => unreachable!("each has a fault"),
    }
}

/// Returns the options completed by the file of this folder; the command line takes precedence.
///
/// # Errors
/// If there is no file, or if it is not valid.
pub(super) fn fill(args: &JudgeArgs, terminal: &Terminal) -> Result<JudgeArgs, Failure> {
    let path = Path::new(NAME);
    if !path.exists() {
        return Err(Failure::Invalid(format!(
            "error: found nothing to judge, and no {NAME} in this folder; allowed: --solver COMMAND, --history FILE, \
             --problem, or that file"
        )));
    }
    let given = read(NAME, &find::read(path)?).map_err(|e| terminal.invalid(&e))?;
    let mut out = args.clone();
    out.solver = Some(given.command);
    if out.cases.is_empty() && !out.all {
        out.all = given.table.cases.is_empty();
        out.cases = given.table.cases;
    }
    out.protocol = out.protocol.or(given.table.protocol);
    out.time_limit = out.time_limit.or(given.table.time_limit);
    out.accepted = out.accepted.or(given.table.accepted.map(Into::into));
    // No claim is judged if only relations are.
    let only = out.relations == Some(RelationsChoice::Only);
    if out.claim.is_none() && !only {
        out.claim = given.claims;
    }
    out.relations = out.relations.or(given.table.relations);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mistakes_are_named_at_once_with_their_lines() {
        let text = "[solver]\ncommand = \"a 'b\"\ntime_limit = 0\nclaim = \"order=0\"\n";
        let said = read(NAME, text).unwrap_err().to_string();
        for words in [
            "topsim-judge.toml:2",
            "does not end",
            "topsim-judge.toml:3",
            "greater than 0",
            "topsim-judge.toml:4",
            "an order of `0`",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
        for (text, words) in [
            ("", "missing key"),
            ("[solver]\n", "missing key"),
            (
                "[solver]\ncommand = \"x\"\nclaims = \"energy\"\n",
                "unknown key `claims`",
            ),
        ] {
            let said = read(NAME, text).unwrap_err().to_string();
            assert!(said.contains(words), "{text}: {said}");
        }
    }
}
