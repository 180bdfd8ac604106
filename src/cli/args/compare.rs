//! Options of `topsim compare`.

use super::ReadingArgs;
use super::values::{cases_and_files, finite, seconds};
use clap::Args;
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;
use std::str::FromStr;
use topsim_judge::{Claims, SolverCommand};
use topsim_protocol::problem::{OnlyStep, ProblemForm};
use topsim_protocol::solver::InvalidCommand;

#[derive(Debug, Clone, Args)]
#[command(after_help = COMPARE)]
pub struct CompareArgs {
    /// Case files, or names of built-in cases (default: those made for judging).
    #[arg(value_name = "CASE", add = ArgValueCompleter::new(cases_and_files))]
    pub cases: Vec<String>,
    /// A solver or a setting of one: a command as for `judge --solver`, with a name before it. Give this option once for each.
    #[arg(long = "solver", value_name = "NAME=COMMAND", required = true)]
    pub solvers: Vec<NamedSolver>,
    /// Steps for the solvers, s (default: those of the cases).
    #[arg(long, value_name = "H,H,…", value_delimiter = ',', value_parser = seconds)]
    pub steps: Vec<f64>,
    /// End before the cases do, s.
    #[arg(long, value_name = "T", value_parser = finite, allow_negative_numbers = true)]
    pub end: Option<f64>,
    /// Claims on all of the solvers, as for `judge`.
    #[arg(long, value_name = "CLAIM,CLAIM,…")]
    pub claim: Option<Claims>,
    /// Do not time the steps, so that the output is the same on every machine.
    #[arg(long)]
    pub no_times: bool,
    /// Form of the problems that the solvers read: json (the default), text, lines `key = values`, or batch, many problems of one step in arrays.
    #[arg(long, value_name = "FORM")]
    pub protocol: Option<ProblemForm>,
    /// The only step that the solvers can make, in s, such as 0.01 or 1/60: problems are posed as equivalent ones with this step.
    #[arg(long, value_name = "S")]
    pub only_step: Option<OnlyStep>,
    /// Longest time a solver may take for one step (default: 60).
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Solvers at a time (default: all cores).
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Show each case too.
    #[arg(long, short)]
    pub verbose: bool,
    /// Write compare.html, compare.md and compare.csv with the figures below this folder, and the report of each solver into a
    /// folder of its name.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

const COMPARE: &str = "\
Examples:
  topsim compare --solver old=./old --solver new=./new --out compared
  topsim compare judge_top --solver \"rk4=python3 my.py rk4\" --solver \"euler=python3 my.py euler\"

Exit status: 0 all solvers were judged, whatever was found · 2 usage or an invalid file · 3 a step of a solver has no history · \
4 input/output error · 130 interrupted";

/// A solver with its name in the comparison.
#[derive(Debug, Clone)]
pub struct NamedSolver {
    /// Name: that of the program without one.
    pub name: String,
    /// Command.
    pub command: SolverCommand,
}

impl FromStr for NamedSolver {
    type Err = InvalidCommand;

    fn from_str(text: &str) -> Result<Self, InvalidCommand> {
        if let Some((name, command)) = text.split_once('=')
            && topsim_case::is_name(name)
        {
            let (name, command) = (name.into(), command.parse()?);
            return Ok(Self { name, command });
        }
        let command: SolverCommand = text.parse()?;
        let program = std::path::Path::new(command.program());
        let name = program.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        Ok(Self { name, command })
    }
}
