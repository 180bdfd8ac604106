//! Options of `topsim judge`.

use super::values::{cases_and_files, finite, page, seconds, tolerance};
use super::{ReadingArgs, ReportArgs};
use clap::{ArgGroup, Args};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;
use topsim_judge::{Claims, SolverCommand};
use topsim_protocol::problem::RelationsChoice;
use topsim_protocol::problem::{OnlyStep, ProblemForm};

#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("what").args(["history", "solver", "problem"]))]
#[command(after_help = JUDGE)]
pub struct JudgeArgs {
    /// Case files, or names of built-in cases; several with --solver only, which without a case takes those made for
    /// judging. Without --solver, --history and --problem, topsim-judge.toml in this folder says what is judged.
    #[arg(value_name = "CASE", add = ArgValueCompleter::new(cases_and_files))]
    pub cases: Vec<String>,
    /// All built-in cases made for judging, whose names begin with `judge_`, whatever topsim-judge.toml says.
    #[arg(long, conflicts_with_all = ["history", "problem"])]
    pub all: bool,
    /// A CSV file: `t`, an attitude, and what else is known; once for each step size.
    #[arg(long, value_name = "FILE")]
    pub history: Vec<PathBuf>,
    /// A command that reads the problem as JSON from standard input and writes CSV to standard output; started
    /// once for each step. Quoted as in a shell; no shell reads it.
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<SolverCommand>,
    /// A command that builds the solver; run once before it is judged. Quoted as in a shell; no shell reads it.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["history", "problem"])]
    pub build: Option<SolverCommand>,
    /// Print the problem that a solver would get for the first step, and run nothing.
    #[arg(long, conflicts_with = "files")]
    pub problem: bool,
    /// Form of the problems that the solver reads: json (the default), text, lines `key = values`, or batch, many problems of one step in arrays.
    #[arg(long, value_name = "FORM", conflicts_with = "history")]
    pub protocol: Option<ProblemForm>,
    /// Steps for the solver (default: those of the case), or those of the histories in their order (default: the
    /// median spacing of their rows).
    #[arg(long, value_name = "H,H,…", value_delimiter = ',', value_parser = seconds)]
    pub steps: Vec<f64>,
    /// Tolerances at which a solver that chooses its own steps is judged, instead of several steps. The solver gets each as
    /// `tolerance` in the problem, and in the place of `{tolerance}` in its command. topsim reports the errors against the tolerance, and no order.
    #[arg(long, value_name = "T,T,…", value_delimiter = ',', value_parser = tolerance, conflicts_with = "history")]
    pub tolerances: Vec<f64>,
    /// The only step that the solver can make, in s, such as 0.01 or 1/60. Each problem is posed as the equivalent one with this
    /// step, in which the body turns faster or slower, so that the solver is judged at all steps.
    #[arg(long, value_name = "S", conflicts_with = "history")]
    pub only_step: Option<OnlyStep>,
    /// End before the case does, s; for the solver.
    #[arg(long, value_name = "T", value_parser = finite, allow_negative_numbers = true, conflicts_with = "history")]
    pub end: Option<f64>,
    /// Longest time the solver may take for one step (default: 60).
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with_all = ["history", "problem"])]
    pub time_limit: Option<f64>,
    /// Solvers at a time (default: all cores).
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with_all = ["history", "problem"])]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub report: ReportArgs,
    /// The author's claims on the solver, which are judged: order=P (the measured order may be 0.25 less), tolerance=P (the slope of errors over --tolerances), energy (kept to
    /// rounding) or energy=bounded, momentum, reversible, precision=single or precision=double,
    /// scheme=NAME (a scheme of the catalogue, or a rule such as rk4, heun, crank_nicolson), implicit (a step solves equations).
    #[arg(long, value_name = "CLAIM,CLAIM,…", conflicts_with = "problem")]
    pub claim: Option<Claims>,
    /// Also test symmetries: the solver runs mirrored, turned and scaled images of each problem, which need no reference.
    /// `only` tests nothing else. Give this option after the cases.
    #[arg(long, value_name = "only", num_args = 0..=1, default_missing_value = "beside", conflicts_with_all = ["history", "problem"])]
    pub relations: Option<RelationsChoice>,
    /// Write the report, and for each case errors, the order beside schemes of the catalogue and drifts, as CSV and
    /// figures, below this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "problem")]
    pub out: Option<PathBuf>,
    /// Write one page for a quality file, in the terms of ASME V&V and NAFEMS: what was verified, how, and what was not.
    /// The page is Markdown if the name ends in .md, and HTML if it ends in .html.
    #[arg(long, value_name = "FILE", value_parser = page, conflicts_with = "problem")]
    pub credibility_report: Option<PathBuf>,
    /// Write the model of the solver that explains its histories, as JSON, for `topsim run CASE --solver-model FILE`: its
    /// equations, its scheme and the form of its rows.
    #[arg(long, value_name = "FILE", conflicts_with = "problem")]
    pub model: Option<PathBuf>,
    /// Show all findings: each history, drifts, phases, conventions that row 0 does not show.
    #[arg(long, short)]
    pub verbose: bool,
    /// A TOML file with the failing verdicts that are accepted and the reasons; new ones still fail.
    #[arg(long, value_name = "FILE", conflicts_with = "problem")]
    pub accepted: Option<PathBuf>,
    /// Write the failing verdicts as such a file, to which you add reasons; those of --accepted that still fail keep
    /// theirs.
    #[arg(long, value_name = "FILE", conflicts_with = "problem")]
    pub write_accepted: Option<PathBuf>,
    /// Let --write-accepted replace a file.
    #[arg(long, requires = "write_accepted")]
    pub force: bool,
}

const JUDGE: &str = "\
Examples:
  topsim judge                    # as topsim-judge.toml in this folder says; `topsim init --solver` writes one
  topsim judge heavy_top --history coarse.csv --history fine.csv
  topsim judge heavy_top --history coarse.csv --history fine.csv --columns t=Zeit,e1=Gier,e2=Nick,e3=Roll --euler ZYX:deg
  topsim judge heavy_top --problem --steps 0.01 > problem.json
  topsim judge heavy_top --solver \"python3 my_solver.py\" --steps 0.004,0.002,0.001
  topsim judge --all --solver ./my_solver --out judged
  topsim judge judge_top --solver ./my_solver --relations
  topsim judge --all --solver ./my_solver --claim order=2 --accepted known.toml --format junit > judge.xml

Exit status: 0 no defect found, or only what --accepted accepts; undecided, where nothing is claimed · 1 a defect, or a \
claim that does not hold or cannot be shown · \
2 usage or an invalid file · 3 a step of the solver has no history · 4 input/output error · 130 interrupted

`topsim schema problem` describes the JSON, `topsim schema accepted` the list of accepted defects, `topsim schema model` what \
--model writes, docs/judging.md all of it.";
