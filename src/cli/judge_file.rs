//! `topsim-judge.toml`: options for judging the solver of a folder, so that `topsim judge` needs no arguments.

use super::args::JudgeArgs;
use super::terminal::Terminal;
use super::{Failure, find};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use strict_toml::{Faults, InvalidFile, TomlDocument};
use topsim_judge::{Claims, InvalidClaim, SolverCommand};
use topsim_protocol::problem::RelationsChoice;
use topsim_protocol::problem::{InvalidOnlyStep, OnlyStep, ProblemForm};
use topsim_protocol::solver::InvalidCommand;

/// Name of the file with the options.
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
    /// A command that builds it, run once before it is judged; quoted as in a shell, without a shell.
    build: Option<String>,
    /// Case files, or names of built-in cases; without them, those made for judging.
    #[serde(default)]
    cases: Vec<String>,
    /// The form of its problems: JSON, or `text`.
    protocol: Option<ProblemForm>,
    /// Longest time for one step, s.
    #[schemars(range(min = 0.0, max = 1e9))]
    time_limit: Option<f64>,
    /// The only step that it can make, s.
    #[schemars(range(min = 0.0, max = 1e9))]
    only_step: Option<f64>,
    /// The claims of its author: `order=4,energy,momentum,reversible,precision=double,scheme=rk4,implicit`, or some of these.
    claim: Option<String>,
    /// The file with the accepted defects.
    accepted: Option<String>,
    /// Test of relations: `beside` the motion, `only` the relations, or `no`.
    relations: Option<RelationsChoice>,
}

/// Options that are texts in the table, as they are read.
#[derive(Debug)]
struct SolverOptions {
    command: SolverCommand,
    build: Option<SolverCommand>,
    claims: Option<Claims>,
    only_step: Option<OnlyStep>,
}

/// Returns the table of the solver with what is read from its texts.
fn read(name: &str, text: &str) -> Result<(SolverTable, SolverOptions), InvalidFile> {
    let (JudgeFile { solver }, document) = TomlDocument::read(name, text)?;
    let mut faults = Faults::new(&document);
    let mut parse = |key: &str, text: &str| {
        let parsed = text.parse::<SolverCommand>();
        parsed
            .map_err(|e| faults.add(key, e.found(), InvalidCommand::ALLOWED))
            .ok()
    };
    let command = parse("solver.command", &solver.command);
    let build = solver.build.as_deref();
    let build = build.and_then(|text| parse("solver.build", text));
    let claims = solver.claim.as_deref().map(str::parse::<Claims>);
    let claims = claims.transpose();
    let claims = claims
        .map_err(|e| faults.add("solver.claim", e.found, InvalidClaim::ALLOWED))
        .unwrap_or_default();
    if solver.time_limit.is_some_and(|t| !(t > 0.0)) {
        let allowed = "a number of seconds greater than 0";
        faults.add("solver.time_limit", "no time", allowed);
    }
    let only_step = solver.only_step.map(OnlyStep::written);
    let only_step = only_step.transpose();
    let only_step = only_step
        .map_err(|_| faults.add("solver.only_step", "no such step", InvalidOnlyStep::ALLOWED))
        .unwrap_or_default();
    faults.into_result()?;
    let command = command.expect("an invalid command is a fault");
    let options = SolverOptions {
        command,
        build,
        claims,
        only_step,
    };
    Ok((solver, options))
}

/// Returns the options completed by the file of this folder; the command line takes precedence.
///
/// # Errors
/// Fails if there is no file, or if it is not valid.
pub(super) fn fill(args: &JudgeArgs, terminal: &Terminal) -> Result<JudgeArgs, Failure> {
    let path = Path::new(NAME);
    if !path.exists() {
        return Err(Failure::Invalid(format!(
            "error: found nothing to judge, and no {NAME} in this folder; allowed: --solver COMMAND, --history FILE, \
             --problem, or that file, which `topsim init --solver LANGUAGE` writes with a solver"
        )));
    }
    let file = read(NAME, &find::read(path)?);
    let (table, options) = file.map_err(|e| terminal.invalid(&e))?;
    let mut out = args.clone();
    out.solver = Some(options.command);
    out.build = out.build.or(options.build);
    if out.cases.is_empty() && !out.all {
        out.cases = table.cases;
    }
    out.protocol = out.protocol.or(table.protocol);
    out.only_step = out.only_step.or(options.only_step);
    out.time_limit = out.time_limit.or(table.time_limit);
    out.accepted = out.accepted.or(table.accepted.map(Into::into));
    // If only relations are judged, no claim is.
    if out.relations != Some(RelationsChoice::Only) {
        out.claim = out.claim.or(options.claims);
    }
    out.relations = out.relations.or(table.relations);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mistakes_are_named_at_once_with_their_lines() {
        let text =
            "[solver]\ncommand = \"a 'b\"\ntime_limit = 0\nclaim = \"order=0\"\nbuild = \"\"\n";
        let said = read(NAME, text).unwrap_err().to_string();
        for words in [
            "topsim-judge.toml:2",
            "does not end",
            "topsim-judge.toml:3",
            "greater than 0",
            "topsim-judge.toml:4",
            "an order of `0`",
            "topsim-judge.toml:5",
            "no program",
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
