//! `topsim-judge.toml`: options for judging the solver of a folder, so that `topsim judge` needs no arguments.

use super::args::{HuntArgs, JudgeArgs};
use super::terminal::Terminal;
use super::{Failure, find};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use strict_toml::{Faults, InvalidFile, TomlDocument};
use topsim_judge::{Claims, InvalidClaim, SolverCommand};
use topsim_protocol::history::RenamedColumn;
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
    /// Headers of its columns, by the names that topsim has for them: `{ t = "Zeit", e1 = "Gier" }`.
    #[serde(default)]
    columns: BTreeMap<String, String>,
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
    columns: Vec<RenamedColumn>,
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
    let mut columns = Vec::new();
    for (name, header) in &solver.columns {
        match RenamedColumn::new(name, header) {
            Ok(column) => columns.push(column),
            Err(why) => {
                let key = format!("solver.columns.{name}");
                faults.add(
                    &key,
                    format!("`{name}` for the header `{header}`"),
                    why.allowed(),
                );
            }
        }
    }
    faults.into_result()?;
    let command = command.expect("an invalid command is a fault");
    let options = SolverOptions {
        command,
        build,
        claims,
        only_step,
        columns,
    };
    Ok((solver, options))
}

/// Reads the file of this folder; `otherwise` are the options that do without it.
fn of_this_folder(
    otherwise: &str,
    terminal: &Terminal,
) -> Result<(SolverTable, SolverOptions), Failure> {
    let path = Path::new(NAME);
    if !path.exists() {
        return Err(Failure::Invalid(format!(
            "error: found nothing to judge, and no {NAME} in this folder; allowed: {otherwise}, or that file, which `topsim init \
             --solver LANGUAGE` writes with a solver"
        )));
    }
    read(NAME, &find::read(path)?).map_err(|e| terminal.invalid(&e))
}

/// Returns the options of `judge` completed by the file of this folder; the command line takes precedence.
///
/// # Errors
/// Fails if there is no file, or if it is not valid.
pub(super) fn fill(args: &JudgeArgs, terminal: &Terminal) -> Result<JudgeArgs, Failure> {
    let (table, options) = of_this_folder("--solver COMMAND, --history FILE, --problem", terminal)?;
    let mut out = args.clone();
    out.solver = Some(options.command);
    out.build = out.build.or(options.build);
    if out.cases.is_empty() && !out.all {
        out.cases = table.cases;
    }
    if out.reading.columns.is_empty() {
        out.reading.columns = options.columns;
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

/// Returns the options of `hunt` completed by the file of this folder, with the command that builds the solver. Claims of the
/// file are not taken: a hunt finds by itself what holds on ordinary problems.
///
/// # Errors
/// Fails if there is no file, or if it is not valid.
pub(super) fn fill_hunt(
    args: &HuntArgs,
    terminal: &Terminal,
) -> Result<(HuntArgs, Option<SolverCommand>), Failure> {
    let (table, options) = of_this_folder("--solver COMMAND, --scheme NAME", terminal)?;
    let mut out = args.clone();
    out.solver = Some(options.command);
    if out.reading.columns.is_empty() {
        out.reading.columns = options.columns;
    }
    out.protocol = out.protocol.or(table.protocol);
    out.only_step = out.only_step.or(options.only_step);
    out.time_limit = out.time_limit.or(table.time_limit);
    Ok((out, options.build))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mistakes_are_named_at_once_with_their_lines() {
        let text = "[solver]\ncommand = \"a 'b\"\ntime_limit = 0\nclaim = \"order=0\"\nbuild = \"\"\ncolumns = { time = \"Zeit\" }\n";
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
            "topsim-judge.toml:6",
            "`time` for the header `Zeit`",
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
